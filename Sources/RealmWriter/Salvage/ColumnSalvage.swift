internal import RealmLayout
internal import RealmReader

/// Copies what can be read of the values of one property: the tolerant sibling of `ColumnCopy`.
final class ColumnSalvage {
    let property: Property
    let column: Column
    let shared: SalvageCopy
    /// The table of the new file and the property's number there.
    let table: Int
    let number: Int
    /// The table and the number of the property in the damaged file.
    let sourceTable: Int
    let sourceNumber: Int
    let rules: PropertyRules
    let index: IndexEntries?
    private var builders: [CollectionBuilder] = []
    /// Makes primary keys of values that are lost; nil for other properties.
    var primaryKeys: PrimaryKeyMaker?

    // Where the copy is at the moment.
    var origin = ObjectKey.null
    private var originRow = 0
    private var cluster = 0
    /// Whether nothing is noted of the value at hand: what became of tombstones does not matter.
    private var isSilent = false
    /// What became of parts of the value at hand.
    private var isWhole = true
    /// The links of the set at hand: of two that are equal the second is none.
    private var linksOfSet: Set<SetLink> = []

    private struct SetLink: Hashable {
        let table: Int
        let key: ObjectKey
    }

    /// A leaf that was opened, or why it cannot be.
    private enum Opened {
        case leaf(ColumnLeaf, ElementStates?, Range<Int>)
        case lost(String, Range<Int>)
    }

    /// The leaf of the cluster at hand; and of those that come more than once.
    private var current: (cluster: Int, leaf: Opened)?
    private var split: [Int: Opened] = [:]

    init(_ shared: SalvageCopy, _ target: SalvageTarget, table: Int, number: Int) {
        self.shared = shared
        self.table = table
        self.number = number
        sourceTable = target.source
        sourceNumber = target.properties[number]
        let core = shared.source.tables[sourceTable]
        property = core.schema.properties[sourceNumber]
        column = core.columns[sourceNumber]
        let writer = shared.file.tables[table]
        rules = PropertyRules(writer, number, in: shared.file)
        index = writer.indexes[number]
    }

    var space: NodeSpace { shared.source.space }

    // MARK: Notes

    func note(_ fate: SalvageReport.Fate, count: Int = 1, _ bytes: Range<Int>?, _ reason: @autoclosure () -> String) {
        isWhole = false
        guard !isSilent else { return }
        shared.notes.note(
            fate, table: table, property: number, count: count, object: origin, bytes: bytes, reason())
    }

    // MARK: Leaves

    /// Appends the values of some of a cluster's objects to `target`.
    ///
    /// - Parameter keys: the keys of the objects in the new file.
    func copy(
        _ range: Range<Int>, of cluster: SalvagedCluster, keys: (Int) -> ObjectKey, to target: LeafBuilder,
        areTombstones: Bool
    ) throws(WriteError) {
        let opened = open(cluster, areTombstones: areTombstones)
        self.cluster = cluster.ref.offset
        isSilent = areTombstones
        var kept = 0
        for index in range {
            origin = keys(index)
            originRow = cluster.row(index)
            isWhole = true
            switch opened {
            case .lost(let reason, let bytes):
                try appendDefault(to: target, bytes, reason)
            case .leaf(let leaf, let states, let bytes):
                switch states?.states[originRow] ?? .intact {
                case .lost: try appendDefault(to: target, bytes, "the value lies in a page of zeros")
                case .doubtful:
                    note(.doubtful, bytes, "the value lies in a page of zeros")
                    try copy(originRow, of: leaf, bytes, to: target)
                case .intact:
                    try copy(originRow, of: leaf, bytes, to: target)
                }
            }
            if isWhole { kept += 1 }
        }
        if !areTombstones { shared.notes.keep(kept, table: table, property: number) }
    }

    private func open(_ cluster: SalvagedCluster, areTombstones: Bool) -> Opened {
        if let current, current.cluster == cluster.ref.offset { return current.leaf }
        if let known = split[cluster.ref.offset] { return known }
        let opened: Opened
        if let ref = cluster.leaf(column.index) {
            do throws(FormatError) {
                let (node, leaf) = try shared.source.takeLeaf(
                    ref, column.leafType, distinct: column.distinct, count: cluster.rowCount)
                let states = ElementStates(
                    node, column.leafType, count: leaf.count, distinct: column.distinct != nil, in: space,
                    shared.source.pages)
                opened = .leaf(leaf, states, ref.offset..<(ref.offset + NodeHeader.size + node.size))
            } catch {
                opened = .lost(error.detail, shared.source.range(ref))
            }
        } else {
            opened = .lost("the cluster has no leaf for the property", shared.source.range(cluster.ref))
        }
        current = (cluster.ref.offset, opened)
        if cluster.rows != nil { split[cluster.ref.offset] = opened }
        return opened
    }

