internal import RealmCore
public import RealmLayout

/// The results of an export: the collections written, the losses and the damage.
///
/// ```swift
/// let report = try await Exporter(snapshot).export(toFolder: "dump", database: "kennel")
/// print(report.objects, report.isComplete, report.unreadableCount)
/// ```
public struct ExportReport: Sendable {
    /// One collection of the output.
    public struct Collection: Equatable, Sendable {
        /// The name of the class, or the full table name if it is not a class.
        public let name: String
        /// Number of documents.
        public let objects: Int
        /// Size of documents before compression in bytes.
        public let bytes: Int
        /// Whether these are embedded objects without an owner.
        public let areOrphans: Bool
    }

    /// A kind of loss of one property.
    public struct Loss: Equatable, Sendable {
        /// The class.
        public let className: String
        /// The property; nil if whole documents are affected.
        public let property: String?
        /// The kind of loss.
        public let kind: LossKind
        /// Number of occurrences.
        public let count: Int
    }

    /// A table that was not requested, but may hold an app's data.
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
        /// The error, which may concern an embedded object or the target of a link.
        public let error: FormatError
    }

    /// A damaged place, and its effects.
    public struct Unreadable: Sendable {
        /// The error, with the class, the property, and the first affected object; without a property if whole objects
        /// are missing.
        public let error: FormatError
        /// Number of values missing in documents, or of objects without a document; 1 if the number of objects in a
        /// lost part of a class is unknown.
        public let count: Int
    }

    /// The collections in the order of the file.
    public internal(set) var collections: [Collection] = []
    /// Values that the format could not hold.
    public internal(set) var losses: [Loss] = []
    /// Classes without a file, because something in them cannot be read.
    public internal(set) var failures: [Failure] = []
    /// Data missing in documents because it cannot be read: at most 10,000 places for each class.
    public internal(set) var unreadable: [Unreadable] = []
    /// Number of all missing values and objects, including those of places beyond that limit.
    public internal(set) var unreadableCount = 0
    /// Tables with objects that are neither classes nor made by Realm, if they were not requested: they belong to
    /// programs that used Realm Core without an SDK.
    public internal(set) var otherTables: [OtherTable] = []
    /// Other unreadable data: whole tables, properties omitted from documents, parts of sidecars.
    public internal(set) var omissions: [FormatError] = []

    /// All damage.
    public var damage: [FormatError] { omissions + unreadable.map(\.error) + failures.map(\.error) }

    /// Number of documents of all collections.
    public var objects: Int { collections.reduce(0) { $0 + $1.objects } }
    /// Size of all documents before compression in bytes.
    public var bytes: Int { collections.reduce(0) { $0 + $1.bytes } }
    /// Whether nothing was lost and everything could be read.
    public var isComplete: Bool { losses.isEmpty && damage.isEmpty }

    /// The losses and the damage as a versioned document.
    package var lossesJSON: JSONValue { .object([("reportVersion", .int(1))] + problems) }

    /// The report as a versioned document.
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
