package import RealmCore
package import RealmLayout

/// The file names of a database's collections. They are distinct even on file systems that treat `Dog` and `dog`, or
/// two spellings of `é`, as one name.
///
/// The first of several such names is kept. In the rest, as many leading bytes as necessary are percent-encoded, so
/// that tools that decode file names, such as `mongorestore`, find the real names. The same applies to a name that
/// would give the file a special meaning (`oplog.bson`). The result depends only on the names and their order.
struct CollectionFileNames: Equatable {
    /// The file names in the order of the collections, without extensions.
    private(set) var files: ByTable<String> = []
    /// The names of the collections. Duplicates after the first have the names of their files.
    private(set) var collections: ByTable<String> = []

    /// - Parameters:
    ///   - names: The names of all collections of the database.
    ///   - ending: The extension, which follows a dot.
    init(_ names: [String], ending: String) {
        var takenNames: Set<String> = []
        var takenFiles: Set<String> = []
        for (index, name) in names.enumerated() {
            var file = CollectionFileName(name).text
            var escaped = 0
            while Self.hasMeaning(file, ending) || !takenFiles.insert(Self.folded(file)).inserted {
                escaped += 1
                // Numbers distinguish equal class names of a damaged file, and long names.
                file =
                    escaped <= name.utf8.count
                    ? CollectionFileName(name, escaping: escaped).text
                    : CollectionFileName.marked(name, index + escaped).text
            }
            files.append(file)
            collections.append(takenNames.insert(name).inserted ? name : file)
        }
    }

    /// The names for the tables of a file, by position. Classes are considered first because other tables are rarely
    /// exported, and classes with their own collections before embedded ones.
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

    /// Names of files that accompany documents, or that tools reading such folders interpret specially.
    private static let meanings: Set<String> = [
        "oplog.bson", "system.indexes.bson", "prelude.json", "realm-schema.json", "losses.json", "relationships.json",
    ]

    private static func hasMeaning(_ file: String, _ ending: String) -> Bool {
        let name = folded("\(file).\(ending)")
        return meanings.contains(name) || name.hasSuffix(".metadata.json")
    }

    /// Maps names that some file system treats as equal to the same text. Swift's string equality already ignores
    /// normal forms.
    static func folded(_ text: String) -> String { text.uppercased().lowercased() }
}

extension Snapshot {
    /// The collection names that an export gives the tables, each of them once. Classes keep their names unless another
    /// table has the same one.
    package var collectionNames: [TableKey: String] {
        let schemas = cores.mapped(\.schema)
        let names = CollectionFileNames(schemas, ending: ExportOptions().fileEnding).collections
        return Dictionary(zip(schemas.map(\.key), names), uniquingKeysWith: { first, _ in first })
    }
}
