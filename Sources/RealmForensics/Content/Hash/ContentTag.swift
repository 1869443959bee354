/// The first byte of a value written as content (Spec 170).
package enum ContentTag: UInt8, CaseIterable, Sendable {
    case null = 0
    case int = 1
    case bool = 2
    case string = 3
    case binary = 4
    case timestamp = 5
    case float = 6
    case double = 7
    case decimal128 = 8
    case objectId = 9
    case uuid = 10
    case link = 11
    case list = 12
    case set = 13
    case dictionary = 14
    case linkByPrimaryKey = 15
    case deletedByPrimaryKey = 16
    case embedded = 17
}

/// The prefix of a message of the content hash (Spec 170).
package enum ContentMessage: String, CaseIterable, Sendable {
    case table = "realm content 1: table\n"
    case tableByPrimaryKey = "realm content 1: table by primary key\n"
    case database = "realm content 1: database\n"
    case databaseByPrimaryKey = "realm content 1: database by primary key\n"

    static func table(_ identity: ContentIdentity) -> ContentMessage {
        identity == .objectKey ? .table : .tableByPrimaryKey
    }

    static func database(_ identity: ContentIdentity) -> ContentMessage {
        identity == .objectKey ? .database : .databaseByPrimaryKey
    }
}

/// Separator bytes between the parts of a table's message (Spec 170).
package enum ContentMark {
    /// Precedes each object.
    package static let object: UInt8 = 1
    /// Follows the last object.
    package static let end: UInt8 = 0
}
