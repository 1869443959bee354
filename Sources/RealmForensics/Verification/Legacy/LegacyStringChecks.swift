internal import RealmCore
internal import RealmLayout

/// Checks the terminators of strings of formats 2 to 9 (L01; Spec 110), which reading does not need: in columns, lists
/// of distinct strings, names, and subtables.
struct LegacyStringChecks {
    let scope: SnapshotScope
    let tables: [LegacyCheckedTable]

    func run() {
        if let names = scope.root.ref(.tableNames) { check(names, scope.place) }
        let subtables = LegacySubtables(scope)
        // Subtables share their distinct strings.
        var seen: Set<Ref> = []
        for table in tables {
            if let names = table.namesRef { check(names, scope.place(table.name)) }
            check(table, &seen)
            subtables.forEach(of: table) { check($0, &seen) }
        }
    }

    private func check(_ table: LegacyCheckedTable, _ seen: inout Set<Ref>) {
        for column in table.columns {
            if column.type == .string { check(column.root, table.place(scope, column, row: nil), of: table) }
            if let distinct = column.distinct, seen.insert(distinct).inserted {
                check(distinct, scope.place(table.name, column.name))
            }
        }
    }

    /// Checks the leaves of a tree.
    ///
    /// - Parameter table: the table whose rows contain the strings.
    private func check(_ root: Ref, _ place: Finding.Place, of table: LegacyCheckedTable? = nil) {
        var walk = TreeWalk(scope, root: root, reporter: nil)
        var (row, count): (Int, Int?) = (0, nil)
        while let node = walk.next(count: count) {
            let leaf = OneLeaf(scope: scope, place: place, table: table, node: node, firstRow: row)
            count = leaf.check()
            row += count ?? 0
        }
    }

    /// Checks one leaf.
    private struct OneLeaf {
        let scope: SnapshotScope
        let place: Finding.Place
        let table: LegacyCheckedTable?
        let node: Node
        let firstRow: Int

        /// Returns the number of strings; nil when they cannot be read, which is reported elsewhere.
        func check() -> Int? {
            guard node.header.hasRefs else { return node.header.widthType == .multiply ? short() : node.count }
            guard let parts = scope.refs(node.ref) else { return nil }
            return node.header.isContext ? big(parts) : medium(parts)
        }

        private func report(_ index: Int, _ message: @autoclosure () -> String) {
            var place = place
            if place.property != nil, place.objectKey == nil { place.objectKey = ObjectKey(Int64(firstRow + index)) }
            scope.sink.report(
                .stringTermination, at: node.ref.offset, in: place,
                (table?.prefix(row: firstRow + index) ?? "") + message())
        }

        private func short() -> Int {
            let width = node.header.width
            guard width > 0 else { return node.count }
            let payload = node.payload
            for index in 0..<node.count {
                let start = index * width
                let unused = Int(payload.byte(unchecked: start + width - 1))
                // If all bytes are unused, the value is null.
                guard unused != width else { continue }
                guard unused < width else {
                    report(index, "the string has \(unused) unused bytes of \(width)")
                    continue
                }
                for offset in (width - 1 - unused)..<(width - 1) where payload.byte(unchecked: start + offset) != 0 {
                    report(index, "the bytes after the string are not zero")
                    break
                }
            }
            return node.count
        }

        private func medium(_ parts: IntegerVector) -> Int? {
            guard case .ref(let offsetsRef) = Slot(parts.element(at: 0) ?? 0),
                case .ref(let blobRef) = Slot(parts.element(at: 1) ?? 0), let offsets = scope.integers(offsetsRef),
                let blob = scope.node(blobRef), blob.header.widthType == .ignore
            else { return nil }
            // With width 0 all ends are 0, for any claimed number of strings.
            guard offsets.width > 0 else { return offsets.count }
            let bytes = blob.payload
            var start: Int64 = 0
            for index in 0..<offsets.count {
                let end = offsets[unchecked: index]
                guard end > start, end <= Int64(bytes.count) else {
                    report(index, "the string is said to be at \(start)..<\(end) of \(bytes.count) bytes")
                    return offsets.count
                }
                if bytes.byte(unchecked: Int(end) - 1) != 0 { report(index, "the string does not end in a zero") }
                start = end
            }
            if start != Int64(bytes.count) {
                report(offsets.count, "the strings end at \(start) of \(bytes.count) bytes")
            }
            return offsets.count
        }

        private func big(_ parts: IntegerVector) -> Int {
            guard parts.width > 0 else { return parts.count }
            for index in 0..<parts.count {
                guard case .ref(let ref) = Slot(parts[unchecked: index]), let blob = scope.node(ref),
                    blob.header.widthType == .ignore
                else { continue }
                let bytes = blob.payload
                if bytes.count == 0 || bytes.byte(unchecked: bytes.count - 1) != 0 {
                    report(index, "the string does not end in a zero")
                }
            }
            return parts.count
        }
    }
}
