import Expectations
import Foundation
import TestSupport
import Testing

import RealmLayout

/// The Spec's tables and the code's constants agree, in both directions: a row without a constant fails, and so does a
/// constant without a row.
struct SpecTableTests {
    let spec: SpecDocument

    init() throws { spec = try SpecDocument.load() }

    @Test func `every table has a test`() {
        let tested = [
            "file-header", "node-flags", "width-codes", "width-types", "group-top", "table-top", "spec-slots",
            "cluster-inner", "mixed-slots", "column-types", "column-attributes", "column-key", "table-kinds",
            "history-types", "mixed-payloads", "null-patterns", "decimal-layouts", "formats", "limits",
            "legacy-table-top", "legacy-spec-slots", "legacy-timestamp-slots", "legacy-mixed-slots",
            "legacy-mixed-types",
            // Compared next to their constants, in the tests of RealmCore and RealmForensics.
            "checks", "sdk-releases", "legacy-sdk-releases", "legacy-column-types",
            "encryption-entry", "encryption-sizes",
            "content-tags", "content-messages", "content-hashes",
        ]
        expectEqual(spec.tables.map(\.name).sorted(), tested.sorted())
    }

    @Test func `the file header matches the code`() throws {
        let ends = FileHeader.Offset.allCases.dropFirst().map(\.rawValue) + [FileHeader.size]
        let fields = zip(FileHeader.Offset.allCases, ends).map { offset, end in
            ["\(offset.rawValue)", "\(end - offset.rawValue)", "\(offset)"]
        }
        try expectEqual(rows("file-header", ["offset", "size", "field"]), fields)
    }

    @Test func `the node header matches the code`() throws {
        let masks = [
            ("inner", NodeHeader.Mask.inner), ("hasRefs", NodeHeader.Mask.hasRefs),
            ("context", NodeHeader.Mask.context), ("widthType", NodeHeader.Mask.widthType),
            ("widthCode", NodeHeader.Mask.widthCode),
        ]
        try expectEqual(rows("node-flags", ["mask", "field"]), masks.map { [hexadecimal(UInt64($1), digits: 2), $0] })
        expectEqual(masks.reduce(0) { $0 | $1.1 }, 0xFF)
        let widths = (0...7).map { ["\($0)", "\(NodeHeader(word: UInt64($0) << 32).width)"] }
        try expectEqual(rows("width-codes", ["code", "width"]), widths)
        let types = NodeHeader.WidthType.allCases.map { ["\($0.rawValue)", "\($0)"] }
        try expectEqual(rows("width-types", ["value", "name"]), types)
    }

    @Test func `slots match the code`() throws {
        try expectEqual(rows("group-top", ["slot", "field"]), names(of: GroupTopSlot.self))
        try expectEqual(rows("table-top", ["slot", "field"]), names(of: TableTopSlot.self))
        try expectEqual(rows("spec-slots", ["slot", "field"]), names(of: SpecSlot.self))
        try expectEqual(rows("cluster-inner", ["slot", "field"]), names(of: ClusterInnerSlot.self))
        try expectEqual(rows("mixed-slots", ["slot", "field"]), names(of: MixedSlot.self))
    }

    @Test func `slots of old formats match the code`() throws {
        try expectEqual(rows("legacy-table-top", ["slot", "field"]), names(of: LegacyTableTopSlot.self))
        try expectEqual(rows("legacy-spec-slots", ["slot", "field"]), names(of: LegacySpecSlot.self))
        try expectEqual(rows("legacy-timestamp-slots", ["slot", "field"]), names(of: TimestampSlot.self))
        try expectEqual(rows("legacy-mixed-slots", ["slot", "field"]), names(of: LegacyMixedSlot.self))
        try expectEqual(rows("legacy-mixed-types", ["type", "name"]), names(of: LegacyMixedType.self))
    }

    @Test func `kinds of nodes match the code`() throws {
        try expectEqual(rows("table-kinds", ["value", "name"]), names(of: TableKind.self))
        try expectEqual(rows("history-types", ["value", "name"]), names(of: HistoryType.self))
    }

