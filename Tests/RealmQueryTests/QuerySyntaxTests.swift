import Expectations
import RealmQuery
import Testing

/// Query texts and their meaning, according to Realm Query Language in Core 14.
@Suite struct QuerySyntaxTests {
    private func property(_ names: String...) -> QueryExpression { .property(QueryPath(names.map { .name($0) })) }

    private func comparison(_ left: QueryExpression, _ operation: ComparisonOperation, _ right: QueryConstant)
        -> QueryPredicate
    {
        .comparison(left, operation, .constant(right), caseInsensitive: false)
    }

    @Test(
        arguments: [
            ("age == 3", ComparisonOperation.equal), ("age = 3", .equal), ("age != 3", .notEqual),
            ("age <> 3", .notEqual),
            ("age < 3", .less), ("age <= 3", .lessOrEqual), ("age =< 3", .lessOrEqual), ("age > 3", .greater),
            ("age >= 3", .greaterOrEqual), ("age => 3", .greaterOrEqual), ("age in 3", .isIn), ("age like 3", .like),
            ("age BeginsWith 3", .beginsWith), ("age ENDSWITH 3", .endsWith), ("age contains 3", .contains),
            ("age TEXT 3", .text),
        ] as [(String, ComparisonOperation)])
    func `each operator has its texts`(_ text: String, _ operation: ComparisonOperation) throws {
        try expectEqual(ObjectQuery(text), ObjectQuery(comparison(property("age"), operation, .integer("3"))))
    }

    /// The value of each token for a constant.
    @Test(
        arguments: [
            ("12", QueryConstant.integer("12")), ("-12", .integer("-12")), ("+1", .integer("+1")),
            ("0xFf", .integer("0xFf")),
            ("1.5", .real("1.5")), ("-.5", .real("-.5")), ("1.", .real("1.")), ("1e5", .real("1e5")),
            ("1f", .real("1f")),
            ("1.5E-3f", .real("1.5E-3f")), ("inf", .infinity(negative: false)),
            ("-Infinity", .infinity(negative: true)),
            ("NaN", .notANumber), ("-nan", .notANumber), ("true", .bool(true)), ("FALSE", .bool(false)),
            ("NULL", .null),
            ("nil", .null), ("\"a\\\"b\"", .string("a\"b")), ("'it\\'s'", .string("it's")),
            ("'\\u00e9\\n\\t\\0'", .string("é\n\t\0")), ("'\\ud83d\\ude00'", .string("😀")), ("@'nib'", .string("nib")),
            ("B64\"AAEC\"", .base64([0, 1, 2])), ("B64\"AA==\"", .base64([0])), ("binary('ab')", .binary([97, 98])),
            ("bin(B64\"//8=\")", .binary([255, 255])), ("T5:6", .timestamp(seconds: 5, nanoseconds: 6)),
            ("T-5:-6", .timestamp(seconds: -5, nanoseconds: -6)),
            ("1970-01-02T00:00:01", .timestamp(seconds: 86401, nanoseconds: 0)),
            ("2000-2-29@12:30:00:7", .timestamp(seconds: 951_827_400, nanoseconds: 7)),
            ("1969-12-31@23:59:59:250000000", .timestamp(seconds: -1, nanoseconds: -250_000_000)),
            ("uuid(00112233-4455-6677-8899-aabbccddeeff)", .uuid((0..<16).map { UInt8($0 * 17) })),
            ("oid(000102030405060708090a0b)", .objectId(Array(0..<12))), ("O7", .objectKey(7)),
            ("L3:9", .typedLink(table: 3, object: 9)), ("$2", .argument(2, nil)), ("ALL $1", .argument(1, .all)),
            ("obj('Dog', 'rex')", .object(className: "Dog", primaryKey: .string("rex"))),
            ("obj('Dog', $0)", .object(className: "Dog", primaryKey: .argument(0, nil))),
        ] as [(String, QueryConstant)])
    func constants(_ text: String, _ constant: QueryConstant) throws {
        try expectEqual(ObjectQuery("a == \(text)"), ObjectQuery(comparison(property("a"), .equal, constant)))
    }

