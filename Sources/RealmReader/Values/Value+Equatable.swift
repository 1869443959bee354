// Strings of Swift are equal when they look alike, and floating-point numbers are not when they are NaN; a database
// tells the former apart and finds the latter.
extension Value: Equatable {
    /// Whether both are the same in one file: links and embedded objects are compared by table and object key, and not by
    /// what the objects hold. Of two files `Snapshot.contentDifference(to:)` says what differs.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.int(let left), .int(let right)): left == right
        case (.bool(let left), .bool(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.malformedString(let left), .malformedString(let right)): left == right
        case (.binary(let left), .binary(let right)): left == right
        case (.timestamp(let left), .timestamp(let right)): left == right
        case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.decimal128(let left), .decimal128(let right)): left == right
        case (.objectId(let left), .objectId(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        case (.link(let left), .link(let right)): left == right
        case (.embedded(let left), .embedded(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        case (.set(let left), .set(let right)): left == right
        case (.dictionary(let left), .dictionary(let right)): left == right
        default: false
        }
    }
}
