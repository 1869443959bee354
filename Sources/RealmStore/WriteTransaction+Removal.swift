internal import RealmCore
internal import RealmLayout

// Removing objects, links and collections.
extension WriteTransaction {
    /// Removes an object. An embedded object is removed from its property.
    func delete(_ key: ObjectKey, of table: MutableTable) throws {
        _ = try place(of: key, in: table)
        noteChange()
        try remove(key, of: table)
    }

    /// Removes an object, the objects embedded in it, and all links to it.
    func remove(_ key: ObjectKey, of table: MutableTable) throws {
        var pending = [(key, table)]
        while let (key, table) = pending.popLast() {
            try table.noteRemoval(key)
            try removeIncoming(key, of: table)
            for index in table.otherProperties {
                let links = try takeLinks(key, of: table, index)
                guard table.constraints[index].type == .link, table.core.columns[index].target != nil else {
                    continue
                }
                let target = try targetTable(table, index)
                if target.isEmbedded { pending += links.map { ($0, target) } }
            }
            if table.hasNewPrimaryKeys, let primary = table.core.primaryKeyIndex {
                let (cluster, row) = try place(of: key, in: table)
                let value = try cluster.values(table.core.columns[primary]).value(at: row)
                table.forget(primaryKey: IndexKeyBytes(value))
            }
            // Removing links may have moved it to another row.
            let (cluster, row) = try place(of: key, in: table)
            cluster.remove(row)
        }
    }

    /// Removes all links of a property of an object that is about to be removed.
    ///
    /// - Returns: the targets of a link property.
    private func takeLinks(_ key: ObjectKey, of table: MutableTable, _ index: PropertyIndex) throws
        -> [ObjectKey]
    {
        let property = table.constraints[index]
        try closeCollection(of: key, table, index)
        let (cluster, row) = try place(of: key, in: table)
        let column = table.core.columns[index]
        if property.type == .link, property.collection == nil {
            // The row is removed with its link.
            let target = try cluster.link(row, of: column)
            guard target != .null else { return [] }
            try noteLink(target, targetTable(table, index), from: key, table, index, isAdded: false)
            return [target]
        }
        let values = try cluster.values(column)
        if property.collection != nil {
            let links = try dropCollection(values.numbers[row], of: key, table, index)
            values.set(row, number: 0)
            return links.map(\.target)
        }
        if property.type == .mixed {
            let old = values.value(at: row)
            values.set(row, .null)
            try forget(old, of: key, table, index)
        }
        return []
    }

    /// Removes the links of a Mixed value, and releases its collections.
    func forget(_ value: MixedValue, of key: ObjectKey, _ table: MutableTable, _ index: PropertyIndex)
        throws
    {
        var links: [(ObjectKey, TableKey?)] = []
        walk = nil
        try addLinks(of: value, to: &links, depth: 0)
        for (target, tableKey) in links {
            guard let tableKey else { continue }
            try noteLink(target, self.table(tableKey), from: key, table, index, isAdded: false)
        }
        walk = nil
        try release(value, depth: 0)
    }

    /// Replaces the collection of a property.
    func replaceCollection(
        _ values: MutableColumn, _ row: Int, with root: Ref?, of key: ObjectKey, _ table: MutableTable,
        index: PropertyIndex
    ) throws {
        let links = try dropCollection(values.numbers[row], of: key, table, index)
        values.set(row, number: Int64(root?.offset ?? 0))
        for (target, targets) in links where targets.isEmbedded {
            try remove(target, of: targets)
        }
    }

    /// Removes the links of a collection, and releases it.
    ///
    /// - Returns: the targets of the links.
    private func dropCollection(
        _ element: Int64, of key: ObjectKey, _ table: MutableTable, _ index: PropertyIndex
    ) throws -> [(target: ObjectKey, table: MutableTable)] {
        var dropped: [(target: ObjectKey, table: MutableTable)] = []
        for (target, tableKey) in try collectionLinks(element, table, index) {
            let targets = if let tableKey { try self.table(tableKey) } else { try targetTable(table, index) }
            try noteLink(target, targets, from: key, table, index, isAdded: false)
            dropped.append((target, targets))
        }
        try releaseCollection(element, table, index)
        return dropped
    }

    // MARK: Links in collections

    /// The targets of the links in a collection; with a table if the links name it.
    private func collectionLinks(
        _ element: Int64, _ table: MutableTable, _ index: PropertyIndex
    ) throws(FormatError) -> [(ObjectKey, TableKey?)] {
        guard let root = Slot(element).ref else { return [] }
        walk = nil
        let property = table.constraints[index]
        var links: [(ObjectKey, TableKey?)] = []
        if case .dictionary = property.collection {
            try addLinks(ofDictionary: root, to: &links, depth: 0)
        } else if property.type == .link {
            for leaf in try leaves(root, table.core.columns[index].elementType) {
                for element in 0..<leaf.count {
                    if let key = leaf.link(at: element) { links.append((key, nil)) }
                }
            }
        } else if property.type == .mixed {
            try addLinks(ofList: root, to: &links, depth: 0)
        }
        return links
    }

