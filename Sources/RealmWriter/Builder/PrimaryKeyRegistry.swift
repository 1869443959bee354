internal import RealmLayout

/// The primary keys of a class in a new file, with the object keys that belong to them.
struct PrimaryKeyRegistry {
    /// A primary key, or the key of a dictionary's entry; strings, ObjectIds and UUIDs by their bytes.
    enum Value: Hashable {
        case null
        case int(Int64)
        case bytes([UInt8])
    }

    /// The property of an object that a link is in.
    struct Origin {
        let table: TablePosition
        let property: PropertyIndex
        let object: ObjectKey
    }

    enum Entry {
        case object(ObjectKey)
        case tombstone(ObjectKey)
        /// Objects link to it, but it was not added yet. With the first of them, and the primary key in words.
        case promised(ObjectKey, by: Origin, text: String)

        var key: ObjectKey {
            switch self {
            case .object(let key), .tombstone(let key), .promised(let key, _, _): key
            }
        }
    }

    private var entries: [Value: Entry] = [:]
    /// Primary keys with tombstones, in the order in which they came.
    private(set) var tombstones: [(key: ObjectKey, primaryKey: Value)] = []
    private var promiseCount = 0

    subscript(value: Value) -> Entry? { entries[value] }

    mutating func set(_ value: Value, _ entry: Entry) {
        if case .promised? = entries[value] { promiseCount -= 1 }
        if case .promised = entry { promiseCount += 1 }
        if case .tombstone(let key) = entry { tombstones.append((key, value)) }
        entries[value] = entry
    }

    /// The first object that was linked to and never added.
    var firstPromise: (origin: Origin, text: String)? {
        guard promiseCount > 0 else { return nil }
        var first: (key: ObjectKey, origin: Origin, text: String)?
        for entry in entries.values {
            guard case .promised(let key, let origin, let text) = entry, first.map({ key < $0.key }) ?? true else {
                continue
            }
            first = (key, origin, text)
        }
        return first.map { ($0.origin, $0.text) }
    }
}
