public import RealmLayout
internal import RealmReader

/// What an export wrote and lost.
///
/// ```swift
/// let report = try await Exporter(snapshot).export(toFolder: "dump", database: "kennel")
/// print(report.objects, report.isComplete, report.unreadableCount)
/// ```
public struct ExportReport: Sendable {
    /// One collection of the output.
    public struct Collection: Equatable, Sendable {
        /// The name of the class, or the full name of another table.
        public let name: String
        /// Number of documents.
        public let objects: Int
        /// Bytes of documents before compression.
        public let bytes: Int
        /// Whether these are embedded objects without an owner.
        public let areOrphans: Bool
    }

    /// A kind of loss of one property.
    public struct Loss: Equatable, Sendable {
        /// The class.
        public let className: String
        /// The property; nil when whole documents are concerned.
        public let property: String?
        /// What was lost.
        public let kind: LossKind
        /// How often.
        public let count: Int
    }

    /// A table that was not asked for, though it may hold an app's data.
    public struct OtherTable: Equatable, Sendable {
        /// The name of the table.
        public let name: String
        /// Number of its objects.
        public let objects: Int
    }

    /// A class that could not be exported.
    public struct Failure: Sendable {
        /// The class.
        public let className: String
        /// What cannot be read; it may be in an embedded object or in the target of a link.
        public let error: FormatError
    }

    /// A damaged place, and what it costs.
    public struct Unreadable: Sendable {
        /// What cannot be read, with the class, the property, and the first object that has nothing there; without a property
        /// when whole objects are missing.
        public let error: FormatError
        /// How many values the documents do not have for it, or how many objects there are no documents of; 1 where nobody
        /// knows how many objects a lost part of a class held.
        public let count: Int
    }

    /// The collections in the order of the file.
    public internal(set) var collections: [Collection] = []
    /// What the format could not hold.
    public internal(set) var losses: [Loss] = []
    /// Classes that have no file, because something in them cannot be read.
    public internal(set) var failures: [Failure] = []
    /// What is missing in documents because it cannot be read: at most 10,000 places for each class.
    public internal(set) var unreadable: [Unreadable] = []
    /// All values and objects that are missing for that, also where places are too many to be told apart.
    public internal(set) var unreadableCount = 0
    /// Tables with objects that are neither classes nor made by Realm, when these were not asked for: those of programs that
    /// used Realm Core without an SDK.
    public internal(set) var otherTables: [OtherTable] = []
    /// What else cannot be read: whole tables, properties that are left out of documents, parts of sidecars.
    public internal(set) var omissions: [FormatError] = []

    /// Everything that cannot be read.
    public var damage: [FormatError] { omissions + unreadable.map(\.error) + failures.map(\.error) }

    /// Documents of all collections.
    public var objects: Int { collections.reduce(0) { $0 + $1.objects } }
    /// Bytes of documents of all collections, before compression.
    public var bytes: Int { collections.reduce(0) { $0 + $1.bytes } }
    /// Whether something was lost or could not be read.
    public var isComplete: Bool { losses.isEmpty && damage.isEmpty }

    /// The losses and the damage as a versioned document.
    package var lossesJSON: JSONValue { .object([("reportVersion", .int(1))] + problems) }

    /// Everything as a versioned document.
    public var json: JSONValue { .object([("reportVersion", .int(1))] + members) }

    /// The members of the document.
    package var members: [(String, JSONValue)] {
        let collections = collections.map { collection in
            JSONValue.object([
                ("name", .string(collection.name)),
                ("objects", .int(Int64(collection.objects))),
                ("bytes", .int(Int64(collection.bytes))),
                ("orphans", .bool(collection.areOrphans)),
            ])
        }
        return [("collections", .array(collections))] + problems
    }

    private var problems: [(String, JSONValue)] {
        let losses = losses.map { loss in
            JSONValue.object([
                ("class", .string(loss.className)),
                ("property", loss.property.map { .string($0) } ?? .null),
                ("kind", .string(loss.kind.name)),
                ("count", .int(Int64(loss.count))),
                ("text", .string(loss.kind.text)),
            ])
        }
        let otherTables = otherTables.map { table in
            JSONValue.object([("name", .string(table.name)), ("objects", .int(Int64(table.objects)))])
        }
        let unreadable = unreadable.map { place in
            JSONValue.object([
                ("class", place.error.table.map { .string(TableName.className(of: $0)) } ?? .null),
                ("property", place.error.property.map { .string($0) } ?? .null),
                ("object", place.error.objectKey.map { .int($0.value) } ?? .null),
                ("count", .int(Int64(place.count))),
                ("text", .string(place.error.detail)),
            ])
        }
        return [
            ("losses", .array(losses)), ("unreadable", .array(unreadable)),
            ("unreadableCount", .int(Int64(unreadableCount))),
            ("notExported", .array(failures.map { .string($0.className) })),
            ("otherTables", .array(otherTables)),
            ("damage", .array(damage.map { .string($0.description) })),
        ]
    }
}
