import Expectations
import RealmLayout
import Testing

import RealmExchange

/// The map from identities to object keys.
@Suite struct KeyMapTests {
    /// Keys of objects and of tombstones.
    private func key(_ index: Int) -> ObjectKey { ObjectKey(Int64(index % 2 == 0 ? index : -2 - index)) }

    /// Each integer has its key and no other number has one, whether they are looked up in order or not.
    @Test(
        arguments: [
            [], [0], [-3, -2, 5], [Int64.max - 1, Int64.max], [Int64.min, Int64.max], [Int64.min, Int64.min + 3],
            Array(100...1500), stride(from: -5000, to: 5000, by: 7).map { $0 },
        ] as [[Int64]])
    func `each integer has its own key, and others have none`(_ numbers: [Int64]) {
        let map = KeyMap()
        for (index, number) in numbers.enumerated() {
            expectEqual(map.insert(Fingerprint(number), key(index)), true)
        }
        func check(_ expected: [Int64]) {
            for (index, number) in expected.enumerated() {
                expectEqual(map.view.key(of: Fingerprint(number)), key(index))
                for other in [number &- 1, number &+ 1] where !expected.contains(other) {
                    expectEqual(map.view.key(of: Fingerprint(other)), nil)
                }
            }
        }
        check(numbers)
        map.layInRow(in: .max)
        check(numbers)
        expectEqual(map.view.key(of: Fingerprint(fixed: .copy(of: [UInt8](repeating: 7, count: 12)))), nil)
        // The first entry stays, and another one is found as well.
        for number in numbers { expectEqual(map.insert(Fingerprint(number), ObjectKey(1)), false) }
        expectEqual(map.insert(Fingerprint(77), key(numbers.count)), !numbers.contains(77))
        if !numbers.contains(77) { check(numbers + [77]) }
        map.layInRow(in: .max)
        check(numbers.contains(77) ? numbers : numbers + [77])
    }

    /// Strings that differ anywhere are different, however long.
    @Test func `strings that differ anywhere are different`() {
        let hash = IdentityHash()
        let map = KeyMap()
        var texts: [[UInt8]] = []
        for length in 0...70 {
            texts.append([UInt8](repeating: 0x61, count: length))
            for place in 0..<length {
                texts.append([UInt8](repeating: 0x61, count: length))
                texts[texts.count - 1][place] = 0x62
            }
        }
        for (index, text) in texts.enumerated() {
            ByteView.with(text) { expectEqual(map.insert(Fingerprint($0, hash), ObjectKey(Int64(index))), true) }
        }
        for (index, text) in texts.enumerated() {
            ByteView.with(text) { expectEqual(map.view.key(of: Fingerprint($0, hash)), ObjectKey(Int64(index))) }
        }
    }
}
