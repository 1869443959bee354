import Expectations
import Testing

import RealmForensics

struct WordMapTests {
    /// Compares with the same operations on a plain array of Bools.
    @Test func `a map of words behaves like an array of Bools`() {
        let bytes = 3 * 256 * 1024 + 4096
        var map = WordMap(bytes: bytes)
        var plain = [Bool](repeating: false, count: bytes / 8)
        var state: UInt64 = 7
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for round in 0..<200 {
            let start = random(plain.count)
            let count = min(plain.count - start, round % 10 == 0 ? 40_000 : 1 + random(200))
            let wereClear = !plain[start..<(start + count)].contains(true)
            expectEqual(map.intersects(start * 8, count: count * 8), !wereClear)
            expectEqual(map.insert(start * 8, count: count * 8), wereClear)
            for word in start..<(start + count) { plain[word] = true }
            let from = random(plain.count)
            let (set, clear) = (plain[from...].firstIndex(of: true), plain[from...].firstIndex(of: false))
            expectEqual(map.next(isSet: true, from: from * 8, to: bytes), set.map { $0 * 8 })
            expectEqual(map.next(isSet: false, from: from * 8, to: bytes), clear.map { $0 * 8 })
            expectEqual(map.contains(from * 8), plain[from])
        }
    }

    @Test func `no bit outside the map is set`() {
        var map = WordMap(bytes: 100)
        map.insert(-8, count: 16)
        map.insert(96, count: 800)
        expect(map.contains(96))
        expect(!map.contains(104) && !map.contains(-8) && !map.contains(0))
        expectEqual(map.next(isSet: true, from: 0, to: 10_000), 96)
        expectEqual(map.next(isSet: false, from: 96, to: 10_000), nil)
        // A range that ends inside a word has no remaining word at its end.
        expectEqual(map.next(isSet: false, from: 13, to: 13), nil)
        expectEqual(map.next(isSet: false, from: 9, to: 20), 16)
    }
}
