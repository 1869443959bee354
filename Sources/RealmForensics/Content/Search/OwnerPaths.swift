internal import RealmCore
internal import RealmLayout

/// Finds the owners of embedded objects, and the paths from the outermost one.
struct OwnerPaths {
    /// The outermost owner of an object, or the object itself.
    struct Owner {
        let object: SearchedObject
        /// The path to the object, with a dot at the end; empty if it is its own owner.
        let path: String
    }

    /// The embedded objects in a property of one owner.
    private struct Home {
        let owner: Place
        let property: PropertyIndex
        /// The step to each of them: `[3]`, `["key"]`.
        let steps: [ObjectKey: String]
    }

    private struct Place: Equatable {
        let table: TablePosition
        let key: ObjectKey
    }

    private let snapshot: Snapshot
    /// The bound on reading collections of owners again, for files in which embedded objects that follow each other have
    /// different owners with long lists.
    private var budget: WorkBudget
    private var last: Home?

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        budget = WorkBudget(for: snapshot.space, passes: 16)
    }

    /// Tables with all embedded classes whose objects can be in theirs, in the order of the file.
    func withEmbedded(_ tables: [TablePosition]) -> [TablePosition] {
        var (all, open) = (Set(tables), tables)
        while let position = open.popLast() {
            for (property, column) in zip(snapshot.cores[position].schema.properties, snapshot.cores[position].columns)
            where property.isTargetEmbedded {
                if let target = column.target, all.insert(target).inserted { open.append(target) }
            }
        }
        return snapshot.cores.indices.filter { all.contains($0) }
    }

    /// Returns the outermost owner of an object.
    ///
    /// - Parameter tables: the tables of which the object or one of its owners must be; nil for any.
    /// - Returns: nil when they are of other tables.
    mutating func owner(of object: StoredObject, _ tables: [TablePosition]?) throws(FormatError) -> Owner? {
        var (outer, path) = (object, "")
        var isWanted = tables?.contains(object.table.position) ?? true
        var level = 0
        while outer.table.schema.kind == .embedded, level < Limits.embeddingDepth {
            level += 1
            // An owner that cannot be found is no reason to lose a match.
            guard let found = try? next(outer) else { break }
            path = "\(found.step).\(path)"
            outer = found.owner
            isWanted = isWanted || tables?.contains(outer.table.position) ?? true
        }
        guard isWanted else { return nil }
        let searched = SearchedObject(
            className: outer.table.name, key: outer.key, primaryKey: (try? outer.primaryKey).flatMap { $0 },
            primaryKeyName: outer.table.schema.primaryKeyName)
        return Owner(object: searched, path: path)
    }

    /// Returns the owner of an embedded object, and the step from there; nil when it has none.
    private mutating func next(_ object: StoredObject) throws(FormatError) -> (owner: StoredObject, step: String)? {
        let backlinks = object.table.core.backlinkColumns
        for (incoming, column) in zip(object.table.schema.incoming, backlinks) {
            guard let key = try object.onlyBacklink(in: column) else { continue }
            let table = try snapshot.table(named: incoming.tableName)
            guard let owner = try table.object(key),
                let index = table.schema.properties.propertyIndex(named: incoming.propertyName)
            else { return nil }
            let property = table.schema.properties[index]
            guard property.collection != nil else { return (owner, property.name) }
            let step = try step(to: object.key, from: owner, index) ?? "[?]"
            return (owner, property.name + step)
        }
        return nil
    }

    private mutating func step(
        to key: ObjectKey, from owner: StoredObject, _ property: PropertyIndex
    ) throws(FormatError) -> String? {
        let place = Place(table: owner.table.position, key: owner.key)
        if let last, last.owner == place, last.property == property { return last.steps[key] }
        var steps: [ObjectKey: String] = [:]
        let found = try owner.embeddedSteps(property, &budget)
        for (key, step) in found where steps[key] == nil { steps[key] = step }
        last = Home(owner: place, property: property, steps: steps)
        return steps[key]
    }
}

extension StoredObject {
    /// The key of the only object that links here from a property; nil if there is none, or several, as no embedded
    /// object of an intact file has.
    fileprivate func onlyBacklink(in column: Column) throws(FormatError) -> ObjectKey? {
        let space = table.snapshot.space
        let (cluster, row) = place
        return try table.snapshot.reading { () throws(FormatError) in
            let leaf = try cluster.current(in: space).leaf(of: column, in: space)
            guard case .tagged(let key) = Slot(leaf.int(at: row)) else { return nil }
            return ObjectKey(Int64(bitPattern: key))
        }
    }

    /// The keys of the embedded objects in a collection, each with the step that leads there.
    fileprivate func embeddedSteps(
        _ property: PropertyIndex, _ budget: inout WorkBudget
    ) throws(FormatError) -> [(ObjectKey, String)] {
        let snapshot = table.snapshot
        let space = snapshot.space
        return try snapshot.reading { () throws(FormatError) in
            let column = table.columns[property]
            let (cluster, row) = place
            guard let root = try cluster.current(in: space).leaf(of: column, in: space).collection(at: row) else {
                return []
            }
            guard case .dictionary(let keyType)? = table.schema.properties[property].collection else {
                var (steps, start): ([(ObjectKey, String)], Int) = ([], 0)
                for leaf in try BPlusTree(root: root, of: column.elementType, in: space).leaves(&budget) {
                    for index in 0..<leaf.count {
                        steps.append((ObjectKey(leaf.unbiasedLinks[unchecked: index]), "[\(start + index)]"))
                    }
                    start += leaf.count
                }
                return steps
            }
            var steps: [(ObjectKey, String)] = []
            let tree = DictionaryTree(root: root, keyType: keyType, version: snapshot.version, in: space)
            for run in try tree.runs(&budget) {
                for entry in 0..<run.count {
                    guard case .link(_, let key) = try run.values.mixed(at: run.valueStart + entry, in: space) else {
                        continue
                    }
                    let index = run.keyStart + entry
                    let name =
                        keyType == .int
                        ? String(run.keys.int(at: index))
                        : "\"\((try run.keys.string(at: index, in: space) ?? .empty).repairedString)\""
                    steps.append((key, "[\(name)]"))
                }
            }
            return steps
        }
    }
}
