internal import RealmCore
internal import RealmLayout

extension QueryEvaluator {
    /// The objects at the end of some hops, in link order; an object reached through several links appears several
    /// times.
    func objects(at hops: ArraySlice<BoundPath.Hop>, from object: StoredObject) throws(FormatError) -> [StoredObject] {
        var reached = [object]
        for hop in hops {
            var next: [StoredObject] = []
            for object in reached {
                let targets = try targets(of: hop, from: object)
                try meter?.charge(targets.count + 1)
                next += targets
            }
            reached = next
        }
        return reached
    }

    private func targets(of hop: BoundPath.Hop, from object: StoredObject) throws(FormatError) -> [StoredObject] {
        switch hop {
        case .link(let property): return try target(of: try object.value(of: property)).map { [$0] } ?? []
        case .links(let property, let step):
            let value = try object.value(of: property)
            var targets: [StoredObject] = []
            for element in try selected(step, of: value) {
                if let target = try target(of: element) { targets.append(target) }
            }
            return targets
        case .backlinks(let incoming, let position):
            let origin = snapshot.table(at: position)
            var origins: [StoredObject] = []
            for key in try object.backlinks(incoming) {
                if let object = try origin.object(key) { origins.append(object) }
            }
            return origins
        }
    }

    private func selected(_ step: BoundPath.Step?, of value: Value) throws(FormatError) -> [Value] {
        if let step { return try select(step, of: value) }
        return value.elements ?? []
    }

    /// The number of links of a property of an object, or to it. For collections, all elements count.
    private func count(of hop: BoundPath.Hop, from object: StoredObject) throws(FormatError) -> Int {
        switch hop {
        case .links(let property, nil): try object.value(of: property).elements?.count ?? 0
        case .backlinks(let incoming, _): try object.backlinkCount(incoming)
        case .link, .links: try targets(of: hop, from: object).count
        }
    }

    private func target(of value: Value) throws(FormatError) -> StoredObject? {
        switch value {
        case .link(let link): try link.object()
        case .embedded(let object): object
        default: nil
        }
    }

    func values(of path: BoundPath, from object: StoredObject) throws(FormatError) -> Operand {
        switch path.end {
        case .backlinkCount:
            var count = 0
            for reached in try objects(at: path.hops[...], from: object) { count += try reached.backlinkCount }
            return Operand(values: [.int(Int64(count))], isList: false)
        case .object: return try links(path, from: object)
        case .property(let property): return try properties(property, path, from: object)
        }
    }

    /// The result of a path of links: the links themselves, or their number.
    private func links(_ path: BoundPath, from object: StoredObject) throws(FormatError) -> Operand {
        switch path.suffix {
        case .size:
            if path.hops.count == 1, case .backlinks = path.hops[0] {
                return Operand(values: [.int(Int64(try count(of: path.hops[0], from: object)))], isList: false)
            }
            guard path.hops.count > 1, let last = path.hops.last else {
                return Operand(
                    values: [.int(Int64(try objects(at: path.hops[...], from: object).count))], isList: false)
            }
            var counts: [Value] = []
            for reached in try objects(at: path.hops.dropLast(), from: object) {
                counts.append(.int(Int64(try count(of: last, from: reached))))
            }
            return Operand(values: counts, isList: true)
        case .type: return Operand(values: [.int(TypeName.link.rawValue)], isList: false)
        default: break
        }
        let lists = try ends(of: path.hops, from: object)
        // An empty dictionary has no values to compare, not even null.
        guard path.isSingle, !path.hasKeys else { return Operand(lists: lists) }
        return Operand(values: [lists.first?.first ?? .null], isList: false)
    }

    /// The links at the end of some hops. The values of a dictionary include nulls. With a key, the values of each
    /// dictionary form a list of their own.
    private func ends(of hops: [BoundPath.Hop], from object: StoredObject) throws(FormatError) -> [[Value]] {
        func link(_ object: StoredObject) -> Value { .link(Link(table: object.table, objectKey: object.key)) }
        guard case .links(let property, let step)? = hops.last else {
            return [try objects(at: hops[...], from: object).map(link)]
        }
        var lists: [[Value]] = []
        for owner in try objects(at: hops.dropLast(), from: object) {
            let collection = try owner.value(of: property)
            let isDictionary = if case .dictionary = collection { true } else { false }
            var values: [Value] = []
            for element in try selected(step, of: collection) {
                let target = try target(of: element)
                if target != nil || isDictionary { values.append(target.map(link) ?? .null) }
            }
            try meter?.charge(values.count + 1)
            lists.append(values)
        }
        return if case .key? = step { lists } else { [lists.flatMap { $0 }] }
    }

