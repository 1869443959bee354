internal import RealmLayout
internal import RealmReader

/// SORT, DISTINCT and LIMIT on keys of objects, by what is in their columns: what `ResultOrder` does object by object.
struct ResultSteps {
    private let table: Table
    private let meter: WorkMeter

    init(_ table: Table, _ meter: WorkMeter) {
        self.table = table
        self.meter = meter
    }

    /// - Throws: what reading the values throws.
    func apply(_ steps: [BoundStep], to keys: [ObjectKey]) throws(FormatError) -> [ObjectKey] {
        var keys = keys
        for (index, step) in steps.enumerated() {
            try meter.charge(keys.count * (step.pathCount + 1))
            switch step {
            case .limit(let count): if count < keys.count { keys = Array(keys.prefix(count)) }
            case .sort(let order):
                // What a limit behind it leaves out need not be sorted.
                var limit = Int.max
                if index + 1 < steps.count, case .limit(let count) = steps[index + 1] { limit = count }
                keys = try sorted(keys, order, limit)
            case .distinct(let paths): keys = try distinct(keys, paths)
            }
        }
        return keys
    }

    private func sorted(
        _ keys: [ObjectKey], _ order: [(path: BoundPath, ascending: Bool)], _ limit: Int
    ) throws(FormatError) -> [ObjectKey] {
        guard keys.count > 1 else { return Array(keys.prefix(limit)) }
        if order.contains(where: { $0.path.isMixed }) { return try oneByOne(.sort(order), keys) }
        let reader = RankReader(table.snapshot, meter)
        defer { withExtendedLifetime(reader) {} }
        var columns: [(column: RankColumn, ascending: Bool)] = []
        for (path, ascending) in order { columns.append((try reader.column(path, of: keys, in: table), ascending)) }
        return RankOrder(columns).rows(limit: limit).map { keys[Int($0)] }
    }

    /// The first object of each combination of values. Objects without a value at the end of a path of links do not count.
    private func distinct(_ keys: [ObjectKey], _ paths: [BoundPath]) throws(FormatError) -> [ObjectKey] {
        guard !keys.isEmpty else { return [] }
        if paths.contains(where: \.isMixed) { return try oneByOne(.distinct(paths), keys) }
        let reader = RankReader(table.snapshot, meter)
        defer { withExtendedLifetime(reader) {} }
        var columns: [RankColumn] = []
        for path in paths { columns.append(try reader.column(path, of: keys, in: table)) }
        return RankGroups(columns).firsts.lazy.map { Int($0) }
            .filter { row in columns.allSatisfy { $0.kinds[row] != .missing } }.map { keys[$0] }
    }

    /// Mixed values have an order between two of them, but no places among all: some that are no numbers are equal to others
    /// that are not equal.
    private func oneByOne(_ step: BoundStep, _ keys: [ObjectKey]) throws(FormatError) -> [ObjectKey] {
        var objects: [StoredObject] = []
        for key in keys { if let object = try table.object(key) { objects.append(object) } }
        return try ResultOrder(QueryEvaluator(snapshot: table.snapshot, meter: meter)).apply(step, to: objects).map(
            \.key)
    }
}

extension BoundStep {
    /// How many values are read of each object.
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
    fileprivate var isMixed: Bool { type == .property(.mixed) }
}
