import Expectations
import RealmCore
import RealmStorage
import RealmStore
import TestSupport
import Testing
import WriterTestSupport

/// Schema changes of damaged files: an error or a change, but never a crash.
@Suite struct DamagedSchemaTests {
    private static let changes: [@Sendable (WriteTransaction, String) throws -> Void] = [
        { transaction, name in
            try transaction.addProperty(PropertyDefinition("new", .string, index: .general), to: name, value: "x")
            try transaction.addProperty(PropertyDefinition("self", .link, collection: .list, target: name), to: name)
        },
        { transaction, name in
            for property in try transaction.snapshot().table(named: name).schema.properties {
                try transaction.removeProperty(property.name, of: name)
            }
        },
        { transaction, name in
            for property in try transaction.snapshot().table(named: name).schema.properties {
                do throws(WriteError) {
                    try transaction.changeType(of: property.name, in: name, to: .mixed)
                    try transaction.setIndex(.general, of: property.name, in: name)
                } catch {
                    guard case .misfit = error else { throw error }
                }
            }
        },
        { transaction, name in
            for other in try transaction.snapshot().classes {
                for property in other.schema.properties where property.target == "class_\(name)" {
                    try transaction.removeProperty(property.name, of: other.name)
                }
            }
            try transaction.removeClass(name)
        },
    ]

    @Test func `a changed byte is an error, or is not read`() throws {
        let store = try SchemaChangeTests.store(dogs: 3)
        let bytes = try #require(store.snapshot().data.source.view.bytes as [UInt8]?)
        var refused = 0
        var random = Numbers(state: 7)
        for offset in Share.current.of(stride(from: 0, to: bytes.count, by: 13)) {
            var damaged = bytes
            damaged[offset] ^= [1, 2, 0x80, 0xFF].randomElement(using: &random) ?? 1
            for change in Self.changes {
                do {
                    let store = try RealmStore(bytes: damaged)
                    try store.write { transaction in
                        for table in store.snapshot().classes { try change(transaction, table.name) }
                    }
                } catch {
                    refused += 1
                    if let error = error as? WriteError, case .internalInconsistency(let what) = error {
                        Issue.record("offset \(offset): \(what)")
                    }
                }
            }
        }
        expect(refused > 0)
    }
}