    private func properties(_ property: PropertyIndex, _ path: BoundPath, from object: StoredObject) throws(FormatError)
        -> Operand
    {
        let reached = try objects(at: path.hops[...], from: object)
        var values: [Value] = []
        for object in reached {
            let value = try object.value(of: property)
            try meter?.charge(value.elements?.count ?? 1)
            values.append(value)
        }
        let collection = path.property?.collection
        let isDictionary = if case .dictionary = collection { true } else { false }
        if path.suffix == .type, !isDictionary, let type = path.property?.type, type != .mixed {
            return Operand(values: [.int(TypeName(of: type).rawValue)], isList: false)
        }
        // All values of a dictionary count like the dictionary itself.
        if path.suffix == .size, path.steps.isEmpty || isDictionary && path.steps == [.all] {
            let sizes = values.map { self.size(of: $0) }
            // A collection reached through a link that leads nowhere has no elements.
            let none: Value = collection == nil ? .null : .int(0)
            return path.isSingle
                ? Operand(values: [sizes.first ?? none], isList: false) : Operand(values: sizes, isList: true)
        }
        var operand: Operand
        if path.steps.isEmpty {
            operand = Operand(values: values, isList: !path.isSingle || path.hasKeys)
            if collection != nil {
                operand = Operand(lists: values.map { $0.elements ?? [] })
            } else if path.isSingle, !path.hasKeys, values.isEmpty {
                operand.values = [.null]
            }
        } else {
            let hasAll = path.steps.contains(.all) || path.steps.contains(.keys)
            let isList = collection == .list
            var found: [[Value]] = []
            for value in values { found += try follow(path.steps[...], from: value, isProperty: isList) }
            operand = Operand(lists: found)
            operand.isList = hasAll || !isDictionary || !path.isSingle || operand.values.isEmpty
        }
        switch path.suffix {
        case .type: operand = operand.map { .int(TypeName(of: $0).rawValue) }
        case .size: operand = operand.map { self.size(of: $0) }
        // As an element, null has the length of an empty text.
        case .lengths:
            let lengths = operand.values.map { value in
                if case .null = value { return Value.int(0) }
                return self.size(of: value)
            }
            operand = Operand(values: lengths, isList: true)
        case nil: break
        }
        return operand
    }

    /// The values at each position that all steps but the last lead to.
    ///
    /// - Parameter isProperty: whether the value is a list property: positions beyond its end are null, unless it is
    ///   empty.
    private func follow(
        _ steps: ArraySlice<BoundPath.Step>, from value: Value, isProperty: Bool
    ) throws(FormatError) -> [[Value]] {
        if isProperty, case .index(let index) = steps.first, let elements = value.elements, !elements.isEmpty,
            index >= elements.count
        {
            return steps.count == 1 ? [[.null]] : []
        }
        var values = [value]
        for step in steps.dropLast() {
            var selected: [Value] = []
            for value in values { selected += try select(step, of: value) }
            values = selected
        }
        guard let last = steps.last else { return [values] }
        var lists: [[Value]] = []
        for value in values { lists.append(try select(last, of: value)) }
        return lists
    }

    /// The elements that a step leads to. A missing key gives null.
    private func select(_ step: BoundPath.Step, of value: Value) throws(FormatError) -> [Value] {
        switch (step, value) {
        // A link among mixed values leads to the properties of its object, whatever its class.
        case (.key(let name), .link), (.key(let name), .embedded):
            guard let object = try target(of: value),
                let index = object.table.schema.properties.propertyIndex(named: name)
            else { return [] }
            try meter?.charge(1)
            return [try object.value(of: index)]
        case (.key(let key), .dictionary(let entries)):
            guard !entries.isEmpty else { return [] }
            if let entry = entries.first(where: { QueryOrder.text($0.key) == Array(key.utf8) }) { return [entry.value] }
            return key == "@keys" ? entries.map(\.key) : [.null]
        case (.keys, .dictionary(let entries)): return entries.map(\.key)
        case (.all, .dictionary(let entries)): return entries.map(\.value)
        case (.all, .list(let elements)), (.all, .set(let elements)): return elements
        case (.index(let index), .list(let elements)), (.index(let index), .set(let elements)):
            return elements.indices.contains(index) ? [elements[index]] : []
        case (.last, .list(let elements)), (.last, .set(let elements)): return elements.suffix(1)
        default: return []
        }
    }

    private func size(of value: Value) -> Value {
        switch value {
        case .string(let string): .int(Int64(string.utf8.count))
        case .malformedString(let bytes), .binary(let bytes): .int(Int64(bytes.count))
        case .list(let elements), .set(let elements): .int(Int64(elements.count))
        case .dictionary(let entries): .int(Int64(entries.count))
        default: .null
        }
    }
}
