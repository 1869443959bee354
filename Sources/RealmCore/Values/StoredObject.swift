public import RealmLayout

/// An object of a table, or a tombstone. Reads its values on access. Data of an encrypted file is not kept in memory
/// but reopened for each value.
///
/// ```swift
/// let people = try snapshot.table(named: "Person")
/// if let ann = try people.object(primaryKey: .int(1)) {
///     print(try ann["name"], try ann.get("age", as: Int.self))
/// }
/// ```
public struct StoredObject: Sendable {
    /// The opened cluster of the object.
    package let home: OpenedCluster
    /// The object's key.
    public let key: ObjectKey
    /// Stored in 32 bits, so that a `Value` with an object has room for its tag.
    private let storedRow: UInt32

    @inline(__always)
    package init(home: OpenedCluster, key: ObjectKey, row: Int) {
        self.home = home
        self.key = key
        storedRow = UInt32(truncatingIfNeeded: row)
    }

    /// The object's row in its cluster.
    package var row: Int { Int(truncatingIfNeeded: storedRow) }

    /// The object's cluster, to be reopened with `Cluster.current(in:)`, and its row there.
    package var place: (cluster: Cluster, row: Int) { (home.cluster, row) }

    /// The table of the object.
    public var table: Table { home.table }

    /// The number of properties, for loops over their values.
    ///
    /// ```swift
    /// for index in 0..<person.propertyCount { print(try person.value(at: index)) }
    /// ```
    public var propertyCount: Int { home.propertyCount }

    /// The value of the property called `name`.
    ///
    /// - Throws: `noSuchProperty`, and `FormatError` when the value is damaged.
    public subscript(name: String) -> Value {
        get throws(FormatError) {
            guard let index = home.index(ofProperty: name) else { throw table.noSuchProperty(name) }
            return try value(of: index)
        }
    }

    /// The value of the property at `index` in `table.schema.properties`.
    ///
    /// - Throws: `noSuchProperty` when there is no such property, and `FormatError` when the value is damaged.
    public func value(at index: Int) throws(FormatError) -> Value { try value(of: PropertyIndex(index)) }

    /// The value of a property.
    ///
    /// - Throws: the same errors as `value(at:)`.
    @inline(__always)
    package func value(of index: PropertyIndex) throws(FormatError) -> Value {
        if let value = home.opened.value(ofProperty: index, inRow: row, of: home) { return value }
        return try carefulValue(of: index)
    }

    /// Reads a property that is not opened; errors include the place.
    @inline(never)
    private func carefulValue(of index: PropertyIndex) throws(FormatError) -> Value {
        // In a damaged file, a link may lead to a table other than the one in its column.
        guard index.number >= 0, index.number < home.propertyCount else {
            throw FormatError(.noSuchProperty, "there is no property \(index)").at(
                table: table.schema.tableName, objectKey: key)
        }
        return try reading(index) { _ throws(FormatError) in try readValue(of: index) }
    }

    /// Reads a property; errors include the place.
    ///
    /// - Parameter body: receives the nodes, which may be accessed until it returns.
    /// - Precondition: the property exists.
    func reading<R>(
        _ index: PropertyIndex, _ body: (NodeSpace) throws(FormatError) -> R
    ) throws(FormatError) -> R {
        let space = home.space
        do {
            guard space.isTransient else { return try body(space) }
            return try table.snapshot.reading { () throws(FormatError) in try body(space) }
        } catch {
            let property = table.schema.properties[index].name
            throw error.at(table: table.schema.tableName, property: property, objectKey: key)
        }
    }

    private func readValue(of index: PropertyIndex) throws(FormatError) -> Value {
        let property = try home.property(at: index)
        if let value = property.usualCollection(inRow: row, of: home) { return value }
        var reader = ValueReader(home.space)
        return try reader.value(of: property, row, in: home)
    }

    /// The values of all properties, in order.
    ///
    /// - Throws: `FormatError` when one is damaged.
    public func values() throws(FormatError) -> [Value] {
        let opened = [Value].all(home.propertyCount) {
            home.opened.value(ofProperty: PropertyIndex($0), inRow: row, of: home)
        }
        if let opened { return opened }
        return try [Value].of(home.propertyCount) { index throws(FormatError) in try value(at: index) }
    }

