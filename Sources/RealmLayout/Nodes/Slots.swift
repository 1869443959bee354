// The slots of the arrays that every database has. Names and numbers are those of the Spec's tables, which a test
// compares with these.

/// Slots of the group's top node (Spec 70).
package enum GroupTopSlot: Int, CaseIterable {
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
package enum TableTopSlot: Int, CaseIterable {
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
}

/// Slots of a table's spec (Spec 60).
package enum SpecSlot: Int, CaseIterable {
    case types
    case names
    case attributes
    case vacant
    case enumKeys
    case columnKeys
}

/// Slots of an inner node of a cluster tree before its children (Spec 50).
package enum ClusterInnerSlot: Int, CaseIterable {
    case keyOffsets
    case depth
    case objectCount
    case firstChild
}

/// Slots of a Mixed leaf (Spec 30).
@usableFromInline
package enum MixedSlot: Int, CaseIterable {
    case composites
    case integers
    case pairs
    case strings
    case collections
    case collectionKeys
}

/// What a table's objects are (bits 0-1 of its flags, Spec 60).
public enum TableKind: Int, CaseIterable, Sendable {
    /// Objects that stand on their own.
    case topLevel = 0
    /// Objects that live inside one owner each.
    case embedded = 1
    /// Objects that a client only uploads.
    case asymmetric = 2
}

/// Who reads the history of commits in the file (Spec 70).
public enum HistoryType: Int, CaseIterable, Sendable {
    /// No history.
    case none = 0
    /// A log beside the file; obsolete.
    case outOfRealm = 1
    /// A history for the processes that share the file.
    case inRealm = 2
    /// The history of a client of Device Sync.
    case syncClient = 3
    /// The history of a sync server.
    case syncServer = 4
}
