import Expectations
import Foundation
import HostileProperties
import TestSupport
import Testing

/// For any file and text, a query terminates, and either a condition or its negation holds.
struct HostileInputQueryTests {
    @Test(arguments: HostileFile.all)
    func `queries on a handmade file end`(_ file: HostileFile) {
        expectEqual(queryEverything(file.bytes()), [])
    }

    @Test(arguments: HostileInputFuzzCaseTests.cases)
    func `queries on files found by fuzzing end`(_ file: URL) throws {
        expectEqual(queryEverything([UInt8](try Data(contentsOf: file))), [])
    }

    /// Each query runs on a file of all types, truncated at each byte.
    @Test(arguments: [
        "i > -3 AND ANY ls BEGINSWITH[c] 'a' SORT(s ASC, p.i DESC) DISTINCT(b) LIMIT(7)",
        "SUBQUERY(q, $x, $x.i IN {1, 2, 0x3} AND ALL $x.li != NULL).@count >= p.q.@count",
        "(i + 1) * g / 2.5e0 < q.@max.i OR m['a'][*] == $0 || NONE r['a'].s LIKE '*\\u00e4?'",
        "place GEOWITHIN geoPolygon({[-1, -1], [9.5, -1], [9.5, 2], [-1, -1]}, {[1, 0.5], [2, 0.5], [2, 0], [1, 0.5]})",
        "t BETWEEN {T0:0, 2020-01-01@00:00:00:5} AND u != uuid(00000000-0000-0000-0000-000000000000) AND o == oid(000000000000000000000000)",
        "s TEXT 'wo* -words' AND @links.Thing.p.i.@count > 0 AND kd.@keys == B64\"AAEC\" AND lm[LAST].@type == 'object'",
    ])
    func `the beginning of a query is a query, or is refused`(_ text: String) {
        let bytes = Array(text.utf8)
        for count in 0...bytes.count { expectEqual(queryText(Array(bytes.prefix(count))), []) }
        for index in bytes.indices {
            for byte: UInt8 in [0, 0x20, 0x28, 0x29, 0x2E, 0x24, 0x30, 0x5B, 0xFF] {
                var changed = bytes
                changed[index] = byte
                expectEqual(queryText(changed), [])
            }
        }
    }
}
