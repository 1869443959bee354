internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// The values of a leaf, as text.
package struct InspectedValues: Sendable {
    private let leaf: ColumnLeaf
    private let snapshot: Snapshot
    /// Keeps the leaf's pages of an encrypted file valid.
    private let hold: PageHold?
    private let target: TablePosition?
    private let cluster: Cluster?

    /// Returns nil when the node is not a leaf of values, or is damaged.
    init?(of node: Node, _ role: NodeRole, in snapshot: Snapshot, _ hold: PageHold?) {
        self.hold = hold
        guard !node.header.isInner else { return nil }
        let type: LeafType
        var distinct: ColumnLeaf?
        switch role.kind {
        case .column(let column, _, let cluster):
            type = column.leafType
            distinct = column.distinct
            target = column.target
            self.cluster = cluster
        case .values(let leafType):
            type = leafType
            (target, cluster) = (nil, nil)
        case .legacy(.column(let column, _)):
            guard let leafType = column.column.leafType else { return nil }
            type = leafType
            distinct = column.keys
            target = column.target
            cluster = nil
        default: return nil
        }
        guard type != .collections, type != .backlinks else { return nil }
        do throws(FormatError) {
            leaf = try ColumnLeaf(node, as: type, in: snapshot.fileSpace, distinct: distinct)
        } catch {
            return nil
        }
        self.snapshot = snapshot
    }

    /// Number of values.
    package var count: Int { leaf.count }

    /// Whether each element of the node is one value. The elements' notes then show the values.
    package var areElements: Bool {
        switch leaf.encoding {
        case .integers, .nullableIntegers, .bools, .links, .floats, .doubles, .shortStrings, .decimals128, .decimals64,
            .decimals32:
            true
        default: false
        }
    }

    var isPlainNumbers: Bool { leaf.encoding == .integers && !leaf.isEnumerated }
    var hasNullSentinel: Bool { leaf.encoding == .nullableIntegers }
    func isNull(at index: Int) -> Bool { leaf.nullableInt(at: index) == nil }

    /// Returns the owner of value `index`: an object, if the leaf belongs to a column.
    package func owner(at index: Int) -> String? {
        guard let cluster, index < cluster.count else { return nil }
        return "object \(cluster.key(unchecked: index))"
    }

    /// Returns a description of value `index`, which must be below `count`, or of its damage.
    package func text(at index: Int) -> String {
        guard index >= 0, index < leaf.count else { return "no value" }
        do throws(FormatError) {
            return try value(at: index)
        } catch {
            return "damaged: \(error.detail)"
        }
    }

    private func value(at index: Int) throws(FormatError) -> String {
        switch leaf.encoding {
        case .integers: return String(leaf.int(at: index))
        case .nullableIntegers: return leaf.nullableInt(at: index).map { String($0) } ?? "null"
        case .bools: return leaf.bool(at: index).map { String($0) } ?? "null"
        case .floats: return leaf.floatBits(at: index).map { "\(Float(bitPattern: $0))" } ?? "null"
        case .doubles: return leaf.doubleBits(at: index).map { "\(Double(bitPattern: $0))" } ?? "null"
        case .shortStrings, .mediumStrings, .bigStrings:
            return try leaf.string(at: index, in: snapshot.fileSpace).map { Self.quoted($0) } ?? "null"
        case .mediumBinaries, .bigBinaries:
            guard let blob = try leaf.binary(at: index, in: snapshot.fileSpace) else { return "null" }
            return blob.parts == nil ? Self.bytes(blob.view) : "bytes in parts"
        case .timestamps: return try leaf.timestamp(at: index).map { Self.text($0) } ?? "null"
        case .decimals128, .decimals64, .decimals32, .nullDecimals, .zeroDecimals:
            return leaf.decimal(at: index).map { Self.text($0) } ?? "null"
        case .objectIds: return leaf.objectIdBytes(at: index).map { Hexadecimal.text($0.bytes) } ?? "null"
        case .uuids: return leaf.uuidBytes(at: index).map { Hexadecimal.uuidText($0.bytes) } ?? "null"
        case .links: return leaf.link(at: index).map { link($0) } ?? "null"
        case .mixed: return try mixed(at: index)
        case .collections, .backlinks: return ""
        }
    }

    private func link(_ key: ObjectKey) -> String {
        let name = target.map { snapshot.cores[$0].schema.name + " " } ?? ""
        return "-> \(name)\(key)\(key.isUnresolved ? " (tombstone)" : "")"
    }

    private func mixed(at index: Int) throws(FormatError) -> String {
        switch try leaf.mixed(at: index, in: snapshot.fileSpace) {
        case .null: return "null"
        case .int(let value): return "int \(value)"
        case .bool(let value): return "bool \(value)"
        case .float(let bits): return "float \(Float(bitPattern: bits))"
        case .double(let bits): return "double \(Double(bitPattern: bits))"
        case .string(let bytes): return Self.quoted(bytes)
        case .binary(let bytes): return "binary \(Self.bytes(bytes))"
        case .timestamp(let value): return "timestamp \(Self.text(value))"
        case .decimal128(let value): return "decimal128 \(Self.text(value))"
        case .objectId(let bytes): return "objectId \(Hexadecimal.text(bytes.bytes))"
        case .uuid(let bytes): return "uuid \(Hexadecimal.uuidText(bytes.bytes))"
        case .link(let table, let key):
            let name = snapshot.position(of: table).map { snapshot.cores[$0].schema.name } ?? "no such table"
            return "-> \(name) \(key)\(key.isUnresolved ? " (tombstone)" : "")"
        case .list(let root): return "list \(root.map { "at \($0)" } ?? "(empty)")"
        case .dictionary(let root): return "dictionary \(root.map { "at \($0)" } ?? "(empty)")"
        }
    }

    private static let shownBytes = 60

    private static func quoted(_ bytes: ByteView) -> String {
        let shown = bytes.slice(at: 0, count: min(bytes.count, shownBytes)) ?? bytes
        let text = shown.string ?? shown.repairedString
        return "\"\(text.singleLine)\"" + (bytes.count > shownBytes ? "… (\(bytes.count) bytes)" : "")
    }

    private static func bytes(_ bytes: ByteView) -> String {
        let shown = bytes.slice(at: 0, count: min(bytes.count, 16)) ?? bytes
        return "\(Hexadecimal.text(shown.bytes))\(bytes.count > 16 ? "…" : "") (\(bytes.count) bytes)"
    }

    private static func text(_ timestamp: Timestamp) -> String {
        "\(timestamp.seconds) s \(timestamp.nanoseconds) ns"
    }

    /// Returns coefficient and exponent, or the name of a special value.
    private static func text(_ decimal: Decimal128Bits) -> String {
        let sign = decimal.high >> 63 == 0 ? "" : "-"
        switch decimal.high >> 58 & 31 {
        case 31: return "NaN"
        case 30: return sign + "Infinity"
        // Coefficients that are too large count as 0.
        case 24...29: return sign + "0E\(Int(decimal.high >> 47 & 0x3FFF) - Decimal128Bits.bias)"
        default:
            let coefficient = UInt128(decimal.high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(decimal.low)
            return "\(sign)\(coefficient)E\(Int(decimal.high >> 49 & 0x3FFF) - Decimal128Bits.bias)"
        }
    }
}
