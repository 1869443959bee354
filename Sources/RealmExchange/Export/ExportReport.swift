public import RealmLayout

/// What an export wrote and lost.
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

    /// The collections in the order of the file.
    public internal(set) var collections: [Collection] = []
    /// What the format could not hold.
    public internal(set) var losses: [Loss] = []
    /// Classes that have no file, because something in them cannot be read.
    public internal(set) var failures: [Failure] = []
    /// Tables with objects that are neither classes nor made by Realm, when these were not asked for: those of programs that
    /// used Realm Core without an SDK.
    public internal(set) var otherTables: [OtherTable] = []
    /// What else cannot be read: whole tables, properties that are left out of documents, parts of sidecars.
    public internal(set) var omissions: [FormatError] = []

    /// Everything that cannot be read.
    public var damage: [FormatError] { omissions + failures.map(\.error) }

    /// Documents of all collections.
    public var objects: Int { collections.reduce(0) { $0 + $1.objects } }
    /// Bytes of documents of all collections, before compression.
    public var bytes: Int { collections.reduce(0) { $0 + $1.bytes } }
    /// Whether something was lost or could not be read.
    public var isComplete: Bool { losses.isEmpty && damage.isEmpty }

    /// The losses and the damage as a versioned document.
    public var lossesJSON: JSONValue { .object([("reportVersion", .int(1))] + problems) }

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
        return [
            ("losses", .array(losses)), ("notExported", .array(failures.map { .string($0.className) })),
            ("otherTables", .array(otherTables)),
            ("damage", .array(damage.map { .string($0.description) })),
        ]
    }
}
