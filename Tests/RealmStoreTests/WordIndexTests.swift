import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing

/// Index words that end in the same place (Spec 80): a word of three bytes and the same with an X, null and four bytes
/// of zeros.
@Suite struct WordIndexTests {
    private static let schema = SchemaDefinition([
        TableDefinition(
            class: "Note",
            [.init("words", .string, isNullable: true, collection: .list, index: .general)])
    ])

    /// The lists of objects, transaction by transaction: each named object gets the list.
    private static let programs: [[[Int: [String?]]]] = [
        [[0: ["abcX"]], [0: ["abcX", "abc"]], [1: ["abc"]], [2: ["abcX"]]],
        [[0: ["abc"]], [0: ["abc", "abcX"]], [1: ["abcX"]], [2: ["abc"]]],
        [[0: [nil]], [0: [nil, "\0\0\0\0"]], [1: ["\0\0\0\0"]]],
        [[0: ["abcX"]], [1: ["abc"]], [2: ["abcXY"]]],
    ]

    @Test(arguments: programs.indices) func `words with the same place in the index are found`(index: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("notes.realm")
        let store = try RealmStore(path: path, options: .init(schema: Self.schema, durability: .none))
        var known: Set<Int> = []
        for (number, lists) in Self.programs[index].enumerated() {
            try store.write { transaction in
                for (id, words) in lists {
                    let values = words.map { $0.map { NewValue.string($0) } ?? .null }
                    if known.insert(id).inserted {
                        _ = try transaction.add(
                            "Note", ["words": .list(values)], key: ObjectKey(Int64(id)))
                    } else {
                        try transaction.set(ObjectReference("Note", ObjectKey(Int64(id))), "words", .list(values))
                    }
                }
            }
            let findings = Verification(level: .deep).run(on: try ByteSource(path: path)).findings
            expect(findings.allSatisfy { $0.check == .indexListOrder }, "\(number): \(findings)")
        }
    }
}
