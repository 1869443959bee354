package import RealmCore
package import RealmLayout

/// The places in the file where the values of an object lie.
package struct ValuePlaces: Sendable {
    /// A value of the object.
    package struct Property: Sendable {
        /// The name of the property.
        package let name: String
        /// The value; nil when it cannot be read.
        package let value: Value?
        /// The leaf of the property; nil when it cannot be opened.
        package let leaf: Ref?
        /// The parts of the value: elements of nodes, then bytes.
        package fileprivate(set) var parts: [Part] = []
        /// The reason why the value or a part of it cannot be read.
        package fileprivate(set) var problem: FormatError?
    }

    /// Bytes of the file that belong to a value.
    package struct Part: Sendable {
        /// The meaning of the bytes: `element 3`, `bytes`, `seconds`.
        package let words: String
        /// The node that contains them, with the elements that lead to it from the group's top; nil where only the
        /// bytes are known.
        package let node: Node?
        /// The bytes in the file. For an element of less than a byte: the byte that contains it.
        package let range: Range<Int>
        /// The bits of an element of less than a byte, from the lowest one of that byte on.
        package let bits: Range<Int>?

        /// A node with the way to it.
        package struct Node: Sendable {
            package let ref: Ref
            package let path: [Int]
        }
    }

    /// The key of the object.
    package let key: ObjectKey
    /// The cluster of the object, with its row.
    package let cluster: Ref
    package let row: Int
    /// The elements that lead from the group's top to the cluster.
    package let path: [Int]
    /// The place of the object key; nil in the compact form, in which keys are not stored.
    package let keyPart: Part?
    /// The properties that were asked for, in the order of the schema.
    package private(set) var properties: [Property] = []

    /// Finds the values of an object.
    ///
    /// - Parameter property: the only property to find; nil for all.
    /// - Throws: `noSuchObject`, and errors on the way to the object. Errors in values are part of the result.
    package init(
        of key: ObjectKey, in table: Table, property: PropertyIndex? = nil
    ) throws(FormatError) {
        let snapshot = table.snapshot
        guard !snapshot.version.isLegacy else {
            throw FormatError(
                .noSuchObject, "values of formats 2 to 9 are not found by class and key; follow --path instead")
        }
        self.key = key
        let way = try snapshot.reading { () throws(FormatError) in try ObjectWay(to: key, in: table) }
        (cluster, row, path) = (way.cluster.ref, way.row, way.path)
        let finder = PartFinder(snapshot)
        keyPart = try snapshot.reading { () throws(FormatError) in
            try way.cluster.keysRef.map { ref throws(FormatError) in
                try finder.element(way.row, of: ref, path: way.path + [0], "object key")
            }
        }
        for index in property.map({ [$0] }) ?? Array(table.columns.indices) {
            properties.append(snapshot.reading { Self.find(index, way, table, finder) })
        }
    }

    private static func find(
        _ index: PropertyIndex, _ way: ObjectWay, _ table: Table, _ finder: PartFinder
    ) -> Property {
        let (column, space) = (table.columns[index], table.snapshot.space)
        let name = table.schema.properties[index].name
        var problem: FormatError?
        var value: Value?
        do throws(FormatError) { value = try table.object(way.key)?.value(at: index.number) } catch { problem = error }
        var property = Property(name: name, value: value, leaf: nil, problem: problem)
        do throws(FormatError) {
            let leaf = try way.cluster.leaf(of: column, in: space)
            let path = way.path + [ClusterSlots.element(of: column.index)]
            property = Property(name: name, value: value, leaf: leaf.ref, problem: problem)
            property.parts = try finder.parts(of: leaf, way.row, path)
        } catch {
            property.problem = problem ?? error
        }
        return property
    }
}

/// The way to an object: its cluster, and the elements that lead to it.
private struct ObjectWay {
    let key: ObjectKey
    let cluster: Cluster
    let row: Int
    let path: [Int]

    init(to key: ObjectKey, in table: Table) throws(FormatError) {
        self.key = key
        let space = table.snapshot.space
        var path = [
            GroupTopSlot.tables.rawValue, table.schema.key.slot,
            key.isUnresolved ? TableTopSlot.tombstones.rawValue : TableTopSlot.clusterTree.rawValue,
        ]
        guard let tree = key.isUnresolved ? table.core.tombstones : table.core.objects else { throw Self.missing(key) }
        var node = try space.node(at: tree.root)
        var (keyOffset, depth): (UInt64, Int?) = (0, nil)
        while node.header.isInner {
            let inner = try ClusterInner(node, in: space)
            try inner.checkDepth(below: depth)
            depth = inner.depth
            let child = inner.childIndex(for: UInt64(bitPattern: key.value) &- keyOffset)
            keyOffset &+= inner.keyOffset(ofChild: child)
            path.append(ClusterInnerSlot.firstChild.rawValue + child)
            node = try space.node(at: inner.child(child))
        }
        cluster = try Cluster(node, keyOffset: keyOffset, in: space)
        guard let row = cluster.row(of: key) else { throw Self.missing(key) }
        (self.row, self.path) = (row, path)
    }

    private static func missing(_ key: ObjectKey) -> FormatError {
        FormatError(.noSuchObject, "there is no object with the key \(key)")
    }
}

/// Finds the bytes of values. Runs with a lease.
private struct PartFinder {
    private let space: NodeSpace

    init(_ snapshot: Snapshot) { space = snapshot.fileSpace }

