internal import RealmLayout

// Swift strings are equal when they are canonically equivalent, and NaN is not equal to itself. A database
// distinguishes such strings and finds NaN.
extension Value: Hashable {
    /// Whether both are the same. Links and embedded objects are equal when they are the same objects of the same
    /// commit of one opened file, regardless of content. To compare files or commits use
    /// `Snapshot.contentDifference(to:)`.
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
    /// Hashes the parts that `==` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .int(let value): hasher.combine(value)
        case .bool(let value): hasher.combine(value)
        case .string(let value): ExactName(value).hash(into: &hasher)
        case .malformedString(let value), .binary(let value): hasher.combine(value)
        case .timestamp(let value): hasher.combine(value)
        case .float(let value): hasher.combine(value.bitPattern)
        case .double(let value): hasher.combine(value.bitPattern)
        case .decimal128(let value): hasher.combine(value)
        case .objectId(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .link(let value): hasher.combine(value)
        case .embedded(let value): hasher.combine(value)
        case .list(let values), .set(let values): hasher.combine(values)
        case .dictionary(let entries): hasher.combine(entries)
        }
    }
}

extension StoredObject: Hashable {
    /// Objects are equal when they are the same object of the same commit of one opened file. To compare files or
    /// commits use `Snapshot.contentDifference(to:)`.
    public static func == (left: StoredObject, right: StoredObject) -> Bool {
        left.key == right.key && left.table == right.table
    }

    /// Hashes the parts that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(table)
        hasher.combine(key)
    }
}

extension Link: Hashable {
    /// Links are equal when they lead to the same object of the same commit of one opened file.
    public static func == (left: Link, right: Link) -> Bool {
        left.objectKey == right.objectKey && left.table == right.table
    }

    /// Hashes the parts that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(table)
        hasher.combine(objectKey)
    }
}
