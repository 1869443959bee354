package import RealmLayout

/// A file with a few tables, each part of which can be made invalid.
package struct HandmadeFile {
    package struct Column {
        package var name: [UInt8]
        /// Type, attributes and index, as in the column key; the tag is 0.
        package var key: Int
        package var dictionaryKeyType = 0
        package var target: Int?
        package var distinct = 0

        package init(
            _ name: String, _ type: ColumnType, _ attributes: ColumnAttributes = [], index: Int = 0, target: Int? = nil
        ) {
            self.name = Array(name.utf8)
            key = index | type.rawValue << 16 | attributes.rawValue << 22
            self.target = target
            if attributes.contains(.dictionary) { dictionaryKeyType = ColumnType.string.rawValue }
        }
    }

    package var writer: NodeWriter
    package var format: UInt8
    private var names: [String] = []
    private var tables: [Int] = []

    /// Creates an empty file whose first node is at the offset `start`.
    package init(format: UInt8 = 24, at start: Int = FileHeader.size) {
        self.format = format
        writer = NodeWriter(at: start)
    }

    /// Adds a leaf of a cluster tree: `count` objects with the keys 0, 1, ….
    package mutating func cluster(_ count: Int, _ leaves: [Int]) -> Int {
        writer.refs([NodeWriter.tagged(count)] + leaves)
    }

    /// Adds an inner node of a cluster tree in the compact form.
    package mutating func clusterInner(depth: Int, count: Int, _ children: [Int]) -> Int {
        writer.refs([0, NodeWriter.tagged(depth), NodeWriter.tagged(count)] + children, isInner: true)
    }

    /// Adds an inner node of a B+tree in the compact form.
    package mutating func treeInner(count: Int, _ children: [Int]) -> Int {
        writer.refs([NodeWriter.tagged(1)] + children + [NodeWriter.tagged(count)], isInner: true)
    }

    /// Adds a Mixed leaf.
    package mutating func mixed(
        _ composites: [Int], integers: Int = 0, pairs: Int = 0, strings: Int = 0, collections: [Int] = []
    ) -> Int {
        let types = writer.integers(composites)
        return writer.refs([types, integers, pairs, strings, collections.isEmpty ? 0 : writer.refs(collections), 0])
    }

    /// Returns an element of a Mixed leaf.
    package static func composite(_ type: ColumnType, slot: Int, _ payload: Int) -> Int {
        payload << 8 | slot << 5 | (type.rawValue + 1)
    }

    /// Adds a table and returns the ref of its top node.
    @discardableResult
    package mutating func addTable(
        _ name: String, _ columns: [Column], objects: Int, kind: TableKind = .topLevel, tombstones: Int = 0
    ) -> Int {
        let spec = writer.refs([
            writer.integers(columns.map { $0.key >> 16 & 0x3F | $0.dictionaryKeyType << 16 }),
            writer.shortStrings(columns.map(\.name)),
            writer.integers(columns.map { $0.key >> 22 & 0xFF }),
            0,
            writer.refs(columns.map(\.distinct)),
            writer.integers(columns.map(\.key)),
        ])
        var opposites = [Int](repeating: Int(TableKey.null.value), count: columns.count)
        for column in columns {
            if let target = column.target { opposites[column.key & 0xFFFF] = target }
        }
        let top = writer.refs([
            spec, 0, objects, NodeWriter.tagged(tables.count), writer.zeros(columns.count, flags: 0x40),
            NodeWriter.tagged(0), NodeWriter.tagged(0), writer.integers(opposites),
            writer.integers(opposites.map { _ in Int(ColumnKey.null.value) }), NodeWriter.tagged(0), 0, 0,
            NodeWriter.tagged(kind.rawValue), tombstones,
        ])
        names.append(name)
        tables.append(top)
        return top
    }

    /// Adds the root of a commit: with free space, and with an empty history in the file.
    ///
    /// - Parameter free: offset, size and commit of each free chunk.
    /// - Returns: the ref of the group's top node.
    package mutating func addRoot(
        commit: Int, logicalSize: Int, free: [(offset: Int, size: Int, commit: Int)]
    ) -> Int {
        let parts = [writer.shortStrings(names), writer.refs(tables), NodeWriter.tagged(logicalSize)]
        let lists = [free.map(\.offset), free.map(\.size), free.map(\.commit)].map { writer.integers($0) }
        let history = [NodeWriter.tagged(HistoryType.inRealm.rawValue), 0, NodeWriter.tagged(1), NodeWriter.tagged(0)]
        return writer.refs(parts + lists + [NodeWriter.tagged(commit)] + history)
    }

    /// Returns the file in streaming form.
    package mutating func bytes() -> [UInt8] {
        let topParts = [writer.shortStrings(names), writer.refs(tables)]
        let top = writer.bytes.count
        let size = top + NodeHeader.size + 3 * 8
        _ = writer.refs(topParts + [NodeWriter.tagged(size)])
        return writer.file(top: top, format: format)
    }

    /// Returns a file with the class `Hostile` with one property `value` and one object.
    package static func oneValue(
        _ type: ColumnType, _ attributes: ColumnAttributes = [], format: UInt8 = 24,
        leaf: (inout HandmadeFile) -> Int
    ) -> [UInt8] {
        var file = HandmadeFile(format: format)
        let objects = file.cluster(1, [leaf(&file)])
        file.addTable("class_Hostile", [Column("value", type, attributes)], objects: objects)
        return file.bytes()
    }
}
