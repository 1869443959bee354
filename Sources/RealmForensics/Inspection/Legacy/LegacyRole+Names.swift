internal import RealmCore
internal import RealmLayout

extension LegacyRole {
    /// Returns the name of element `index` of `node`; nil for elements of plain lists.
    func slotName(_ index: Int, of node: Node, in snapshot: Snapshot) -> String? {
        switch self {
        case .tables:
            return snapshot.legacyTableName(index)
        case .tableTop:
            return LegacyTableTopSlot(rawValue: index).map { "\($0)" }
        case .upgradingTop:
            return TableTopSlot(rawValue: index)?.words
        case .spec:
            return LegacySpecSlot(rawValue: index)?.words ?? SpecSlot(rawValue: index)?.words
        case .subspecs(let entries):
            return entries[safe: index]?.name
        case .keyLists(let columns):
            return columns[safe: index]?.name
        case .columns(let places):
            guard let place = places.place(at: index, of: node), let column = places.spec?.columns[safe: place.column]
            else { return nil }
            return (place.isIndex ? "index of " : "") + places.name(of: column, in: snapshot)
        case .column(let column, let firstRow):
            if node.header.isInner { return NodeRole.innerName(index, of: node) }
            guard let type = column.column.leafType else { return nil }
            if let part = NodeRole.leafSlotName(index, type, of: node) { return part }
            // The first element of nullable integers is the null sentinel.
            guard type == .int(nullable: true) else { return "row \(firstRow &+ index)" }
            return index == 0 ? nil : "row \(firstRow &+ index &- 1)"
        case .timestamps:
            return TimestampSlot(rawValue: index).map { "\($0)" }
        case .mixed:
            return LegacyMixedSlot(rawValue: index).map { "\($0)" }
        case .mixedTypes:
            return node.header.isInner ? NodeRole.innerName(index, of: node) : nil
        case .mixedData(_, let firstRow):
            return node.header.isInner ? NodeRole.innerName(index, of: node) : "row \(firstRow &+ index)"
        case .searchIndex:
            return index == 0 && node.header.isContext ? "chunks" : nil
        }
    }

    /// Returns the meaning of a number in a node with refs.
    func note(onTagged number: UInt64, at index: Int, of node: Node, in snapshot: Snapshot) -> String? {
        switch self {
        case .subspecs(let entries):
            return entries[safe: index]?.note
        case .column, .mixedData, .mixedTypes:
            if node.header.isInner { return index == 0 ? "elements in each child" : nil }
            switch self {
            case .column(let column, _) where column.column.type == .backLink: return "row \(number)"
            case .mixedData(let types, let firstRow):
                return Self.mixedNote(on: number, type: snapshot.legacyMixedType(ofRow: firstRow &+ index, types))
            default: return nil
            }
        case .searchIndex:
            return "row \(number)"
        case .upgradingTop:
            return NodeRole(.tableTop(table: nil), "").note(onTagged: number, at: index, of: node, in: snapshot)
        default:
            return nil
        }
    }

    /// Returns the value that a number in an old Mixed column represents, or the value's position.
    private static func mixedNote(on number: UInt64, type: LegacyMixedType?) -> String? {
        let upper = number | 1 << 63
        return switch type {
        case .int: "int \(number)"
        case .negativeInt: "int \(Int64(bitPattern: upper))"
        case .bool: "bool \(number != 0)"
        case .float: "float \(Float(bitPattern: UInt32(truncatingIfNeeded: number)))"
        case .double: "double \(Double(bitPattern: number))"
        case .negativeDouble: "double \(Double(bitPattern: upper))"
        case .oldDateTime: "date \(number) s"
        case .string, .binary, .timestamp: "\(type.map { "\($0)" } ?? ""), element \(number)"
        case .subtable, nil: nil
        }
    }
}

extension Snapshot {
    /// Returns the type of the value in a row of an old Mixed column; nil when the tree of types is damaged.
    ///
    /// Descends straight to the leaf instead of walking the tree for each row.
    fileprivate func legacyMixedType(ofRow row: Int, _ types: Ref?) -> LegacyMixedType? {
        guard var ref = types else { return nil }
        var row = row
        do throws(FormatError) {
            for _ in 0...Limits.treeDepth {
                let node = try fileSpace.node(at: ref)
                guard node.header.isInner else {
                    let number = try node.integers().element(at: row)
                    return number.flatMap { LegacyMixedType(rawValue: Int(truncatingIfNeeded: $0)) }
                }
                guard let (child, first) = try fileSpace.legacyChild(ofRow: row, node) else { return nil }
                (ref, row) = (child, row &- first)
            }
        } catch {
            return nil
        }
        return nil
    }
}

extension NodeSpace {
    /// Returns the child of an inner node that contains a row, and the child's first row; nil when there is none.
    fileprivate func legacyChild(ofRow row: Int, _ node: Node) throws(FormatError) -> (ref: Ref, firstRow: Int)? {
        let inner = try BPlusTreeInner(node)
        switch inner.slots.starts {
        case .tagged(let each):
            let each = Int(truncatingIfNeeded: each)
            guard each > 0, row >= 0, row / each < inner.childCount else { return nil }
            return (try inner.child(row / each), row / each * each)
        case .ref(let ref):
            let offsets = try self.node(at: ref).integers()
            guard offsets.count == inner.childCount - 1 else { return nil }
            let child = (0..<offsets.count).partitioningIndex { offsets[unchecked: $0] > Int64(row) }
            return (try inner.child(child), child == 0 ? 0 : Int(truncatingIfNeeded: offsets[unchecked: child - 1]))
        case .empty:
            return nil
        }
    }
}
