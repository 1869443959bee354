internal import RealmLayout

/// The trees that hold one column of a table or subtable of formats 2 to 9.
final class LegacySource {
    let column: LegacySpec.Column
    /// One tree; for timestamps seconds and nanoseconds; for Mixed the types, the data, the binaries if there are any,
    /// and then seconds and nanoseconds.
    let trees: [LegacyTree]
    /// The number of rows.
    var count: Int { trees.first?.count ?? 0 }

    /// Opens the trees of a column.
    ///
    /// - Throws: errors from reading inner nodes, `wrongCount` when the parts of a column differ in length.
    init(
        _ column: LegacySpec.Column, root: Ref, in space: NodeSpace, _ budget: inout WorkBudget
    ) throws(FormatError) {
        self.column = column
        let isNullable = column.isNullable
        let type: LeafType
        switch column.type {
        case .int, .oldDateTime: type = .int(nullable: isNullable)
        case .bool: type = isNullable ? .int(nullable: true) : .bool
        case .string: type = .legacyString(nullable: isNullable)
        case .enumeratedString: type = .int(nullable: false)
        case .binary: type = .legacyBinary(nullable: isNullable)
        case .float: type = .float
        case .double: type = .double
        case .link: type = .link(biased: true)
        case .linkList, .subtable: type = .collections
        case .backLink: type = .backlinks
        case .timestamp:
            trees = try Self.timestamps(root, in: space, &budget)
            return
        case .mixed:
            trees = try Self.mixed(root, in: space, &budget)
            return
        }
        trees = [try LegacyTree(root: root, as: type, in: space, &budget)]
    }

    /// Seconds, which are always nullable, and nanoseconds.
    private static func timestamps(
        _ root: Ref, in space: NodeSpace, _ budget: inout WorkBudget
    ) throws(FormatError) -> [LegacyTree] {
        let record = try Record<TimestampSlot>(at: root, in: space)
        guard record.slots.count == TimestampSlot.allCases.count else {
            throw record.node.unexpected("seconds and nanoseconds")
        }
        try budget.spend(record.node, elements: record.slots.count)
        let seconds = try LegacyTree(
            root: record.requiredRef(.seconds), as: .int(nullable: true),
            in: space, &budget)
        let nanoseconds = try LegacyTree(
            root: record.requiredRef(.nanoseconds),
            as: .int(nullable: false),
            in: space, &budget)
        guard seconds.count == nanoseconds.count else {
            throw record.node.wrongCount("nanoseconds", nanoseconds.count, seconds.count)
        }
        return [seconds, nanoseconds]
    }

    private static func mixed(
        _ root: Ref, in space: NodeSpace, _ budget: inout WorkBudget
    ) throws(FormatError) -> [LegacyTree] {
        let record = try Record<LegacyMixedSlot>(at: root, in: space)
        let counts = LegacyMixedSlot.binaries.rawValue...LegacyMixedSlot.allCases.count
        guard counts.contains(record.slots.count) else { throw record.node.unexpected("types and data of old Mixed") }
        try budget.spend(record.node, elements: record.slots.count)
        let types = try LegacyTree(
            root: record.requiredRef(.types), as: .int(nullable: false), in: space,
            &budget)
        let data = try LegacyTree(
            root: record.requiredRef(.data), as: .int(nullable: false), in: space,
            &budget)
        guard types.count == data.count else { throw record.node.wrongCount("data", data.count, types.count) }
        var trees = [types, data]
        let binaries = try record.ref(.binaries)
        let timestamps = try record.ref(.timestamps)
        if let binaries {
            trees.append(try LegacyTree(root: binaries, as: .legacyBinary(nullable: false), in: space, &budget))
        }
        if let timestamps {
            if binaries == nil { throw record.node.unexpected("binaries before the timestamps of old Mixed") }
            trees += try Self.timestamps(timestamps, in: space, &budget)
        }
        return trees
    }
}