    @Test func `types and attributes of columns match the code`() throws {
        try expectEqual(rows("column-types", ["value", "name"]), names(of: ColumnType.self))
        let formats = Set(FormatVersion.clustered.map(\.description))
        try expect(rows("column-types", ["since"]).allSatisfy { formats.contains($0[0]) })
        try expectEqual(rows("column-types", ["since"]), ColumnType.allCases.map { ["\($0.firstFormat)"] })
        let attributes = ColumnAttributes.named.map { ["\($0.value.rawValue)", $0.name] }
        try expectEqual(rows("column-attributes", ["value", "name"]), attributes)
    }

    /// Sets every bit in turn and finds the property of the key that changes.
    @Test func `each bit of a column key belongs to the part named in the Spec`() throws {
        var fields: [String] = []
        var ranges: [ClosedRange<Int>] = []
        for row in try rows("column-key", ["bits", "field"]) {
            let bounds = row[0].split(separator: "-").compactMap { Int($0) }
            try #require(bounds.count == 2 && bounds[0] <= bounds[1])
            ranges.append(bounds[0]...bounds[1])
            fields.append(row[1])
        }
        expectEqual(fields, ["index", "type", "attributes", "tag"])
        for bit in 0..<62 {
            let key = ColumnKey(1 << Int64(bit))
            let values = [key.index.number, key.typeNumber, key.attributes.rawValue, Int(key.tag)]
            expectEqual(values, ranges.map { $0.contains(bit) ? 1 << (bit - $0.lowerBound) : 0 }, "bit \(bit)")
        }
    }

    /// The reader determines the payloads of a type; here only types and slots must exist.
    @Test func `payloads of Mixed have types and slots`() throws {
        let payloads = try rows("mixed-payloads", ["type", "payload"])
        let neverInMixed: Set<ColumnType> = [.mixed, .linkList, .backLink, .set]
        let types = Set(ColumnType.allCases).subtracting(neverInMixed).map { "\($0)" }
        expectEqual(Set(payloads.map { $0[0] }), Set(types))
        let slots = MixedSlot.allCases.filter { $0 != .collectionKeys }.map { "\($0.rawValue)" }
        expectEqual(Set(payloads.map { $0[1] }), Set(slots))
    }

    @Test func `patterns of null match the code`() throws {
        let wide =
            hexadecimal(NullPattern.decimal128High, digits: 16)
            + hexadecimal(NullPattern.decimal128Low, digits: 16).dropFirst(2)
        let patterns = [
            ["bool", "\(NullPattern.bool)"],
            ["float", hexadecimal(UInt64(NullPattern.float), digits: 8)],
            ["double", hexadecimal(NullPattern.double, digits: 16)],
            ["decimal32", hexadecimal(UInt64(NullPattern.decimal32), digits: 8)],
            ["decimal64", hexadecimal(NullPattern.decimal64, digits: 16)],
            ["decimal128", wide],
        ]
        try expectEqual(rows("null-patterns", ["encoding", "pattern"]), patterns)
    }

    /// The number 1 in each layout, built from the table's numbers, is read as 1; the sizes are those of IEEE 754.
    @Test func `the layouts of decimals match IEEE 754`() throws {
        let layouts = try rows("decimal-layouts", ["width", "exponentBits", "bias", "coefficientDigits"])
            .map { $0.compactMap { Int($0) } }
        expectEqual(layouts.map(\.first), [4, 8, 16])
        expectEqual(layouts.map { $0[2] }, [Decimal128Bits.bias32, Decimal128Bits.bias64, Decimal128Bits.bias])
        for layout in layouts {
            let (bits, exponentBits, bias, digits) = (layout[0] * 8, layout[1], layout[2], layout[3])
            expectEqual(exponentBits, bits / 16 + 6)
            expectEqual(digits, 9 * bits / 32 - 2)
            let field = UInt64(bias) << UInt64(min(bits, 64) - 1 - exponentBits)
            let one =
                switch bits {
                case 32: Decimal128Bits(bid32: UInt32(field | 1))
                case 64: Decimal128Bits(bid64: field | 1)
                default: Decimal128Bits(high: field, low: 1)
                }
            expectEqual(one, Decimal128Bits(high: Decimal128Bits.zero.high, low: 1))
        }
    }

