import Expectations
import RealmQuery
import Testing

/// Queries as users enter them: Realm's grammar, and values as they are printed.
@Suite struct EnteredQueryTests {
    private func time(_ text: String) throws -> QueryConstant? {
        guard case .comparison(_, _, .constant(let value), _, _) = try ObjectQuery(entered: "a == \(text)").predicate
        else { return nil }
        return value
    }

    /// Seconds since 1970 according to `date -u -d TEXT +%s`.
    @Test(
        arguments: [
            ("2022-01-01", 1_640_995_200, 0), ("2022-01-01T00:00:00Z", 1_640_995_200, 0),
            ("2022-01-01 12:30", 1_641_040_200, 0), ("2022-01-01T12:30:15", 1_641_040_215, 0),
            ("2020-09-13 12:38:39.312 UTC", 1_600_000_719, 312_000_000),
            ("2022-01-01T09:00:00+09:00", 1_640_995_200, 0), ("2022-01-01T00:00:00.5-0130", 1_641_000_600, 500_000_000),
            ("1969-12-31T23:59:59.75Z", 0, -250_000_000), ("2022-01-01@00:00:00:7", 1_640_995_200, 7),
        ] as [(String, Int64, Int32)])
    func `dates are read as they are printed`(_ text: String, _ seconds: Int64, _ nanoseconds: Int32) throws {
        expectEqual(try time(text), .timestamp(seconds: seconds, nanoseconds: nanoseconds))
    }

    @Test func `identifiers are read as they are printed`() throws {
        expectEqual(try time("000102030405060708090a0b"), .objectId(Array(0..<12)))
        expectEqual(try time("00112233-4455-6677-8899-aabbccddeeff"), .uuid((0..<16).map { UInt8($0 * 17) }))
        // Digits alone are a number.
        expectEqual(try time("000102030405060708090000"), .integer("000102030405060708090000"))
    }

    @Test(
        arguments: [
            "2022-01-01", "2022-01-01T00:00:00Z", "2022-01-01 12:30:00 UTC", "00112233-4455-6677-8899-aabbccddeeff",
        ])
    func `Realm's own grammar takes none of this`(_ text: String) {
        #expect(throws: QuerySyntaxError.self) { try ObjectQuery("a == \(text)") }
    }

    @Test(arguments: ["2022-13-01", "2022-02-30", "2022-01-01 25:00"])
    func `dates that do not exist are errors`(_ text: String) {
        #expect(throws: QuerySyntaxError.self) { try ObjectQuery(entered: "a == \(text)") }
    }

    @Test(arguments: ["", "  ", "SORT(a ASC)", "LIMIT(3)"])
    func `without a predicate all objects match`(_ text: String) throws {
        expectEqual(try ObjectQuery(entered: text).predicate, .constant(true))
    }

    @Test(
        arguments: [
            ("name IS NULL", "name == NULL"), ("name IS NOT NULL", "name != NULL"),
            ("age IN (1, 2)", "age IN {1, 2}"), ("age IN [1, 2]", "age IN {1, 2}"),
            ("owner.age NOT IN (1,2) AND a == 1", "NOT owner.age IN {1,2} AND a == 1"),
            ("a == 1 AND age NOT BETWEEN 1 AND 2", "a == 1 AND NOT age BETWEEN {1, 2}"),
            ("age BETWEEN 1 AND 2 AND a == 1", "age BETWEEN {1, 2} AND a == 1"),
            ("name LIKE 'F_%'", "name LIKE 'F?*'"), ("name NOT LIKE 'F%'", "NOT name LIKE 'F*'"),
            ("name ILIKE '%it''s'", nil), ("name ILIKE 'f%'", "name LIKE[c] 'f*'"),
            ("age > 3 LIMIT 5", "age > 3 LIMIT(5)"),
            ("age > 3 ORDER BY age DESC, name LIMIT 5", "age > 3 SORT(age DESC, name ASC) LIMIT(5)"),
            ("SORT(total)", "SORT(total ASC)"), ("age > 3 SORT(total, age DESC)", "age > 3 SORT(total ASC, age DESC)"),
            ("WHERE age > 3", "age > 3"), ("name STARTSWITH 'F'", "name BEGINSWITH 'F'"),
            ("age > 3", nil), ("age >", nil), ("age > 3 OFFSET 5", nil),
        ] as [(String, String?)])
    func `SQL is rewritten`(_ text: String, _ query: String?) {
        expectEqual(SQLSpelling(text)?.query, query)
    }

    @Test func `the parts of a statement`() throws {
        let text = "SELECT name, age FROM Dog WHERE age > 3 GROUP BY name ORDER BY age LIMIT 2"
        let spelling = try #require(SQLSpelling(text))
        expectEqual(spelling.query, "age > 3 SORT(age ASC) LIMIT(2)")
        expectEqual(spelling.className, "Dog")
        expectEqual(spelling.columns, "name, age")
        expectEqual(spelling.groups, "name")
        expectEqual(SQLSpelling("select * from Dog")?.columns, nil)
    }
}
