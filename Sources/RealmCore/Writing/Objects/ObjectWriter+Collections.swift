package import RealmLayout

/// The state of an open collection of an `ObjectWriter`.
struct OpenCollection: BitwiseCopyable {
    let property: PropertyIndex
    let rules: PropertyConstraint
    let kind: CollectionKind
    let isNested: Bool
    /// Whether it is a list of strings without indexed words.
    let takesPlainStrings: Bool

    init(property: PropertyIndex, rules: PropertyConstraint, kind: CollectionKind, isNested: Bool) {
        self.property = property
        self.rules = rules
        self.kind = kind
        self.isNested = isNested
        takesPlainStrings = kind.isList && !isNested && rules.type == .string && !rules.hasWordsOfElements
    }

    var isDictionary: Bool { kind.isDictionary }
}

// Collections of the open object.
extension ObjectWriter {
    /// Begins the collection of a property: a list, set or dictionary, according to the schema.
    package func beginCollection(_ property: PropertyIndex) throws(WriteError) {
        let rules = rules(property)
        guard let collection = rules.collection else {
            throw located(InvalidValue(.wrongType, "is not a collection"), property)
        }
        begin(OpenCollection(property: property, rules: rules, kind: collection, isNested: false), rules.elementType)
    }

    /// Sets the collection of a property to an empty one.
    package func setEmptyCollection(_ property: PropertyIndex) throws(WriteError) {
        guard rules(property).collection != nil else {
            throw located(InvalidValue(.wrongType, "is not a collection"), property)
        }
        try putCollection(property, nil)
    }

    /// Begins a list or dictionary inside a Mixed: the value of a Mixed property, or of an element of the open
    /// collection.
    ///
    /// - Parameter property: The property; nil for an element.
    package func beginNested(_ property: PropertyIndex?, isDictionary: Bool) throws(WriteError) {
        guard let property = property ?? openCollections.last?.property else {
            throw .misfit(InvalidValue(.wrongType, "there is no open collection"))
        }
        let rules = rules(property)
        guard rules.type == .mixed else { throw located(InvalidValue(.wrongType, "is not mixed"), property) }
        guard openCollections.count - object.firstCollection < Limits.nestingDepth else {
            throw located(InvalidValue(.tooDeep, Nesting.collections.excess), property)
        }
        if openCollections.count > object.firstCollection, let open = openCollections.last, !open.isNested,
            open.rules.collection == .set
        {
            throw located(InvalidValue(.wrongType, "a set cannot hold collections"), property)
        }
        let kind = isDictionary ? CollectionKind.dictionary(.string) : .list
        begin(OpenCollection(property: property, rules: rules, kind: kind, isNested: true), .mixed)
    }

    private func begin(_ open: OpenCollection, _ type: LeafType) {
        if openCollections.count == builders.count { builders.append(CollectionBuilder(file.nodes)) }
        builders.with(openCollections.count) { $0.begin(open.kind, of: type) }
        openCollections.append(open)
    }

    /// Calls `body` with the builder of the open collection. There must be one.
    @inline(__always)
    private func withBuilder<R, E: Error>(_ body: (CollectionBuilder) throws(E) -> R) throws(E) -> R {
        try builders.with(openCollections.count &- 1, body)
    }

    /// Ends the collection that was begun last.
    ///
    /// - Returns: Number of duplicate elements of a set, or of dictionary entries with a duplicate key, of which the
    ///   last is kept.
    @discardableResult
    package func endCollection() throws(WriteError) -> Int {
        guard let open = openCollections.last else {
            throw .misfit(InvalidValue(.wrongType, "there is no open collection"))
        }
        let (root, duplicates) = try withBuilder { builder throws(WriteError) in
            let root = try builder.end()
            // Sets and dictionaries may have dropped elements.
            for index in 0..<builder.links.count {
                noteLink(in: open, builder.links[index].table, builder.links[index].key)
            }
            return (root, builder.duplicates)
        }
        openCollections.removeLast(1)
        guard open.isNested else {
            try putCollection(open.property, root)
            return duplicates
        }
        let value = open.isDictionary ? MixedValue.dictionary(root) : .list(root)
        if openCollections.count > object.firstCollection {
            try withBuilder { builder throws(WriteError) in try builder.add(value) }
        } else {
            try put(open.property, value)
        }
        return duplicates
    }

    /// Notes a link of an open or just ended collection. The target table must exist.
    private func noteLink(in open: OpenCollection, _ table: TableKey, _ key: ObjectKey) {
        if open.rules.ledger >= 0, !open.isNested {
            links.append(PendingLink(ledger: open.rules.ledger, target: key))
        } else {
            addMixedLink(open.property, table, key)
        }
    }

    /// Sets the key of the next entry of the open dictionary.
    package func add(key: ByteView) {
        if !openCollections.isEmpty { withBuilder { $0.add(key: key) } }
    }

    /// Sets the key of the next entry of an open dictionary with integer keys.
    package func add(key number: Int64) {
        if !openCollections.isEmpty { withBuilder { $0.add(key: number) } }
    }

    /// Removes the key of an entry that gets no value.
    package func dropKey() {
        if !openCollections.isEmpty { withBuilder { $0.dropKey() } }
    }

    /// Adds an element to the open collection, or the value of an entry.
    package func add(_ value: MixedValue) throws(WriteError) {
        guard !openCollections.isEmpty else {
            throw .misfit(InvalidValue(.wrongType, "there is no open collection"))
        }
        let open = openCollections[openCollections.count &- 1]
        if open.isNested {
            if let misfit = PropertyConstraint.lengthMisfit(value) { throw located(misfit, open.property) }
        } else if let misfit = open.rules.elementMisfit(value) {
            throw located(misfit, open.property)
        }
        if case .link(let table, let key) = value {
            if open.rules.ledger < 0 || open.isNested { try checkMixedLink(open.property, table) }
            if open.kind.isList { noteLink(in: open, table, key) }
        }
        if open.rules.hasWordsOfElements { noteWord(value, open.property) }
        try withBuilder { builder throws(WriteError) in try builder.add(value) }
    }

    @inline(never)
    private func noteWord(_ value: MixedValue, _ property: PropertyIndex) {
        if case .string(let view) = value { keep(DeferredIndexWord(property: property, word: view.bytes)) }
        if case .null = value { keep(DeferredIndexWord(property: property, word: nil)) }
    }

    /// Adds a string to the open collection.
    package func add(string view: ByteView) throws(WriteError) {
        let last = openCollections.count &- 1
        if last >= 0, openCollections[last].takesPlainStrings, view.count <= BytesForm.longestMediumString {
            try builders.with(last) { builder throws(WriteError) in try builder.add(mediumString: view) }
        } else {
            try add(.string(view))
        }
    }

    /// Adds a link to the open collection of links.
    package func add(link key: ObjectKey) throws(WriteError) {
        let last = openCollections.count &- 1
        guard last >= 0, openCollections[last].rules.ledger >= 0 else {
            throw .misfit(InvalidValue(.wrongType, "there is no open collection of links"))
        }
        if openCollections[last].kind.isList {
            links.append(PendingLink(ledger: openCollections[last].rules.ledger, target: key))
            return try builders.with(last) { builder throws(WriteError) in try builder.add(listedLink: key) }
        }
        let open = openCollections[last]
        try builders.with(last) { builder throws(WriteError) in
            if open.isDictionary, let target = open.rules.target {
                try builder.add(.link(file.tables[target].key, key))
            } else {
                try builder.add(link: key)
            }
        }
    }
}
