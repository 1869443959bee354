internal import RealmCore
internal import RealmLayout

extension QueryBinder {
    /// Resolves the names of a path, following links through the classes.
    func path(_ path: QueryPath) throws(QueryError) -> BoundPath {
        let bound = try followed(path)
        if !bound.isWithinObject { reach?.leaveObject() }
        return bound
    }

    private func followed(_ path: QueryPath) throws(QueryError) -> BoundPath {
        var bound = BoundPath()
        bound.quantifier = path.quantifier
        var elements = try resolved(path)[...]
        if case .name(let first) = elements.first, let scope = variables.lastIndex(where: { $0.name == first }) {
            bound.level = variables.count - 1 - scope
            elements.removeFirst()
        }
        var schema = start(of: bound.level)
        bound.type = .link(schema.key)
        while let element = elements.popFirst() {
            guard case .name(let name) = element else {
                throw .binding("'\(path)' has an index where a property is due")
            }
            if name == "@links" {
                if elements.isEmpty, path.suffix == .size {
                    bound.end = .backlinkCount
                    for incoming in schema.incoming { note(incoming) }
                    bound.type = .property(.int)
                    return bound
                }
                schema = try followBacklinks(&elements, of: schema, path, &bound)
                continue
            }
            let index = try property(name, of: schema)
            let property = schema.properties[index]
            // Keys are strings, whatever the values are.
            let isOfKeys = isDictionary(property) && elements.first == .name("@keys")
            if property.type == .link, !isOfKeys,
                let position = snapshot.cores.firstIndex(where: { $0.schema.tableName == property.target })
            {
                let target = try only(position)
                bound.hops.append(try hop(index, property, &elements, path))
                bound.type = .link(target.key)
                schema = target
                continue
            }
            bound.end = .property(index)
            bound.property = property
            // Values of dictionaries are compared as mixed values, whatever the property's type.
            bound.type = .property(isDictionary(property) ? .mixed : property.type)
            try addSteps(elements, property, path, &bound)
            break
        }
        return try suffixed(bound, path)
    }

    /// The table at a position that was found by name. A damaged file can have two tables of one name; links may then
    /// lead to the one whose properties are not meant.
    private func only(_ position: TablePosition) throws(QueryError) -> TableSchema {
        let table = snapshot.cores[position].schema
        guard snapshot.schema.tables.count(where: { $0.tableName == table.tableName }) == 1 else {
            throw .damage(FormatError(.badGroup, "two tables have the name '\(table.tableName)'"))
        }
        return table
    }

    private func isDictionary(_ property: StoredProperty) -> Bool {
        if case .dictionary = property.collection { true } else { false }
    }

    /// The class that a path starts from.
    func start(of level: Int) -> TableSchema {
        level == 0 ? table : variables[variables.count - 1 - level].table
    }

    /// The elements of a path, with arguments replaced by names or keys.
    private func resolved(_ path: QueryPath) throws(QueryError) -> [QueryPath.Element] {
        var elements: [QueryPath.Element] = []
        for element in path.elements {
            switch element {
            case .argument(let number):
                guard case .value(.string(let text)) = try argument(number) else {
                    throw .binding("the argument \(number) is a key path: it must be a string")
                }
                elements += text.split(separator: ".").map { .name(String($0)) }
            case .keyArgument(let number):
                switch try argument(number) {
                case .value(.int(let index)) where index >= 0: elements.append(.index(Int(index)))
                case .value(.string(let key)): elements.append(.key(key))
                default: throw .binding("the argument \(number) is an index: it must be an integer or a string")
                }
            default: elements.append(element)
            }
        }
        guard !elements.isEmpty else { throw .binding("a path has at least one name") }
        return elements
    }

    /// `@links.Class.property`
    private func followBacklinks(
        _ elements: inout ArraySlice<QueryPath.Element>, of schema: TableSchema, _ path: QueryPath,
        _ bound: inout BoundPath
    ) throws(QueryError) -> TableSchema {
        guard case .name(let className) = elements.popFirst(), case .name(let propertyName) = elements.popFirst() else {
            throw .binding("'@links' is followed by a class and a property, as in @links.Person.dogs")
        }
        let tables = snapshot.cores
        let position =
            tables.firstIndex { $0.schema.tableName == TableName.classPrefix + className }
            ?? tables.firstIndex { $0.schema.tableName == className }
        guard let position else { throw unknown("class", className, among: snapshot.schema.classes.map(\.name)) }
        let origin = try only(position)
        let incoming = IncomingLinks(tableName: origin.tableName, propertyName: propertyName)
        guard schema.incoming.contains(incoming) else {
            throw .binding("'\(className)' has no property '\(propertyName)' that links to '\(schema.name)'")
        }
        note(incoming)
        bound.hops.append(.backlinks(incoming, table: position))
        bound.type = .link(origin.key)
        return origin
    }

    private func note(_ incoming: IncomingLinks) {
        reach?.add(incoming.propertyName, of: TableName.className(of: incoming.tableName))
    }

