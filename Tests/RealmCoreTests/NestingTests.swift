import Expectations
import Foundation
import RealmCore
import RealmLayout
import TestSupport
import Testing

/// Nested collections, as deep as Realm Core allows.
@Suite struct NestingTests {
    /// Returns a Mixed with `levels` nested lists.
    private func lists(_ levels: Int) -> [UInt8] {
        HandmadeFile.oneValue(.mixed, .nullable) { file in
            var leaf = file.mixed([HandmadeFile.composite(.int, slot: 0, 42)])
            for _ in 0..<levels {
                leaf = file.mixed([HandmadeFile.composite(.list, slot: 4, 0)], collections: [leaf])
            }
            return leaf
        }
    }

    /// Returns a Mixed with `levels` nested dictionaries.
    private func dictionaries(_ levels: Int) -> [UInt8] {
        HandmadeFile.oneValue(.mixed, .nullable) { file in
            var leaf = file.mixed([HandmadeFile.composite(.int, slot: 0, 42)])
            for _ in 0..<levels {
                let dictionary = file.writer.refs([file.writer.shortStrings(["key"]), leaf])
                leaf = file.mixed([HandmadeFile.composite(.dictionary, slot: 4, 0)], collections: [dictionary])
            }
            return leaf
        }
    }

    private func value(_ bytes: [UInt8]) throws -> Value {
        let table = try RealmDatabase(bytes: bytes).snapshot().table(named: "Hostile")
        return try #require(try table.object(ObjectKey(0)))["value"]
    }

    @Test func `a hundred levels are read`() throws {
        var value = try value(lists(100))
        for _ in 0..<100 {
            guard case .list(let elements) = value, elements.count == 1 else { throw TestSupportError("no list") }
            value = elements[0]
        }
        expectEqual(value, .int(42))
    }

    /// Secondary threads on Apple platforms have 512 KiB.
    @Test(arguments: [true, false])
    func `a small stack is enough for all levels`(lists isLists: Bool) async throws {
        let bytes = isLists ? lists(100) : dictionaries(100)
        let isRead = await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: (try? value(bytes)) != nil) }
            thread.stackSize = 512 << 10
            thread.start()
        }
        expect(isRead)
    }
}
