internal import RealmCore
internal import RealmLayout
internal import RealmStore

/// Prepares the objects of a class for becoming embedded, as Realm Core does at the end of migrations. Objects without
/// incoming links are deleted. Of several links to an object, each one after the first gets a copy of it.
struct OwnerSearch {
    let transaction: WriteTransaction
    let className: String

    func run() throws {
        let found = try transaction.misowned(className)
        guard found.inMixed.isEmpty else {
            throw Realm.Error(
                .fail,
                "Cannot convert '\(className)' to embedded: there is an incoming link from the Mixed property '\(found.mixedProperty ?? "")', which does not support linking to embedded objects."
            )
        }
        for key in found.orphans { try transaction.delete(ObjectReference(className, key)) }
        if !found.shared.isEmpty { try copy(Set(found.shared)) }
    }

    /// Redirects all links but the first one to copies.
    private func copy(_ shared: Set<ObjectKey>) throws {
        let snapshot = try transaction.snapshot()
        let target = try snapshot.table(named: className)
        var owned: Set<ObjectKey> = []
        func copied(_ value: Value) throws -> NewValue? {
            guard case .link(let link) = value, link.table.position == target.position, shared.contains(link.objectKey),
                !owned.insert(link.objectKey).inserted, let object = try target.object(link.objectKey)
            else { return nil }
            var values: [String: NewValue] = [:]
            for (property, value) in zip(target.schema.properties, try object.values()) {
                values[property.name] = try NewValue(value)
            }
            return .link(try transaction.add(className, values))
        }
        for table in snapshot.tables {
            let properties = table.schema.properties.enumerated()
            for (index, property) in properties where property.target == target.schema.tableName {
                var objects = table.objects
                while let object = try objects.next() {
                    let (key, place) = (object.key, PropertyIndex(index))
                    switch try object.value(at: index) {
                    case .list(let elements):
                        let list = transaction.mutableList(
                            of: key, inTableAt: table.position, property: place, inside: [])
                        for (number, element) in elements.enumerated() {
                            if let copy = try copied(element) { try list.set(number, copy) }
                        }
                    case .dictionary(let entries):
                        let dictionary = transaction.mutableDictionary(
                            of: key, inTableAt: table.position, property: place, inside: [])
                        for entry in entries {
                            if let copy = try copied(entry.value) { try dictionary.set(NewValue(entry.key), copy) }
                        }
                    case let value:
                        guard let copy = try copied(value) else { continue }
                        try transaction.setValue(copy, of: key, inTableAt: table.position, property: place)
                    }
                }
            }
        }
    }
}
