import Expectations
import RealmExchange
import TestSupport
import Testing

/// Extended JSON, read with libbson, has the content of the BSON; plain JSON, read with json-c, and CSV have the values
/// of the typed dump.
@Suite struct JSONTests {
    /// These suites use the available files; without the corpus, those are the fixtures.
    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"))
    func `files of the corpus exist`() throws {
        let listed = try KnownFile.corpusListing()
        let plain = listed.filter { $0.hasSuffix(".realm") }.map { String($0.dropLast(".realm".count)) }
            .filter { !listed.contains("\($0).key.hex") }
        expectEqual(Set(KnownFile.corpus.filter(\.isPlain).map(\.name)), Set(plain))
        let exported = Set(ExportedFiles.inAllForms.map(\.name))
        expectEqual(exported.count, ExportedFiles.inAllForms.count)
        expect(exported.isSuperset(of: ExportedFiles.fixtures.map(\.name)))
        // All but the large ones; every third of those with the same data in older formats.
        let (old, others) = (plain.filter { $0.hasPrefix("old/") }, plain.filter { !$0.hasPrefix("old/") })
        expectEqual(others.filter { !exported.contains($0) && !ExportedFiles.isLarge($0) }, [])
        expect(old.count(where: exported.contains) >= old.count / 4)
        expectEqual(ExportedFiles.inManyClusters.count, 3)
    }

    /// Each file in all forms of text.
    @Test(arguments: ExportedFiles.inAllFormsThisTime)
    func `a file has the same content in all forms of text`(_ file: KnownFile) async throws {
        let content = try Content(file)
        try await Self.extendedJSON(content)
        try await Self.plainJSON(content)
        try await Self.safeIntsInAnArray(content)
        try await Self.commaSeparatedValues(content)
    }

    static func extendedJSON(_ content: Content) async throws {
        for form in ExportOptions.ExtendedJSONForm.allCases {
            let exported = try await Exported(content.snapshot) {
                $0.format = .ejson
                $0.extendedJSONForm = form
            }
            var expected = ExpectedDocuments<BSONValue>(content, .extendedJSON)
            for table in content.collections {
                let documents = try expected.documents(of: table).map { $0.asText(isRelaxed: form == .relaxed) }
                let found = try lines(exported, table).map {
                    try BSONValue(parsingJSON: $0).asText(isRelaxed: form == .relaxed)
                }
                let differences = differences(documents, found, in: table.className)
                expect(differences.isEmpty, "\(form): \(differences.joined(separator: "\n"))")
            }
            expected.countOrphans()
            expectEqual(exported.losses, expected.losses)
        }
    }

    static func plainJSON(_ content: Content) async throws {
        let exported = try await Exported(content.snapshot) { $0.format = .json }
        var expected = ExpectedDocuments<PlainJSON>(content, .asTheyAre)
        for table in content.collections {
            let documents = try expected.documents(of: table)
            let found = try lines(exported, table).map { try PlainJSON(parsing: $0) }
            let differences = differences(documents, found, in: table.className)
            expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
        }
        expected.countOrphans()
        expectEqual(exported.losses, expected.losses)
    }

    private static func safeIntsInAnArray(_ content: Content) async throws {
        let exported = try await Exported(content.snapshot) {
            $0.format = .json
            $0.hasSafeInts = true
            $0.isJSONArray = true
            $0.keepsNulls = true
        }
        var expected = ExpectedDocuments<PlainJSON>(content, .asTheyAre)
        expected.keepsNulls = true
        for table in content.collections {
            let documents = try expected.documents(of: table).map(\.withSafeInts)
            let array = try PlainJSON(parsing: exported.bytes("\(table.className).json"))
            guard case .array(let found) = array else { throw TestSupportError("not an array") }
            let differences = differences(documents, found, in: table.className)
            expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
        }
    }

    static func commaSeparatedValues(_ content: Content) async throws {
        for keepsNulls in [false, true] { try await commaSeparatedValues(content, keepsNulls) }
    }

