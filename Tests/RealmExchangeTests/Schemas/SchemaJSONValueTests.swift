import Expectations
import Foundation
import RealmExchange
import TestSupport
import Testing

/// The output of `JSONValue` is valid JSON for any content.
@Suite struct SchemaJSONValueTests {
    static let everything: JSONValue = [
        "": nil, "text": "\" \\ / \u{0}\u{1}\u{1f}\u{7f}\n\r\t é 東京 🐕 \u{2028}", "quote\"": true,
        "n": -9_223_372_036_854_775_808,
        "list": [1, false, "x"], "nested": [["a": []], [:], [nil]], "empty": [], "none": [:],
    ]

    @Test(arguments: [everything.compact, everything.pretty])
    func `a value is read back by a parser`(_ text: String) throws {
        let found = try JSON(parsing: Array(text.utf8)).members()
        expectEqual(found.map(\.name), ["", "text", "quote\"", "n", "list", "nested", "empty", "none"])
        guard case .string(let expected)? = Self.everything["text"] else { return }
        try expectEqual(found[required: "text"].bytes(), Array(expected.utf8))
        try expectEqual(found[required: "n"].int(), .min)
        try expectEqual(found[required: "list"].elements(), [.int(1), .bool(false), .text([0x78])])
    }

    @Test func `doubles with any value are valid JSON`() throws {
        let values = [0.1, -0.0, 1e300, Double.leastNonzeroMagnitude, 123456789.0, .nan, .infinity, -.infinity]
        let text = JSONValue.array(values.map { .double($0) }).compact
        expectEqual(text, #"[0.1,-0.0,1e+300,5e-324,123456789.0,"NaN","Infinity","-Infinity"]"#)
        try expect(JSONSerialization.jsonObject(with: Data(text.utf8)) is [Any])
    }

    @Test func `the pretty form is indented`() {
        let value: JSONValue = ["a": [1, 2], "b": [["c": nil]], "d": [:]]
        let expected = """
            {
              "a": [1, 2],
              "b": [
                {
                  "c": null
                }
              ],
              "d": {}
            }
            """
        expectEqual(value.pretty, expected)
    }
}
