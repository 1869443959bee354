package import RealmLayout

/// A table of a snapshot: a class of the app's model, or one of the tables beside them.
///
/// ```swift
/// let people = try snapshot.table(named: "Person")
/// print(try people.count, try people.object(primaryKey: .int(1))?.description ?? "nobody")
/// ```
public struct Table: Sendable {
    /// The snapshot that the table is of; keeps the bytes alive.
    public let snapshot: Snapshot
    /// Which of the snapshot's tables it is.
    package let position: TablePosition

    package var core: ResolvedTable { snapshot.cores[position] }
    /// The columns of the properties; less to copy than all of `core`.
    package var columns: ByProperty<Column> { snapshot.cores[position].columns }
    /// The tree of the objects; see `columns`.
    package var tree: ClusterTree { snapshot.cores[position].objects }

    /// Name, kind, primary key and properties.
    public var schema: TableSchema { snapshot.cores[position].schema }
    /// The name of the class; the full name for tables that are no classes.
    public var name: String { snapshot.cores[position].schema.name }

    /// The number of objects, which the file stores.
    ///
    /// - Throws: `FormatError` when the root of the table's objects is damaged.
    public var count: Int {
        get throws(FormatError) {
            do { return try snapshot.reading { () throws(FormatError) in try core.objects.storedCount() } } catch {
                throw error.at(table: schema.tableName)
            }
        }
    }

    /// The number of tombstones: objects that are linked to but do not exist (Spec 50).
    public var tombstoneCount: Int {
        get throws(FormatError) {
            do {
                return try snapshot.reading { () throws(FormatError) in try core.tombstones?.storedCount() ?? 0 }
            } catch { throw error.at(table: schema.tableName) }
        }
    }
}

extension Table: Hashable {
    /// Tables are equal when they are the same one of one commit of one opened file.
    public static func == (left: Table, right: Table) -> Bool {
        left.position == right.position && left.snapshot.isSameCommit(as: right.snapshot)
    }

    /// Hashes what tells the tables of a file apart.
    public func hash(into hasher: inout Hasher) { hasher.combine(position) }
}

extension Table {
    /// That the class has no property of that name.
    package func noSuchProperty(_ name: String) -> FormatError {
        let suggestion = schema.properties.lazy.map(\.name).suggestion(for: name)
        return FormatError(.noSuchProperty, "there is no property called \(name)\(suggestion)").at(
            table: schema.tableName)
    }
}

/// What the reading loops need of a table.
package struct ResolvedTable: Sendable {
    package let schema: TableSchema
    package let objects: ClusterTree
    package let tombstones: ClusterTree?
    package let columns: ByProperty<Column>
    /// The columns of incoming links, in the order of `TableSchema.incoming`.
    package let backlinkColumns: [Column]
    package let primaryKeyIndex: PropertyIndex?
    package let topRef: Ref
    /// What the file says of all columns. Roots in it may be those of an older commit.
    package let layout: TableLayout
}
