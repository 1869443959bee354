import Expectations
import TestSupport
import Testing

/// The share of each run: all shares together cover each required change exactly once.
@Suite struct ShareTests {
    @Test(arguments: 1...8)
    func `shares omit no case and have none in common`(count: Int) {
        for sequence in 0..<5 {
            for start in stride(from: 0, to: 1000 * count, by: count) {
                for share in Share.all(count) {
                    let cases = (start..<start + count).filter { share.contains($0, of: sequence) }
                    expectEqual(cases.count, 1, "\(share) has \(cases) of \(count) from \(start)")
                }
                let all = Share.all(count).flatMap { share in
                    (start..<start + count).filter { share.contains($0, of: sequence) }
                }
                expectEqual(all.sorted(), Array(start..<start + count))
            }
        }
    }

    @Test func `a share covers every place of a word`() {
        for share in Share.all(4) {
            let cases = (0..<1000).filter { share.contains($0) }
            expectEqual(Set(cases.map { $0 % 8 }), Set(0..<8))
        }
    }

    /// Counts the places of a property as a loop would, from a start that depends on the replacement.
    @Test(arguments: Victim.allCases, Replacement.allCases)
    func `all shares of a victim together cover every change of every property`(
        _ victim: Victim, _ replacement: Replacement
    ) throws {
        let bytes = try victim.bytes()
        let end = (bytes.lastIndex { $0 != 0 } ?? 0) + 1
        for property in HostileProperty.allCases {
            guard let spacing = property.spacing(victim, replacement) else { continue }
            let places = Share.all(4).map {
                Victim.offsets(of: bytes, replacedBy: replacement, spacing, share: $0)
            }
            let start = replacement.number * spacing.step / Replacement.allCases.count
            let expected = stride(from: start, to: end, by: spacing.step).filter { offset in
                switch replacement {
                case .zero: bytes[offset] != 0
                case .ones: bytes[offset] != 0xFF
                case .lowestBitChanged, .highestBitChanged, .oneMore: true
                }
            }
            expectEqual(places.joined().sorted(), expected, "\(property)")
            if property == .reading {
                expect(places.allSatisfy { $0.count < expected.count * 2 / 5 + 8 }, "\(places.map(\.count))")
            }
            expectEqual(Victim.offsets(of: bytes, replacedBy: replacement, spacing, share: .whole), expected)
        }
    }

    @Test(arguments: Victim.allCases)
    func `all shares of a victim together cover every beginning of it`(_ victim: Victim) throws {
        var counts: [Int] = []
        for share in Share.all(4) { try victim.forEachPrefix(share: share) { bytes, _ in counts.append(bytes.count) } }
        try expectEqual(counts.sorted(), Array(stride(from: 0, through: victim.bytes().count, by: 8)))
        for property in HostileProperty.allCases { expectEqual((property.prefixStep(victim) ?? 8) % 8, 0) }
    }

    /// The number of tests for each property over all shares; a reduction must be made here too.
    @Test func `all shares together make the expected tests of each property`() {
        let steps = HostileProperty.allCases.map { property in
            Replacement.allCases.map { property.spacing(.tombstones, $0)?.step }
        }
        expectEqual(
            steps,
            [
                [1, 1, 1, 1, 1], [nil, nil, nil, nil, 24], [7, 7, nil, 7, nil], [5, 5, 5, 5, 5], [61, 61, 61, 61, 61],
                [75, 75, 75, 75, 75], [83, 83, 83, 83, 83], [nil, 211, nil, nil, 211], [53, 53, nil, nil, 53],
                [59, 59, 59, 59, 59],
            ])
        expectEqual(
            HostileProperty.allCases.map { $0.prefixStep(.tombstones) },
            [8, nil, nil, 8, 128, 264, nil, 520, 136, 136])
        expectEqual(Victim.allCases.filter(\.isExhaustive), [.tombstones, .oldRow, .oldSubtables])
        expectEqual(HostileProperty.reading.spacing(.nestedMixed, .ones)?.step, 5)
    }

    @Test(
        arguments: [
            ([:], "1/4"), (["REALMFILE_SHARE": "3/4"], "3/4"), (["REALMFILE_SHARE": "8/8"], "8/8"),
            (["REALMFILE_EXHAUSTIVE": "1"], "1/1"), (["REALMFILE_EXHAUSTIVE": "1", "REALMFILE_SHARE": "3/4"], "1/1"),
            (["REALMFILE_SHARE": "5/4"], "1/1"), (["REALMFILE_SHARE": "0/4"], "1/1"), (["REALMFILE_SHARE": "x"], "1/1"),
            (["REALMFILE_SHARE": "1/0"], "1/1"), (["REALMFILE_SHARE": ""], "1/1"),
        ] as [([String: String], String)])
    func `variables select the share, and invalid ones omit nothing`(_ environment: [String: String], _ share: String) {
        expectEqual("\(Share(environment: environment))", share)
    }
}