    /// Examples for NSPredicate in Realm's Swift documentation, and their equivalents in Realm Query Language.
    @Test(
        arguments: [
            ("active == YES", "active == true"), ("active != NO AND YES == NO", "active != false AND YES == false"),
            ("%K.%K == %@", "$K0.$K1 == $2"), ("ANY dict.@allKeys BEGINSWITH 'k'", "ANY dict.@keys BEGINSWITH 'k'"),
            ("dict.@allValues > 1", "dict.@values > 1"), ("age BETWEEN %@", "age BETWEEN $0"),
            ("a == @'x'", "a == 'x'"),
            ("active IN {YES, no}", "active IN {true, false}"), ("a = YES.b", "a == YES.b"),
            ("name CONTAINS[dc] %@ OR name !=[d] %@", "name CONTAINS[cd] $0 OR name !=[d] $1"),
            ("age = %d AND name LIKE[c] %@", "age == $0 AND name LIKE[c] $1"),
        ] as [(String, String)])
    func `forms of NSPredicate are read`(_ text: String, _ same: String) throws {
        let query = try ObjectQuery(text)
        try expectEqual(query, ObjectQuery(same))
        try expectEqual(ObjectQuery(query.description), query)
    }

    /// The escape that Apple's grammar of predicates calls "used to escape reserved words".
    @Test(arguments: [
        "any", "ALL", "none", "not", "And", "or", "true", "FALSE", "nil", "null", "obj", "geobox", "subquery", "inf",
        "nan",
        "truepredicate", "O7", "YES", "NO", "name", "first", "limit",
    ])
    func `a word after # is a name`(_ name: String) throws {
        let query = try ObjectQuery("#\(name) == 3 AND a.#\(name) == #\(name) SORT(#\(name) ASC)")
        let (alone, inside) = (property(name), property("a", name))
        let compared = QueryPredicate.comparison(inside, .equal, alone, caseInsensitive: false)
        expectEqual(query.predicate, .and([comparison(alone, .equal, .integer("3")), compared]))
        try expectEqual(ObjectQuery(query.description), query)
        let isPlain = ["name", "first", "limit"].contains(name)
        expect(query.description.contains("#\(name)") != isPlain)
    }

    @Test(arguments: ["# == 3", "a == #", "#1 == 3", "##a == 3"])
    func `# is only valid before a name`(_ text: String) {
        let error = #expect(throws: QuerySyntaxError.self) { try ObjectQuery(text) }
        expect(error?.description.hasPrefix("'#' has no meaning in a query") ?? false)
    }

    @Test func `AND binds before OR, and NOT before AND`() throws {
        let (a, b, c) = (
            comparison(property("a"), .equal, .integer("1")), comparison(property("b"), .equal, .integer("2")),
            comparison(property("c"), .equal, .integer("3"))
        )
        try expectEqual(ObjectQuery("a == 1 || b == 2 && c == 3").predicate, .or([a, .and([b, c])]))
        try expectEqual(ObjectQuery("(a == 1 OR b == 2) AND c == 3").predicate, .and([.or([a, b]), c]))
        try expectEqual(ObjectQuery("NOT a == 1 and b == 2").predicate, .and([.not(a), b]))
        try expectEqual(ObjectQuery("!(a == 1 and b == 2)").predicate, .not(.and([a, b])))
        try expectEqual(ObjectQuery("((((a == 1))))").predicate, a)
    }

    @Test func `arithmetic has its precedence and brackets`() throws {
        let (a, b) = (property("a"), property("b"))
        let (one, two) = (QueryExpression.constant(.integer("1")), QueryExpression.constant(.integer("2")))
        try expectEqual(
            ObjectQuery("a + 1 * b > 2").predicate,
            .comparison(
                .arithmetic(a, .plus, .arithmetic(one, .times, b)), .greater, two, caseInsensitive: false))
        try expectEqual(
            ObjectQuery("(a + 1) * b > 2").predicate,
            .comparison(
                .arithmetic(.arithmetic(a, .plus, one), .times, b), .greater, two, caseInsensitive: false))
        try expectEqual(
            ObjectQuery("((a) - 1 - b == 2)").predicate,
            .comparison(.arithmetic(.arithmetic(a, .minus, one), .minus, b), .equal, two, caseInsensitive: false)
        )
        // A hyphen is part of a name, and a sign part of a number.
        try expectEqual(ObjectQuery("a-b == 2").predicate, comparison(property("a-b"), .equal, .integer("2")))
        #expect(throws: QuerySyntaxError.self) { try ObjectQuery("a -1 == 2") }
    }

