// The slots of the arrays that every database has. A test compares names and numbers with the Spec's tables.

/// Slots of the group's top node (Spec 70).
package enum GroupTopSlot: Int, CaseIterable, RecordSlot {
    case tableNames
    case tables
    case logicalFileSize
    case freePositions
    case freeLengths
    case freeVersions
    case version
    case historyType
    case history
    case historySchemaVersion
    case syncFileIdentifier
    case evacuationPoint

    /// The numbers of slots that a top node may have.
    package static let allowedCounts: Set<Int> = [3, 5, 7, 9, 10, 11, 12]
    /// The most slots before format 10.
    package static let legacyCount = 10
}

/// Slots of a table's top node (Spec 60).
package enum TableTopSlot: Int, CaseIterable, RecordSlot {
    case spec
    case columns
    case clusterTree
    case tableKey
    case searchIndexes
    case columnKeySequence
    case contentVersion
    case oppositeTables
    case oppositeColumns
    case sequenceNumber
    case collisionMap
    case primaryKeyColumn
    case flags
    case tombstones

    /// The numbers of slots that a table's top may have in formats with clusters: Core 6 wrote 12; Core 10 adds two to
    /// tables that it creates, and one to those whose kind it changes (R60.1).
    package static let allowedCounts = 12...14
}

/// Slots of a table's spec (Spec 60).
package enum SpecSlot: Int, CaseIterable, RecordSlot {
    case types
    case names
    case attributes
    case vacant
    case enumKeys
    case columnKeys
}

/// Slots of an inner node of a cluster tree before its children (Spec 50).
package enum ClusterInnerSlot: Int, CaseIterable, RecordSlot {
    case keyOffsets
    case depth
    case objectCount
    case firstChild
}

/// Slots of the root of a dictionary since format 23, which is a pair of B+trees (Spec 40).
package enum DictionarySlot: Int, CaseIterable, RecordSlot {
    case keys
    case values
}

/// Slots of a leaf of timestamps, and of the root of a timestamp column before format 10 (Spec 30, 110).
package enum TimestampSlot: Int, CaseIterable, RecordSlot {
    case seconds
    case nanoseconds
}

/// Slots of a leaf of medium strings or binaries (Spec 30).
package enum MediumSlot: Int, CaseIterable, RecordSlot {
    case endOffsets
    case bytes
    case nullFlags
}

/// Slots of a Mixed leaf (Spec 30).
@usableFromInline
package enum MixedSlot: Int, CaseIterable, RecordSlot {
    case composites
    case integers
    case pairs
    case strings
    case collections
    case collectionKeys
}

extension GroupTopSlot {
    /// Whether a root may have that kind of element in the slot.
    package func allows(_ element: Slot) -> Bool {
        switch self {
        case .tableNames, .tables:
            if case .ref = element { true } else { false }
        case .logicalFileSize:
            if case .tagged = element { true } else { false }
        case .freePositions, .freeLengths, .freeVersions, .history:
            if case .tagged = element { false } else { true }
        case .version, .historyType, .historySchemaVersion, .syncFileIdentifier:
            if case .ref = element { false } else { true }
        case .evacuationPoint:
            true
        }
    }
}
