internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Applies SORT, DISTINCT and LIMIT to object keys, reading columns. `ResultOrder` does the same object by object.
struct ResultSteps {
    let table: Table
    let meter: WorkMeter

    init(_ table: Table, _ meter: WorkMeter) {
        self.table = table
        self.meter = meter
    }

    /// - Throws: errors of reading the values.
    func apply(_ steps: [BoundStep], to keys: [ObjectKey]) throws(FormatError) -> [ObjectKey] {
        var keys = keys
        for (index, step) in steps.enumerated() {
            keys = try apply(step, to: keys, limit: limit(behind: index, of: steps))
        }
        return keys
    }

    func apply(_ step: BoundStep, to keys: [ObjectKey], limit: Int) throws(FormatError) -> [ObjectKey] {
        try meter.charge(step, keys.count)
        switch step {
        case .limit(let count): return count < keys.count ? Array(keys.prefix(count)) : keys
        case .sort(let order): return try sorted(keys, order, limit)
        case .distinct(let paths): return try distinct(keys, paths)
        }
    }

    /// The number of objects that a step must return: objects beyond a following LIMIT need not be sorted.
    func limit(behind index: Int, of steps: [BoundStep]) -> Int {
        guard index + 1 < steps.count, case .limit(let count) = steps[index + 1] else { return .max }
        return count
    }

    private func sorted(
        _ keys: [ObjectKey], _ order: [(path: BoundPath, ascending: Bool)], _ limit: Int
    ) throws(FormatError) -> [ObjectKey] {
        guard keys.count > 1 else { return Array(keys.prefix(limit)) }
        if order.contains(where: { $0.path.isMixed }) { return try oneByOne(.sort(order), keys) }
        let reader = SortKeyReader(table.snapshot, meter)
        defer { withExtendedLifetime(reader) {} }
        var columns: [(column: SortKeyColumn, ascending: Bool)] = []
        for (path, ascending) in order { columns.append((try reader.column(path, of: keys, in: table), ascending)) }
        return .large(of: SortKeyOrder(columns).rows(limit: limit)) { keys[Int($0)] }
    }

    /// The first object of each combination of values. Objects whose path of links ends early are left out.
    private func distinct(_ keys: [ObjectKey], _ paths: [BoundPath]) throws(FormatError) -> [ObjectKey] {
        guard !keys.isEmpty else { return [] }
        if paths.contains(where: \.isMixed) { return try oneByOne(.distinct(paths), keys) }
        let reader = SortKeyReader(table.snapshot, meter)
        defer { withExtendedLifetime(reader) {} }
        var columns: [SortKeyColumn] = []
        for path in paths { columns.append(try reader.column(path, of: keys, in: table)) }
        guard keys.count >= Self.manyRows, SortKeyShares.areMostlyDifferent(columns) else {
            return SortKeyGroups(columns).countedFirsts(columns).map { keys[$0] }
        }
        // Processes shares one after the other, because each table fits into the processor's cache.
        let ranks = SortKeyShares([columns])
        let shares = ranks.divided(0, nil, into: SortKeyShares.count(of: keys.count))
        return ranks.merged(shares.map { ranks.firsts(of: [$0]) }, keys)
    }

    private static let manyRows = 1 << 16

    /// Evaluates a step object by object, for mixed values: they have no total order, since some NaNs are equal to
    /// several values that are not equal to each other.
    private func oneByOne(_ step: BoundStep, _ keys: [ObjectKey]) throws(FormatError) -> [ObjectKey] {
        var objects: [StoredObject] = []
        for key in keys { if let object = try table.object(key) { objects.append(object) } }
        return try ResultOrder(QueryEvaluator(snapshot: table.snapshot, meter: meter)).apply(step, to: objects).map(
            \.key)
    }
}

extension WorkMeter {
    /// Charges the work of a step on `count` objects.
    func charge(_ step: BoundStep, _ count: Int) throws(FormatError) { try charge(count * (step.pathCount + 1)) }
}

extension BoundStep {
    /// The number of values read for each object.
    fileprivate var pathCount: Int {
        switch self {
        case .sort(let keys): keys.count
        case .distinct(let paths): paths.count
        case .limit: 0
        }
    }
}

extension BoundPath {
    /// Whether its values can be of several types.
    var isMixed: Bool { type == .property(.mixed) }
}
