package import RealmCore
internal import RealmLayout
package import RealmStorage
internal import RealmStore
import TestSupport
import WriterTestSupport

/// A store, with its expected content.
package struct RandomProgram {
    var database: RandomDatabase
    var store: RealmStore
    package internal(set) var disk: LyingDisk
    /// The key of an encrypted file.
    let key: EncryptionKey?
    var random: Numbers
    /// The values of each object.
    var objects: [ObjectReference: [String: NewValue]] = [:]
    var content: BuiltContent
    /// The number of invented names of classes and properties so far.
    var names = 0
    /// The keys of deleted objects, by class.
    private var gone: [String: [Int64]] = [:]

    /// Whether Realm Core changes the file as well.
    let isShared: Bool

    /// - Parameters:
    ///   - key: encrypts the file.
    ///   - isShared: whether Realm Core changes the file as well, so that its errors must be avoided.
    package init(seed: UInt64, key: EncryptionKey? = nil, isShared: Bool = false) throws {
        self.key = key
        self.isShared = isShared
        database = RandomDatabase(seed: seed)
        if isShared {
            for table in database.schema.tables.indices { database.schema.tables[table].removeIndexesOfMixed() }
        }
        let folder = try TemporaryFolder()
        var file = NewFile(folder.file("random.realm"))
        file.key = key
        let builder = try RealmBuilder(database.schema, at: file)
        content = try database.build(builder)
        for (reference, values) in database.objects {
            objects[reference] = content.resolved(
                values, database.schema.tables.first { $0.name == reference.className })
        }
        guard let bytes = folder.bytes("random.realm") else { throw ProgramFailure("the builder made no file") }
        disk = try LyingDisk(bytes)
        store = try RealmStore(on: disk, key: key)
        random = Numbers(state: seed)
        for _ in 0..<4 { _ = random.next() }
    }

    /// Returns the current bytes of the file.
    package func bytes() throws -> [UInt8] { try disk.bytes }

    /// Returns the state after the last transaction.
    package func snapshot() -> Snapshot { store.snapshot() }

    /// Returns the same program, continued on the remains of a power failure.
    package func continued(on image: [UInt8]) throws -> RandomProgram { try continued(on: LyingDisk(image)) }

    /// Returns the same program on another disk.
    package func continued(on disk: LyingDisk) throws -> RandomProgram {
        var other = self
        other.disk = disk
        other.store = try RealmStore(on: other.disk, key: key)
        return other
    }

    /// Opens the bytes of a file.
    package static func database(_ bytes: [UInt8], _ key: EncryptionKey?) throws -> RealmDatabase {
        let source = ByteSource(bytes: bytes)
        return if let key { try RealmDatabase(source: source, key: key) } else { try RealmDatabase(source: source) }
    }

    /// Whether the store still accepts transactions.
    package func canWrite() -> Bool {
        do {
            try store.write { _ in }
            return true
        } catch {
            return false
        }
    }

    /// Returns true or false.
    package mutating func coin() -> Bool { random.chance(2) }

    /// Performs random operations in one transaction.
    ///
    /// - Parameter schemaChanges: about one of this many operations changes the schema; 0 for none.
    package mutating func transaction(operations: Int, schemaChanges: Int = 0) throws {
        var linked = linkedTombstones
        try store.write { transaction in
            for _ in 0..<operations {
                if schemaChanges > 0, random.chance(schemaChanges) {
                    try changeSchema(transaction)
                    // Removing properties removes no tombstones.
                    linked = linkedTombstones
                    continue
                }
                // A tombstone is removed with the last link to it; one that never had a link stays (Spec 220).
                defer {
                    if !linked.isEmpty {
                        let left = linkedTombstones
                        content.forget(linked.subtracting(left))
                        linked = left
                    }
                }
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<3: try add(transaction)
                case 3..<5: try remove(transaction)
                case 5..<8: try changeElement(transaction)
                default: try change(transaction)
                }
                if random.chance(25) { _ = try transaction.snapshot() }
            }
        }
    }

    /// Returns the differences between the file and the model.
    package func differences() throws -> [String] {
        var expected = content
        expected.restart(database.schema)
        expected.replaceObjects(objects)
        let stored = try Self.database(bytes(), key).snapshot()
        return expected.differences(to: try BuiltContent(stored, database.schema))
            + expected.differences(to: try BuiltContent(store.snapshot(), database.schema))
    }

    /// The tombstones that have links.
    var linkedTombstones: Set<ObjectReference> {
        Set(objects.values.lazy.flatMap { $0.values }.flatMap(\.links).filter(\.key.isUnresolved))
    }

    private var topLevel: [TableDefinition] { database.schema.tables.filter { $0.kind != .embedded } }

    /// Throws when a store gives another answer than expected.
    private func check(_ isRight: Bool, line: Int = #line) throws {
        if !isRight { throw ProgramFailure("a store answers otherwise than its model, line \(line)") }
    }

    private mutating func add(_ transaction: WriteTransaction) throws {
        guard let table = topLevel.randomElement(using: &random) else { return }
        var values = database.randomObject(table)
        for (name, value) in values { values[name] = resolved(value) }
        if let name = table.primaryKey, let property = table.properties.first(where: { $0.name == name }) {
            values[name] = random.unique(property.type, Int.random(in: 100_000...200_000, using: &random))
            // Sometimes the object that a tombstone stands for.
            if random.chance(4), let key = database.tombstoneKeys(of: table.name).randomElement(using: &random) {
                values[name] = key
            }
            if try transaction.object(table.name, primaryKey: values[name] ?? .null) != nil { return }
        }
        let chosen = chosenKey(table.name)
        let reference =
            if let chosen {
                try transaction.add(table.name, values, key: chosen)
            } else if objects.count % 2 == 0 {
                try transaction.add(table.name, values)
            } else {
                try transaction.add(table.name, properties: Array(values.keys), values: Array(values.values))
            }
        objects[reference] = values
        guard let name = table.primaryKey, let primaryKey = values[name] else { return }
        if case .link(let old) = content.resolved(.link(table.name, primaryKey: primaryKey), nil), old.key.isUnresolved
        {
            for (other, values) in objects { objects[other] = values.mapValues { $0.replacing(old, by: reference) } }
        }
        content.note(reference, primaryKey: primaryKey)
    }

    /// Sometimes returns a key for a new object, which no existing object has: one between other keys, or after all of
    /// them. A deleted object may have had it.
    private mutating func chosenKey(_ className: String) -> ObjectKey? {
        guard !isShared, random.chance(6) else { return nil }
        let largest: Int64 = [20, 1000, 1 << 20, 1 << 40, (1 << 62) - 1].randomElement(using: &random) ?? 20
        let key = ObjectKey(gone[className]?.popLast() ?? Int64.random(in: 0...largest, using: &random))
        return objects[ObjectReference(className, key)] == nil ? key : nil
    }

    private mutating func change(_ transaction: WriteTransaction) throws {
        guard let reference = anyObject(),
            let table = topLevel.first(where: { $0.name == reference.className }),
            let property = table.properties.filter({ $0.name != table.primaryKey }).randomElement(using: &random)
        else { return }
        let value = resolved(database.randomValue(property))
        if case .null = value, property.collection == nil, !property.isNullable { return }
        try transaction.set(reference, property.name, value)
        objects[reference]?[property.name] = value
    }

    /// Changes one element of a collection, in a property or in a Mixed value.
    private mutating func changeElement(_ transaction: WriteTransaction) throws {
        guard let reference = anyObject(),
            let table = topLevel.first(where: { $0.name == reference.className }),
            let property = table.properties.filter({ $0.collection != nil || $0.type == .mixed })
                .randomElement(using: &random)
        else { return }
        let name = property.name
        let new = resolved(database.randomValue(property))
        let old = objects[reference]?[name]
        let changed: NewValue
        switch (property.collection, old) {
        case (.list, _), (nil, .list): changed = try change(transaction.mutableList(of: reference, name), old, new)
        case (.set, _): changed = try change(transaction.mutableSet(of: reference, name), property.type, old, new)
        case (.dictionary, _), (nil, .dictionary):
            changed = try change(transaction.mutableDictionary(of: reference, name), old, new)
        default: return
        }
        objects[reference]?[name] = changed
    }

    private mutating func change(_ list: TransactionList, _ old: NewValue?, _ new: NewValue) throws -> NewValue {
        var elements = old?.elements ?? []
        // A Mixed value is itself the element.
        let value: NewValue? = if case .list(let others) = new { others.first } else { new }
        try check(list.count == elements.count)
        let index = elements.indices.randomElement(using: &random)
        switch (Int.random(in: 0..<7, using: &random), index, value) {
        case (0, let index?, _):
            try list.remove(at: index)
            elements.remove(at: index)
        case (1, let index?, _):
            let target = Int.random(in: elements.indices, using: &random)
            try list.move(from: index, to: target)
            elements.insert(elements.remove(at: index), at: target)
        case (2, let index?, let value?):
            try list.set(index, value)
            elements[index] = value
        case (3, let index?, let value?):
            try list.insert(value, at: index)
            elements.insert(value, at: index)
        case (4, _, _) where random.chance(4):
            try list.removeAll()
            elements = []
        case (5, let index?, _):
            if case .list = elements[index] {
                elements[index] = try change(list.list(at: index), elements[index], new)
            } else if case .dictionary = elements[index] {
                elements[index] = try change(list.dictionary(at: index), elements[index], new)
            }
        case (_, _, let value?):
            try list.append(value)
            elements.append(value)
        default: break
        }
        return .list(elements)
    }

    private mutating func change(
        _ set: TransactionSet, _ type: StoredPropertyType, _ old: NewValue?, _ new: NewValue
    ) throws -> NewValue {
        var elements = old?.elements ?? []
        let removed = elements.randomElement(using: &random)
        // For other types, different values may be one element.
        if let removed, ![.mixed, .float, .double, .decimal128].contains(type), random.chance(2) {
            try check(set.contains(removed))
            try check(set.remove(removed))
            try check(!set.remove(removed))
            elements.removeAll { $0.isSame(as: removed) }
        } else if let value = new.elements.first {
            let isNew = try !set.contains(value)
            try check(set.insert(value) == isNew)
            try check(set.contains(value))
            elements.append(value)
        } else if random.chance(4) {
            try set.removeAll()
            elements = []
        }
        return .list(elements)
    }

    private mutating func change(
        _ dictionary: TransactionDictionary, _ old: NewValue?, _ new: NewValue
    ) throws -> NewValue {
        var entries: [NewEntry] = if case .dictionary(let entries)? = old { entries } else { [] }
        try check(dictionary.count == entries.count)
        let index = entries.indices.randomElement(using: &random)
        if let index, random.chance(3) {
            try check(dictionary.remove(key: entries[index].key))
            entries.remove(at: index)
        } else if let index, case .list = entries[index].value, random.chance(2) {
            entries[index].value = try change(
                dictionary.list(key: entries[index].key), entries[index].value, new)
        } else if let index, case .dictionary = entries[index].value, random.chance(2) {
            entries[index].value = try change(
                dictionary.dictionary(key: entries[index].key), entries[index].value, new)
        } else if case .dictionary(let others) = new, let entry = others.first {
            let known = entries.firstIndex { $0.key.isSame(as: entry.key) }
            try check(dictionary.contains(key: entry.key) == (known != nil))
            try dictionary.set(entry.key, entry.value)
            if let known { entries[known].value = entry.value } else { entries.append(entry) }
        } else if random.chance(10) {
            try dictionary.removeAll()
            entries = []
        }
        return .dictionary(entries)
    }

    private mutating func remove(_ transaction: WriteTransaction) throws {
        guard let reference = anyObject() else { return }
        try transaction.delete(reference)
        objects[reference] = nil
        gone[reference.className, default: []].append(reference.key.value)
        for (other, values) in objects {
            for (name, value) in values { objects[other]?[name] = value.without(reference) }
        }
    }

    private mutating func anyObject() -> ObjectReference? {
        // In a reproducible order.
        objects.keys.sorted { ($0.className, $0.key) < ($1.className, $1.key) }.randomElement(using: &random)
    }

    /// Returns a value whose links have existing targets.
    private func resolved(_ value: NewValue) -> NewValue {
        switch value {
        case .link(let reference): objects[reference] == nil ? .null : value
        case .primaryKeyLink: .null
        case .embedded(let values): .embedded(values.mapValues { resolved($0) })
        case .list(let elements):
            .list(
                elements.compactMap { element in
                    if case .null = element { return .null }
                    let new = resolved(element)
                    if case .null = new { return nil }
                    return new
                })
        case .dictionary(let entries): .dictionary(entries.map { NewEntry($0.key, resolved($0.value)) })
        default: value
        }
    }
}

