import Expectations
import RealmCore
import RealmExchange
import TestSupport
import Testing

/// Integers beyond 64 bits become doubles, as written by programs without other numbers; changes of value are counted.
@Suite struct WideIntegerTests {
    /// A number, and whether the nearest double is the intended value.
    static let numbers: [(text: String, isKept: Bool)] = [
        ("36893488147419103232", true), ("36893488147419103233", false), ("-36893488147419103233", false),
        // The shortest text of a double, as in JavaScript, though not its exact value.
        ("123456789012345680000", true), ("123456789012345678901", false),
        ("100000000000000000000000000000000000000000", true), ("100000000000000000000000000000000000000001", false),
        // One more than the maximum, which is a power of two, and the next integer.
        ("9223372036854775808", true), ("9223372036854775809", false), ("18446744073709551616", true),
    ]

    @Test(arguments: numbers)
    func `wide integers become doubles without a schema`(_ number: (text: String, isKept: Bool)) throws {
        for format in [DocumentFormat.extendedJSON, .json] {
            let documents = #"{"_id":1,"s":"n\"{","n":\#(number.text)} {"_id":2,"n":1.5}"#
            let imported = try Imported(["T.json": documents]) { $0.format = format }
            expectEqual(imported.losses, (number.isKept ? [] : ["T.n inexactNumber 1 0"]))
            guard case .double(let value) = try imported.values("T")[0].last else {
                Issue.record("no double")
                continue
            }
            expectEqual(value, Double(number.text))
            if !number.isKept {
                #expect(throws: ImportError.self) {
                    try Imported(["T.json": documents]) {
                        $0.format = format
                        $0.allowsLosses = false
                    }
                }
            }
        }
    }

    /// The field of the number is reported, however deep.
    @Test func `the field with a wide integer is reported at any depth`() throws {
        let wide = "36893488147419103233"
        let imported = try Imported([
            "T.json": #"""
            {"_id": 1, "a": {"b": [\#(wide), 0.5]}, "c": [{"d": 0.5}, {"d": \#(wide)}], "e": 1}
            {"_id": 2, "a": {"b": []}, "c": [], "e": "x", "f": [[\#(wide)]]}
            """#
        ])
        expectEqual(imported.losses, ["T.a inexactNumber 1 0", "T.c inexactNumber 1 0", "T.f inexactNumber 1 1"])
    }

    @Test func `wide integers in columns become doubles`() throws {
        let lines = Self.numbers.enumerated().map { "\($0),\($1.text)" }.joined(separator: "\n")
        let imported = try Imported(["T.csv": "_id.int64(),n.double()\n" + lines])
        expectEqual(imported.losses, ["T.n inexactNumber \(Self.numbers.count { !$0.isKept }) 1"])
    }
}