    private func hop(
        _ index: PropertyIndex, _ property: StoredProperty, _ elements: inout ArraySlice<QueryPath.Element>,
        _ path: QueryPath
    ) throws(QueryError) -> BoundPath.Hop {
        switch property.collection {
        case nil: return .link(property: index)
        case .list:
            guard let element = elements.first, let step = position(element) else {
                return .links(property: index, step: nil)
            }
            elements.removeFirst()
            return .links(property: index, step: step)
        case .set: return .links(property: index, step: nil)
        case .dictionary:
            switch elements.first {
            case .name("@values"), .all:
                elements.removeFirst()
                return .links(property: index, step: nil)
            case .key(let key):
                elements.removeFirst()
                return .links(property: index, step: .key(key))
            // A name that is no property of the objects is a key.
            case .name(let name) where isKey(name, of: property):
                elements.removeFirst()
                return .links(property: index, step: .key(name))
            default: return .links(property: index, step: nil)
            }
        }
    }

    private func isKey(_ name: String, of property: StoredProperty) -> Bool {
        guard !name.hasPrefix("@"),
            let target = snapshot.schema.tables.first(where: { $0.tableName == property.target })
        else { return false }
        return !target.properties.contains { $0.name == name }
    }

    /// A position in a list.
    private func position(_ element: QueryPath.Element) -> BoundPath.Step? {
        switch element {
        case .index(let index): .index(index)
        case .first: .index(0)
        case .last: .last
        case .all: .all
        default: nil
        }
    }

    private func addSteps(
        _ elements: ArraySlice<QueryPath.Element>, _ property: StoredProperty, _ path: QueryPath,
        _ bound: inout BoundPath
    ) throws(QueryError) {
        for element in elements {
            if let position = position(element) {
                bound.steps.append(position)
                continue
            }
            switch element {
            case .name("@keys"): bound.steps.append(.keys)
            case .name("@values"): bound.steps.append(.all)
            case .name(let name), .key(let name): bound.steps.append(.key(name))
            default: break
            }
        }
        if case .name(let name) = elements.first, name.lowercased() == "length", elements.count == 1,
            path.suffix == nil,
            property.collection == .list || property.collection == .set,
            [.string, .binary, .mixed].contains(property.type)
        {
            bound.steps = []
            bound.suffix = .lengths
            bound.type = .property(.int)
            return
        }
        guard let first = bound.steps.first else { return }
        if bound.steps.count > 1, property.type != .mixed {
            throw .binding("only values of type mixed have collections inside: '\(path)'")
        }
        switch (property.collection, first) {
        case (.dictionary, .keys): bound.type = .property(.string)
        case (.dictionary, .key), (.dictionary, .all): bound.type = .property(.mixed)
        case (.list, .index), (.list, .last), (.list, .all): break
        case (nil, _) where property.type == .mixed: break
        default:
            throw .binding(
                "'\(property.name)' of '\(path)' is \(property.words): it has no '\(elements.first.map { "\(QueryPath([$0]))" } ?? "")'"
            )
        }
    }

    private func suffixed(_ path: BoundPath, _ written: QueryPath) throws(QueryError) -> BoundPath {
        var path = path
        switch written.suffix {
        case nil: return path
        case .type:
            path.suffix = .type
            path.type = .typeName
        case .size:
            switch path.type {
            case .link, .property(.string), .property(.binary), .property(.mixed): break
            default:
                guard path.property?.collection != nil, path.steps.isEmpty else {
                    throw .binding("'\(written)': \(path.type.words) has no size")
                }
            }
            path.suffix = .size
            path.type = .property(.int)
        }
        return path
    }

    /// Rejects an unknown name as the right operand: it is usually a string without quotation marks.
    func refuseBareText(_ expression: QueryExpression) throws(QueryError) {
        guard case .property(let path) = expression, path.elements.count == 1, path.quantifier == nil,
            path.suffix == nil, case .name(let name) = path.elements[0], !name.hasPrefix("@"), !name.hasPrefix("$"),
            !table.properties.contains(where: { $0.name == name }),
            !variables.contains(where: { $0.name == name })
        else { return }
        throw .binding(
            "'\(table.name)' has no property '\(name)'; if it is a text, it needs quotation marks: '\(name)' or \"\(name)\""
        )
    }

    /// The index of a property of a class.
    func property(_ name: String, of schema: TableSchema) throws(QueryError) -> PropertyIndex {
        guard let index = schema.properties.propertyIndex(named: name) else {
            throw unknown("property", name, among: schema.properties.map(\.name), of: schema.name)
        }
        reach?.add(name, of: schema.name)
        return index
    }

    private func unknown(
        _ kind: String, _ name: String, among names: [String], of owner: String? = nil
    ) -> QueryError {
        let missing = owner.map { "'\($0)' has no \(kind) '\(name)'" } ?? "there is no \(kind) '\(name)'"
        return .binding(missing + names.suggestion(for: name, listedAfter: "there are"))
    }
}

extension StoredProperty {
    fileprivate var words: String {
        collection?.kindName ?? "of type \(type.rawValue)"
    }
}
