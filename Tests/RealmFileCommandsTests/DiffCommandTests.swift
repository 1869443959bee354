import CommandTestSupport
import Expectations
import Foundation
import RealmFile
import RealmFileCommands
import TestSupport
import Testing

/// `diff` writes values in readable form, and names the compared commits.
@Suite final class DiffCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func build(_ name: String, _ fill: (RealmBuilder) throws -> Void) throws -> String {
        let schema = SchemaDefinition([
            TableDefinition(
                class: "Order", primaryKey: "id",
                [
                    PropertyDefinition("id", .int), PropertyDefinition("price", .decimal128),
                    PropertyDefinition("at", .timestamp), PropertyDefinition("any", .mixed),
                    PropertyDefinition("tags", .string, collection: .list),
                    PropertyDefinition("next", .link, target: "class_Order"),
                ])
        ])
        let builder = try RealmBuilder(schema, at: NewFile(folder.file(name)))
        try fill(builder)
        try builder.finish()
        return folder.file(name)
    }

    /// 12.50 and 1E+3 in BID form; 1,600,000,719.312 s after 1970 is 2020-09-13 12:38:39.312 UTC (date -u -d @1600000719).
    @Test func `values are printed in readable form`() async throws {
        let at = try #require(Timestamp(seconds: 1_600_000_719, nanoseconds: 312_000_000))
        let first = try build("a.realm") { builder in
            try builder.add(
                "Order",
                [
                    "id": 7, "price": .decimal128(Decimal128Bits(high: 0x303C << 48, low: 1250)),
                    "at": .timestamp(at), "any": .float(0), "tags": ["a", "b"], "next": .link(primaryKey: 7),
                ])
        }
        let second = try build("b.realm") { builder in
            try builder.add(
                "Order",
                [
                    "id": 7, "price": .decimal128(Decimal128Bits(high: 0x3046 << 48, low: 1)),
                    "at": .timestamp(try #require(Timestamp(seconds: -1, nanoseconds: 0))), "any": .double(0),
                    "tags": ["a", "b", "c"], "next": .null,
                ])
        }
        let run = await Run("diff", first, second)
        expectEqual(run.status, .findings)
        for line in [
            "price: 12.50 → 1E+3", "at: 2020-09-13 12:38:39.312 UTC → 1969-12-31 23:59:59 UTC",
            "any: float 0.0 → double 0.0", "tags: 2 elements → 3 elements, from [2] on [\"c\"]",
            "next: Order(id: 7) → null", "--- \(first)  commit ",
        ] {
            expect(run.output.contains(line), "\(line)\n\(run.output)")
        }
    }

    /// The same orders under other object keys: the message names the way to compare them, which finds no difference.
    @Test func `other object keys are reported, with the way to compare`() async throws {
        let at = try #require(Timestamp(seconds: 0, nanoseconds: 0))
        func order(_ id: Int64) -> [String: NewValue] {
            ["id": .int(id), "price": .decimal128(Decimal128Bits(high: 0x3040 << 48, low: 5)), "at": .timestamp(at)]
        }
        let first = try build("a.realm") { builder in
            for id in 1...3 as ClosedRange<Int64> { try builder.add("Order", order(id)) }
        }
        let second = try build("b.realm") { builder in
            for id in [3, 2, 1] as [Int64] { try builder.add("Order", order(id)) }
        }
        let run = await Run("diff", first, second)
        expectEqual(run.status, .findings)
        let command = try #require(AdviceTests.commands(run).last)
        expect(command.hasSuffix(" --by-primary-key"))
        await expectEqual(Run(Array(try AdviceTests.words(command).dropFirst())).status, .success)
    }

    /// Compares commits of one file. Their numbers are shifted integers at 6 in the roots, whose elements have 4 bytes
    /// (Spec 60), and the header has the roots at 0 and 8.
    @Test func `commits of one file are compared`() async throws {
        let file = try KnownFile.fixture("kennel")
        let bytes = try file.bytes()
        func number(_ offset: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        let roots = [number(0, 8), number(8, 8)]
        let numbers = roots.map { number($0 + 8 + 6 * 4, 4) >> 1 }
        let current = Int(bytes[23] & 1)
        expect(numbers[current] == 3 && numbers[1 - current] == 2)
        let path = file.url.path
        let heads = [1 - current, current].map { "\(path)  commit \(numbers[$0]) at 0x\(String(roots[$0], radix: 16))" }
        let run = await Run("diff", path, path, "--slot", "other")
        expect(run.output.hasPrefix("--- \(heads[0])\n+++ \(heads[1])\n"), "\(run.output)")
        let commits = try await Run("diff", path, path, "--slot", "other", "--json").json().objects("commits")
        try expectEqual(commits.map { try $0.number("commit") }, [2, 3])
    }

    /// Numbers that look alike are distinguished, and times before 1970 and in the far future are correct. Independent
    /// sources: IEEE 754 (bits of the quiet NaN, a third in both widths), Decimal128 in BID form, `date -u -d @…`.
    @Test(
        arguments: [
            (.float(1 / 3), .double(1 / 3), "0.33333334", "0.3333333333333333"),
            (.float(0), .float(-0.0), "0.0", "-0.0"),
            (
                .double(.nan), .double(Double(bitPattern: 0x7FF8_0000_0000_0001)), "NaN 0x7ff8000000000000",
                "NaN 0x7ff8000000000001"
            ),
            (.float(.nan), .double(.nan), "NaN 0x7fc00000", "NaN 0x7ff8000000000000"),
            (.double(.infinity), .double(-.infinity), "inf", "-inf"),
            (.int(1), .string("1"), "1", "\"1\""),
            (.int(1), .bool(true), "1", "true"),
            (.decimal128(Decimal128Bits(high: 0x3040 << 48, low: 1)), .int(1), "decimal 1", "int 1"),
            (
                .decimal128(Decimal128Bits(high: 0x3040 << 48, low: 10)),
                .decimal128(Decimal128Bits(high: 0x303E << 48, low: 100)), "10", "10.0"
            ),
            (
                .decimal128(Decimal128Bits(high: 0xB03C << 48, low: 5)),
                .decimal128(Decimal128Bits(high: 0x7C00 << 48, low: 0)), "-0.05", "NaN"
            ),
            (
                .decimal128(Decimal128Bits(high: 0x7800 << 48, low: 0)),
                .decimal128(Decimal128Bits(high: 0xF800 << 48, low: 0)),
                "Infinity", "-Infinity"
            ),
            (time(-1, -1), time(0, 1), "1969-12-31 23:59:58.999999999 UTC", "1970-01-01 00:00:00.000000001 UTC"),
            (time(253_402_300_800, 0), time(951_868_799, 0), "10000-01-01 00:00:00 UTC", "2000-02-29 23:59:59 UTC"),
        ] as [(NewValue, NewValue, String, String)])
    func texts(_ first: NewValue, _ second: NewValue, _ text: String, _ other: String) async throws {
        let paths = try [("a.realm", first), ("b.realm", second)].map { name, value in
            let schema = SchemaDefinition([TableDefinition(class: "Box", [PropertyDefinition("any", .mixed)])])
            let builder = try RealmBuilder(schema, at: NewFile(folder.file(name)))
            try builder.add("Box", ["any": value])
            try builder.finish()
            return folder.file(name)
        }
        let run = await Run("diff", paths[0], paths[1])
        expect(run.output.contains("        any: \(text) → \(other)\n"), "\(run.output)")
    }

    private static func time(_ seconds: Int64, _ nanoseconds: Int64) -> NewValue {
        Timestamp(seconds: seconds, nanoseconds: nanoseconds).map { .timestamp($0) } ?? .null
    }
}