    // MARK: Values

    private func copy(
        _ row: Int, of leaf: ColumnLeaf, _ bytes: Range<Int>, to target: LeafBuilder
    ) throws(WriteError) {
        switch leaf.encoding {
        case .collections:
            var root: Ref?
            do throws(FormatError) {
                root = try leaf.collection(at: row)
            } catch {
                note(.defaulted, bytes, error.detail)
            }
            let copy = try root.map { root throws(WriteError) in try copyCollection(root) }
            target.append(number: Int64((copy ?? nil)?.offset ?? 0))
        case .links:
            guard let key = leaf.link(at: row) else { return target.appendNull() }
            guard let table = column.targetIndex, note(linkTo: key, in: table, bytes) else {
                return target.appendNull()
            }
            target.append(link: key)
        case .mixed:
            try target.append(mixed(row, of: leaf, bytes, depth: 0), collectionKey: Int64(target.count + 1))
        default:
            try append(row, of: leaf, bytes, to: target)
        }
    }

    private func append(
        _ row: Int, of leaf: ColumnLeaf, _ bytes: Range<Int>, to target: LeafBuilder
    ) throws(WriteError) {
        var value: ScalarValue?
        var reason = ""
        do throws(FormatError) { value = try readScalar(row, of: leaf) } catch { reason = error.detail }
        guard let value else { return try appendDefault(to: target, bytes, reason) }
        try withJoined(value) { value, problem throws(WriteError) in
            if let problem { return try appendDefault(to: target, bytes, problem) }
            guard let primaryKeys, !isSilent else { return try target.append(typed: value) }
            if primaryKeys.insert(value) { return try target.append(typed: value) }
            note(.newPrimaryKey, bytes, "another object has the same primary key")
            try primaryKeys.withNewKey { key throws(WriteError) in try target.append(typed: key) }
        }
    }

    private func readScalar(_ index: Int, of leaf: ColumnLeaf) throws(FormatError) -> ScalarValue {
        if leaf.encoding == .bools {
            let number = leaf.rawElement(at: index)
            guard number == 0 || number == 1 || number == NullPattern.bool else {
                throw FormatError(.badValue, at: leaf.ref.offset, "the truth value is \(number)")
            }
        }
        return try leaf.scalar(at: index, in: space)
    }

    /// Calls `body` with the value, in one piece; or with null and what is wrong with it.
    private func withJoined(
        _ value: ScalarValue, _ body: (MixedValue, String?) throws(WriteError) -> Void
    ) throws(WriteError) {
        switch value {
        case .value(let value): try body(value, PropertyRules.lengthMisfit(value)?.detail)
        case .parts(let ref):
            var joined: [UInt8] = []
            var problem: String?
            do throws(FormatError) {
                joined = try space.joinedBytes(ofPartsAt: ref)
                try shared.source.spend(1, bytes: joined.count, at: ref)
            } catch {
                problem = error.detail
            }
            if let problem { return try body(.null, problem) }
            try ByteView.with(joined) { view throws(WriteError) in
                try body(.binary(view), PropertyRules.lengthMisfit(.binary(view))?.detail)
            }
        }
    }

    /// Appends what a property has that was never set: null, or zero, false, an empty string. Primary keys are made up.
    private func appendDefault(to target: LeafBuilder, _ bytes: Range<Int>, _ reason: String) throws(WriteError) {
        note(primaryKeys == nil ? .defaulted : .newPrimaryKey, bytes, reason)
        if let primaryKeys, !isSilent {
            try primaryKeys.withNewKey { key throws(WriteError) in try target.append(typed: key) }
            return
        }
        guard property.collection == nil, !property.isNullable else { return target.appendNull() }
        try withDefault { value throws(WriteError) in try target.append(typed: value) }
    }

    /// Calls `body` with what a value has that cannot be null.
    private func withDefault(_ body: (MixedValue) throws(WriteError) -> Void) throws(WriteError) {
        switch property.type {
        case .int: try body(.int(0))
        case .bool: try body(.bool(false))
        case .string: try body(.string(.empty))
        case .binary: try body(.binary(.empty))
        case .timestamp: try body(Timestamp(seconds: 0, nanoseconds: 0).map { .timestamp($0) } ?? .null)
        case .float: try body(.float(bits: 0))
        case .double: try body(.double(bits: 0))
        case .decimal128: try body(.decimal128(.zero))
        case .objectId:
            try ByteView.with([UInt8](repeating: 0, count: 12)) { view throws(WriteError) in try body(.objectId(view)) }
        case .uuid:
            try ByteView.with([UInt8](repeating: 0, count: 16)) { view throws(WriteError) in try body(.uuid(view)) }
        case .mixed, .link: try body(.null)
        }
    }

