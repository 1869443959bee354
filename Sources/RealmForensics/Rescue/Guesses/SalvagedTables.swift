package import RealmCore
package import RealmLayout

/// The recoverable tables of a damaged database.
package struct SalvagedTables: Sendable {
    package let cores: ByTable<TableDescription>
    /// Errors for everything that is lost or was substituted.
    package let damage: [FormatError]
}

extension NodeSpace {
    /// Returns the recoverable tables.
    ///
    /// - Parameters:
    ///   - clues: The tables in slot order.
    ///   - known: The schema of another copy of the database, for what is lost of this one.
    ///   - others: Alternative tops for tables whose own top or description cannot be read, best first.
    package func salvagedTables(
        _ clues: [TableCandidate], _ known: KnownSchema?, others: (Int) -> [Ref]
    ) -> SalvagedTables {
        var maker = SalvagedLayouts(self, clues, known)
        maker.readIntact(others: others)
        maker.findLost()
        maker.nameColumns()
        maker.joinLinks()
        let layouts = ByTable(maker.layouts.compactMap(\.self))
        var damage = maker.damage + doubtfulLinks(layouts)
        let resolver = TableResolver(layouts)
        let cores = layouts.mapped { resolver.core(of: $0, in: self, &damage) }
        return SalvagedTables(cores: cores, damage: damage)
    }
}

/// Builds table layouts from clues.
private struct SalvagedLayouts {
    let space: NodeSpace
    let clues: [TableCandidate]
    /// One for each clue; nil for tables that are lost.
    var layouts: [TableLayout?]
    private(set) var damage: [FormatError] = []
    private var budget: WorkBudget
    private let known: KnownSchema?
    /// The names that `known` has for tables that have lost theirs, by slot.
    private var knownNames: [Int: String] = [:]

    init(_ space: NodeSpace, _ clues: [TableCandidate], _ known: KnownSchema?) {
        self.space = space
        self.clues = clues
        self.known = known
        layouts = [TableLayout?](repeating: nil, count: clues.count)
        budget = WorkBudget(for: space, passes: 3)
        if let known { findNames(known) }
    }

    private func name(_ clue: TableCandidate) -> String {
        clue.name.flatMap { $0.isEmpty ? nil : $0 } ?? knownNames[clue.slot]
            ?? "\(TableName.classPrefix)lost_and_found_\(clue.slot)"
    }

    /// Looks up the names of tables that have lost theirs.
    private mutating func findNames(_ known: KnownSchema) {
        var taken = Set(clues.compactMap(\.name))
        for clue in clues where clue.name?.isEmpty ?? true {
            guard let name = known.name(ofSlot: clue.slot, columns(clue), notIn: taken) else { continue }
            taken.insert(name)
            knownNames[clue.slot] = name
        }
    }

    /// The columns of a table, as far as they are known.
    private mutating func columns(_ clue: TableCandidate) -> [ColumnLayout]? {
        guard let top = clue.top else { return nil }
        do throws(FormatError) {
            return try TableLayout(damagedAt: top, slot: clue.slot, name: "", in: space, nil, &budget).columns
        } catch {
            return nil
        }
    }

    /// Names columns that have lost their names as the known table of the same name does.
    mutating func nameColumns() {
        guard let known else { return }
        for number in layouts.indices {
            guard let layout = layouts[number], let table = known.table(layout.name) else { continue }
            let names = Set(layout.columns.compactMap(\.name))
            for (index, column) in layout.columns.enumerated() where column.hasLostName {
                guard let other = table.columns.first(where: { $0.isLike(column) }), let name = other.name,
                    !names.contains(name)
                else { continue }
                layouts[number]?.columns[index] = ColumnLayout(name: name, column.record, distinct: column.distinct)
                note(
                    .badSpec, at: layout.topRef, clues[number], "the property \(name) has its name from the other file")
            }
        }
    }

    private mutating func note(_ code: FormatError.Code, at ref: Ref?, _ clue: TableCandidate, _ detail: String) {
        damage.append(FormatError(code, at: ref?.offset, detail).at(table: name(clue)))
    }

    /// Reads tables whose own top and description, or those of an older commit, are intact.
    mutating func readIntact(others: (Int) -> [Ref]) {
        for (number, clue) in clues.enumerated() {
            if clue.name == nil {
                let origin = knownNames[clue.slot].map { _ in "; its name is from the other file" } ?? ""
                note(.badGroup, at: clue.top, clue, "the name of the table in slot \(clue.slot) is lost\(origin)")
            }
            do throws(FormatError) {
                guard let top = clue.top else {
                    throw FormatError(.badGroup, "the top of the table in slot \(clue.slot) is lost")
                }
                try space.checkForZeros(top)
                let layout = try TableLayout(at: top, slot: clue.slot, name: name(clue), in: space, &budget)
                try space.check(layout)
                layouts[number] = layout
            } catch {
                damage.append(error.at(table: name(clue)))
                layouts[number] = repaired(clue, others: others(clue.slot))
            }
        }
    }