extension NewValue {
    /// The elements of a list or set; empty for other values.
    fileprivate var elements: [NewValue] { if case .list(let elements) = self { elements } else { [] } }

    /// Whether both have the same text, byte by byte.
    fileprivate func isSame(as other: NewValue) -> Bool { Array("\(self)".utf8) == Array("\(other)".utf8) }

    /// Returns the value after a tombstone became an object.
    fileprivate func replacing(_ old: ObjectReference, by new: ObjectReference) -> NewValue {
        switch self {
        case .link(old): .link(new)
        case .embedded(let values): .embedded(values.mapValues { $0.replacing(old, by: new) })
        case .list(let elements): .list(elements.map { $0.replacing(old, by: new) })
        case .dictionary(let entries): .dictionary(entries.map { NewEntry($0.key, $0.value.replacing(old, by: new)) })
        default: self
        }
    }

    /// The links in the value, including nested ones.
    fileprivate var links: [ObjectReference] {
        switch self {
        case .link(let reference): [reference]
        case .embedded(let values): values.values.flatMap(\.links)
        case .list(let elements): elements.flatMap(\.links)
        case .dictionary(let entries): entries.flatMap(\.value.links)
        default: []
        }
    }

    /// Returns the value after the deletion of an object.
    fileprivate func without(_ object: ObjectReference) -> NewValue {
        switch self {
        case .link(object): .null
        case .embedded(let values): .embedded(values.mapValues { $0.without(object) })
        case .list(let elements):
            .list(
                elements.compactMap { element in
                    if case .link(object) = element { return nil }
                    return element.without(object)
                })
        case .dictionary(let entries): .dictionary(entries.map { NewEntry($0.key, $0.value.without(object)) })
        default: self
        }
    }
}

/// An error of a store that does not behave as expected.
package struct ProgramFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