    @Test(
        arguments: [
            ("dogs.name", QueryPath([.name("dogs"), .name("name")])),
            ("ANY dogs.name", QueryPath([.name("dogs"), .name("name")], quantifier: .any)),
            ("some dogs.name", QueryPath([.name("dogs"), .name("name")], quantifier: .any)),
            ("NONE dogs.name", QueryPath([.name("dogs"), .name("name")], quantifier: Quantifier.none)),
            ("@links.Dog.owner.age", QueryPath([.name("@links"), .name("Dog"), .name("owner"), .name("age")])),
            ("@links.@count", QueryPath([.name("@links")], suffix: .size)),
            ("tags.@size", QueryPath([.name("tags")], suffix: .size)),
            ("tags[SIZE]", QueryPath([.name("tags")], suffix: .size)),
            ("mixed.@type", QueryPath([.name("mixed")], suffix: .type)),
            ("tags[0]", QueryPath([.name("tags"), .index(0)])), ("tags[FIRST]", QueryPath([.name("tags"), .first])),
            ("tags[last]", QueryPath([.name("tags"), .last])),
            ("anything[*]['k'][$1]", QueryPath([.name("anything"), .all, .key("k"), .keyArgument(1)])),
            ("dict.@keys", QueryPath([.name("dict"), .name("@keys")])),
            ("sort.limit", QueryPath([.name("sort"), .name("limit")])),
            ("first\\ name", QueryPath([.name("first name")])), ("$K0.age", QueryPath([.argument(0), .name("age")])),
            ("größe", QueryPath([.name("größe")])), ("binary", QueryPath([.name("binary")])),
            ("in", QueryPath([.name("in")])),
        ] as [(String, QueryPath)])
    func paths(_ text: String, _ path: QueryPath) throws {
        try expectEqual(ObjectQuery("\(text) == 1").predicate, comparison(.property(path), .equal, .integer("1")))
    }

    @Test func `lists, aggregates and subqueries are read`() throws {
        try expectEqual(
            ObjectQuery("age IN {1, 2}").predicate,
            .comparison(
                property("age"), .isIn, .list([.integer("1"), .integer("2")], nil), caseInsensitive: false))
        try expectEqual(
            ObjectQuery("ANY {1} == age").predicate,
            .comparison(.list([.integer("1")], .any), .equal, property("age"), caseInsensitive: false))
        try expectEqual(
            ObjectQuery("age BETWEEN {1, 2}").predicate, .between(property("age"), [.integer("1"), .integer("2")]))
        try expectEqual(
            ObjectQuery("dogs.@max.age > 3").predicate,
            .comparison(
                .aggregate(QueryPath([.name("dogs")]), .maximum, property: "age"), .greater,
                .constant(.integer("3")),
                caseInsensitive: false))
        try expectEqual(
            ObjectQuery("scores.@avg < 3").predicate,
            .comparison(
                .aggregate(QueryPath([.name("scores")]), .average, property: nil), .less, .constant(.integer("3")),
                caseInsensitive: false))
        try expectEqual(
            ObjectQuery("SUBQUERY(dogs, $d, $d.age > 3 AND $d.name == 'x').@count > 1").predicate,
            .comparison(
                .subquery(
                    QueryPath([.name("dogs")]), variable: "$d",
                    .and([
                        comparison(property("$d", "age"), .greater, .integer("3")),
                        comparison(property("$d", "name"), .equal, .string("x")),
                    ])), .greater, .constant(.integer("1")), caseInsensitive: false))
        try expectEqual(
            ObjectQuery("name ==[c] 'x'").predicate,
            .comparison(property("name"), .equal, .constant(.string("x")), caseInsensitive: true))
    }

