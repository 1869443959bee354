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

    package var core: TableDescription { snapshot.cores[position] }
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
package struct TableDescription: Sendable {
    /// What is the same in all commits that do not change the columns.
    private let description: Description
    package let objects: ClusterTree
    package let tombstones: ClusterTree?
    package let topRef: Ref

    private final class Description: Sendable {
        let schema: TableSchema
        let columns: ByProperty<Column>
        let backlinkColumns: [Column]
        let primaryKeyIndex: PropertyIndex?
        let layout: TableLayout
        let hasDistinctStrings: Bool

        init(
            _ schema: TableSchema, _ columns: ByProperty<Column>, _ backlinkColumns: [Column],
            _ primaryKeyIndex: PropertyIndex?, _ layout: TableLayout
        ) {
            (self.schema, self.columns, self.backlinkColumns) = (schema, columns, backlinkColumns)
            (self.primaryKeyIndex, self.layout) = (primaryKeyIndex, layout)
            hasDistinctStrings = columns.contains { $0.distinct != nil }
        }
    }

    package var schema: TableSchema { description.schema }
    package var columns: ByProperty<Column> { description.columns }
    /// The columns of incoming links, in the order of `TableSchema.incoming`.
    package var backlinkColumns: [Column] { description.backlinkColumns }
    package var primaryKeyIndex: PropertyIndex? { description.primaryKeyIndex }
    /// What the file says of all columns. Roots in it may be those of an older commit.
    package var layout: TableLayout { description.layout }
    /// Whether columns have distinct strings: views into the file as it was mapped then.
    var hasDistinctStrings: Bool { description.hasDistinctStrings }

    init(
        _ schema: TableSchema, _ columns: ByProperty<Column>, backlinks: [Column], primaryKey: PropertyIndex?,
        _ layout: TableLayout, in space: NodeSpace
    ) {
        description = Description(schema, columns, backlinks, primaryKey, layout)
        objects = ClusterTree(root: layout.clusterTree, in: space)
        tombstones = layout.tombstones.map { ClusterTree(root: $0, in: space) }
        topRef = layout.topRef
    }

    /// The table in another commit, where it has the same columns.
    init(_ table: TableDescription, at topRef: Ref, objects: Ref, tombstones: Ref?, in space: NodeSpace) {
        description = table.description
        self.topRef = topRef
        self.objects = ClusterTree(root: objects, in: space)
        self.tombstones = tombstones.map { ClusterTree(root: $0, in: space) }
    }
}
