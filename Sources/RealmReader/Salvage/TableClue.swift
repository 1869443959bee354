package import RealmLayout

/// Where a table of a damaged database may be.
package struct TableClue: Sendable {
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

/// The tables of a damaged database, as far as they can be had.
package struct SalvagedTables: Sendable {
    package let cores: [TableCore]
    /// What is lost, or had to be made up.
    package let damage: [FormatError]
}

extension NodeSpace {
    /// The tables that the top node of a group names, damaged or not.
    ///
    /// - Throws: when the list of tables cannot be read.
    package func tableClues(ofGroup ref: Ref) throws(FormatError) -> [TableClue] {
        let top = try Record(at: ref, in: self)
        let tables = try node(at: top.requiredRef(GroupTopSlot.tables.rawValue, "the tables")).refs()
        guard tables.count <= Limits.tableSlots else {
            throw FormatError(.badGroup, at: ref.offset, "\(tables.count) tables")
        }
        let names = tableNames(top)
        var clues: [TableClue] = []
        for slot in 0..<tables.count {
            let name = names.flatMap { self.name(slot, of: $0) }
            switch Slot(tables[unchecked: slot]) {
            case .ref(let ref): clues.append(TableClue(slot: slot, name: name, top: ref))
            // A slot that is free has no name.
            case .empty where !(name?.isEmpty ?? true): clues.append(TableClue(slot: slot, name: name, top: nil))
            case .empty, .tagged: continue
            }
        }
        return clues
    }

    private func tableNames(_ top: Record) -> ColumnLeaf? {
        do throws(FormatError) {
            return try TableLayout.nameLeaf(top.ref(GroupTopSlot.tableNames.rawValue, "names"), in: self)
        } catch {
            return nil
        }
    }

    private func name(_ slot: Int, of names: ColumnLeaf) -> String? {
        guard slot < names.count else { return nil }
        do throws(FormatError) {
            let name = (try names.string(at: slot, in: self) ?? .empty).repairedString
            // Names have no zeros: those that lie in a page of zeros are nothing else.
            return name.utf8.contains(0) ? nil : name
        } catch {
            return nil
        }
    }

    /// Whether the node at `ref` is the top of a table whose description is complete.
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

    /// What can be had of tables.
    ///
    /// - Parameters:
    ///   - clues: the tables in the order of their slots.
    ///   - others: further tops for tables whose own, or whose descriptions, cannot be read: the best first.
    package func salvagedTables(_ clues: [TableClue], others: (Int) -> [Ref]) -> SalvagedTables {
        var layouts: [TableLayout] = []
        var damage: [FormatError] = []
        var budget = WorkBudget(for: self, passes: 2)
        for clue in clues {
            let name =
                clue.name.flatMap { $0.isEmpty ? nil : $0 } ?? "\(TableSchema.classPrefix)lost_and_found_\(clue.slot)"
            if clue.name == nil {
                damage.append(
                    FormatError(.badGroup, at: clue.top?.offset, "the name of the table in slot \(clue.slot) is lost")
                        .at(table: name))
            }
            do throws(FormatError) {
                guard let top = clue.top else {
                    throw FormatError(.badGroup, "the table in slot \(clue.slot) is lost")
                }
                try checkForZeros(top)
                let layout = try TableLayout(at: top, slot: clue.slot, name: name, in: self, &budget)
                try check(layout)
                layouts.append(layout)
            } catch {
                damage.append(error.at(table: name))
                let found = others(clue.slot)
                if let layout = repaired(clue, name, others: found, &budget) { layouts.append(layout) }
            }
        }
        damage += doubtfulLinks(layouts)
        let resolver = TableResolver(layouts)
        var cores: [TableCore] = []
        for layout in layouts { cores.append(resolver.core(of: layout, in: self, &damage)) }
        return SalvagedTables(cores: cores, damage: damage)
    }

    /// Looks whether names or keys of columns are lost.
    private func check(_ layout: TableLayout) throws(FormatError) {
        var indexes: Set<Int> = []
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

    /// Columns of links whose targets do not know them: where the links lead is not certain.
    private func doubtfulLinks(_ layouts: [TableLayout]) -> [FormatError] {
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

    /// Looks whether a part of a table's description is zeros: it would seem to be a list without elements.
    private func checkForZeros(_ top: Ref) throws(FormatError) {
        let slots = try node(at: top).refs()
        for index in 0..<min(slots.count, TableTopSlot.allCases.count) where index != TableTopSlot.clusterTree.rawValue
        {
            guard case .ref(let ref) = Slot(slots[unchecked: index]) else { continue }
            try checkForZeros(at: ref)
            guard index == TableTopSlot.spec.rawValue else { continue }
            let parts = try node(at: ref).refs()
            for part in 0..<min(parts.count, SpecSlot.allCases.count) {
                if case .ref(let ref) = Slot(parts[unchecked: part]) { try checkForZeros(at: ref) }
            }
        }
    }

    private func checkForZeros(at ref: Ref) throws(FormatError) {
        guard try node(at: ref).header == NodeHeader(word: 0) else { return }
        throw FormatError(.badNode, at: ref.offset, "zeros where a part of the table's description should be")
    }

    /// A table whose top or description is damaged, with the help of older ones of the same table.
    private func repaired(
        _ clue: TableClue, _ name: String, others: [Ref], _ budget: inout WorkBudget
    ) -> TableLayout? {
        var donors: [TableLayout] = []
        for ref in others.prefix(16) where ref != clue.top {
            do throws(FormatError) {
                donors.append(try TableLayout(at: ref, slot: clue.slot, name: name, in: self, &budget))
            } catch { continue }
        }
        guard let top = clue.top else { return donors.first }
        do throws(FormatError) {
            return try TableLayout(damagedAt: top, slot: clue.slot, name: name, in: self, donors.first, &budget)
        } catch {
            return donors.first
        }
    }
}
