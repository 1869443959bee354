internal import RealmCore
internal import RealmLayout

/// Salvages collections and the content of Mixed values, keeping every readable element.
extension ColumnSalvage {
    func builder(_ depth: Int) -> CollectionBuilder {
        while builders.count <= depth { builders.append(CollectionBuilder(shared.file.nodes)) }
        return builders[depth]
    }

    func copyCollection(_ root: Ref) throws(WriteError) -> Ref? {
        switch property.collection {
        case .list: try copyElements(root, .list)
        case .set: try copyElements(root, .set)
        case .dictionary(let keyType): try copyDictionary(root, keyType, depth: 0, isNested: false)
        case nil: nil
        }
    }

    func noteGap(_ count: Int?, _ ref: Ref, _ error: FormatError?) {
        note(.dropped, count: count ?? 1, shared.source.range(ref), error?.detail ?? "cannot be read")
    }

    /// Returns the states of a leaf's elements; nil if all are intact.
    func states(_ node: Node, _ leaf: ColumnLeaf, _ type: LeafType) -> ElementStates? {
        ElementStates(node, type, count: leaf.count, distinct: false, in: space, shared.source.pages)
    }

    func copyElements(_ root: Ref, _ kind: CollectionKind) throws(WriteError) -> Ref? {
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
                    note(.doubtful, bytes, shared.source.pages.doubt("the element", bytes))
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

    func copyElement(
        _ index: Int, of leaf: ColumnLeaf, isLost: Bool, _ bytes: Range<Int>, _ kind: CollectionKind,
        to builder: CollectionBuilder
    ) throws(WriteError) {
        switch leaf.encoding {
        case .links:
            guard !isLost else { return note(.dropped, bytes, "the element lies in a page of zeros") }
            guard let key = leaf.link(at: index), let target = column.target else {
                return note(.unlinked, bytes, "a list of links cannot hold null")
            }
            guard !kind.isSet || linksOfSet.insert(SetLink(table: target, key: key)).inserted else {
                return note(.dropped, bytes, "elements of a set are there twice")
            }
            if note(linkTo: key, in: target, bytes) { try builder.add(link: key) }
        case .mixed:
            guard !isLost else {
                note(kind.isSet ? .dropped : .defaulted, bytes, "the element lies in a page of zeros")
                if !kind.isSet { try builder.add(.null) }
                return
            }
            if kind.isSet, isRepeatedLink(index, of: leaf) {
                return note(.dropped, bytes, "elements of a set are there twice")
            }
            let wasWhole = isWhole
            isWhole = true
            let value = try mixed(index, of: leaf, bytes, depth: 1)
            let isDamaged = !isWhole
            isWhole = isWhole && wasWhole
            // Damaged elements that became null are omitted from sets, and sets hold no collections.
            if kind.isSet {
                if isDamaged, case .null = value { return }
                if value.isCollection { return note(.dropped, bytes, "a set cannot hold collections") }
            }
            try builder.add(value)
        default:
            // Elements of lists keep their positions.
            let fate: SalvageReport.Fate = kind.isSet ? .dropped : .defaulted
            var value: ScalarValue?
            var reason = "the element lies in a page of zeros"
            if !isLost {
                do throws(FormatError) { value = try readScalar(index, of: leaf) } catch { reason = error.detail }
            }
            guard let value else {
                note(fate, bytes, reason)
                return kind.isSet ? () : try addDefault(to: builder)
            }
            try withJoined(value) { value, problem throws(WriteError) in
                if let problem {
                    note(fate, bytes, problem)
                    return kind.isSet ? () : try addDefault(to: builder)
                }
                if let index = self.index {
                    if case .string(let view) = value { try index.add(word: view.bytes, of: origin) }
                    if case .null = value { try index.add(word: nil, of: origin) }
                }
                try builder.add(value)
            }
        }
    }

    /// Whether a Mixed element of a set is a link that occurred before.
    func isRepeatedLink(_ index: Int, of leaf: ColumnLeaf) -> Bool {
        do throws(FormatError) {
            guard case .link(let table, let key) = try leaf.mixed(at: index, in: space),
                let target = shared.source.position(of: table)
            else { return false }
            return !linksOfSet.insert(SetLink(table: target, key: key)).inserted
        } catch {
            return false
        }
    }

    func addDefault(to builder: CollectionBuilder) throws(WriteError) {
        guard !property.isNullable else {
            try index?.add(word: nil, of: origin)
            return try builder.add(.null)
        }
        if property.type == .string { try index?.add(word: [], of: origin) }
        try builder.add(property.type.zero)
    }

    /// Copies a dictionary of a property or of a Mixed.
    func copyDictionary(
        _ root: Ref, _ keyType: DictionaryKeyType, depth: Int, isNested: Bool
    ) throws(WriteError) -> Ref? {
        let builder = builder(depth)
        builder.begin(.dictionary(keyType), of: .mixed)
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

    func copyEntry(
        _ entry: DictionaryPart, _ keyType: DictionaryKeyType, _ keyState: DamagedPages.State,
        _ valueState: DamagedPages.State, _ keys: inout Set<[UInt8]>, depth: Int, isNested: Bool,
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
            note(.doubtful, bytes, shared.source.pages.doubt("the entry", bytes))
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
        // A null that the file itself holds is kept.
        if !isNested, isDamaged, value.isNull, !property.isNullable {
            return try builder.add(property.type.zero)
        }
        try builder.add(value)
    }

    /// Whether a value of a typed dictionary is null or of the right type.
    func isExpected(_ value: MixedValue) -> Bool {
        property.type == .mixed || property.type == .link || value.isNull || rules.elementMisfit(value) == nil
    }

    /// Returns a Mixed value in its new form; null, with a note, if it is damaged.
    func mixed(
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
            // A link property can only link to its target table.
            if property.type == .link, target != column.target {
                note(.unlinked, bytes, "the link leads to another table")
                return .null
            }
            guard note(linkTo: key, in: target, bytes) else { return .null }
            return .link(shared.file.tables[target].key, key)
        case .list(let root?):
            guard canNest(depth, bytes) else { return .null }
            return .list(try copyNestedList(root, depth: depth))
        case .dictionary(let root?):
            guard canNest(depth, bytes) else { return .null }
            return .dictionary(try copyDictionary(root, .string, depth: depth, isNested: true))
        default:
            if let misfit = PropertyConstraint.lengthMisfit(value) {
                note(.defaulted, bytes, misfit.detail)
                return .null
            }
            return value
        }
    }

    func canNest(_ depth: Int, _ bytes: Range<Int>) -> Bool {
        // Elements of a collection are one level deeper.
        let level = property.collection == nil ? depth : depth - 1
        if property.type == .mixed, level < Limits.nestingDepth { return true }
        note(
            .defaulted, bytes,
            property.type == .mixed
                ? Nesting.collections.excess
                : "a collection where a value of the type \(property.type.rawValue) should be")
        return false
    }

    func copyNestedList(_ root: Ref, depth: Int) throws(WriteError) -> Ref? {
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
                case .doubtful: note(.doubtful, bytes, shared.source.pages.doubt("the element", bytes))
                case .intact: break
                }
                try builder.add(mixed(index, of: leaf, bytes, depth: depth + 1))
            }
        }
        return try builder.end()
    }
}