    private func leaves(_ root: Ref, _ type: LeafType) throws(FormatError) -> [ColumnLeaf] {
        let space = space
        var budget = walk ?? WorkBudget(for: space)
        defer { walk = budget }
        return try BPlusTree(root: root, of: type, in: space).leaves(&budget)
    }

    private func addLinks(
        of value: MixedValue, to links: inout [(ObjectKey, TableKey?)], depth: Int
    ) throws(FormatError) {
        switch value {
        case .link(let table, let key): links.append((key, table))
        case .list(let root?): try addLinks(ofList: root, to: &links, depth: depth + 1)
        case .dictionary(let root?): try addLinks(ofDictionary: root, to: &links, depth: depth + 1)
        default: break
        }
    }

    private func addLinks(
        ofList root: Ref, to links: inout [(ObjectKey, TableKey?)], depth: Int
    ) throws(FormatError) {
        try checkDepth(depth, root)
        let space = space
        for leaf in try leaves(root, .mixed) {
            for element in 0..<leaf.count {
                try addLinks(of: leaf.mixed(at: element, in: space), to: &links, depth: depth)
            }
        }
    }

    private func addLinks(
        ofDictionary root: Ref, to links: inout [(ObjectKey, TableKey?)], depth: Int
    ) throws(FormatError) {
        try addLinks(ofList: try dictionary(root).values, to: &links, depth: depth)
    }

    private func dictionary(_ root: Ref) throws(FormatError) -> (record: Record<DictionarySlot>, keys: Ref, values: Ref)
    {
        let record = try Record<DictionarySlot>(at: root, in: space)
        return (record, try record.requiredRef(.keys), try record.requiredRef(.values))
    }

    private func checkDepth(_ depth: Int, _ ref: Ref) throws(FormatError) {
        try Nesting.collections.check(level: depth, at: ref)
    }

    // MARK: Nodes of collections

    private func releaseCollection(_ element: Int64, _ table: MutableTable, _ index: PropertyIndex) throws(FormatError)
    {
        guard let root = Slot(element).ref else { return }
        walk = nil
        let property = table.constraints[index]
        if case .dictionary(let keyType) = property.collection {
            try release(dictionary: root, keyType, depth: 0)
        } else {
            try release(list: root, table.core.columns[index].elementType, depth: 0)
        }
    }

    private func release(_ value: MixedValue, depth: Int) throws(FormatError) {
        switch value {
        case .list(let root?): try release(list: root, .mixed, depth: depth + 1)
        case .dictionary(let root?): try release(dictionary: root, .string, depth: depth + 1)
        default: break
        }
    }

    private func release(list root: Ref, _ type: LeafType, depth: Int) throws(FormatError) {
        try checkDepth(depth, root)
        let space = space
        if type == .mixed {
            for leaf in try leaves(root, type) {
                for element in 0..<leaf.count {
                    try release(leaf.mixed(at: element, in: space), depth: depth)
                }
            }
        }
        try released.add(tree: root, of: type, in: space)
    }

    private func release(dictionary root: Ref, _ keyType: DictionaryKeyType, depth: Int) throws(FormatError) {
        let parts = try dictionary(root)
        try release(list: parts.values, .mixed, depth: depth)
        let space = space
        let tree = DictionaryTree(root: root, keyType: keyType, version: base.version, in: space)
        try released.add(tree: parts.keys, of: tree.keyType, in: space)
        released.add(parts.record.node)
    }

    // MARK: Incoming links

    /// Removes all links to an object from objects that stay.
    func removeIncoming(_ key: ObjectKey, of table: MutableTable) throws {
        guard table.objects.hasBacklinks else { return }
        try table.settleLinks(nodes, &released, of: key)
        // A tombstone disappears with its last link.
        guard try table.tree(of: key)?.contains(key) ?? false else { return }
        try takeBacklinks(of: key, in: table) { _, origins, origin, index in
            for source in Set(origins) { try removeLinks(to: key, of: table, from: ObjectKey(source), origin, index) }
        }
    }

    /// Removes the backlinks of an object or tombstone and leaves 0 in their place. `body` has to change the
    /// corresponding links.
    ///
    /// - Parameter body: called for each column that has backlinks: with its index, the keys of the linking objects,
    ///   one for each link, and their table and property.
    func takeBacklinks(
        of key: ObjectKey, in table: MutableTable,
        _ body: (_ column: ColumnIndex, _ origins: [Int64], _ table: MutableTable, _ property: PropertyIndex)
            throws
            -> Void
    ) throws {
        for column in table.backlinks {
            guard let stored = table.objects.slots[column: column.index] else { continue }
            let (cluster, row) = try place(of: key, in: table)
            let space = space
            let values = try cluster.values(stored)
            let element = values.numbers[row]
            let origins = try table.origins(element, in: space)
            guard !origins.isEmpty else { continue }
            if let root = Slot(element).ref {
                try released.add(tree: root, of: .int(nullable: false), in: space)
            }
            values.set(row, number: 0)
            let origin = try self.table(column.table)
            guard let index = origin.columnKeys.firstIndex(of: column.column) else { continue }
            try body(column.index, origins, origin, index)
        }
    }

