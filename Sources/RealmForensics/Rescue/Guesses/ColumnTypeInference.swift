internal import RealmCore
internal import RealmLayout

/// Infers the types of a table's columns from their leaves when all descriptions are lost (Spec 190).
///
/// Types that share an encoding are distinguished by their values.
struct ColumnTypeInference {
    private struct Cluster {
        let slots: IntegerVector
        let rows: Int
    }

    /// A column type and its attributes, such as nullability.
    struct Guess: Equatable {
        var type: ColumnType
        var attributes: ColumnAttributes
    }

    /// Bounds the work of the inference. Leaves and values that several columns share are charged each time.
    final class Work {
        private var left: Int

        init(for space: NodeSpace) { left = space.size * 16 }

        /// Charges for leaves, elements or bytes; returns false when nothing is left.
        func spend(_ count: Int) -> Bool {
            left -= count + 1
            return left > 0
        }
    }

    private let space: NodeSpace
    private let work: Work
    private var clusters: [Cluster] = []
    /// Maximum number of clusters to examine.
    private static let most = 64

    /// Collects clusters of the tree, up to the maximum.
    init(tree: Ref, in space: NodeSpace, _ work: Work) {
        self.space = space
        self.work = work
        var pending = [tree]
        var visited = 0
        while let ref = pending.popLast(), clusters.count < Self.most, visited < Self.most * Limits.treeDepth {
            visited += 1
            do throws(FormatError) {
                let node = try space.node(at: ref)
                let slots = try node.refs()
                guard node.header.isInner else {
                    if let rows = try rows(slots) { clusters.append(Cluster(slots: slots, rows: rows)) }
                    continue
                }
                let inner = RecordSlots<ClusterInnerSlot>(slots)
                for index in (0..<max(0, min(inner.childCount, Self.most))).reversed() {
                    if case .ref(let child) = inner.child(unchecked: index) { pending.append(child) }
                }
            } catch { continue }
        }
    }

    private func rows(_ slots: IntegerVector) throws(FormatError) -> Int? {
        switch ClusterSlots(slots).keys {
        case .tagged(let count): count <= UInt64(Limits.clusterObjects) ? Int(count) : nil
        case .ref(let ref): try space.node(at: ref).integers().count
        case .empty: nil
        }
    }

    /// Number of columns that the clusters have slots for.
    var columnCount: Int { clusters.map { $0.slots.count - 1 }.max() ?? 0 }

    /// Whether all readable leaves of a column fit a type.
    func fits(_ type: LeafType, column: ColumnIndex) -> Bool {
        var isSeen = false
        for cluster in clusters {
            guard case .ref(let ref) = ClusterSlots(cluster.slots).leaf(of: column) else { continue }
            do throws(FormatError) {
                let node = try space.node(at: ref)
                guard !isLost(node) else { continue }
                guard work.spend(0) else { return false }
                guard try ColumnLeaf(node, as: type, in: space).count == cluster.rows else { return false }
                isSeen = true
            } catch {
                return false
            }
        }
        return isSeen
    }

    /// Whether all columns of a table fit the readable leaves, and there is none for other columns.
    func fits(_ columns: [ColumnLayout]) -> Bool {
        guard columns.allSatisfy({ $0.index.number < columnCount }) else { return false }
        return columns.allSatisfy { column in
            let leaf: LeafType =
                column.type == .backLink
                ? .backlinks
                : column.collection == nil
                    ? LeafType(of: column.type, isNullable: column.isNullable, in: nil) : .collections
            return fits(leaf, column: column.index)
        }
    }

    /// Whether a leaf, or a part of it that determines its count, lies in a page of zeros.
    private func isLost(_ node: Node) -> Bool {
        guard node.header != NodeHeader(word: 0) else { return true }
        guard node.header.hasRefs, !node.header.isContext, node.count <= MixedSlot.allCases.count else { return false }
        do throws(FormatError) {
            let slots = try node.refs()
            for index in 0..<slots.count {
                guard case .ref(let ref) = Slot(slots[unchecked: index]) else { continue }
                if try space.node(at: ref).header == NodeHeader(word: 0) { return true }
            }
            return false
        } catch {
            return false
        }
    }

    /// Whether all leaves of a column have refs.
    func hasRefs(column: ColumnIndex) -> Bool { nodes(column).allSatisfy { $0.node.header.hasRefs } }

