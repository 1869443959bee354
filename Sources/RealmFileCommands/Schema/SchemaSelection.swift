internal import RealmLayout
internal import RealmReader

/// Which tables a command is about.
struct SchemaSelection {
    /// Names of classes, or full names of tables; none for all classes.
    let classes: [String]
    /// Whether tables that are not classes belong to "all".
    let includesSystem: Bool

    /// The tables in the order of the file, or of the names that were asked for.
    ///
    /// - Throws: `noSuchTable`, which names the classes that are there.
    func tables(of snapshot: Snapshot) throws(FormatError) -> [TableSchema] {
        guard !classes.isEmpty else {
            return snapshot.schema.tables.filter { includesSystem || $0.isClass }
        }
        var tables: [TableSchema] = []
        for name in classes {
            do throws(FormatError) {
                let table = try snapshot.table(named: name).schema
                if !tables.contains(where: { $0.key == table.key }) { tables.append(table) }
            } catch  where error.code == .noSuchTable {
                throw FormatError(.noSuchTable, snapshot.schema.wordsForMissingClass(name))
            }
        }
        return tables
    }
}

extension StoredSchema {
    /// What is said of a class that the file does not have: which one may be meant, or which ones there are.
    func wordsForMissingClass(_ name: String) -> String {
        let suggestion = classes.map(\.name).suggestion(for: name, listedAfter: "classes are")
        let words = suggestion.isEmpty ? "; the file has no classes" : suggestion
        return "there is no class '\(name)'\(words)".singleLine
    }
}

extension InputOptions {
    /// Refuses classes that the file does not have, and names those that it has.
    func check(classes: [String], in snapshot: Snapshot) throws(CommandFailure) {
        do {
            _ = try SchemaSelection(classes: classes, includesSystem: true).tables(of: snapshot)
        } catch {
            throw CommandFailure(error, file: name)
        }
    }
}
