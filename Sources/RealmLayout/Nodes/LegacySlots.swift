// Slots of nodes that only formats 2 to 9 have. A test compares names and numbers with the Spec's tables.

/// Slots of a table's top node (Spec 100): the first ones of a current top node.
package enum LegacyTableTopSlot: Int, CaseIterable {
    case spec
    case columns
}

/// Slots of the spec of a table or subtable (Spec 100).
package enum LegacySpecSlot: Int, CaseIterable, RecordSlot {
    case types
    case names
    case attributes
    case subspecs
    case enumKeys
}

/// Slots of the root of an old Mixed column (Spec 110).
package enum LegacyMixedSlot: Int, CaseIterable, RecordSlot {
    case types
    case data
    case binaries
    case timestamps
}

/// Slots of the columns of a subtable that is a list of values (Spec 100).
package enum LegacyListSlot: Int, CaseIterable, RecordSlot {
    case values
    case searchIndex

    package var words: String {
        switch self {
        case .values: "values of a list"
        case .searchIndex: "index of a list"
        }
    }
}

/// The types of values in an old Mixed column (Spec 110).
package enum LegacyMixedType: Int, CaseIterable {
    case int = 0
    case bool = 1
    case string = 2
    case binary = 4
    case subtable = 5
    case oldDateTime = 7
    case timestamp = 8
    case float = 9
    case double = 10
    case negativeDouble = 11
    case negativeInt = 12
}