    /// Removes the links of one property of an object to another object. Their backlinks have already been removed.
    ///
    /// - Parameter new: the new target of the links; nil to remove them.
    func removeLinks(
        to target: ObjectKey, of table: MutableTable, from key: ObjectKey, _ origin: MutableTable,
        _ index: PropertyIndex,
        replacedBy new: ObjectKey? = nil
    ) throws {
        let property = origin.constraints[index]
        guard let (cluster, row) = try origin.tree(of: key)?.find(key) else { return }
        let place = CollectionPlace(table: origin.position, object: key, property: index)
        if new == nil, try holdsCollection(place, origin) {
            return try removeElements(linkingTo: target, of: table, at: place)
        }
        if let new, property.type == .link, property.collection == .list || property.collection == .set {
            return try replaceElements(linkingTo: target, by: new, at: place)
        }
        try closeCollection(of: key, origin, index)
        try origin.noteIndexes(key, property: index)
        let values = try cluster.values(origin.core.columns[index])
        let change = LinkRedirection(target, of: table.key, to: new)
        walk = nil
        guard property.collection != nil else {
            if property.type == .link {
                values.set(row, link: new ?? .null)
            } else if let changed = try redirected(values.value(at: row), change) {
                values.set(row, changed)
            }
            return
        }
        guard let root = Slot(values.numbers[row]).ref else { return }
        let written =
            if case .dictionary(let keyType) = property.collection {
                try redirected(dictionary: root, keyType, change, depth: 0)
            } else {
                try redirected(list: root, property.collection == .set ? .set : .list, change, depth: 0)
            }
        values.set(row, number: Int64(written?.offset ?? 0))
    }

    /// Returns a Mixed value whose links to some objects are removed or redirected: null in place of a removed one, and
    /// lists without it.
    ///
    /// - Returns: nil if the value has no such links.
    func redirected(_ value: MixedValue, _ change: LinkRedirection) throws -> MixedValue? {
        var links: [(ObjectKey, TableKey?)] = []
        try addLinks(of: value, to: &links, depth: 0)
        guard links.contains(where: { change.concerns($0, of: $1) }) else { return nil }
        return try redirected(value, change, depth: 0)
    }

    private func redirected(_ value: MixedValue, _ change: LinkRedirection, depth: Int) throws -> MixedValue {
        switch value {
        case .link(let table, let target) where change.concerns(target, of: table):
            change.new.map { .link(table, $0) } ?? .null
        case .list(let root?): .list(try redirected(list: root, .list, change, depth: depth + 1))
        case .dictionary(let root?): .dictionary(try redirected(dictionary: root, .string, change, depth: depth + 1))
        default: value
        }
    }

    /// The same for a list or set of Mixed values.
    private func redirected(
        list root: Ref, _ kind: CollectionKind, _ change: LinkRedirection, depth: Int
    ) throws -> Ref? {
        try checkDepth(depth, root)
        let builder = CollectionBuilder(nodes)
        builder.begin(kind, of: .mixed)
        let space = space
        for leaf in try leaves(root, .mixed) {
            for element in 0..<leaf.count {
                let value = try leaf.mixed(at: element, in: space)
                if change.new == nil, case .link(let table, let target) = value, change.concerns(target, of: table) {
                    continue
                }
                try builder.add(redirected(value, change, depth: depth))
            }
        }
        try released.add(tree: root, of: .mixed, in: space)
        return try builder.end()
    }

    private func redirected(
        dictionary root: Ref, _ keyType: DictionaryKeyType, _ change: LinkRedirection, depth: Int
    ) throws -> Ref? {
        let parts = try dictionary(root)
        let space = space
        let tree = DictionaryTree(root: root, keyType: keyType, version: base.version, in: space)
        var budget = walk ?? WorkBudget(for: space)
        let runs = try tree.runs(&budget)
        walk = budget
        let builder = CollectionBuilder(nodes)
        builder.begin(.dictionary(keyType), of: .mixed)
        try builder.add(entriesOf: runs, in: space) { value throws(WriteError) in
            try WriteError.translating { try redirected(value, change, depth: depth) }
        }
        try released.add(tree: parts.keys, of: tree.keyType, in: space)
        try released.add(tree: parts.values, of: .mixed, in: space)
        released.add(parts.record.node)
        return try builder.end()
    }
}