    @Test func `steps keep their order`() throws {
        let query = try ObjectQuery(
            "TRUEPREDICATE SORT(owner.age DESC, name asc) DISTINCT(name) LIMIT(5) sort(age ascending)")
        expectEqual(query.predicate, .constant(true))
        expectEqual(
            query.steps,
            [
                .sort([
                    SortKey(path: QueryPath([.name("owner"), .name("age")]), ascending: false),
                    SortKey(path: QueryPath([.name("name")]), ascending: true),
                ]), .distinct([QueryPath([.name("name")])]), .limit(5),
                .sort([SortKey(path: QueryPath([.name("age")]), ascending: true)]),
            ])
    }

    @Test func `shapes of places are read`() throws {
        func position(_ longitude: Double, _ latitude: Double) -> GeoPosition {
            GeoPosition(longitude: .number(longitude), latitude: .number(latitude), altitude: nil)
        }
        try expectEqual(
            ObjectQuery("place geoWithin geoBox([1.5, 2], [3, -4.5])").predicate,
            .within(QueryPath([.name("place")]), .box(position(1.5, 2), position(3, -4.5))))
        try expectEqual(
            ObjectQuery("place GEOWITHIN geoCircle([$0, 2], 0.5)").predicate,
            .within(
                QueryPath([.name("place")]),
                .circle(
                    GeoPosition(longitude: .argument(0), latitude: .number(2), altitude: nil), radius: .number(0.5))
            ))
        try expectEqual(
            ObjectQuery("place geowithin geoPolygon({[0,0],[1,0],[1,1],[0,0]}, {[2,2],[3,2],[2,3],[2,2]})").predicate,
            .within(
                QueryPath([.name("place")]),
                .polygon([
                    [position(0, 0), position(1, 0), position(1, 1), position(0, 0)],
                    [position(2, 2), position(3, 2), position(2, 3), position(2, 2)],
                ])))
        try expectEqual(ObjectQuery("place geowithin $1").predicate, .within(QueryPath([.name("place")]), .argument(1)))
    }

    /// NSPredicate numbers its arguments by their order.
    @Test func `forms of NSPredicate are read`() throws {
        try expectEqual(
            ObjectQuery("age > %d AND %K == %@").predicate,
            .and([
                comparison(property("age"), .greater, .argument(0, nil)),
                comparison(.property(QueryPath([.argument(1)])), .equal, .argument(2, nil)),
            ]))
    }

    /// The error, and its byte offset.
    @Test(
        arguments: [
            ("", "expected a property or a value, found the end", 0), ("age", "expected a comparison", 3),
            ("age >", "expected a property or a value, found the end", 5),
            ("age > 3 name", "expected AND, OR, SORT", 8),
            ("(age > 3", "expected ')', found the end", 8), ("age > 3)", "expected AND, OR, SORT", 7),
            ("name == 'x", "the string has no end", 8), ("name == '\\q'", "'\\q' is no escape", 9),
            ("age # 3", "'#' has no meaning", 4), ("naïve § 1", "expected a comparison", 7),
            ("age BETWEEN {1}", "BETWEEN needs two values", 12), ("age BETWEEN 1", "expected '{'", 12),
            ("age <[c] 3", "'[c]' cannot follow <", 5), ("name ==[n] 'x'", "Realm has [c] and [d] only", 7),
            ("name LIKE[cd] 'x'", "'[cd]' cannot follow LIKE", 9),
            ("dogs.@foo == 1", "'@foo' is unknown", 5), ("age == 1 LIMIT(-1)", "expected a number", 15),
            ("age == 1 SORT(name)", "expected ASC or DESC", 18),
            ("dogs[x] == 1", "expected an index, a key in quotes", 5),
            ("SUBQUERY(dogs, $d, $d.age > 1) > 1", "expected '.@count' after a subquery", 31),
            ("SUBQUERY(dogs, d, d.age > 1).@count > 1", "expected the name of a variable", 15),
            ("age == 2000-13-01@00:00:00", "there is no such time", 7), ("a == T1:-1", "have different signs", 5),
            ("a == B64\"A\"", "these characters are no base64 data", 5),
            ("a == obj(Dog, 1)", "expected the name of a class", 9),
            ("ALL dogs.@sum.age == 1", "an aggregate is one value", 8),
            ("1 GEOWITHIN $0", "GEOWITHIN needs a property", 12),
            ("a.truepredicate == 1", "; a property with the name truepredicate is written #truepredicate", 2),
            ("any == 1", "expected a property, found '=='; a property with the name any is written #any", 4),
            ("age > 3 AND or", "found 'or'; a property with the name or is written #or", 12),
        ] as [(String, String, Int)])
    func errorsShowTheirPlace(_ text: String, _ message: String, _ offset: Int) {
        let error = #expect(throws: QuerySyntaxError.self) { try ObjectQuery(text) }
        expectEqual(error?.message.contains(message), true, "\(error?.message ?? "")")
        expectEqual(error?.offset, offset)
    }

