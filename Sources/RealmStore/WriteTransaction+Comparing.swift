internal import RealmCore
internal import RealmLayout

// Comparing given values with stored ones: writing only differences avoids new nodes for the rest.
extension WriteTransaction {
    /// Whether setting a property would change nothing. A value that does not fit counts as different, so that setting
    /// it reports the error.
    func isThere(
        _ value: NewValue, in key: ObjectKey, _ table: MutableTable, _ index: PropertyIndex
    ) throws -> Bool {
        let property = table.constraints[index]
        if let kind = property.collection {
            let place = CollectionPlace(table: table.position, object: key, property: index)
            return switch (kind, value) {
            case (.list, .list(let elements)): try areThere(elements, at: place, [])
            case (.set, .list(let elements)): try areSetElements(elements, at: place, table)
            case (.dictionary, .dictionary(let entries)): try areThere(entries, at: place, [])
            default: false
            }
        }
        // An open collection becomes part of the value only when it is closed.
        if property.type == .mixed { try closeCollection(of: key, table, index) }
        let (cluster, row) = try place(of: key, in: table)
        let values = try cluster.values(table.core.columns[index])
        if property.type == .link {
            let target = values.link(at: row)
            return try isThere(value, as: target == .null ? .null : .int(target.value), table, index)
        }
        switch (values.value(at: row), value) {
        case (.list, .list(let elements)):
            return try areThere(elements, at: CollectionPlace(table: table.position, object: key, property: index), [])
        case (.dictionary, .dictionary(let entries)):
            return try areThere(entries, at: CollectionPlace(table: table.position, object: key, property: index), [])
        case (let stored, _): return try isThere(value, as: stored, table, index)
        }
    }

    /// Whether a value other than a collection equals the stored one.
    ///
    /// - Parameter stored: for a link property, or an element of links, the key as a number.
    private func isThere(
        _ value: NewValue, as stored: MixedValue, _ table: MutableTable, _ index: PropertyIndex
    ) throws -> Bool {
        let type = table.constraints[index].type
        switch value {
        case .list, .dictionary: return false
        case .embedded(let values):
            let key: ObjectKey
            switch stored {
            case .int(let number) where type == .link: key = ObjectKey(number)
            case .link(_, let target) where type == .link: key = target
            default: return false
            }
            let targets = try targetTable(table, index)
            guard targets.isEmbedded, key != .null else { return false }
            return try areThere(values, in: key, targets)
        case .binary(let bytes) where bytes.isEmpty:
            // Binaries in parts are stored without bytes of their own.
            return false
        default:
            guard let sought = try soughtElement(value, table, index) else { return false }
            // Links in dictionaries include their table.
            if case (.int(let key), .link(_, let target), .link) = (sought, stored, type) { return key == target.value }
            return sought.hasSameBits(as: stored)
        }
    }

    /// Whether an embedded object has exactly these values.
    private func areThere(
        _ values: [String: NewValue], in key: ObjectKey, _ table: MutableTable
    ) throws -> Bool {
        let properties = table.core.schema.properties
        guard values.keys.allSatisfy({ properties.propertyIndex(named: $0) != nil }) else { return false }
        for (index, property) in zip(table.core.columns.indices, properties) {
            let empty: NewValue =
                switch property.collection {
                case nil: .null
                case .list, .set: .list([])
                case .dictionary: .dictionary([NewEntry]())
                }
            guard try isThere(values[property.name] ?? empty, in: key, table, index) else { return false }
        }
        return true
    }

    // MARK: Collections

    /// Whether a list has these elements.
    private func areThere(
        _ elements: [NewValue], at place: CollectionPlace, _ steps: [NestedStep<NewValue>]
    ) throws -> Bool {
        for (index, value) in elements.enumerated() {
            let stored = try edit(place, steps[...], .list) { list -> MixedValue? in
                guard list.count == elements.count else { return nil }
                return try list.values.value(at: index)
            }
            guard let stored, try isThere(value, as: stored, at: place, steps + [.index(index)]) else { return false }
        }
        if !elements.isEmpty { return true }
        return try edit(place, steps[...], .list) { $0.count } == 0
    }

    /// Whether a dictionary has these entries.
    private func areThere(
        _ entries: [NewEntry], at place: CollectionPlace, _ steps: [NestedStep<NewValue>]
    ) throws -> Bool {
        var positions: Set<Int> = []
        for entry in entries {
            guard let key = stored(entry.key) else { return false }
            let found = try edit(place, steps[...], .dictionary(.string)) {
                dictionary -> (index: Int, value: MixedValue)? in
                let (index, isThere) = try dictionary.position(ofKey: key)
                guard isThere, dictionary.count == entries.count else { return nil }
                return (index, try dictionary.values.value(at: index))
            }
            guard let found, positions.insert(found.index).inserted,
                try isThere(entry.value, as: found.value, at: place, steps + [.key(entry.key)])
            else { return false }
        }
        if !entries.isEmpty { return true }
        return try edit(place, steps[...], .dictionary(.string)) { $0.count } == 0
    }

    /// Whether an element, possibly a collection, equals the stored one.
    private func isThere(
        _ value: NewValue, as stored: MixedValue, at place: CollectionPlace, _ steps: [NestedStep<NewValue>]
    ) throws -> Bool {
        switch (stored, value) {
        case (.list, .list(let elements)): try areThere(elements, at: place, steps)
        case (.dictionary, .dictionary(let entries)): try areThere(entries, at: place, steps)
        default: try isThere(value, as: stored, table(at: place.table), place.property)
        }
    }

    /// Whether a set has these elements, in any order and with possible repetitions.
    private func areSetElements(
        _ elements: [NewValue], at place: CollectionPlace, _ table: MutableTable
    ) throws -> Bool {
        var positions: Set<Int> = []
        for value in elements {
            guard let sought = try soughtElement(value, table, place.property) else { return false }
            let index = try edit(place, [], .set) { set -> Int? in
                let (index, isThere) = try set.position(of: sought)
                // Numbers of different types may be the same element.
                guard isThere, sought.hasSameBits(as: try set.values.value(at: index)) else { return nil }
                return index
            }
            guard let index else { return false }
            positions.insert(index)
        }
        return try edit(place, [], .set) { $0.count } == positions.count
    }
}
