internal import RealmCore
internal import RealmLayout

extension NodeRole {
    /// Returns the meaning of a number in a node with refs.
    func note(onTagged number: UInt64, at index: Int, of node: Node, in snapshot: Snapshot) -> String? {
        switch kind {
        case .groupTop:
            guard GroupTopSlot(rawValue: index) == .historyType else { return nil }
            return HistoryType(rawValue: Int(truncatingIfNeeded: number)).map { "\($0)" }
        case .tables:
            return "deleted; the next table here gets this tag"
        case .tableTop(let table):
            return tableNote(number, index, table: table, in: snapshot)
        case .clusterTree(_, let keyOffset) where !node.header.isInner && index == 0:
            return "objects, with keys from \(Int64(bitPattern: keyOffset)) on"
        case .searchIndex:
            return "object \(number)"
        case .column(let column, _, _) where column.leafType == .backlinks:
            return "object \(number)"
        case .legacy(let role):
            return role.note(onTagged: number, at: index, of: node, in: snapshot)
        case .values where node.header.isInner && index == 0:
            return "elements in each child"
        default:
            return nil
        }
    }

    private func tableNote(_ number: UInt64, _ index: Int, table: TablePosition?, in snapshot: Snapshot) -> String? {
        switch TableTopSlot(rawValue: index) {
        case .primaryKeyColumn:
            let key = ColumnKey(Int64(bitPattern: number))
            return table.map { snapshot.columnName(key.index, ofTable: $0) }
        case .flags:
            return TableKind(rawValue: Int(number & 3)).map { "\($0)" }
        default:
            return nil
        }
    }
}

extension NumberMeaning {
    /// Whether elements are unsigned.
    var isUnsigned: Bool {
        if case .objectKeys = self { true } else { false }
    }

    /// Returns the meaning of a number.
    func note(on number: Int64, in snapshot: Snapshot) -> String? {
        switch self {
        case .plain:
            return nil
        case .bytes:
            return "0x" + String(number, radix: 16)
        case .columnTypes:
            let type = ColumnType(rawValue: Int(number & 0xFFFF)).map { "\($0)" } ?? "unknown type"
            return number >> 16 == 0 ? type : "\(type), string keys"
        case .columnAttributes:
            return Self.names(ColumnAttributes(rawValue: Int(truncatingIfNeeded: number)))
        case .columnKeys:
            let key = ColumnKey(number)
            guard key != .null else { return "none" }
            let type = ColumnType(rawValue: key.typeNumber).map { "\($0)" } ?? "type \(key.typeNumber)"
            let attributes = Self.names(key.attributes).map { ", \($0)" } ?? ""
            return "index \(key.index), \(type)\(attributes), tag \(key.tag)"
        case .tableKeys:
            let key = TableKey(UInt32(truncatingIfNeeded: number))
            guard key != .null else { return "none" }
            return snapshot.position(of: key).map { snapshot.cores[$0].schema.tableName } ?? "no such table"
        case .objectKeys(let offset):
            return "object \(Int64(bitPattern: offset &+ UInt64(bitPattern: number)))"
        case .indexChunks:
            return Self.chunk(number)
        case .mixedTypes:
            return Self.mixedType(number)
        case .legacyMixedTypes:
            return LegacyMixedType(rawValue: Int(truncatingIfNeeded: number)).map { "\($0)" } ?? "unknown type"
        case .legacyColumnTypes:
            return LegacyType(rawValue: Int(truncatingIfNeeded: number)).map { "\($0)" } ?? "unknown type"
        }
    }

    private static func names(_ attributes: ColumnAttributes) -> String? {
        let names = ColumnAttributes.named.filter { attributes.contains($0.value) }.map(\.name)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// Formats the four bytes of a chunk, most significant first.
    private static func chunk(_ number: Int64) -> String {
        let bits = UInt32(truncatingIfNeeded: number)
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
        return "\"" + String(decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
            + "\""
    }

    private static func mixedType(_ element: Int64) -> String {
        let composite = MixedComposite(element)
        guard !composite.isNull else { return "null" }
        let type = composite.type.map { "\($0)" } ?? "unknown type"
        let (slot, payload) = (composite.slotNumber, composite.payload)
        guard slot > 0 else { return "\(type) \(payload)" }
        return "\(type), element \(payload) of \(MixedSlot(rawValue: slot)?.words ?? "slot \(slot)")"
    }
}
