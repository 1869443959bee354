internal import RealmCore
internal import RealmLayout

/// The primary keys of a class in a new file, with their object keys.
struct PrimaryKeyRegistry {
    /// A primary key, or the key of a dictionary's entry; strings, ObjectIds and UUIDs are represented by their bytes.
    enum Value: Hashable {
        case null
        case int(Int64)
        case bytes([UInt8])
    }

    /// The property of an object that contains a link.
    struct Origin {
        let table: TablePosition
        let property: PropertyIndex
        let object: ObjectKey
    }

    enum Entry {
        case object(ObjectKey)
        case tombstone(ObjectKey)
        /// A link target that is not added yet, with the first link to it and a description of its primary key.
        case promised(ObjectKey, by: Origin, text: String)

        var key: ObjectKey {
            switch self {
            case .object(let key), .tombstone(let key), .promised(let key, _, _): key
            }
        }
    }

    private var entries: [Value: Entry] = [:]
    /// Primary keys with tombstones, in insertion order.
    private(set) var tombstones: [(key: ObjectKey, primaryKey: Value)] = []
    private var promiseCount = 0

    subscript(value: Value) -> Entry? { entries[value] }

    mutating func set(_ value: Value, _ entry: Entry) {
        if case .promised? = entries[value] { promiseCount -= 1 }
        if case .promised = entry { promiseCount += 1 }
        if case .tombstone(let key) = entry { tombstones.append((key, value)) }
        entries[value] = entry
    }

    /// The first link target that was never added.
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