    // MARK: Links

    /// Notes a link from the object at hand, if it leads to an object that the new file has.
    ///
    /// - Parameter target: the position of the damaged file's table.
    func note(linkTo key: ObjectKey, in target: Int, _ bytes: Range<Int>) -> Bool {
        guard shared.surveys[target].has(key) else {
            note(.unlinked, bytes, "the object does not exist")
            return false
        }
        if shared.surveys[target].core.schema.kind == .embedded {
            guard !key.isUnresolved, property.isTargetEmbedded,
                shared.owners.takeOwnership(
                    of: key, in: target, cluster: cluster, row: originRow, property: sourceNumber)
            else {
                note(.unlinked, bytes, "the embedded object belongs to another one")
                return false
            }
        }
        if rules.ledger >= 0 {
            shared.file.ledgers[rules.ledger].add(target: key, origin: origin)
        } else {
            shared.file.tables[target].ledger(from: table, number).add(target: key, origin: origin)
        }
        return true
    }

    // MARK: Collections

    private func builder(_ depth: Int) -> CollectionBuilder {
        while builders.count <= depth { builders.append(CollectionBuilder(shared.file.nodes)) }
        return builders[depth]
    }

    private func copyCollection(_ root: Ref) throws(WriteError) -> Ref? {
        switch property.collection {
        case .list: try copyElements(root, .list)
        case .set: try copyElements(root, .set)
        case .dictionary(let keyType): try copyDictionary(root, keyType, depth: 0, isNested: false)
        case nil: nil
        }
    }

    private func noteGap(_ count: Int?, _ ref: Ref, _ error: FormatError?) {
        note(.dropped, count: count ?? 1, shared.source.range(ref), error?.detail ?? "cannot be read")
    }

    /// The states of the elements of a leaf, where some are not intact.
    private func states(_ node: Node, _ leaf: ColumnLeaf, _ type: LeafType) -> ElementStates? {
        ElementStates(node, type, count: leaf.count, distinct: false, in: space, shared.source.pages)
    }

    private func copyElements(_ root: Ref, _ kind: CollectionBuilder.Kind) throws(WriteError) -> Ref? {
        let builder = builder(0)
        builder.begin(kind, of: rules.elementType)
        linksOfSet.removeAll(keepingCapacity: true)
        for part in shared.source.parts(ofTree: root, column.elementType, isFinal: true) {
            guard let (node, leaf) = part.leaf else {
                noteGap(part.count, part.ref, part.error)
                continue
            }
            let bytes = shared.source.range(part.ref)
            let states = states(node, leaf, column.elementType)
            for index in 0..<leaf.count {
                var state = states?.states[index] ?? .intact
                if state == .doubtful {
                    note(.doubtful, bytes, "the element lies in a page of zeros")
                    state = .intact
                }
                try copyElement(index, of: leaf, isLost: state == .lost, bytes, kind, to: builder)
            }
        }
        let copy = try builder.end()
        if builder.duplicates > 0 {
            note(.dropped, count: builder.duplicates, shared.source.range(root), "elements of a set are there twice")
        }
        return copy
    }

