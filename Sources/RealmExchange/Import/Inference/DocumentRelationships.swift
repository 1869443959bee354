internal import RealmLayout
internal import RealmReader

/// Which fields of documents name other documents: `relationships.json`, the inverse of `Relationships`.
struct DocumentRelationships {
    /// The collection by path, `address.city` or `pets.[].owner`, for each collection.
    private var targets: [String: [String: String]] = [:]

    /// None.
    init() {}

    /// Reads the relationships of all collections: an object of them by name, as an export writes it.
    ///
    /// - Throws: `badSchema`.
    init(_ json: JSONValue) throws(DocumentError) {
        guard let collections = json.members else { throw Self.failure("it is not an object of collections") }
        for (name, relationships) in collections { try add(relationships, of: name) }
    }

    /// Reads the file of that name beside documents; nil when it has no relationships: a collection may be called so, too.
    init?(beside path: String) throws(ImportError) {
        let input = try InputBuffer(path: path)
        let most = 16 << 20
        let count = try input.available(most + 1)
        guard count <= most, let json = try? JSONValue(parsing: input.view(count)),
            let found = try? DocumentRelationships(json)
        else { return nil }
        self = found
    }

    /// Adds those of one collection.
    ///
    /// - Throws: `badSchema`.
    mutating func add(_ relationships: JSONValue, of collection: String) throws(DocumentError) {
        guard let members = relationships.members else {
            throw Self.failure("the relationships of \(collection.singleLine) are not an object")
        }
        for (path, relationship) in members {
            guard let ref = relationship["ref"]?.text, let target = ref.split(separator: "/").last else {
                throw Self.failure("\(collection.singleLine).\(path.singleLine) has no `ref`")
            }
            // Dictionaries and lists have elements without names.
            let plain = path.split(separator: ".").filter { $0 != "[]" }.joined(separator: ".")
            targets[collection, default: [:]][plain] = String(target)
        }
    }

    private static func failure(_ detail: String) -> DocumentError { DocumentError(.badSchema, detail) }

    /// The collection whose documents a field names; nil for a field that names none.
    ///
    /// - Parameter path: the names of fields from the document on.
    func target(of path: [String], in collection: String) -> String? {
        targets[collection]?[path.joined(separator: ".")]
    }
}