    /// Returns the place of element `index` of a node.
    func element(_ index: Int, of ref: Ref, path: [Int], _ words: String) throws(FormatError) -> ValuePlaces.Part {
        let node = try space.node(at: ref)
        let payload = ref.offset + NodeHeader.size
        let width = node.header.width
        guard node.header.isBits, width < 8 else {
            let size = node.header.isBits ? width / 8 : width
            let start = payload + index * size
            return ValuePlaces.Part(
                words: words, node: .init(ref: ref, path: path), range: start..<start + size, bits: nil)
        }
        let start = index * width
        let byte = payload + start / 8
        // An element of no bits is zero, and lies nowhere.
        let range = width == 0 ? payload..<payload : byte..<byte + 1
        return ValuePlaces.Part(
            words: words, node: .init(ref: ref, path: path), range: range, bits: start % 8..<start % 8 + width)
    }

    /// Returns the parts of a value in a leaf.
    func parts(of leaf: ColumnLeaf, _ row: Int, _ path: [Int]) throws(FormatError) -> [ValuePlaces.Part] {
        let node = try space.node(at: leaf.ref)
        func inSlot(_ slot: Int, _ index: Int, _ words: String) throws(FormatError) -> [ValuePlaces.Part] {
            guard let ref = try node.child(at: slot) else { return [] }
            return [try element(index, of: ref, path: path + [slot], words)]
        }
        switch leaf.encoding {
        case .nullableIntegers: return [try element(row + 1, of: leaf.ref, path: path, "element \(row + 1)")]
        case .timestamps:
            return try inSlot(TimestampSlot.seconds.rawValue, row + 1, "seconds")
                + inSlot(TimestampSlot.nanoseconds.rawValue, row, "nanoseconds")
        case .mixed:
            // Reading the value proves that its payload exists.
            let value = try leaf.mixed(at: row, in: space)
            let types = try inSlot(MixedSlot.composites.rawValue, row, "type and position")
            return types + (try payload(of: leaf, node, row, path)) + bytes(of: value)
        case .mediumStrings where !leaf.isEnumerated, .mediumBinaries:
            let end = try inSlot(MediumSlot.endOffsets.rawValue, row, "end of the bytes")
            return try end + inSlot(MediumSlot.nullFlags.rawValue, row, "null flag") + text(leaf, row)
        case .objectIds, .uuids:
            return leaf.fixedBytes(at: row, leaf.fixedBlocks).map { bytes($0) } ?? []
        case .shortStrings where !leaf.isEnumerated:
            return [try element(row, of: leaf.ref, path: path, "element \(row)")] + (try text(leaf, row))
        case .shortStrings, .mediumStrings, .bigStrings, .bigBinaries:
            // The leaf of objects of an enumerated column is that of the indexes.
            return [try element(row, of: leaf.ref, path: path, "element \(row)")] + (try text(leaf, row))
        case .nullDecimals, .zeroDecimals: return []
        case .collections:
            let found = [try element(row, of: leaf.ref, path: path, "ref of the collection")]
            guard let root = try leaf.collection(at: row) else { return found }
            return found + [try whole(root, path: path + [row], "root of the collection")]
        default: return [try element(row, of: leaf.ref, path: path, "element \(row)")]
        }
    }

    /// Returns the places of the numbers of a Mixed value.
    private func payload(
        of leaf: ColumnLeaf, _ node: Node, _ row: Int, _ path: [Int]
    ) throws(FormatError) -> [ValuePlaces.Part] {
        guard let types = try node.child(at: MixedSlot.composites.rawValue) else { return [] }
        let composite = MixedComposite(try space.node(at: types).integers().element(at: row) ?? 0)
        guard let slot = MixedSlot(rawValue: composite.slotNumber), let ref = try node.child(at: slot.rawValue) else {
            return []
        }
        let (index, place) = (Int(truncatingIfNeeded: composite.payload), path + [slot.rawValue])
        switch slot {
        case .integers: return [try element(index, of: ref, path: place, "number")]
        case .pairs:
            return [
                try element(2 &* index, of: ref, path: place, "first number"),
                try element(2 &* index &+ 1, of: ref, path: place, "second number"),
            ]
        case .collections: return [try element(index, of: ref, path: place, "ref of the collection")]
        case .composites, .strings, .collectionKeys: return []
        }
    }

    private func whole(_ ref: Ref, path: [Int], _ words: String) throws(FormatError) -> ValuePlaces.Part {
        let node = try space.node(at: ref)
        return ValuePlaces.Part(
            words: words, node: .init(ref: ref, path: path), range: ref.offset..<ref.offset + node.byteCount, bits: nil)
    }

    private func text(_ leaf: ColumnLeaf, _ row: Int) throws(FormatError) -> [ValuePlaces.Part] {
        switch leaf.encoding {
        case .shortStrings, .mediumStrings, .bigStrings: try leaf.string(at: row, in: space).map { bytes($0) } ?? []
        default: try leaf.binary(at: row, in: space).map { bytes($0.view) } ?? []
        }
    }

    private func bytes(of value: MixedValue) -> [ValuePlaces.Part] {
        switch value {
        case .string(let view), .binary(let view), .objectId(let view), .uuid(let view): bytes(view)
        default: []
        }
    }

    /// Returns the place of bytes that lie in the file.
    private func bytes(_ view: ByteView) -> [ValuePlaces.Part] {
        guard view.count > 0, let start = view.offset(in: space.bytes) else { return [] }
        return [
            ValuePlaces.Part(words: "bytes", node: nil, range: start..<start + view.count, bits: nil)
        ]
    }
}
