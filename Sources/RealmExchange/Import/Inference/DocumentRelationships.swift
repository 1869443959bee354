internal import RealmCore
internal import RealmLayout

/// The fields of documents that refer to other documents: `relationships.json`, the inverse of `Relationships`.
struct DocumentRelationships {
    /// The target collection by path, `address.city` or `pets.[].owner`, for each collection.
    private var targets: [String: [String: String]] = [:]

    /// Creates an empty set of relationships.
    init() {}

    /// Reads the relationships of all collections, an object with a member per collection, as written by an export.
    ///
    /// - Throws: `badSchema`.
    init(_ json: JSONValue) throws(DocumentError) {
        guard let collections = json.members else { throw Self.failure("it is not an object of collections") }
        for (name, relationships) in collections { try add(relationships, of: name) }
    }

    /// Reads a `relationships.json` file. Returns nil if it has no relationships, because it may be a collection of
    /// that name.
    init?(beside path: String) throws(ImportError) {
        let input = try InputBuffer(path: path)
        let most = 16 << 20
        let count = try input.available(most + 1)
        guard count <= most, let json = try? JSONValue(parsing: input.view(count)),
            let found = try? DocumentRelationships(json)
        else { return nil }
        self = found
    }

    /// Adds the relationships of one collection.
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
            // The elements of dictionaries and lists have no names.
            let plain = path.split(separator: ".").filter { $0 != "[]" }.joined(separator: ".")
            targets[collection, default: [:]][plain] = String(target)
        }
    }

    private static func failure(_ detail: String) -> DocumentError { DocumentError(.badSchema, detail) }

    /// The collection that a field refers to, or nil.
    ///
    /// - Parameter path: The names of fields, starting at the document.
    func target(of path: [String], in collection: String) -> String? {
        targets[collection]?[path.joined(separator: ".")]
    }
}
