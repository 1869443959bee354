internal import RealmLayout

/// A file of formats 2 to 9, each part of which can be made invalid.
package struct LegacyFile {
    package struct Column {
        package var name: String
        /// The number of the type in the spec.
        package var type: Int
        package var attributes: Int
        /// The root of the column; unused for a subtable.
        package var root: Int
        /// The entries of the subspecs for the column: refs of specs or tagged numbers.
        package var subspecs: [Int] = []
        /// The root of the distinct strings.
        package var distinct: Int?

        package init(_ name: String, _ type: Int, _ attributes: Int = 0, root: Int) {
            self.name = name
            self.type = type
            self.attributes = attributes
            self.root = root
        }

        package var isBacklink: Bool { type == 14 }
    }

    package static let nullable = 16

    package var writer = NodeWriter()
    package var format: UInt8
    private var names: [String] = []
    private var tables: [Int] = []

    package init(format: UInt8 = 9) { self.format = format }

    // Leaves and trees.

    /// Adds a leaf with a null sentinel that is not one of the values.
    package mutating func nullableIntegers(_ values: [Int?]) -> Int {
        let null = 1 + values.compactMap { $0 }.reduce(41) { max($0, $1) }
        return writer.integers([null] + values.map { $0 ?? null })
    }

    /// Adds a leaf of strings with offsets; a set flag means "not null".
    package mutating func mediumStrings(_ values: [String?], hasFlags: Bool) -> Int {
        var blob: [UInt8] = []
        var ends: [Int] = []
        for value in values {
            blob += Array((value ?? "").utf8) + [0]
            ends.append(blob.count)
        }
        var slots = [writer.integers(ends), writer.blob(blob)]
        if hasFlags { slots.append(writer.integers(values.map { $0 == nil ? 0 : 1 })) }
        return writer.refs(slots)
    }

    /// Adds a leaf with a node for each string.
    package mutating func bigStrings(_ values: [String?]) -> Int {
        let slots = values.map { $0.map { writer.blob(Array($0.utf8) + [0]) } ?? 0 }
        return writer.refs(slots, isContext: true)
    }

    /// Adds a leaf of binaries with offsets; a set flag means "null".
    package mutating func smallBinaries(_ values: [[UInt8]?], hasFlags: Bool) -> Int {
        var blob: [UInt8] = []
        var ends: [Int] = []
        for value in values {
            blob += value ?? []
            ends.append(blob.count)
        }
        var slots = [writer.integers(ends), writer.blob(blob)]
        if hasFlags { slots.append(writer.integers(values.map { $0 == nil ? 1 : 0 })) }
        return writer.refs(slots)
    }

    /// Adds a leaf of floats or doubles, given as bits.
    package mutating func bits(_ values: [UInt64], bytes: Int) -> Int {
        writer.node(
            widthType: .multiply, width: bytes, count: values.count,
            payload: values.flatMap { value in
                (0..<bytes).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
            })
    }

    /// Adds a B+tree over leaves with the given numbers of elements, in the general form.
    package mutating func tree(_ leaves: [Int], counts: [Int], total: Int? = nil) -> Int {
        var offsets: [Int] = []
        for count in counts.dropLast() { offsets.append((offsets.last ?? 0) + count) }
        let first = writer.integers(offsets)
        let sum = total ?? counts.reduce(0, +)
        return writer.refs([first] + leaves + [NodeWriter.tagged(sum)], isInner: true)
    }

    /// Adds seconds and nanoseconds.
    package mutating func timestamps(_ seconds: Int, _ nanoseconds: Int) -> Int {
        writer.refs([seconds, nanoseconds])
    }

    // Tables.

    /// Adds a spec; the roots of the columns are not used.
    package mutating func spec(_ columns: [Column]) -> Int {
        let types = writer.integers(columns.map(\.type))
        let names = writer.shortStrings(columns.filter { !$0.isBacklink }.map(\.name))
        let attributes = writer.integers(columns.map(\.attributes))
        let subspecs = columns.flatMap(\.subspecs)
        let distincts = columns.compactMap(\.distinct)
        var slots = [types, names, attributes]
        if !subspecs.isEmpty || !distincts.isEmpty { slots.append(subspecs.isEmpty ? 0 : writer.refs(subspecs)) }
        if !distincts.isEmpty { slots.append(writer.refs(distincts)) }
        return writer.refs(slots)
    }

    /// Adds the columns array: an indexed column is followed by the root of its index, of which only the position
    /// matters.
    package mutating func columns(_ columns: [Column]) -> Int {
        writer.refs(columns.flatMap { $0.attributes & 1 == 0 ? [$0.root] : [$0.root, writer.refs([])] })
    }

    /// Adds a table and returns the ref of its top node.
    @discardableResult
    package mutating func addTable(_ name: String, _ columns: [Column]) -> Int {
        addTable(name, top: [spec(columns), self.columns(columns)])
    }

    /// Adds a table with the given slots of its top node.
    @discardableResult
    package mutating func addTable(_ name: String, top slots: [Int]) -> Int {
        let top = writer.refs(slots)
        names.append(name)
        tables.append(top)
        return top
    }

    /// Returns the file in streaming form.
    package mutating func bytes() -> [UInt8] {
        let parts = [writer.shortStrings(names), writer.refs(tables)]
        let top = writer.bytes.count
        let size = top + NodeHeader.size + 3 * 8
        _ = writer.refs(parts + [NodeWriter.tagged(size)])
        return writer.file(top: top, format: format)
    }

    /// Returns a file with the class `Hostile` with one property `value`.
    package static func oneColumn(
        _ type: Int, _ attributes: Int = 0, format: UInt8 = 9, column make: (inout LegacyFile, inout Column) -> Void
    ) -> [UInt8] {
        var file = LegacyFile(format: format)
        var column = Column("value", type, attributes, root: 0)
        make(&file, &column)
        file.addTable("class_Hostile", [column])
        return file.bytes()
    }
}