    private func copyElement(
        _ index: Int, of leaf: ColumnLeaf, isLost: Bool, _ bytes: Range<Int>, _ kind: CollectionBuilder.Kind,
        to builder: CollectionBuilder
    ) throws(WriteError) {
        switch leaf.encoding {
        case .links:
            guard !isLost else { return note(.dropped, bytes, "the element lies in a page of zeros") }
            guard let key = leaf.link(at: index), let target = column.targetIndex else {
                return note(.unlinked, bytes, "a list of links cannot hold null")
            }
            guard kind != .set || linksOfSet.insert(SetLink(table: target, key: key)).inserted else {
                return note(.dropped, bytes, "elements of a set are there twice")
            }
            if note(linkTo: key, in: target, bytes) { try builder.add(link: key) }
        case .mixed:
            guard !isLost else {
                note(kind == .set ? .dropped : .defaulted, bytes, "the element lies in a page of zeros")
                if kind != .set { try builder.add(.null) }
                return
            }
            if kind == .set, isRepeatedLink(index, of: leaf) {
                return note(.dropped, bytes, "elements of a set are there twice")
            }
            let wasWhole = isWhole
            isWhole = true
            let value = try mixed(index, of: leaf, bytes, depth: 1)
            let isDamaged = !isWhole
            isWhole = isWhole && wasWhole
            // What became null of an element of a set is none, and sets hold no collections.
            if kind == .set {
                if isDamaged, case .null = value { return }
                if value.isCollection { return note(.dropped, bytes, "a set cannot hold collections") }
            }
            try builder.add(value)
        default:
            // Elements of lists keep their positions.
            let fate: SalvageReport.Fate = kind == .set ? .dropped : .defaulted
            var value: ScalarValue?
            var reason = "the element lies in a page of zeros"
            if !isLost {
                do throws(FormatError) { value = try readScalar(index, of: leaf) } catch { reason = error.detail }
            }
            guard let value else {
                note(fate, bytes, reason)
                return kind == .set ? () : try addDefault(to: builder)
            }
            try withJoined(value) { value, problem throws(WriteError) in
                if let problem {
                    note(fate, bytes, problem)
                    return kind == .set ? () : try addDefault(to: builder)
                }
                if let index = self.index {
                    if case .string(let view) = value { index.add(word: view.bytes, of: origin) }
                    if case .null = value { index.add(word: nil, of: origin) }
                }
                try builder.add(value)
            }
        }
    }

    /// Whether a Mixed element of a set is a link that was there before.
    private func isRepeatedLink(_ index: Int, of leaf: ColumnLeaf) -> Bool {
        do throws(FormatError) {
            guard case .link(let table, let key) = try leaf.mixed(at: index, in: space),
                let target = shared.source.position(of: table)
            else { return false }
            return !linksOfSet.insert(SetLink(table: target, key: key)).inserted
        } catch {
            return false
        }
    }

    private func addDefault(to builder: CollectionBuilder) throws(WriteError) {
        guard !property.isNullable else {
            index?.add(word: nil, of: origin)
            return try builder.add(.null)
        }
        if property.type == .string { index?.add(word: [], of: origin) }
        try withDefault { value throws(WriteError) in try builder.add(value) }
    }

    /// Copies a dictionary: of a property, or in a Mixed.
    private func copyDictionary(
        _ root: Ref, _ keyType: DictionaryKeyType, depth: Int, isNested: Bool
    ) throws(WriteError) -> Ref? {
        let builder = builder(depth)
        builder.begin(.dictionary, of: .mixed)
        let parts = shared.source.entries(ofDictionary: root, keyType, isFinal: true)
        for gap in parts.gaps { noteGap(gap.count, gap.ref, gap.error) }
        var keys: Set<[UInt8]> = []
        var keyStates: (ref: Ref, states: ElementStates?)?
        var valueStates: (ref: Ref, states: ElementStates?)?
        for entry in parts.entries {
            if keyStates?.ref != entry.keyNode.ref {
                let type: LeafType = keyType == .int ? .int(nullable: false) : .string
                keyStates = (entry.keyNode.ref, states(entry.keyNode, entry.keys, type))
            }
            if valueStates?.ref != entry.valueNode.ref {
                valueStates = (entry.valueNode.ref, states(entry.valueNode, entry.values, .mixed))
            }
            let keyState = keyStates?.states?.states[entry.keyIndex] ?? .intact
            let valueState = valueStates?.states?.states[entry.valueIndex] ?? .intact
            try copyEntry(
                entry, keyType, keyState, valueState, &keys, depth: depth, isNested: isNested, to: builder)
        }
        return try builder.end()
    }