    /// Returns a table with a damaged top or description, completed from older tops of the same table.
    private mutating func repaired(_ clue: TableCandidate, others: [Ref]) -> TableLayout? {
        var donors: [TableLayout] = []
        for ref in others.prefix(16) where ref != clue.top {
            do throws(FormatError) {
                donors.append(try TableLayout(at: ref, slot: clue.slot, name: name(clue), in: space, &budget))
            } catch { continue }
        }
        guard let top = clue.top else { return donors.first }
        do throws(FormatError) {
            return try TableLayout(
                damagedAt: top, slot: clue.slot, name: name(clue), in: space, donors.first, &budget)
        } catch {
            return donors.first
        }
    }

    /// Searches for the descriptions of tables without a top, and infers the types of columns without a key.
    mutating func findLost() {
        guard layouts.contains(where: { $0 == nil }) else { return }
        let specs = OrphanSpecFinder(in: space)
        for (number, clue) in clues.enumerated() where layouts[number] == nil {
            guard let (ref, key) = specs.spec(ofSlot: clue.slot) else { continue }
            do throws(FormatError) {
                let layout = try TableLayout(spec: ref, key: key, name: name(clue), in: space, &budget)
                var known = clue.top.flatMap { head(clue, $0) }
                known?.columns = layout.columns
                layouts[number] = known ?? layout
                let rest = known == nil ? "; whether the table has a primary key is not known" : ""
                note(.badTable, at: ref, clue, "its description was found by scanning\(rest)")
            } catch { continue }
        }
        let work = ColumnTypeInference.Work(for: space)
        describeAsKnown(work)
        for (number, clue) in clues.enumerated() where layouts[number] == nil {
            guard let top = clue.top, work.spend(layouts.count) else { continue }
            do throws(FormatError) {
                let layout = try TableLayout(
                    guessedAt: top, slot: clue.slot, name: name(clue), in: space, others: layouts.compactMap(\.self),
                    work)
                layouts[number] = layout
                note(
                    .badSpec, at: top, clue,
                    "the keys of the columns are lost: the types of \(layout.columns.count) are guessed by the looks of "
                        + "their values")
            } catch {
                damage.append(error.at(table: name(clue)))
            }
        }
    }

    /// Describes tables without a description as the known table of the same name, where all leaves fit its columns.
    private mutating func describeAsKnown(_ work: ColumnTypeInference.Work) {
        guard let known else { return }
        for (number, clue) in clues.enumerated() where layouts[number] == nil {
            guard let top = clue.top, let table = known.table(name(clue)), var layout = head(clue, top, table) else {
                continue
            }
            let leaves = ColumnTypeInference(tree: layout.clusterTree, in: space, work)
            guard leaves.columnCount > 0, leaves.fits(table.columns) else { continue }
            layout.columns = table.columns
            layouts[number] = layout
            note(.badSpec, at: top, clue, "the description of the table is lost; that of the other file is used")
        }
    }

    /// Reads a top that has lost only the ref to its description.
    private func head(_ clue: TableCandidate, _ top: Ref, _ donor: TableLayout? = nil) -> TableLayout? {
        do throws(FormatError) {
            try space.checkForZeros(at: top)
            return try TableLayout(headOf: top, slot: clue.slot, name: name(clue), in: space, donor)
        } catch {
            return nil
        }
    }

    /// Restores lost link targets from the table at the other end, which stores them too (Spec 60).
    mutating func joinLinks() {
        var ends: [ColumnKey: [(from: TableKey, to: TableKey, column: ColumnKey)]] = [:]
        for layout in layouts.compactMap(\.self) {
            for column in layout.columns where column.oppositeTable != .null {
                ends[column.oppositeColumn, default: []].append((layout.key, column.oppositeTable, column.key))
            }
        }
        for number in layouts.indices {
            guard let layout = layouts[number] else { continue }
            for (index, column) in layout.columns.enumerated() where column.isWithoutEnd {
                guard let end = ends[column.key]?.first(where: { $0.to == layout.key }) else { continue }
                layouts[number]?.columns[index].oppositeTable = end.from
                layouts[number]?.columns[index].oppositeColumn = end.column
            }
        }
        for number in layouts.indices { joinOwnLinks(of: number) }
    }

    /// Pairs links within one table. Columns that no other table knows must belong to them, in the same order.
    private mutating func joinOwnLinks(of number: Int) {
        guard let layout = layouts[number] else { return }
        let lost = layout.columns.indices.filter { layout.columns[$0].isWithoutEnd }
        let links = lost.filter { layout.columns[$0].type != .backLink }
        let backlinks = lost.filter { layout.columns[$0].type == .backLink }
        guard !links.isEmpty, links.count == backlinks.count else { return }
        for (link, backlink) in zip(links, backlinks) {
            let (first, second) = (layout.columns[link].key, layout.columns[backlink].key)
            layouts[number]?.columns[link].oppositeTable = layout.key
            layouts[number]?.columns[link].oppositeColumn = second
            layouts[number]?.columns[backlink].oppositeTable = layout.key
            layouts[number]?.columns[backlink].oppositeColumn = first
            let detail = "where the links lead is lost; no other table knows of them: they are taken for its own"
            damage.append(
                FormatError(.badLink, at: layout.topRef.offset, detail)
                    .at(table: layout.name, property: layout.columns[link].name))
        }
    }
}

extension ColumnRecord {
    /// Whether the target or origin of its links is unknown.
    fileprivate var isWithoutEnd: Bool {
        oppositeTable == .null && (type == .link || type == .linkList || type == .backLink)
    }
}