    @Test func `formats match the code`() throws {
        let known = FormatVersion.legacy + FormatVersion.clustered
        try expectEqual(rows("formats", ["format"]).map { $0[0] }, known.map(\.description))
        try expect(rows("formats", ["core", "sdk", "since/new"]).joined().allSatisfy { !$0.isEmpty })
    }

    @Test func `limits match the code`() throws {
        // `treeDepth` and `embeddingDepth` are limits of this toolkit, not of the format.
        let constants = [
            "nodeElements": Limits.nodeElements, "clusterObjects": Limits.clusterObjects,
            "clusterChildren": Limits.clusterChildren, "nameBytes": Limits.nameBytes, "tableSlots": Limits.tableSlots,
            "columns": Limits.columns, "nestingDepth": Limits.nestingDepth,
        ]
        // Needed by writers only; no constant yet.
        let withoutConstant: Set = [
            "bplusTreeElements", "bplusTreeChildren", "indexChunks", "stringBytes", "binaryBytes", "classNameBytes",
            "indexedPrefixBytes", "fullTextWordBytes", "nodeBytes",
        ]
        var seen: Set<String> = []
        for row in try rows("limits", ["limit", "value"]) {
            expect(seen.insert(row[0]).inserted)
            expect((Int(row[1]) ?? 0) > 0)
            if let constant = constants[row[0]] {
                expectEqual(row[1], "\(constant)", "\(row[0])")
            } else {
                expect(withoutConstant.contains(row[0]), "\(row[0]) has neither constant nor exemption")
            }
        }
        expectEqual(seen, withoutConstant.union(constants.keys))
    }

    /// The page from header to value has the same names of slots, bits and numbers as the chapters.
    @Test func `the page from header to value matches the chapters`() throws {
        let url = KnownFile.packageRoot.appending(path: "Spec/05-cheat-sheet.md")
        let text = try String(contentsOf: url, encoding: .utf8)
        for table in ["group-top", "table-top", "spec-slots", "cluster-inner", "mixed-slots"] {
            let slots = try rows(table, ["slot", "field"]).map { $0.joined(separator: " ") }
            expect(text.contains(slots.joined(separator: ", ")), "\(table)")
        }
        let bits = try rows("column-key", ["bits", "field"]).map { "bits \($0[0]) \($0[1])" }
        expect(text.contains(bits.joined(separator: ", ")))
        let attributes = try rows("column-attributes", ["value", "name"]).map { $0.joined(separator: " ") }
        expect(text.contains(attributes.joined(separator: ", ")))
        let fields = try rows("file-header", ["field"]).joined().filter { $0 != "mnemonic" }
        expect(text.contains("topRef0 | topRef1 | `T-DB` | \(fields.dropFirst(2).joined(separator: " | ")) |"))
        // Types that occur only in values of Mixed are not columns.
        let inMixed: Set = ["typedLink", "list", "set", "dictionary"]
        for type in try rows("column-types", ["value", "name"]) where !inMixed.contains(type[1]) {
            expect(text.contains(type.joined(separator: " ")), "\(type[1])")
        }
        for pattern in try rows("null-patterns", ["encoding", "pattern"])
        where ["float", "double"].contains(pattern[0]) {
            expect(text.contains("`\(pattern[1].dropFirst(2))`"), "\(pattern[0])")
        }
    }

    private func rows(_ name: String, _ columns: [String]) throws -> [[String]] { try spec.rows(name, columns) }

    /// Returns the number and name of every case.
    private func names<T: CaseIterable & RawRepresentable>(of type: T.Type) -> [[String]] where T.RawValue == Int {
        T.allCases.map { ["\($0.rawValue)", "\($0)"] }
    }

    private func hexadecimal(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16)
        return "0x" + String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
