import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing
import TransactionTestSupport
import WriterTestSupport

/// Objects at one place of an index whose values can differ: Mixed values with the same bytes, and long strings with a
/// common prefix.
@Suite struct MixedIndexListTests {
    private static let schema = SchemaDefinition([
        TableDefinition(
            class: "Note",
            [.init("value", .mixed, isNullable: true, index: .general), .init("text", .string, index: .general)])
    ])

    private static let long = String(repeating: "The same words at first. ", count: 12)
    /// Values with the same bytes, and with different bytes.
    private static let values: [NewValue] = [
        .null, .null, .int(1 << 40), .double(Double(1 << 40)), .int(5), .double(5), .string("word"),
        .binary(Array("word".utf8)), .bool(true),
    ]

    private static func isRight(_ snapshot: Snapshot, _ model: [Int: (value: Int, text: String)]) throws {
        var objects = try snapshot.table(named: "Note").objects
        var count = 0
        while let object = try objects.next() {
            count += 1
            let text = try object.get("text", as: String.self)
            expectEqual(model[Int(object.key.value)]?.text, text)
        }
        expectEqual(count, model.count)
    }

    @Test(arguments: [UInt64(3), 4])
    func `they stay in order when objects are added, changed and removed`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("notes.realm")
        let store = try RealmStore(path: path, options: .init(schema: Self.schema, durability: .none))
        var random = Numbers(state: seed)
        var model: [Int: (value: Int, text: String)] = [:]
        func text() -> String { Self.long + ["", "", "", "a", "b"].randomElement(using: &random)! }
        for (round, (added, changed, removed)) in [
            (3000, 0, 0), (1, 0, 0), (0, 1, 0), (5, 3, 2), (0, 400, 0), (0, 1, 1), (900, 20, 600), (0, 5, 2500),
            (3, 1, 1),
        ].enumerated() {
            // At first nulls only, then all values.
            let kinds = round < 4 ? 2 : Self.values.count
            try store.write { transaction in
                var ids = model.keys.sorted()
                ids.shuffle(using: &random)
                for id in ids.prefix(changed) {
                    let new = (value: Int.random(in: 0..<kinds, using: &random), text: text())
                    let reference = ObjectReference("Note", ObjectKey(Int64(id)))
                    try transaction.set(reference, "value", Self.values[new.value])
                    try transaction.set(reference, "text", .string(new.text))
                    model[id] = new
                }
                for id in ids.suffix(removed) {
                    if model.removeValue(forKey: id) != nil {
                        try transaction.delete(ObjectReference("Note", ObjectKey(Int64(id))))
                    }
                }
                for _ in 0..<added {
                    let new = (value: Int.random(in: 0..<kinds, using: &random), text: text())
                    let object = try transaction.add(
                        "Note", ["value": Self.values[new.value], "text": .string(new.text)])
                    model[Int(object.key.value)] = new
                }
            }
            try Self.isRight(store.snapshot(), model)
            let findings = Verification(level: .deep).run(on: try ByteSource(path: path)).findings
            expect(findings.isEmpty, "round \(round): \(findings.first.map { "\($0)" } ?? "")")
        }
    }

    @Test(arguments: ["value", "text"])
    func `a change of one of many equal values writes few bytes`(property: String) throws {
        let empty = try LyingDisk(EmptyDatabase.bytes(of: Self.schema))
        let store = try RealmStore(on: empty, durability: .none)
        let note = try store.write { transaction in
            let notes = try (0..<50_000).map { _ in
                try transaction.add("Note", ["value": .null, "text": .string(Self.long)])
            }
            return notes[25_000]
        }
        for value: NewValue in [.string("another"), property == "value" ? .null : .string(Self.long)] {
            empty.forgetEvents()
            try store.write { try $0.set(note, property, value) }
            let written = empty.events.reduce(0) { sum, event in
                if case .write(_, let bytes) = event { sum + bytes.count } else { sum }
            }
            expect(written < 130_000, "\(property)")
        }
    }
}
