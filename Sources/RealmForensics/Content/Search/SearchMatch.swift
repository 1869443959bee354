package import RealmCore
package import RealmLayout

/// A match of a search.
package struct SearchMatch: Sendable {
    /// The place of a match.
    package enum Place: Sendable {
        /// A value or dictionary key of an object.
        case object(SearchedObject, path: String, part: Part)
        /// The name of a class.
        case className
        /// The name of a property of a class.
        case propertyName(ofClass: String)
        /// Free space: bytes that no value of this commit uses.
        case freeSpace
    }

    /// The part of a property that matches.
    package enum Part: String, Sendable {
        case value
        /// The key of a dictionary entry.
        case key
    }

    package let place: Place
    /// The type of the value, as in schemas; nil for names and free space.
    package let type: StoredPropertyType?
    /// The text that matched, as printed; of a long one a part with the match.
    package let text: String
    /// Whether `text` is text in the file, and not the printed form of another value.
    package let isText: Bool
    /// Whether `text` is only a part of the value.
    package let isPart: Bool
    /// The offset of the value in the file, decrypted and without bytes before the Realm file; nil where the value is
    /// not stored in the form of its text (formats 2 to 9, names).
    package let offset: Int?
}

/// The object that a match belongs to; for an embedded object, its outermost owner.
package struct SearchedObject: Sendable {
    /// The class.
    package let className: String
    package let key: ObjectKey
    /// The value of the primary key; nil when the class has none or it cannot be read.
    package let primaryKey: Value?
    package let primaryKeyName: String?
}

/// The receiver of matches, one by one.
package protocol SearchSink: AnyObject {
    /// Takes a match; returns whether more are wanted.
    func add(_ match: SearchMatch) -> Bool
}

/// The parts of a file to search.
package struct SearchScope: Sendable {
    /// The tables whose objects are searched, with the embedded objects in them; nil for all classes.
    package var tables: [TablePosition]?
    /// Whether tables that are not classes are searched as well.
    package var includesSystemTables = false
    /// Whether names of classes and properties are searched.
    package var includesNames = false
    /// Whether free space is searched.
    package var includesFreeSpace = false
    /// The bytes of a long text to report, around its first match.
    package var mostBytes = 200

    package init() {}
}

/// The outcome of a search.
package struct SearchOutcome: Sendable {
    /// Damage that made tables and properties, or the list of free space, unreadable.
    package var omissions: [FormatError] = []
    /// Values that could not be read.
    package var unreadable = UnreadableValues()
    /// Bytes of free space searched; nil when it was not searched.
    package var freeBytes: Int?

    /// All damage.
    package var damage: [FormatError] { omissions + unreadable.sorted.map(\.error) }
}
