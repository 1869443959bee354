/// The results of an import: the objects written and the losses.
///
/// ```swift
/// let report = try await Importer(["dump"]).run(to: "new.realm")
/// for table in report.tables { print(table.name, table.objects) }
/// ```
public struct ImportReport: Sendable {
    /// One class of the new file.
    public struct Table: Equatable, Sendable {
        /// The name of the class, or the full table name if it is not a class.
        public let name: String
        /// Whether its objects are embedded in those of other classes.
        public let isEmbedded: Bool
        /// Number of objects.
        public internal(set) var objects = 0
    }

    /// A kind of loss of one property.
    public struct Loss: Equatable, Sendable {
        /// The class.
        public let className: String
        /// The property, or a field without a property; nil if whole documents are affected.
        public let property: String?
        /// The kind of loss.
        public let kind: ImportLossKind
        /// Number of occurrences.
        public let count: Int
        /// The file of the first occurrence.
        public let file: String
        /// The document of the first occurrence, counted from 0.
        public let document: Int
        /// The byte offset in the file: of the value in BSON, of the document in text.
        public let offset: Int
        /// The line in a file with one line per object, counted from 1.
        public internal(set) var line: Int?
        /// The first lost value, abbreviated, if it is a scalar.
        public internal(set) var value: String?
    }

    /// A class or property renamed because its name in the documents is not valid in Realm.
    public struct Renaming: Equatable, Sendable {
        /// The class.
        public let className: String
        /// The property; nil for the class itself.
        public let property: String?
        /// The name of the collection or field.
        public let nameInDocuments: String
    }

    /// Data that accompanies the documents and is recognised, but not imported.
    public struct Note: Equatable, Sendable {
        /// The file or folder, or a collection of an archive.
        public let path: String
        /// A description of the data.
        public let reason: String
    }

    /// The origin of the schema.
    public enum SchemaOrigin: Equatable, Sendable {
        /// The schema of the options.
        case given
        /// A file that the options name, or beside the documents.
        case file(String)
        /// The contents of the documents.
        case inferred
    }

    /// A reason why a class has no primary key although its documents have a field for one.
    public struct MissingPrimaryKey: Equatable, Sendable {
        /// The class.
        public let className: String
        /// The field.
        public let field: String
        /// A description of its values.
        public let reason: String
    }

    /// The origin of the schema.
    public internal(set) var schemaOrigin = SchemaOrigin.given

    /// Classes whose `_id` is an ordinary property. Nothing is lost, but links and updates cannot use it.
    public internal(set) var missingPrimaryKeys: [MissingPrimaryKey] = []

    /// The classes in the order of the file.
    public internal(set) var tables: [Table] = []
    /// All losses.
    public internal(set) var losses: [Loss] = []

    /// Files or collections without a class in the schema.
    public internal(set) var skipped: [String] = []

    /// Data next to the documents that is not imported. It is not a loss, but users may look for it.
    public internal(set) var notes: [Note] = []

    /// Classes and properties with other names than in the documents.
    public internal(set) var renamed: [Renaming] = []

    /// Whether everything was preserved.
    public var isComplete: Bool { losses.isEmpty && skipped.isEmpty && renamed.isEmpty }
    /// Number of objects of all classes.
    public var objects: Int { tables.reduce(0) { $0 + $1.objects } }
    /// Number of values or documents that could not be preserved unchanged.
    public var lossCount: Int { losses.reduce(0) { $0 + $1.count } }

    /// The report as a versioned document.
    ///
    /// - Parameter isWritten: Whether the new file was written.
    public func json(isWritten: Bool = true) -> JSONValue {
        .object([("reportVersion", .int(1))] + members(isWritten: isWritten))
    }

    /// The members of the document.
    package func members(isWritten: Bool) -> [(String, JSONValue)] {
        [
            ("written", .bool(isWritten)), ("objects", JSONValue(objects)),
            (
                "classes",
                .array(
                    tables.map { table in
                        .object([
                            ("name", .string(table.name)), ("embedded", .bool(table.isEmbedded)),
                            ("objects", JSONValue(table.objects)),
                        ])
                    })
            ),
            ("schema", schemaOrigin.json),
            (
                "missingPrimaryKeys",
                .array(
                    missingPrimaryKeys.map { missing in
                        .object([
                            ("class", .string(missing.className)), ("field", .string(missing.field)),
                            ("reason", .string(missing.reason)),
                        ])
                    })
            ),
            ("losses", .array(losses.map(\.json))),
            ("skipped", .array(skipped.map { .string($0) })),
            (
                "notImported",
                .array(notes.map { .object([("path", .string($0.path)), ("reason", .string($0.reason))]) })
            ),
            (
                "renamed",
                .array(
                    renamed.map { renaming in
                        .object([
                            ("class", .string(renaming.className)), ("property", JSONValue(renaming.property)),
                            ("nameInDocuments", .string(renaming.nameInDocuments)),
                        ])
                    })
            ),
        ]
    }
}

extension ImportReport.SchemaOrigin {
    /// The origin, and the path of a file.
    fileprivate var json: JSONValue {
        switch self {
        case .given: .object([("from", "options"), ("file", .null)])
        case .file(let path): .object([("from", "file"), ("file", .string(path))])
        case .inferred: .object([("from", "documents"), ("file", .null)])
        }
    }
}

extension ImportReport.Loss {
    /// The loss with its place.
    fileprivate var json: JSONValue {
        .object([
            ("class", .string(className)), ("property", JSONValue(property)), ("kind", .string(kind.name)),
            ("count", JSONValue(count)), ("text", .string(kind.text)), ("file", .string(file)),
            ("document", JSONValue(document)), ("byte", JSONValue(offset)),
            ("line", line.map { JSONValue($0) } ?? .null), ("value", JSONValue(value)),
        ])
    }
}
