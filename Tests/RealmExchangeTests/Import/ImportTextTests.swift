import Expectations
import RealmCore
import RealmExchange
import RealmLayout
import TestSupport
import Testing

/// Values as written in JSON: none silently becomes another one.
@Suite struct ImportTextTests {
    /// The parser: libbson for Extended JSON, json-c for plain JSON.
    enum Reader: CaseIterable {
        case extended, plain
    }

    private func value(_ text: String, _ reader: Reader) throws -> Value {
        let imported = try Imported(["T.json": #"{"_id": 1, "v": \#(text)}"#]) {
            if reader == .plain { $0.format = .json }
        }
        expect(imported.losses.isEmpty)
        return try imported.values("T")[0][1]
    }

    private func refusal(_ text: String, _ reader: Reader) -> DocumentError? {
        do {
            _ = try value(text, reader)
        } catch ImportError.document(let error) {
            return error
        } catch {}
        return nil
    }

    @Test(arguments: Reader.allCases) func `numbers keep their values`(_ reader: Reader) throws {
        let expected: [(String, Value)] = [
            ("0", .int(0)), ("-1", .int(-1)), ("2147483648", .int(2_147_483_648)),
            ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
            ("0.1", .double(0.1)), ("1e2", .double(100)), ("-0.0", .double(-0.0)), ("1E-2", .double(0.01)),
            ("2.2250738585072014e-308", .double(.leastNormalMagnitude)),
            ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
            // Out of range for 64 bits: doubles, as written by programs that have no other numbers.
            ("9223372036854775808", .double(9_223_372_036_854_775_808)),
            ("18446744073709551616", .double(18_446_744_073_709_551_616)),
            ("-18446744073709551616", .double(-18_446_744_073_709_551_616)),
            ("100000000000000000000", .double(1e20)),
        ]
        for (text, expected) in expected { try expectEqual(value(text, reader), expected, "\(text)") }
        // In lists, one after another, and next to digits in strings.
        let list = try value(#"[1,18446744073709551616,2, 36893488147419103232 ,"99999999999999999999",3]"#, reader)
        expectEqual(
            list,
            .list([
                .int(1), .double(18_446_744_073_709_551_616), .int(2), .double(36_893_488_147_419_103_232),
                .string("99999999999999999999"), .int(3),
            ]))
        for text in ["1e999", "-1e999", "01", "--1"] {
            expectEqual(refusal(text, reader)?.code, .malformed, "\(text)")
        }
    }

    @Test(arguments: Reader.allCases) func `texts keep their characters`(_ reader: Reader) throws {
        let expected: [(String, Value)] = [
            (#""""#, .string("")), (#""\u00e9\ud83d\ude00""#, .string("é😀")), (#""a\u0000b""#, .string("a\0b")),
            (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")), ("true", .bool(true)), ("false", .bool(false)),
            ("[]", .list([])), (#"["\\u0000", "x"]"#, .list([.string("\\u0000"), .string("x")])),
        ]
        for (text, expected) in expected { try expectEqual(value(text, reader), expected, "\(text)") }
        for text in [#""\u12""#, "[1,]"] { expectEqual(refusal(text, reader)?.code, .malformed, "\(text)") }
    }

    /// A lone surrogate is not a character: it is replaced by U+FFFD, and counted.
    @Test(
        arguments: [
            (#""\ud800""#, "\u{FFFD}", 1), (#""\ud800x""#, "\u{FFFD}x", 1), (#""\udc00\ud800""#, "\u{FFFD}\u{FFFD}", 2),
        ] as [(String, String, Int)], Reader.allCases)
    func `half characters are counted`(_ example: (text: String, value: String, count: Int), _ reader: Reader) throws {
        let imported = try Imported(["T.json": #"{"_id": 1, "v": \#(example.text)}"#]) {
            if reader == .plain { $0.format = .json }
        }
        expectEqual(imported.losses, ["T.v malformedText \(example.count) 0"])
        try expectEqual(imported.values("T")[0][1], .string(example.value))
    }

    /// A NUL in a name, where json-c would end it, is read as in BSON; libbson refuses it.
    @Test func `a name that contains NUL is refused`() throws {
        let text = #"{"_id": 1, "a\u0000b\u0000": 1, "c": {"\u0000" : 2}, "d": "e\u0000f"}"#
        let imported = try Imported(["T.json": text]) { ($0.format, $0.nesting) = (.json, .dictionary) }
        expect(imported.schemaText.contains("a%00b%00  int"))
        let values = try imported.values("T")[0]
        expect(values[1] == .int(1) && values[3] == .string("e\0f"))
        guard case .dictionary(let entries) = values[2] else { throw TestSupportError("no dictionary") }
        expect(entries.map(\.key) == [.string("%00")] && entries.map(\.value) == [.int(2)])
        #expect(throws: ImportError.self) { try Imported(["T.json": text]) }
    }

    /// An export in plain JSON gives the same file if the format is not specified: the schema identifies the texts that
    /// are dates or identifiers. Only names that begin with `$` are read differently.
    @Test(arguments: KnownFile.fixtures)
    func `exports in plain JSON are restored with their schema`(_ file: KnownFile) async throws {
        let folder = try TemporaryFolder()
        let snapshot = try RealmDatabase(path: file.url.path).snapshot()
        var options = ExportOptions()
        options.format = .json
        let report = try await Exporter(snapshot, options).export(toFolder: folder.file("data"), database: "db")
        guard report.collections.contains(where: { $0.objects > 0 }) else { return }
        let files = [nil, DocumentFormat.json].map { format in
            var options = ImportOptions()
            options.format = format
            let name = "\(format?.rawValue ?? "usual").realm"
            return Result {
                let report = try Importer([folder.file("data")], options).run(to: folder.file(name))
                return (
                    folder.bytes(name),
                    report.losses.map { "\($0.className) \($0.property ?? "") \($0.kind) \($0.count)" }
                )
            }
        }
        let (usual, plain) = (try files[0].get(), try files[1].get())
        expectEqual(usual.1, plain.1)
        expectEqual(usual.0, plain.0)
    }

    @Test func `names with a dollar sign are names`() throws {
        let files = ["T.json": #"{"_id": 1, "v": {"$oid": "0123456789abcdef01234567"}}"#]
        let usual = try Imported(files)
        expect(usual.schemaText.contains("v    objectId"), "\(usual.schemaText)")
        let plain = try Imported(files) { ($0.format, $0.nesting) = (.json, .dictionary) }
        guard case .dictionary(let entries) = try plain.values("T")[0][1] else {
            throw TestSupportError("no dictionary")
        }
        expectEqual(entries.map(\.value), [.string("0123456789abcdef01234567")])
    }

    /// Input that libbson would misread is refused with its place.
    @Test func `wrappers that libbson would misread are refused and their place is reported`() throws {
        let fine: [(String, Value)] = [
            (#"{"$numberDecimal": "1.10"}"#, .decimal128(Decimal128Bits(high: 0x303C_0000_0000_0000, low: 110))),
            (#"{"$numberDecimal" : "NaN"}"#, .decimal128(Decimal128Bits(high: 0x7C00_0000_0000_0000, low: 0))),
            (
                #"{"$date": "2024-02-29T00:00:00Z"}"#,
                .timestamp(try #require(Timestamp(seconds: 1_709_164_800, nanoseconds: 0)))
            ),
        ]
        for (text, expected) in fine { try expectEqual(value(text, .extended), expected, "\(text)") }
        for text in [
            #"{"$numberDecimal":"1e7000"}"#, #"{"$numberDecimal": "1.2345678901234567890123456789012345678"}"#,
            #"{"$numberDecimal" : "x"}"#, #"{"$date":"2023-02-29T00:00:00Z"}"#, #"{"$date": "2024-04-31T00:00:00.5Z"}"#,
            #"{"$numberLong": "18446744073709551616"}"#, #"{"$numberInt": "2147483648"}"#,
            #"{"$date": {"$numberLong": "99999999999999999999"}}"#,
        ] {
            let error = refusal(text, .extended)
            expect(error?.code == .malformed && error?.document == 0, "\(text)")
        }
        // As values, the same texts are strings.
        try expectEqual(
            value(#"["$numberDecimal", "x"]"#, .extended), .list([.string("$numberDecimal"), .string("x")]))
    }

    /// Invalid days of a month are not dates in comma-separated values either.
    @Test func `days that no month has are not dates`() throws {
        let imported = try Imported(["T.csv": "_id.int64(),at.date()\n1,2023-02-29T00:00:00Z\n2,2024-02-29T00:00:00Z\n"]
        )
        expectEqual(imported.losses, ["T.at wrongType 1 0"])
        try expectEqual(imported.values("T").map { $0[1] != .null }, [false, true])
    }
}