    @Test func `the caret is below the place of the error`() {
        let error = #expect(throws: QuerySyntaxError.self) { try ObjectQuery("grün == 1 AND\nage ~ 3") }
        expectEqual(error?.description, "'~' has no meaning in a query\n    age ~ 3\n        ^")
    }

    /// An untrusted text cannot exhaust the stack.
    @Test(arguments: [
        String(repeating: "(", count: 100_000), String(repeating: "NOT ", count: 100_000) + "a == 1",
        "a" + String(repeating: " + 1", count: 100_000) + " == 1",
        String(repeating: "SUBQUERY(a, $x, ", count: 10_000), String(repeating: "(", count: 300) + "a == 1",
        String(repeating: "((((a) + 1) * ", count: 1000) + "2 == 1",
    ])
    func deepTextsAreRefused(_ text: String) {
        #expect(throws: QuerySyntaxError.self) { try ObjectQuery(text) }
    }

    @Test func `long flat texts are read`() throws {
        let parts = (0..<10_000).map { "a == \($0)" }
        guard case .or(let read) = try ObjectQuery(parts.joined(separator: " OR ")).predicate else {
            Issue.record("this is a disjunction")
            return
        }
        expectEqual(read.count, 10_000)
        expectEqual(read.last, comparison(property("a"), .equal, .integer("9999")))
    }

    /// The text of a query parses to the same query.
    @Test(arguments: [
        "a == 1 || b == 2 && c == 3", "(a == 1 OR b == 2) AND NOT (c == 3 OR d == 4)", "(a == 1 AND b == 2) AND c == 3",
        "NOT NOT a == 1", "a + (b - 1) * 2 >= c / (d / 2)", "name ==[c] 'it\\'s \\\"q\\\" \\\\ \\n'",
        "ALL x.y IN {1, 'a', NULL, T1:2}",
        "NONE x.@links.C.p BETWEEN {-1, 1.5e3}", "first\\ name LIKE 'a*'",
        "any_[*]['k'][$1][FIRST][LAST][3] == B64\"AAEC/w==\"",
        "SUBQUERY(a.b, $x, $x.c == $0 OR ALL $x.d > 3).@count == 2", "a.@sum.b > 1 AND a.@min < inf",
        "x == uuid(00112233-4455-6677-8899-aabbccddeeff) AND y == oid(000102030405060708090a0b)",
        "x == obj('C', 5) AND y == L1:2 AND z == O3 AND b == binary('q')", "x.@type == 'int' and y.@count == 2",
        "p GEOWITHIN geoCircle([1.5, $0], 2.0) OR p GEOWITHIN geoPolygon({[0, 0], [1, 0], [1, 1]})",
        "TRUEPREDICATE SORT(a.b ASC, c DESC) DISTINCT(a, b.c) LIMIT(3)", "$K0.x == ANY $1",
        "p GEOWITHIN geoBox([1, 2, 3.5], [4, 5])", "FALSEPREDICATE OR a == nan OR b == -inf",
    ])
    func `descriptions parse to the same query`(_ text: String) throws {
        let query = try ObjectQuery(text)
        try expectEqual(ObjectQuery(query.description), query, "\(query)")
    }
}