    /// Returns the type of a column of single values; nil when none fits.
    func type(of column: ColumnIndex) -> Guess? {
        let nullable = ColumnAttributes.nullable
        let nodes = nodes(column)
        guard let header = nodes.first(where: { $0.node.count > 0 })?.node.header else { return nil }
        if header.hasRefs {
            if fits(.timestamp, column: column) { return Guess(type: .timestamp, attributes: nullable) }
            if fits(.mixed, column: column) { return Guess(type: .mixed, attributes: nullable) }
            if fits(.string, column: column), areStrings(column) { return Guess(type: .string, attributes: nullable) }
            return fits(.binary, column: column) ? Guess(type: .binary, attributes: nullable) : nil
        }
        if header.isBits {
            if fits(.int(nullable: true), column: column) { return Guess(type: .int, attributes: nullable) }
            guard fits(.int(nullable: false), column: column) else { return nil }
            return truth(nodes.map(\.node)) ?? Guess(type: .int, attributes: [])
        }
        for (type, leaf) in [(ColumnType.objectId, LeafType.objectId), (.uuid, .uuid)] where fits(leaf, column: column)
        {
            return Guess(type: type, attributes: nullable)
        }
        if fits(.string, column: column), areStrings(column) { return Guess(type: .string, attributes: nullable) }
        if fits(.decimal128, column: column), nodes.allSatisfy({ Self.areDecimals($0.node) }) {
            return Guess(type: .decimal128, attributes: nullable)
        }
        if fits(.float, column: column) { return Guess(type: .float, attributes: nullable) }
        if fits(.double, column: column) { return Guess(type: .double, attributes: nullable) }
        return nil
    }

    private func nodes(_ column: ColumnIndex) -> [(node: Node, rows: Int)] {
        var result: [(Node, Int)] = []
        for cluster in clusters {
            guard case .ref(let ref) = ClusterSlots(cluster.slots).leaf(of: column) else { continue }
            do throws(FormatError) {
                let node = try space.node(at: ref)
                if !isLost(node), work.spend(node.count) { result.append((node, cluster.rows)) }
            } catch { continue }
        }
        return result
    }

    /// Returns the type bool if the values include true and otherwise only false and null.
    private func truth(_ nodes: [Node]) -> Guess? {
        var (hasTrue, hasNull) = (false, false)
        for node in nodes where node.header.isBits {
            let values = node.elements
            for index in 0..<values.count {
                switch values[unchecked: index] {
                case 0: break
                case 1: hasTrue = true
                case NullPattern.bool: hasNull = true
                default: return nil
                }
            }
        }
        return hasTrue ? Guess(type: .bool, attributes: hasNull ? .nullable : []) : nil
    }

    /// Length of a run of zeros that is taken for lost content.
    private static let zeroRun = 64

    private func hasZeroRun(_ view: ByteView) -> Bool {
        stride(from: 0, through: view.count - Self.zeroRun, by: Self.zeroRun / 2).contains { start in
            view.slice(unchecked: start, count: Self.zeroRun / 2).isZero
        }
    }

    /// Whether all values can be strings: valid UTF-8, mostly without zeros, and short strings padded with zeros.
    private func areStrings(_ column: ColumnIndex) -> Bool {
        var (plain, withZeros) = (0, 0)
        for (node, rows) in nodes(column) {
            guard let leaf = strings(node) else { return false }
            for row in 0..<min(rows, leaf.count) {
                let value: ByteView?
                do throws(FormatError) {
                    value = try leaf.string(at: row, in: space)
                } catch {
                    // A value in a node of its own may be lost.
                    guard leaf.encoding == .bigStrings else { return false }
                    continue
                }
                // A value in a page of zeros gives no evidence.
                guard work.spend(value?.count ?? 0) else { return false }
                guard let view = value, view.count < Self.zeroRun || !hasZeroRun(view) else { continue }
                guard view.isValidUTF8 else { return false }
                if view.bytes.contains(0) { withZeros += 1 } else { plain += 1 }
                guard leaf.encoding == .shortStrings else { continue }
                let width = node.header.width
                let start = row * width + view.count
                let rest = node.payload.slice(unchecked: start, count: max(0, (row + 1) * width - 1 - start))
                guard rest.isZero else { return false }
            }
        }
        return withZeros <= plain
    }

    private func strings(_ node: Node) -> ColumnLeaf? {
        do throws(FormatError) { return try ColumnLeaf(node, as: .string, in: space) } catch { return nil }
    }

    /// Whether all values have the bits of decimals of common magnitude. Read as floats, such bits would be almost
    /// zero.
    private static func areDecimals(_ node: Node) -> Bool {
        let bytes = node.payload
        for index in 0..<node.count {
            switch node.header.width {
            case 4:
                let bits = bytes.uint32(unchecked: index * 4)
                let exponent = Int(bits >> 23 & 0xFF)
                guard bits == NullPattern.decimal32 || (91...111).contains(exponent) else { return false }
            case 8:
                let bits = bytes.uint64(unchecked: index * 8)
                let exponent = Int(bits >> 53 & 0x3FF)
                guard bits == NullPattern.decimal64 || (370...426).contains(exponent) else { return false }
            default: return true
            }
        }
        return true
    }
}
