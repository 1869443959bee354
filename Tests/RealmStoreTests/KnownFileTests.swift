import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing
import TransactionTestSupport

/// Transactions on files that Realm Core wrote.
@Suite struct KnownFileTests {
    static let files = (KnownFile.fixtures + Share.current.of(KnownFile.current)).filter {
        $0.isClustered && $0.format == 24
    }

    /// Every value of some objects of each class is written again, so that all nodes around it are rewritten.
    @Test(arguments: files)
    func `values that are set again change nothing`(file: KnownFile) throws {
        let bytes = try file.bytes()
        let store: RealmStore
        do { store = try RealmStore(bytes: bytes) } catch let error as FormatError {
            // Synchronised databases, and empty ones.
            expect([.synchronised, .noCommit].contains(error.code), "\(error)")
            return
        }
        let before = store.snapshot()
        let disk = try LyingDisk(bytes)
        let other = try RealmStore(on: disk)
        var count = 0
        try other.write { transaction in
            for table in before.classes where table.schema.kind != .embedded {
                let total = try table.count
                var objects = table.objects
                var row = 0
                while let object = try objects.next() {
                    row += 1
                    guard row < 4 || row == total / 2 || row == total else { continue }
                    for property in table.schema.properties
                    where property.name != table.schema.primaryKeyName && !property.isTargetEmbedded {
                        guard let value = try Self.newValue(object[property.name]) else { continue }
                        try transaction.set(ObjectReference(table.name, object.key), property.name, value)
                        count += 1
                    }
                }
            }
        }
        let after = try RealmDatabase(source: ByteSource(bytes: disk.bytes)).snapshot()
        expectEqual(after.commitNumber, before.commitNumber + (count > 0 ? 1 : 0))
        try expectEqual(after.contentHash(), before.contentHash())
        let known = Set(Self.findings(bytes))
        let new = try Self.findings(disk.bytes).filter { !known.contains($0) }
        expect(new.isEmpty, "\(new.prefix(5).joined(separator: "\n"))")
    }

    /// Realm Core leaves nodes without elements for collections that became empty.
    @Test(arguments: files)
    func `an element that is added and removed leaves no trace`(file: KnownFile) throws {
        let bytes = try file.bytes()
        let disk = try LyingDisk(bytes)
        guard let store = try? RealmStore(on: disk) else { return }
        let before = store.snapshot()
        let hash = try before.contentHash()
        for isComing in [true, false] {
            try store.write { transaction in
                for table in before.classes where table.schema.kind != .embedded {
                    var objects = table.objects
                    for _ in 0..<40 {
                        guard let object = try objects.next() else { break }
                        let reference = ObjectReference(table.name, object.key)
                        for property in table.schema.properties where property.type == .int || property.type == .mixed {
                            switch (property.collection, try object[property.name]) {
                            case (.list?, .list(let elements)), (nil, .list(let elements)):
                                let list = transaction.mutableList(of: reference, property.name)
                                let middle = elements.count / 2
                                if isComing { try list.insert(77, at: middle) } else { try list.remove(at: middle) }
                            case (.set?, .set(let elements)):
                                guard !elements.contains(.int(-770_077)) else { continue }
                                let set = transaction.mutableSet(of: reference, property.name)
                                try expect(isComing ? set.insert(-770_077) : set.remove(-770_077))
                            case (.dictionary?, .dictionary), (nil, .dictionary):
                                let dictionary = transaction.mutableDictionary(of: reference, property.name)
                                if isComing {
                                    try dictionary.set("new key", 77)
                                } else {
                                    try expect(dictionary.remove(key: "new key"))
                                }
                            default: break
                            }
                        }
                    }
                }
            }
        }
        guard store.snapshot().commitNumber > before.commitNumber else { return }
        try expectEqual(RealmDatabase(source: ByteSource(bytes: disk.bytes)).snapshot().contentHash(), hash)
        let known = Set(Self.findings(bytes))
        let new = try Self.findings(disk.bytes).filter { !known.contains($0) }
        expect(new.isEmpty, "\(new.prefix(5).joined(separator: "\n"))")
    }

    private static func findings(_ bytes: [UInt8]) -> [String] {
        Verification(level: .deep).run(on: ByteSource(bytes: bytes)).findings
            .map { "\($0.check.rawValue) \($0.place)" }
    }

    /// Returns a value that was read; nil for one with embedded objects, or with links to tombstones.
    private static func newValue(_ value: RealmCore.Value) throws -> NewValue? {
        switch value {
        case .null: return .null
        case .int(let number): return .int(number)
        case .bool(let value): return .bool(value)
        case .string(let text): return .string(text)
        case .malformedString(let bytes): return .malformedString(bytes)
        case .binary(let bytes): return .binary(bytes)
        case .timestamp(let time): return .timestamp(time)
        case .float(let number): return .float(number)
        case .double(let number): return .double(number)
        case .decimal128(let number): return .decimal128(number)
        case .objectId(let id): return .objectId(id)
        case .uuid(let id): return .uuid(id)
        case .link(let link):
            guard !link.isUnresolved else { return nil }
            return .link(ObjectReference(link.table.name, link.objectKey))
        case .embedded: return nil
        case .list(let elements), .set(let elements):
            var list: [NewValue] = []
            for element in elements {
                guard let value = try newValue(element) else { return nil }
                list.append(value)
            }
            return .list(list)
        case .dictionary(let entries):
            var dictionary: [NewEntry] = []
            for entry in entries {
                guard let key = try newValue(entry.key), let value = try newValue(entry.value) else { return nil }
                dictionary.append(NewEntry(key, value))
            }
            return .dictionary(dictionary)
        }
    }
}
