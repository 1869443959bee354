internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Checks and records an object of a `RealmBuilder` before it is written. If any value does not fit, nothing of the
/// object is written.
final class ObjectEncoder {
    /// A recorded call of the writer.
    enum Step {
        /// Begins an embedded object for a property, or for the open collection.
        case begin(table: TablePosition, property: PropertyIndex?)
        /// Ends the embedded object and stores it.
        case end(property: PropertyIndex?)
        case set(property: PropertyIndex, FlatValue)
        case add(FlatValue)
        /// A link in a property, or in the open collection.
        case link(LinkResolver, table: TablePosition, property: PropertyIndex?, isMixed: Bool)
        case beginCollection(property: PropertyIndex)
        case beginNested(property: PropertyIndex?, isDictionary: Bool)
        case endCollection
        case key(FlatValue)
    }

    /// The target of a link.
    enum LinkResolver {
        case key(ObjectKey)
        case primaryKey(PrimaryKeyRegistry.Value, text: String)
    }

    /// The destination of a value.
    struct Place {
        let rules: PropertyConstraint
        /// Nil for an element of the open collection.
        let property: PropertyIndex?
        /// Whether the open collection is inside a Mixed.
        var isNested = false
        /// Number of open collections in the object; `embedding` counts the enclosing objects.
        var collections = 0
        let embedding: Int
    }

    let classes: ByTable<BuilderClass>
    private let positions: [ExactName: TablePosition]
    var steps: [Step] = []
    /// The strings, binaries, ObjectIds and UUIDs of the steps.
    let bytes: UnsharedArray<UInt8>

    init(_ classes: ByTable<BuilderClass>, in folder: ScratchFolder) {
        self.classes = classes
        bytes = UnsharedArray(in: folder)
        var positions: [ExactName: TablePosition] = [:]
        for (index, table) in classes.indexed { positions[ExactName(table.definition.tableName)] = index }
        for (index, table) in classes.indexed where table.definition.name != table.definition.tableName {
            positions[ExactName(table.definition.name)] = index
        }
        self.positions = positions
    }

    /// Returns the position of a table by its class name or full name.
    func position(of name: String) -> TablePosition? { positions[ExactName(name)] }

    /// Removes all steps.
    func removeAll() {
        steps.removeAll(keepingCapacity: true)
        bytes.removeAll()
    }

    /// Records the properties of an object, in schema order.
    func record(_ values: [String: NewValue], of table: TablePosition, embedding: Int = 0) throws(InvalidValue) {
        let rules = classes[table]
        var found = 0
        for (index, property) in rules.properties.indexed {
            let name = rules.definition.properties[index].name
            do throws(InvalidValue) {
                if let value = values[name] {
                    found += 1
                    try record(value, of: property, index, embedding: embedding)
                } else if property.collection == nil, !property.isNullable {
                    throw InvalidValue(.missingValue, "has no value")
                }
            } catch {
                // The value may be present under a misspelt name, which is the more useful error.
                if error.code == .missingValue, let unknown = Self.unknownName(in: values, rules) { throw unknown }
                throw error.inside(name)
            }
        }
        guard found < values.count, let unknown = Self.unknownName(in: values, rules) else { return }
        throw unknown
    }

    /// Returns an error for the first name that the class does not have, with a suggestion; nil when it has all.
    private static func unknownName(in values: [String: NewValue], _ rules: BuilderClass) -> InvalidValue? {
        InvalidValue.unknownName(in: values, of: rules.definition.name, rules.definition.properties.map(\.name)) {
            rules.hasProperty($0)
        }
    }

    private func record(
        _ value: NewValue, of rules: PropertyConstraint, _ index: PropertyIndex, embedding: Int
    ) throws(InvalidValue) {
        guard let collection = rules.collection else {
            return try record(value, at: Place(rules: rules, property: index, embedding: embedding))
        }
        let place = Place(rules: rules, property: nil, collections: 1, embedding: embedding)
        steps.append(.beginCollection(property: index))
        switch (collection, value) {
        case (.list, .list(let elements)), (.set, .list(let elements)): try record(elements, at: place)
        case (.dictionary(let keyType), .dictionary(let entries)): try record(entries, keyType, at: place)
        case (.list, _): throw InvalidValue(.wrongType, "is a list, not \(value.kindName)")
        case (.set, _): throw InvalidValue(.wrongType, "is a set, not \(value.kindName)")
        case (.dictionary, _): throw InvalidValue(.wrongType, "is a dictionary, not \(value.kindName)")
        }
        steps.append(.endCollection)
    }

