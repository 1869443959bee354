internal import RealmCore
internal import RealmLayout

/// The selection of tables for a command.
struct SchemaSelection {
    /// Names of classes, or full names of tables; empty for all classes.
    let classes: [String]
    /// Whether "all" includes tables that are not classes.
    let includesSystem: Bool

    /// Returns the tables, in the order of the file or of the requested names.
    ///
    /// - Throws: `noSuchTable`, which names the existing classes.
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
    /// Returns a message for a class that the file does not have: a similar name, or the existing classes.
    func wordsForMissingClass(_ name: String) -> String {
        let suggestion = classes.map(\.name).suggestion(for: name, listedAfter: "classes are")
        let words = suggestion.isEmpty ? "; the file has no classes" : suggestion
        return "there is no class '\(name)'\(words)".singleLine
    }
}

extension InputOptions {
    /// Refuses classes that the file does not have; the message names those that it has.
    func check(classes: [String], in snapshot: Snapshot) throws(CommandFailure) {
        do {
            _ = try SchemaSelection(classes: classes, includesSystem: true).tables(of: snapshot)
        } catch {
            throw CommandFailure(error, file: name)
        }
    }
}
