package import RealmCore
package import RealmLayout

/// A possible table of a damaged database.
package struct TableCandidate: Sendable {
    /// The slot in the group's arrays.
    package let slot: Int
    /// The full name; nil when it is lost.
    package let name: String?
    /// The ref of the table's top; nil when it is lost.
    package let top: Ref?

    package init(slot: Int, name: String?, top: Ref?) {
        self.slot = slot
        self.name = name
        self.top = top
    }
}

extension NodeSpace {
    /// Returns the tables listed by the top node of a group, damaged or not.
    ///
    /// - Throws: `FormatError` when the list of tables cannot be read.
    package func tableClues(ofGroup ref: Ref) throws(FormatError) -> [TableCandidate] {
        let top = try Record<GroupTopSlot>(at: ref, in: self)
        let tables = try top.child(.tables, in: self).refs()
        guard tables.count <= Limits.tableSlots else {
            throw FormatError(.badGroup, at: ref.offset, "\(tables.count) tables")
        }
        let names = tableNames(top, count: tables.count)
        var clues: [TableCandidate] = []
        for slot in 0..<tables.count {
            let name = slot < names.count ? names[slot] : nil
            switch Slot(tables[unchecked: slot]) {
            case .ref(let ref): clues.append(TableCandidate(slot: slot, name: name, top: ref))
            // Free slots have no name.
            case .empty where !(name?.isEmpty ?? true): clues.append(TableCandidate(slot: slot, name: name, top: nil))
            case .empty, .tagged: continue
            }
        }
        // If the list was cut short, the names of lost tables may remain.
        for slot in tables.count..<max(tables.count, names.count) {
            guard let name = names[slot], !name.isEmpty else { continue }
            clues.append(TableCandidate(slot: slot, name: name, top: nil))
        }
        return clues
    }

    /// Returns the names by slot; nil for those that are lost.
    ///
    /// - Parameter count: Number of tables.
    private func tableNames(_ top: Record<GroupTopSlot>, count: Int) -> [String?] {
        do throws(FormatError) {
            let list = try top.requiredRef(.tableNames)
            let start = try header(at: list)
            // Name lists that are rarely changed may have a header as old releases wrote it.
            let isWhole = start.hasDummyChecksum || start.hasReleasedStart && start.count == count
            if try header(at: top.node.ref).hasDummyChecksum, !isWhole { return restoredNames(at: list, count: count) }
            let leaf = try TableLayout.nameLeaf(list, in: self)
            return (0..<min(leaf.count, Limits.tableSlots)).map { name($0, of: leaf) }
        } catch {
            return []
        }
    }

    /// Restores the names from a list of short strings whose header was overwritten. Chooses the width that yields the
    /// most class names (Spec R190.16); other bytes yield no names.
    private func restoredNames(at ref: Ref, count: Int) -> [String?] {
        var best: (names: [String?], classes: Int) = ([], 0)
        for width in [16, 32, 64] {
            guard let list = bytes.slice(at: ref.offset + NodeHeader.size, count: count * width) else { continue }
            let names = (0..<count).map { tableName(list.slice(unchecked: $0 * width, count: width)) }
            let classes = names.count { $0.map(TableName.isClass) ?? false }
            if classes > best.classes { best = (names, classes) }
        }
        return best.names
    }

    /// Returns the short string in `element` if Realm uses it as a table name.
    private func tableName(_ element: ByteView) -> String? {
        let length = ShortString.length(lastByte: element[element.count - 1], width: element.count)
        guard length > 0, ShortString.isPadded(element, length: length) else { return nil }
        let name = element.slice(unchecked: 0, count: length)
        guard name.isValidUTF8, !name.bytes.contains(where: { $0 < 0x20 }) else { return nil }
        let text = name.repairedString
        return TableName.isClass(text) || TableSchema.isMadeByRealm(text) ? text : nil
    }

    private func name(_ slot: Int, of names: ColumnLeaf) -> String? {
        do throws(FormatError) {
            let name = (try names.string(at: slot, in: self) ?? .empty).repairedString
            // Names contain no zeros; those in a page of zeros would consist of them.
            return name.utf8.contains(0) ? nil : name
        } catch {
            return nil
        }
    }

    /// Whether the node at `ref` is the top of a table with a complete description.
    package func isTableTop(_ ref: Ref, slot: Int) -> Bool {
        var budget = WorkBudget(for: self)
        do throws(FormatError) {
            try checkForZeros(ref)
            let layout = try TableLayout(at: ref, slot: slot, name: "", in: self, &budget)
            _ = try node(at: layout.clusterTree).refs()
            return true
        } catch {
            return false
        }
    }

    /// Checks for lost column names and duplicate column indices.
    func check(_ layout: TableLayout) throws(FormatError) {
        var indexes: Set<ColumnIndex> = []
        for column in layout.columns {
            guard indexes.insert(column.index).inserted else {
                throw FormatError(.badSpec, at: layout.topRef.offset, "two columns have the index \(column.index)")
            }
            guard column.type == .backLink || column.name.map({ !$0.utf8.contains(0) }) ?? false else {
                throw FormatError(
                    .badSpec, at: layout.topRef.offset, "the name of the column \(column.index) is lost")
            }
        }
    }

    /// Returns errors for link columns that their target table does not list, so that the target is uncertain.
    func doubtfulLinks(_ layouts: ByTable<TableLayout>) -> [FormatError] {
        let backlinks = Dictionary(
            grouping: layouts.flatMap { layout in
                layout.columns.filter { $0.type == .backLink }.map { (layout.key, $0.oppositeTable, $0.oppositeColumn) }
            }
        ) { $0.2 }
        var errors: [FormatError] = []
        for layout in layouts {
            for column in layout.columns where column.type == .link || column.type == .linkList {
                let isKnown = backlinks[column.key]?.contains { $0.0 == column.oppositeTable && $0.1 == layout.key }
                guard !(isKnown ?? false) else { continue }
                errors.append(
                    FormatError(
                        .badLink, at: layout.topRef.offset,
                        "where the links lead is not certain: the table \(column.oppositeTable) has no backlinks of them"
                    ).at(table: layout.name, property: column.name))
            }
        }
        return errors
    }

    /// Checks that no part of a table's description is zeros, which would look like an empty list.
    func checkForZeros(_ top: Ref) throws(FormatError) {
        let slots = try Record<TableTopSlot>(at: top, in: self).slots
        for slot in TableTopSlot.allCases where slot != .clusterTree {
            guard let ref = slots.ref(slot) else { continue }
            try checkForZeros(at: ref)
            guard slot == .spec else { continue }
            let parts = try Record<SpecSlot>(at: ref, in: self).slots
            for part in SpecSlot.allCases {
                if let ref = parts.ref(part) { try checkForZeros(at: ref) }
            }
        }
    }

    func checkForZeros(at ref: Ref) throws(FormatError) {
        guard try node(at: ref).header == NodeHeader(word: 0) else { return }
        throw FormatError(.badNode, at: ref.offset, "zeros where a part of the table's description should be")
    }
}