    /// The value of the primary key; nil when the class has none.
    ///
    /// - Throws: `FormatError` when it is damaged.
    public var primaryKey: Value? {
        get throws(FormatError) {
            guard let index = table.core.primaryKeyIndex else { return nil }
            return try value(of: index)
        }
    }

    /// Returns the objects that link here from a property of another class, one entry per link.
    ///
    /// ```swift
    /// for incoming in dog.table.schema.incoming { print(incoming.propertyName, try dog.linkingObjects(incoming)) }
    /// ```
    ///
    /// - Parameter incoming: an element of `table.schema.incoming`.
    /// - Throws: `FormatError` when the list or the path to an object is damaged; `noSuchObject` when an object does
    ///   not exist.
    public func linkingObjects(_ incoming: IncomingLinks) throws(FormatError) -> [StoredObject] {
        var origin = ObjectLookup(try table.snapshot.table(named: incoming.tableName))
        var objects: [StoredObject] = []
        for key in try backlinks(incoming) {
            guard let object = try origin.object(key) else {
                throw FormatError(.noSuchObject, "a backlink leads to the object \(key), which does not exist")
                    .at(table: incoming.tableName, property: incoming.propertyName)
            }
            objects.append(object)
        }
        return objects
    }

    /// Returns the keys of the objects that link here from a property of another class, one entry per link.
    ///
    /// - Parameter incoming: an element of `table.schema.incoming`.
    /// - Throws: `FormatError` when the list is damaged.
    public func backlinks(_ incoming: IncomingLinks) throws(FormatError) -> [ObjectKey] {
        try backlinks(at: backlinkIndex(of: incoming))
    }

    /// Returns the number of links to this object from a property of another class, without reading them.
    ///
    /// - Throws: the same errors as `backlinks(_:)`.
    package func backlinkCount(_ incoming: IncomingLinks) throws(FormatError) -> Int {
        let index = try backlinkIndex(of: incoming)
        return try backlinks(
            at: index, none: 0, one: { _ in 1 },
            many: { tree throws(FormatError) in try tree.storedCount() })
    }

    private func backlinkIndex(of incoming: IncomingLinks) throws(FormatError) -> Int {
        guard let index = table.schema.incoming.firstIndex(of: incoming) else {
            throw FormatError(.noSuchProperty, "no links from \(incoming.tableName).\(incoming.propertyName) lead here")
                .at(table: table.schema.tableName)
        }
        return index
    }

    /// The number of links to this object from all classes.
    ///
    /// - Throws: `FormatError` when one of the lists is damaged.
    public var backlinkCount: Int {
        get throws(FormatError) {
            var count = 0
            for index in table.core.backlinkColumns.indices { count += try backlinks(at: index).count }
            return count
        }
    }

    private func backlinks(at index: Int) throws(FormatError) -> [ObjectKey] {
        try backlinks(
            at: index, none: [], one: { [$0] },
            many: { tree throws(FormatError) in
                var budget = WorkBudget(for: tree.space)
                return try BPlusTree.numbers(at: tree.root, in: tree.space, &budget).map { ObjectKey($0) }
            })
    }

    /// Maps the backlinks of one column, depending on whether there are none, one, or many.
    private func backlinks<R>(
        at index: Int, none: R, one: (ObjectKey) -> R, many: (BPlusTree) throws(FormatError) -> R
    ) throws(FormatError) -> R {
        try table.snapshot.reading { () throws(FormatError) in try admittedBacklinks(at: index, none, one, many) }
    }

    private func admittedBacklinks<R>(
        at index: Int, _ none: R, _ one: (ObjectKey) -> R, _ many: (BPlusTree) throws(FormatError) -> R
    ) throws(FormatError) -> R {
        let column = table.core.backlinkColumns[index]
        let space = table.snapshot.space
        do {
            let cluster = try home.cluster.current(in: space)
            // A tombstone's cluster may lack columns that were added later.
            guard cluster.hasLeaf(of: column.index) else { return none }
            let leaf = try cluster.leaf(of: column, in: space)
            switch Slot(leaf.int(at: row)) {
            case .empty: return none
            case .tagged(let key): return one(ObjectKey(Int64(bitPattern: key)))
            case .ref(let ref): return try many(BPlusTree(root: ref, of: .int(nullable: false), in: space))
            }
        } catch {
            throw error.at(table: table.schema.tableName, property: "backlinks", objectKey: key)
        }
    }
}
