import Foundation
internal import RealmFile
internal import RealmForensics
import RealmStore

/// Opens `bytes` for writing and changes them, controlled by a hash of them. Returns for any bytes.
///
/// - Parameter folder: the folder for the file.
/// - Returns: violations, if the file was sound: findings after a commit, a changed earlier snapshot, or a difference
///   between the store and the file.
public func changeEverything(_ bytes: [UInt8], in folder: URL) -> [String] {
    let path = folder.appending(path: "changed-\(UUID().uuidString).realm").path
    defer { for name in [path, path + ".lock"] { try? FileManager.default.removeItem(atPath: name) } }
    guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return [] }
    let wasSound = Verification(level: .deep).run(on: ByteSource(bytes: bytes)).isSound
    var violations: [String] = []
    do {
        let store = try RealmStore(path: path, options: .init(durability: .none))
        let before = store.snapshot()
        let hash = wasSound ? try before.contentHash() : nil
        var change = RandomChange(bytes)
        for _ in 0..<3 {
            do {
                try store.write { try change.make(in: $0) }
            } catch {
                // A refusal; nothing has changed.
            }
        }
        guard let hash else { return [] }
        if try before.contentHash() != hash { violations.append("the snapshot from before has changed") }
        let report = try Verification(level: .deep).run(on: ByteSource(path: path))
        for finding in report.findings where finding.severity >= .error {
            violations.append("\(finding.check.rawValue) \(finding.place): \(finding.message)")
        }
        if try RealmDatabase(path: path).snapshot().contentHash() != store.snapshot().contentHash() {
            violations.append("the file holds something else than the store")
        }
    } catch {
        // A refusal to open the file: of another format, synchronised, or damaged.
        let isRefusal = error is FormatError || error is StorageError || error is WriteError
        if !isRefusal { violations.append("\(error)") }
    }
    return violations
}

/// Changes of any classes.
private struct RandomChange {
    private var chance: Chance

    init(_ bytes: [UInt8]) { chance = Chance(bytes) }

    mutating func make(in transaction: WriteTransaction) throws {
        for _ in 0...chance.next(6) {
            let snapshot = try transaction.snapshot()
            let tables = snapshot.tables.filter { $0.schema.kind != .embedded }
            guard !tables.isEmpty else { return }
            let table = tables[chance.next(tables.count)]
            do { try change(table, transaction) } catch WriteError.misfit { continue }
        }
    }

    private mutating func change(_ table: Table, _ transaction: WriteTransaction) throws {
        let name = table.schema.isClass ? table.schema.name : table.schema.tableName
        let properties = table.schema.properties
        let object = try any(table).map { ObjectReference(name, $0) }
        switch (chance.next(5), object) {
        case (0, let object?): try transaction.delete(object)
        case (1...3, let object?) where !properties.isEmpty:
            let property = properties[chance.next(properties.count)]
            switch property.collection {
            case .list where chance.next(2) == 0:
                let list = transaction.mutableList(of: object, property.name)
                if try list.count > 0, chance.next(2) == 0 { return try list.remove(at: chance.next(list.count)) }
                try list.insert(value(property), at: chance.next(list.count + 1))
            default: try transaction.set(object, property.name, collection(property))
            }
        default:
            var values: [String: NewValue] = [:]
            for property in properties where property.collection == nil { values[property.name] = value(property) }
            _ = try transaction.add(name, values)
        }
    }

    /// Returns one of the first objects of a table.
    private mutating func any(_ table: Table) throws -> ObjectKey? {
        var objects = table.objects
        var key: ObjectKey?
        for _ in 0...chance.next(40) {
            guard let object = try objects.next() else { break }
            key = object.key
        }
        return key
    }

    private mutating func collection(_ property: StoredProperty) -> NewValue {
        switch property.collection {
        case nil: value(property)
        case .dictionary: .dictionary([NewEntry("a", value(property)), NewEntry("b", value(property))])
        default: .list((0..<chance.next(4)).map { _ in value(property) })
        }
    }

    private mutating func value(_ property: StoredProperty) -> NewValue {
        if property.isNullable, chance.next(4) == 0 { return .null }
        let number = Int64(chance.next(1 << 30)) << chance.next(30)
        let text = String(repeating: "word \(number % 7) ", count: chance.next(30))
        switch property.type {
        case .int: return .int(number)
        case .bool: return .bool(number & 1 == 0)
        case .string: return .string(text)
        case .binary: return .binary(Array(text.utf8))
        case .timestamp: return Timestamp(seconds: number, nanoseconds: 5).map { .timestamp($0) } ?? .null
        case .float: return .float(Float(number))
        case .double: return .double(Double(number))
        case .mixed: return [.int(number), .string(text), .list([.int(1), .string(text)]), .null][chance.next(4)]
        default: return .null
        }
    }
}
