import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import TestSupport
import Testing

/// Nodes of formats 2 to 9 are identified.
@Suite struct LegacyInspectionTests {
    private static func inspector(_ file: KnownFile) throws -> NodeInspector {
        NodeInspector(try RealmDatabase(path: file.url.path).snapshot())
    }

    /// Checks that every node has a known purpose, and no damage.
    private func inspectAll(_ file: KnownFile) throws {
        let snapshot = try RealmDatabase(path: file.url.path).snapshot()
        let inspector = NodeInspector(snapshot)
        var walk = NodeWalk(root: try #require(snapshot.topRef), in: snapshot.space)
        while let step = walk.next() {
            guard case .node(let found) = step else {
                Issue.record("\(file) at \(walk.path): \(step)")
                continue
            }
            let node = try inspector.node(at: walk.path)
            expectEqual(node.ref, found.ref)
            let isKnown = !node.title.hasPrefix("unknown") && !node.title.hasPrefix("part ")
            // The histories of synchronised files are not described, nor are remains of tables after an upgrade.
            expect(isKnown || file.name.hasPrefix("upstream/"), "\(file) at \(walk.path): \(node.title)")
            guard !node.isBytes else { continue }
            for index in 0..<min(node.count, 8) {
                let note = node.element(at: index).note ?? ""
                expect(!note.contains("damaged"), "\(file) at \(walk.path): \(note)")
            }
            if let values = node.values, values.count > 0 {
                let text = values.text(at: values.count - 1)
                expect(!text.contains("damaged"), "\(file) at \(walk.path): \(text)")
            }
        }
    }

    @Test(arguments: KnownFile.legacyFixtures)
    func `every node of a fixture has a role`(_ file: KnownFile) throws { try inspectAll(file) }

    @Test(
        .enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"),
        arguments: KnownFile.corpus.filter(\.isLegacy))
    func `every node of a corpus file has a role`(_ file: KnownFile) throws { try inspectAll(file) }

    /// The types of columns and their names are those of the Spec, in both directions.
    @Test func `types of columns match the Spec, in both directions`() throws {
        let known = (0...255).compactMap { number in LegacyType(rawValue: number).map { ["\(number)", "\($0)"] } }
        try expectEqual(SpecDocument.load().rows("legacy-column-types", ["value", "name"]), known)
    }

    /// Returns lines of `inspect`: name, content, bits, note.
    private func lines(_ node: InspectedNode, _ indexes: Range<Int>) -> [String] {
        indexes.map { index in
            let element = node.element(at: index)
            let content =
                switch element.content {
                case .empty: "-"
                case .ref(let ref): "\(ref)"
                case .tagged(let number): "\(number)"
                case .number(let number): "\(number)"
                case .bytes: "bytes"
                }
            return [element.name ?? "", content, element.raw, element.note ?? ""].joined(separator: "|")
        }
    }

    /// Refs and bits equal those of the annotated bytes in the Spec's chapters 100 and 110.
    @Test(
        arguments: [
            (
                "format-9-people", [1, 2], "top of class_Person",
                [
                    "spec|0x308|0308|spec of class_Person: 4 16-bit ref elements",
                    "columns|0x470|0470|columns of class_Person: 5 16-bit ref elements",
                ]
            ),
            (
                "format-9-people", [1, 2, 0, 0], "column types of class_Person",
                ["|0|0|int", "|2|2|string", "|13|d|linkList", "|14|e|backLink"]
            ),
            (
                "format-9-people", [1, 2, 0, 3], "targets of links and subtables of class_Person",
                [
                    "target of dogs|3|7|class_Dog", "origin of backlinks|4|9|class_DogClub",
                    "column of backlinks|1|3|class_DogClub.members",
                ]
            ),
            (
                "format-9-people", [1, 2, 1], "columns of class_Person",
                [
                    "id|0x318|0318|column class_Person.id: 10 4-bit elements: 1, 2, 3, 4, …",
                    "index of id|0x358|0358|search index of class_Person.id: 11 16-bit ref elements",
                    "name|0x378|0378|column class_Person.name: 10 8-byte elements: \"Minjun\", \"Alice\", \"지우\", \"Chidi\", …",
                    "dogs|0x440|0440|column class_Person.dogs: 10 16-bit ref elements",
                    "backlinks from class_DogClub.members|0x460|0460|"
                        + "backlinks in class_Person from class_DogClub.members: 10 2-bit ref elements",
                ]
            ),
            (
                "format-9-people", [1, 2, 1, 3, 2], "list in row 2 of the column class_Person.dogs",
                ["|4|4|-> 4", "|5|5|-> 5"]
            ),
            (
                "format-6-links", [1, 4, 1, 1, 0],
                "list in row 0 of the backlinks in class_Hub from class_Spoke.hub",
                [
                    "offsets|1000|07d1|elements in each child",
                    "child 0|0x1820|1820|list in row 0 of the backlinks in class_Hub from class_Spoke.hub: "
                        + "1000 16-bit elements: 1, 2, 3, 4, …",
                ]
            ),
            (
                "format-6-links", [1, 2, 1, 2], "column class_LinkA.one",
                ["row 0|0|0|null", "row 1|2|2|-> LinkB 1", "row 2|3|3|-> LinkB 2", "row 3|0|0|null"]
            ),
            (
                "format-4-enumerated", [1, 2, 0, 4], "key lists of class_Enumerated",
                [
                    "country|0x260|0260|keys of the column country: 5 16-bit ref elements: "
                        + "\"\", \"대한민국\", \"Japan\", \"Korea\", …",
                    "colour|0x278|0278|keys of the column colour: 4 16-byte elements: null, \"\", \"대한민국\", \"Korea\"",
                ]
            ),
            (
                "format-4-enumerated", [1, 2, 1, 1], "column class_Enumerated.colour",
                ["row 0|0|0|null", "row 1|2|2|\"대한민국\"", "row 2|1|1|\"\"", "row 3|3|3|\"Korea\""]
            ),
            (
                "format-4-dates", [1, 3, 1, 1], "column class_OldDateWithNulls.opt",
                [
                    "|140736535023491|00007fffc72d4f83|stands for null",
                    "row 0|140736535023491|00007fffc72d4f83|null", "row 1|1|0000000000000001|",
                ]
            ),
            (
                "format-8-mixed", [1, 2, 1, 0], "column class_OldMixed.m",
                [
                    "types|0x268|0268|types of the column class_OldMixed.m: 100 4-bit elements",
                    "data|0x310|0310|data of the column class_OldMixed.m: 100 64-bit ref elements",
                ]
            ),
            (
                "format-8-mixed", [1, 2, 1, 0, 0], "types of the column class_OldMixed.m",
                ["|0|0|int", "|0|0|int", "|12|c|negativeInt", "|0|0|int"]
            ),
            (
                "format-8-mixed", [1, 2, 1, 0, 1], "data of the column class_OldMixed.m",
                [
                    "row 0|0|0000000000000001|int 0", "row 1|1|0000000000000003|int 1",
                    "row 2|9223372036854775807|ffffffffffffffff|int -1", "row 3|2|0000000000000005|int 2",
                ]
            ),
            (
                "format-9-subtables", [1, 2, 1, 1, 2],
                "columns of the subtable in row 2 of the column class_Sub.sub",
                [
                    "a|0x348|0348|column a of the subtable in row 2 of the column class_Sub.sub: 2 1-bit elements: 0, 1",
                    "b|0x358|0358|column b of the subtable in row 2 of the column class_Sub.sub: 2 8-byte elements: "
                        + "\"sub0\", \"sub1\"",
                ]
            ),
            (
                "format-6-scalars-stream", [1, 25, 1, 0], "column class_TimestampWithNulls.req",
                [
                    "seconds|0xc088|0000c088|seconds of column class_TimestampWithNulls.req: 10 64-bit elements: "
                        + "0, 0, 0, 0, …",
                    "nanoseconds|0xc0e0|0000c0e0|nanoseconds of column class_TimestampWithNulls.req: 9 32-bit elements: "
                        + "0, 1, 999999999, -1, …",
                ]
            ),
        ] as [(String, [Int], String, [String])])
    func `a node has the refs and bits of the annotated bytes of the Spec`(
        _ fixture: String, _ path: [Int], _ title: String, _ expected: [String]
    ) throws {
        let node = try Self.inspector(KnownFile.fixture("Legacy/\(fixture)")).node(at: path)
        expectEqual(node.title, title)
        expectEqual(lines(node, 0..<expected.count), expected)
    }

    /// All values of a Mixed column, found through its data, equal those of Realm Core 5's dump.
    @Test func `every value of an old Mixed column matches the dump`() throws {
        let file = try KnownFile.fixture("Legacy/format-8-mixed")
        let data = try Self.inspector(file).node(at: [1, 2, 1, 0, 1])
        let notes = (0..<data.count).map { data.element(at: $0).note ?? "" }
        expectEqual(notes.count, 100)
        expectEqual(notes[23], "int -9223372036854775808")
        expectEqual(notes[24...25], ["bool true", "bool false"])
        expectEqual(notes[29], "float -1.5")
        expectEqual(notes[41], "double -1.5")
        expectEqual(notes[48], "double -inf")
        expectEqual(notes[50], "string, element 0")
        expectEqual(notes[83...84], ["date 0 s", "date 1 s"])
        expectEqual(notes[90], "timestamp, element 0")
        expect(notes[99].hasPrefix("table in row 99 of data of the column class_OldMixed.m"))
    }

    /// For any value of a byte, inspecting every node terminates with nodes or errors.
    @Test(
        arguments: [("format-3-row-stream", 2), ("format-9-subtables", 23), ("format-8-mixed", 61)] as [(String, Int)])
    func `inspecting every node ends after any change of a byte`(_ fixture: String, _ step: Int) throws {
        let original = try KnownFile.fixture("Legacy/\(fixture)").bytes()
        for offset in stride(from: 0, to: min(original.count, 2600), by: step) {
            for value in [0, 0x45, 0xC6, 0xFF] as [UInt8] where original[offset] != value {
                var bytes = original
                bytes[offset] = value
                inspectSome(bytes)
            }
        }
    }

    private func inspectSome(_ bytes: [UInt8]) {
        guard let snapshot = try? RealmDatabase(bytes: bytes).snapshot(toleratingDamage: true),
            let top = snapshot.topRef
        else { return }
        let inspector = NodeInspector(snapshot)
        var walk = NodeWalk(root: top, in: snapshot.space)
        var nodes = 0
        while let step = walk.next(), nodes < 60 {
            guard case .node = step, let node = try? inspector.node(at: walk.path) else { continue }
            nodes += 1
            for index in 0..<min(node.count, 6) where !node.isBytes { _ = node.element(at: index).note }
            if let values = node.values { for index in 0..<min(values.count, 6) { _ = values.text(at: index) } }
        }
    }
}
