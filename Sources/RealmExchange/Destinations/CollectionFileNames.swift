package import RealmLayout
package import RealmReader

/// The names that the collections of a database have as files: each its own, also on file systems that take `Dog` and `dog`, or
/// two spellings of `é`, for one name.
///
/// The first of several such names is kept. In the others as many bytes from the first on are percent-encoded as it takes, so
/// that whoever decodes file names, as `mongorestore` does, finds the real ones. The same goes for a name that would give the
/// file a meaning of its own (`oplog.bson`). What comes out depends on the names and their order alone.
struct CollectionFileNames: Equatable {
    /// The names of the files in the order of the collections, without endings.
    private(set) var files: ByTable<String> = []
    /// The names of the collections; where several have one name, those of their files for all but the first.
    private(set) var collections: ByTable<String> = []

    /// - Parameters:
    ///   - names: the names of all collections of the database.
    ///   - ending: what follows the names of files and a dot.
    init(_ names: [String], ending: String) {
        var takenNames: Set<String> = []
        var takenFiles: Set<String> = []
        for (index, name) in names.enumerated() {
            var file = CollectionFileName(name).text
            var escaped = 0
            while Self.hasMeaning(file, ending) || !takenFiles.insert(Self.folded(file)).inserted {
                escaped += 1
                // Where classes of a damaged file have one name, or a name is long, numbers tell them apart.
                file =
                    escaped <= name.utf8.count
                    ? CollectionFileName(name, escaping: escaped).text
                    : CollectionFileName.marked(name, index + escaped).text
            }
            files.append(file)
            collections.append(takenNames.insert(name).inserted ? name : file)
        }
    }

    /// The names of the tables of a file, by position: of classes first, as other tables are seldom exported, and of those
    /// with collections of their own before embedded ones.
    init(_ tables: ByTable<TableSchema>, ending: String) {
        func rank(_ table: TableSchema) -> Int { !table.isClass ? 2 : table.kind == .embedded ? 1 : 0 }
        let order = (0...2).flatMap { wanted in tables.indices.filter { rank(tables[$0]) == wanted } }
        let sorted = CollectionFileNames(order.map { tables[$0].name }, ending: ending)
        files = tables.mapped { _ in "" }
        collections = files
        for (position, (file, collection)) in zip(order, zip(sorted.files, sorted.collections)) {
            files[position] = file
            collections[position] = collection
        }
    }

    /// Files that are there beside documents, or that programs which read such folders take for something else.
    private static let meanings: Set<String> = [
        "oplog.bson", "system.indexes.bson", "prelude.json", "realm-schema.json", "losses.json", "relationships.json",
    ]

    private static func hasMeaning(_ file: String, _ ending: String) -> Bool {
        let name = folded("\(file).\(ending)")
        return meanings.contains(name) || name.hasSuffix(".metadata.json")
    }

    /// The same for all names that some file system does not tell apart. Strings are equal in Swift whatever the normal
    /// form of their characters.
    static func folded(_ text: String) -> String { text.uppercased().lowercased() }
}

extension Snapshot {
    /// The names that an export gives the tables' collections, each once: those of classes, unless another table has the name
    /// too.
    package var collectionNames: [TableKey: String] {
        let schemas = cores.mapped(\.schema)
        let names = CollectionFileNames(schemas, ending: ExportOptions().fileEnding).collections
        return Dictionary(zip(schemas.map(\.key), names), uniquingKeysWith: { first, _ in first })
    }
}