    private func record(_ elements: [NewValue], at place: Place) throws(InvalidValue) {
        for (index, element) in elements.enumerated() {
            do throws(InvalidValue) { try record(element, at: place) } catch { throw error.inside("[\(index)]") }
        }
    }

    private func record(
        _ entries: [NewEntry], _ keyType: DictionaryKeyType, at place: Place
    ) throws(InvalidValue) {
        var keys: Set<PrimaryKeyRegistry.Value> = []
        for entry in entries {
            do throws(InvalidValue) {
                switch (entry.key, keyType) {
                case (.string, .string), (.malformedString, .string), (.int, .int): break
                default: throw InvalidValue(.wrongType, "the key is \(entry.key.kindName), not \(keyType.kindName)")
                }
                let key = flat(entry.key)
                if let misfit = PropertyConstraint.lengthMisfit(key.value(bytes.view)) { throw misfit }
                guard keys.insert(identity(key)).inserted else {
                    throw InvalidValue(.duplicateValue, "the key is there twice")
                }
                steps.append(.key(key))
                try record(entry.value, at: place)
            } catch {
                throw error.inside("[\(entry.key.text)]")
            }
        }
    }

    private func record(_ value: NewValue, at place: Place) throws(InvalidValue) {
        switch value {
        case .embedded(let values): try record(embedded: values, at: place)
        case .link, .primaryKeyLink: try record(link: value, at: place)
        case .list(let elements):
            let inner = try beginNested(value, at: place, isDictionary: false)
            try record(elements, at: inner)
            steps.append(.endCollection)
        case .dictionary(let entries):
            let inner = try beginNested(value, at: place, isDictionary: true)
            try record(entries, .string, at: inner)
            steps.append(.endCollection)
        default:
            let flat = flat(value)
            let mixed = flat.value(bytes.view)
            let misfit =
                if place.isNested {
                    PropertyConstraint.lengthMisfit(mixed)
                } else {
                    place.property == nil ? place.rules.elementMisfit(mixed) : place.rules.misfit(mixed)
                }
            if let misfit { throw misfit }
            steps.append(place.property.map { .set(property: $0, flat) } ?? .add(flat))
        }
    }

    private func beginNested(_ value: NewValue, at place: Place, isDictionary: Bool) throws(InvalidValue) -> Place {
        guard place.rules.type == .mixed else { throw place.wrongType(value) }
        guard place.isNested || place.property != nil || place.rules.collection != .set else {
            throw InvalidValue(.wrongType, "a set cannot hold collections")
        }
        guard place.collections < Limits.nestingDepth else {
            throw InvalidValue(.tooDeep, Nesting.collections.excess)
        }
        steps.append(.beginNested(property: place.property, isDictionary: isDictionary))
        return Place(
            rules: place.rules, property: nil, isNested: true, collections: place.collections + 1,
            embedding: place.embedding)
    }

    private func record(embedded values: [String: NewValue], at place: Place) throws(InvalidValue) {
        guard place.rules.type == .link, let target = place.rules.target, classes[target].definition.kind == .embedded
        else { throw place.wrongType(.embedded(values)) }
        guard place.embedding < Limits.embeddingDepth else {
            throw InvalidValue(.tooDeep, Nesting.embedding.excess)
        }
        steps.append(.begin(table: target, property: place.property))
        try record(values, of: target, embedding: place.embedding + 1)
        steps.append(.end(property: place.property))
    }
}

extension ObjectEncoder.Place {
    /// Returns the error for a kind of value that is never allowed here.
    func wrongType(_ value: NewValue) -> InvalidValue {
        InvalidValue(.wrongType, "is of type \(rules.type.rawValue), not \(value.kindName)")
    }
}

extension DictionaryKeyType {
    fileprivate var kindName: String { self == .int ? "an int" : "a string" }
}
