import Expectations
import RealmCore
import RealmForensics
import TestSupport
import Testing

/// The plausible keys of a damaged cluster, and the numbers left for the rest.
@Suite struct AscendingKeysTests {
    @Test(
        arguments: [
            // One wrong key, too high or too low: the rest are kept, and one number is left.
            ([0, 1, 255, 3, 4], nil, [0, 1, 2, 3, 4]), ([0, 1, 0, 3, 4], nil, [0, 1, 2, 3, 4]),
            ([10, 12, 1, 16, 17], nil, [10, 12, nil, 16, 17]),
            // At the start, where keys begin with 0, and at the end, where there is a limit.
            ([9, 1, 2, 3], nil, [0, 1, 2, 3]), ([9, 3, 4, 5], nil, [nil, 3, 4, 5]),
            ([4, 5, 6, 2], 8, [4, 5, 6, 7]), ([4, 5, 6, 2], 9, [4, 5, 6, nil]), ([4, 5, 6, 2], nil, [4, 5, 6, nil]),
            // It is unknown which of two is wrong.
            ([1, 3, 2, 5], nil, [1, nil, nil, 5]), ([1, 3, 2, 4], nil, [1, 2, 3, 4]),
            // Unreadable keys.
            ([nil, nil, 2, nil, 4], nil, [0, 1, 2, 3, 4]), ([nil, nil, 3], nil, [nil, nil, 3]),
            ([nil, nil], 2, [0, 1]),
            ([nil, nil], nil, [nil, nil]), ([UInt64.max, nil], nil, [UInt64.max, nil]), ([7, 7], nil, [nil, nil]),
            // No damage.
            ([2, 5, 9], nil, [2, 5, 9]), ([2, 5, 9], 10, [2, 5, 9]),
        ] as [([UInt64?], UInt64?, [UInt64?])])
    func `an unknown key is found if only one fits`(_ found: [UInt64?], limit: UInt64?, expected: [UInt64?]) {
        expectEqual(AscendingKeys.resolved(found, limit: limit), expected)
    }

    /// If some keys of a long list are wrong, none of the resulting keys is.
    @Test func `no key is invented if some of a long list are wrong`() {
        var random = Seeded(11)
        for _ in 0..<300 {
            var key: UInt64 = 0
            let keys = (0..<200).map { _ in
                key += UInt64.random(in: 1...3, using: &random)
                return key
            }
            // Each wrong key is greater than all correct ones, as with its highest bit set.
            var damaged = keys.map(Optional.some)
            for _ in 0..<5 {
                let row = Int.random(in: 0..<190, using: &random)
                damaged[row] = keys[row] + 1024
            }
            // No wrong key is in a longest ascending sequence: more correct keys follow it than can be wrong.
            for (row, found) in AscendingKeys.resolved(damaged, limit: nil).enumerated() {
                expect(found == nil || found == keys[row])
            }
        }
    }
}