    private static func commaSeparatedValues(_ content: Content, _ keepsNulls: Bool) async throws {
        let exported = try await Exported(content.snapshot) {
            $0.format = .csv
            $0.keepsNulls = keepsNulls
        }
        var expected = ExpectedDocuments<PlainJSON>(content, .asTheyAre)
        expected.hasTextFields = true
        // A line has all fields.
        expected.keepsNulls = true
        expected.keepsNullsInside = keepsNulls
        for table in content.collections {
            var records = try CSVText.records(of: exported.bytes("\(table.className).csv"))
            let documents = try expected.documents(of: table)
            let header = records.removeFirst().map(\.bytes)
            expectEqual(header.first, Array("_id".utf8))
            expectEqual(records.count, documents.count)
            for (record, document) in zip(records, documents) {
                guard case .object(let members) = document else { throw TestSupportError("not an object") }
                guard members.map(\.name) == header, record.count == header.count else {
                    Issue.record("\(table.className): fields \(members.count), header \(header.count)")
                    break
                }
                for (field, member) in zip(record, members) where try !field.holds(member.value) {
                    Issue.record(
                        "\(table.className).\(String(decoding: member.name, as: UTF8.self)): expected \(member.value), found \(field)"
                    )
                }
            }
        }
        expected.countOrphans()
        expectEqual(exported.losses, expected.losses)
    }

    private static func lines(_ exported: Exported, _ table: TypedDump.Table) throws -> [ArraySlice<UInt8>] {
        let bytes = try exported.bytes("\(table.className).jsonl")
        expect(bytes.isEmpty || bytes.last == UInt8(ascii: "\n"))
        return bytes.split(separator: UInt8(ascii: "\n"))
    }
}

extension BSONValue {
    /// Returns the value as preserved by Extended JSON: NaN has no payload; in the relaxed form, integers have no
    /// width.
    func asText(isRelaxed: Bool) -> BSONValue {
        switch self {
        case .double(let bits) where Double(bitPattern: bits).isNaN: .double(Double.nan.bitPattern)
        case .decimal(let high, _) where high & 0x7C00_0000_0000_0000 == 0x7C00_0000_0000_0000:
            .decimal(high: 0x7C00_0000_0000_0000, low: 0)
        case .int32(let value) where isRelaxed: .int64(Int64(value))
        case .array(let values): .array(values.map { $0.asText(isRelaxed: isRelaxed) })
        case .document(let fields):
            .document(fields.map { Field($0.name, $0.value.asText(isRelaxed: isRelaxed)) })
        default: self
        }
    }
}

extension PlainJSON {
    /// The value with strings for integers that doubles cannot represent.
    fileprivate var withSafeInts: PlainJSON {
        switch self {
        case .int(let value) where value > 9_007_199_254_740_992 || value < -9_007_199_254_740_992:
            .string(Array(String(value).utf8))
        case .array(let values): .array(values.map(\.withSafeInts))
        case .object(let members): .object(members.map { Member(name: $0.name, value: $0.value.withSafeInts) })
        default: self
        }
    }
}

/// A reader for RFC 4180.
enum CSVText {
    struct Field {
        var bytes: [UInt8] = []
        var isQuoted = false

        /// Whether this is the text of a value: null is empty, text is verbatim, compound values are JSON.
        func holds(_ value: PlainJSON) throws -> Bool {
            switch value {
            case .null: !isQuoted && bytes.isEmpty
            case .bool(let value): bytes == Array("\(value)".utf8)
            case .int(let value): bytes == Array("\(value)".utf8)
            case .number(let text): bytes == Array(text.utf8)
            case .string(let text): bytes == text && (isQuoted || !text.isEmpty)
            case .longString, .longBinary: value.accepts(.string(bytes))
            case .array, .object: value.accepts(try PlainJSON(parsing: bytes))
            }
        }
    }

    static func records(of bytes: [UInt8]) throws -> [[Field]] {
        var records: [[Field]] = []
        var record: [Field] = []
        var field = Field()
        var offset = 0
        var isInQuotes = false
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if isInQuotes {
                guard byte == UInt8(ascii: "\"") else {
                    field.bytes.append(byte)
                    continue
                }
                guard offset < bytes.count, bytes[offset] == byte else {
                    isInQuotes = false
                    continue
                }
                field.bytes.append(byte)
                offset += 1
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                guard field.bytes.isEmpty, !field.isQuoted else { throw TestSupportError("a quote inside a field") }
                field.isQuoted = true
                isInQuotes = true
            case UInt8(ascii: ","):
                record.append(field)
                field = Field()
            case 0x0D: throw TestSupportError("a CR outside of quotes")
            case 0x0A:
                record.append(field)
                field = Field()
                records.append(record)
                record = []
            default:
                guard !field.isQuoted else { throw TestSupportError("bytes after a quote") }
                field.bytes.append(byte)
            }
        }
        guard record.isEmpty, !isInQuotes else { throw TestSupportError("the last line has no end") }
        return records
    }
}