    private func copyEntry(
        _ entry: DictionaryPart, _ keyType: DictionaryKeyType, _ keyState: ZeroedPages.State,
        _ valueState: ZeroedPages.State, _ keys: inout Set<[UInt8]>, depth: Int, isNested: Bool,
        to builder: CollectionBuilder
    ) throws(WriteError) {
        let bytes = shared.source.range(entry.keyNode.ref)
        guard keyState != .lost else { return note(.dropped, bytes, "the key of the entry lies in a page of zeros") }
        var key: ByteView?
        if keyType == .string {
            do throws(FormatError) {
                key = try entry.keys.string(at: entry.keyIndex, in: space) ?? .empty
            } catch {
                return note(.dropped, bytes, error.detail)
            }
        }
        let keyBytes = key?.bytes ?? Array("\(entry.keys.int(at: entry.keyIndex))".utf8)
        guard keys.insert(keyBytes).inserted else {
            return note(.dropped, bytes, "keys of a dictionary are there twice")
        }
        if keyState == .doubtful || valueState == .doubtful {
            note(.doubtful, bytes, "the entry lies in a page of zeros")
        }
        let valueBytes = shared.source.range(entry.valueNode.ref)
        let wasWhole = isWhole
        isWhole = true
        var value = MixedValue.null
        if valueState == .lost {
            note(.defaulted, valueBytes, "the value lies in a page of zeros")
        } else {
            value = try mixed(entry.valueIndex, of: entry.values, valueBytes, depth: depth + 1)
        }
        if !isNested, !isExpected(value) {
            note(.defaulted, valueBytes, "the value is \(value.kindName)")
            value = .null
        }
        let isDamaged = !isWhole
        isWhole = isWhole && wasWhole
        if let key { builder.add(key: key) } else { builder.add(key: entry.keys.int(at: entry.keyIndex)) }
        // A null that stands in the file is left as it is.
        if !isNested, isDamaged, value.isNull, !property.isNullable {
            return try withDefault { value throws(WriteError) in try builder.add(value) }
        }
        try builder.add(value)
    }

    /// Whether a value of a typed dictionary is of its type, or null.
    private func isExpected(_ value: MixedValue) -> Bool {
        property.type == .mixed || property.type == .link || value.isNull || rules.elementMisfit(value) == nil
    }

    // MARK: Mixed

    /// A Mixed value as it is in the new file; null for one that is damaged, which is noted.
    private func mixed(
        _ index: Int, of leaf: ColumnLeaf, _ bytes: Range<Int>, depth: Int
    ) throws(WriteError) -> MixedValue {
        let value: MixedValue
        do throws(FormatError) {
            value = try leaf.mixed(at: index, in: space)
            try shared.source.spend(1, bytes: 0, at: leaf.ref)
        } catch {
            note(.defaulted, bytes, error.detail)
            return .null
        }
        switch value {
        case .link(let tableKey, let key):
            guard let target = shared.source.position(of: tableKey) else {
                note(.unlinked, bytes, "the table does not exist")
                return .null
            }
            // A link of a property of links leads to its table only.
            if property.type == .link, target != column.targetIndex {
                note(.unlinked, bytes, "the link leads to another table")
                return .null
            }
            guard note(linkTo: key, in: target, bytes) else { return .null }
            return .link(TableKey(UInt32(target)), key)
        case .list(let root?):
            guard canNest(depth, bytes) else { return .null }
            return .list(try copyNestedList(root, depth: depth))
        case .dictionary(let root?):
            guard canNest(depth, bytes) else { return .null }
            return .dictionary(try copyDictionary(root, .string, depth: depth, isNested: true))
        default:
            if let misfit = PropertyRules.lengthMisfit(value) {
                note(.defaulted, bytes, misfit.detail)
                return .null
            }
            return value
        }
    }

    private func canNest(_ depth: Int, _ bytes: Range<Int>) -> Bool {
        // Elements of a collection are one level further down.
        let level = property.collection == nil ? depth : depth - 1
        if property.type == .mixed, level < Limits.nestingDepth { return true }
        note(
            .defaulted, bytes,
            property.type == .mixed
                ? "collections are nested more than \(Limits.nestingDepth) levels deep"
                : "a collection where a value of the type \(property.type.rawValue) should be")
        return false
    }

    private func copyNestedList(_ root: Ref, depth: Int) throws(WriteError) -> Ref? {
        let builder = builder(depth)
        builder.begin(.list, of: .mixed)
        for part in shared.source.parts(ofTree: root, .mixed, isFinal: true) {
            guard let (node, leaf) = part.leaf else {
                noteGap(part.count, part.ref, part.error)
                continue
            }
            let bytes = shared.source.range(part.ref)
            let states = states(node, leaf, .mixed)
            for index in 0..<leaf.count {
                switch states?.states[index] ?? .intact {
                case .lost:
                    note(.defaulted, bytes, "the element lies in a page of zeros")
                    try builder.add(.null)
                    continue
                case .doubtful: note(.doubtful, bytes, "the element lies in a page of zeros")
                case .intact: break
                }
                try builder.add(mixed(index, of: leaf, bytes, depth: depth + 1))
            }
        }
        return try builder.end()
    }
}

extension MixedValue {
    fileprivate var isCollection: Bool {
        switch self {
        case .list, .dictionary: true
        default: false
        }
    }

    fileprivate var isNull: Bool { if case .null = self { true } else { false } }
}
