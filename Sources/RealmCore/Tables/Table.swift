package import RealmLayout

/// A table of a snapshot: a class of the app's model, or another table.
///
/// ```swift
/// let people = try snapshot.table(named: "Person")
/// print(try people.count, try people.object(primaryKey: .int(1))?.description ?? "nobody")
/// ```
public struct Table: Sendable {
    /// The snapshot of the table; keeps the bytes alive.
    public let snapshot: Snapshot
    /// The table's position in the snapshot.
    package let position: TablePosition

    package var core: TableDescription { snapshot.cores[position] }
    /// The columns of the properties; cheaper to copy than all of `core`.
    package var columns: ByProperty<Column> { snapshot.cores[position].columns }
    /// The tree of the objects; see `columns`.
    package var tree: ClusterTree { snapshot.cores[position].objects }

    /// Name, kind, primary key and properties.
    public var schema: TableSchema { snapshot.cores[position].schema }
    /// The name of the class; the full name for other tables.
    public var name: String { snapshot.cores[position].schema.name }

    /// The number of objects, as stored in the file.
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
    /// Tables are equal when they are the same table of the same commit of one opened file.
    public static func == (left: Table, right: Table) -> Bool {
        left.position == right.position && left.snapshot.isSameCommit(as: right.snapshot)
    }

    /// Hashes the position, which distinguishes the tables of a file.
    public func hash(into hasher: inout Hasher) { hasher.combine(position) }
}

extension Table {
    /// The error for a property name that the class does not have.
    package func noSuchProperty(_ name: String) -> FormatError {
        let suggestion = schema.properties.lazy.map(\.name).suggestion(for: name)
        return FormatError(.noSuchProperty, "there is no property called \(name)\(suggestion)").at(
            table: schema.tableName)
    }
}

/// The part of a table that reading loops need.
package struct TableDescription: Sendable {
    /// The part shared by all commits that do not change the columns.
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
    /// The backlink columns, in the order of `TableSchema.incoming`.
    package var backlinkColumns: [Column] { description.backlinkColumns }
    package var primaryKeyIndex: PropertyIndex? { description.primaryKeyIndex }
    /// The stored layout of all columns. Roots in it may be those of an older commit.
    package var layout: TableLayout { description.layout }
    /// Whether columns have distinct strings, which are views into an older mapping of the file.
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

    /// Makes the description of the table in another commit with the same columns.
    init(_ table: TableDescription, at topRef: Ref, objects: Ref, tombstones: Ref?, in space: NodeSpace) {
        description = table.description
        self.topRef = topRef
        self.objects = ClusterTree(root: objects, in: space)
        self.tombstones = tombstones.map { ClusterTree(root: $0, in: space) }
    }
}
