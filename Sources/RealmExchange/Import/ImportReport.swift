/// What an import wrote and lost.
///
/// ```swift
/// let report = try await Importer(["dump"]).run(to: "new.realm")
/// for table in report.tables { print(table.name, table.objects) }
/// ```
public struct ImportReport: Sendable {
    /// One class of the new file.
    public struct Table: Equatable, Sendable {
        /// The name of the class, or the full name of another table.
        public let name: String
        /// Whether its objects live in those of other classes.
        public let isEmbedded: Bool
        /// Number of objects.
        public internal(set) var objects = 0
    }

    /// A kind of loss of one property.
    public struct Loss: Equatable, Sendable {
        /// The class.
        public let className: String
        /// The property, or the first field that is none; nil when whole documents are concerned.
        public let property: String?
        /// What was lost.
        public let kind: ImportLossKind
        /// How often.
        public let count: Int
        /// Where it happened first: the file.
        public let file: String
        /// The document, from 0 on.
        public let document: Int
        /// The byte in the file: of the value in BSON, of the document in text.
        public let offset: Int
        /// The line in a file of lines with fields, from 1 on.
        public internal(set) var line: Int?
        /// The first value that was lost, in short, where it is a scalar.
        public internal(set) var value: String?
    }

    /// A class or a property that has another name than in the documents, where that is none that Realm can have.
    public struct Renaming: Equatable, Sendable {
        /// The class.
        public let className: String
        /// The property; nil for the class itself.
        public let property: String?
        /// The name of the collection or field.
        public let nameInDocuments: String
    }

    /// Something beside the documents that is known, and not imported.
    public struct Note: Equatable, Sendable {
        /// The file or folder, or a collection of an archive.
        public let path: String
        /// What it is.
        public let reason: String
    }

    /// The classes in the order of the file.
    public internal(set) var tables: [Table] = []
    /// What could not be kept.
    public internal(set) var losses: [Loss] = []

    /// Files or collections that no class of the schema is for.
    public internal(set) var skipped: [String] = []

    /// What is beside the documents and not imported: nothing that could be lost, but what somebody may look for.
    public internal(set) var notes: [Note] = []

    /// What has another name than in the documents.
    public internal(set) var renamed: [Renaming] = []

    /// Whether everything was kept.
    public var isComplete: Bool { losses.isEmpty && skipped.isEmpty && renamed.isEmpty }
    /// Objects of all classes.
    public var objects: Int { tables.reduce(0) { $0 + $1.objects } }
    /// How many values or documents could not be kept as they are.
    public var lossCount: Int { losses.reduce(0) { $0 + $1.count } }

    /// Everything as a versioned document.
    ///
    /// - Parameter isWritten: whether there is a new file.
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
