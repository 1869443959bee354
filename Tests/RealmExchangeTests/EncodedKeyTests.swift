import Expectations
import Foundation
import RealmLayout
import TestSupport
import Testing

import RealmExchange

/// Keys of dictionaries and documents as the exporter writes them.
@Suite struct EncodedKeyTests {
    /// A key gets its own encoded form or none, whatever the cache contains.
    @Test func `cached keys are not confused`() {
        let keys =
            (0..<20).flatMap { count in
                ["a", "b", "\u{0}"].map { Array(String(repeating: $0, count: count).utf8) }
            } + (0..<300).map { Array("key\($0)".utf8) }
        let memo = DictionaryKeyMemo()
        var remembered = 0
        for _ in 0..<2 {
            for key in keys {
                ByteView.with(key) { view in
                    if let prepared = memo.prepared(view) {
                        expectEqual(prepared.bytes, [0x2C] + key)
                        remembered += 1
                    } else {
                        ByteView.with([0x2C] + key) { memo.note(view, $0) }
                    }
                }
            }
        }
        expect(remembered > 30 && remembered <= 128)
    }

    @Test func `escaped keys are reversible`() throws {
        var random = Seeded(10)
        let alphabet: [UInt8] = Array("%$.2E4e0a".utf8) + [0, 0x80, 0xC3, 0xA9, 0xFF]
        for escapesDollar in [false, true] {
            let escape = KeyEscape(escapesDollar: escapesDollar, isReversible: true)
            for _ in 0..<5000 {
                let key = (0..<(random.next() % 8)).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
                let escaped = ByteView.with(key) { escape.isNeeded($0) ? escape.escaped($0) : nil }
                let spelled = Array((escaped ?? String(decoding: key, as: UTF8.self)).utf8)
                try expectEqual(percentDecoded(spelled), key)
                expect(!spelled.contains(0))
                if escapesDollar { expect(spelled.first != UInt8(ascii: "$")) }
            }
        }
    }

    @Test func `escapes of applications are kept`() {
        let escape = KeyEscape(escapesDollar: true, isReversible: false)
        for (key, expected) in [
            ("a%2Eb", nil), ("%24a", nil), ("a%2eb", nil), ("100%", "100%25"), ("%25", "%2525"), ("a\0b", "a%00b"),
            ("$a", "%24a"), ("a$", nil), ("a.b", nil), ("%2", "%252"),
        ] as [(String, String?)] {
            expectEqual(ByteView.with(Array(key.utf8)) { escape.isNeeded($0) ? escape.escaped($0) : nil }, expected)
        }
    }
}
