import Expectations
import RealmCore
import RealmExchange
import RealmLayout
import RealmStore
import TestSupport
import Testing

/// Content that Realm Core does not write but files can contain: text that is not UTF-8, keys that look like something
/// else, reserved names.
@Suite struct OddContentTests {
    @Test func `text that is not UTF-8 is exported and reported`() async throws {
        let file = try ChangedFile(
            "kennel", replacing: [("Minjun", [0x4D, 0xFF, 0xC3, 0x28, 0xE2, 0x82]), ("Rex", [0, 0xC0, 0x80])])
        try await check(file)
        let exported = try await Exported(file.snapshot)
        expectEqual(
            exported.losses,
            [
                Loss(className: "Person", property: "name", kind: .malformedText): 1,
                Loss(className: "Dog", property: "name", kind: .malformedText): 2,
            ])
    }

    /// Offsets of a leaf that go backwards at a null: a text before it is not covered by the validation of its
    /// neighbours.
    @Test func `text outside of the others is validated separately`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("texts.realm")
        let property = PropertyDefinition("s", .string, isNullable: true)
        let builder = try RealmBuilder(SchemaDefinition([TableDefinition(class: "T", [property])]), at: NewFile(path))
        let text = String(repeating: "a", count: 59)
        try builder.add("T", ["s": .string(text)])
        try builder.add("T", [:])
        try builder.add("T", ["s": "bbbbbbbbb"])
        try builder.finish()
        var bytes = try #require(folder.bytes("texts.realm"))
        func replace(_ old: [UInt8], _ new: [UInt8]) throws {
            let found = (0...(bytes.count - old.count)).first { bytes[$0..<($0 + old.count)].elementsEqual(old) }
            guard let place = found else { throw TestSupportError("no \(old) to replace") }
            bytes.replaceSubrange(place..<(place + old.count), with: new)
        }
        // The ends of the three, in bytes; then two bytes that never occur in UTF-8.
        try replace([0x3C, 0x3D, 0x47, 0], [0x3C, 0x14, 0x1E, 0])
        var broken = Array(text.utf8)
        broken[40] = 0xFF
        broken[41] = 0xFE
        try replace(Array(text.utf8), broken)
        let exporter = Exporter(try RealmDatabase(bytes: bytes).snapshot())
        let exported = try await exporter.documents(ofClass: "T")
        expectEqual(exported.report.losses.map { "\($0.kind) \($0.count)" }, ["malformedText 1"])
        expect(!exported.bytes.contains(0xFF) || !exported.bytes.contains(0xFE))
    }

    /// The key identifies live objects and tombstones, also in links, Mixed and the sidecar.
    @Test func `primary keys that are not UTF-8 identify their objects`() async throws {
        let file = try ChangedFile(
            "tombstones", replacing: [("id0", [0x69, 0xFF, 0x30]), ("id1", [0x69, 0xFE, 0x31])])
        try await check(file)
        let exported = try await Exported(file.snapshot)
        expectEqual(exported.losses[Loss(className: "TombTarget", property: "_id", kind: .malformedText)], 1)
    }

    @Test func `odd keys of dictionaries are exported`() async throws {
        let file = try ChangedFile(
            "tombstones",
            replacing: [
                ("k0", Array("$x".utf8)), ("k1", Array("%2".utf8)), ("k2", Array("\0a".utf8)), ("k3", [0xFF, 0x61]),
                ("k4", Array("a.".utf8)), ("k5", Array("%$".utf8)),
            ])
        try await check(file)
        let exported = try await Exported(file.snapshot)
        expectEqual(exported.losses[Loss(className: "TombOrigin", property: "dict", kind: .escapedKey)], 12)
        expectEqual(exported.losses[Loss(className: "TombOrigin", property: "dict", kind: .malformedText)], 4)
    }

    /// A dictionary in Mixed that looks like a wrapper or a reference is neither.
    @Test(arguments: ["$a", "%a", "$$"])
    func `dictionaries that look like wrappers are exported as dictionaries`(key: String) async throws {
        try await check(ChangedFile("mixed-nested", replacing: [("k1", Array(key.utf8))]))
    }

    @Test func `properties named like the identity are exported`() async throws {
        let file = try ChangedFile("tombstones", replacing: [("one", Array("_id".utf8))])
        try await check(file)
        let exported = try await Exported(file.snapshot)
        expectEqual(exported.losses[Loss(className: "TombOrigin", property: "_id", kind: .renamedProperty)], 1)
    }

    /// The first of several errors is reported, however objects are divided into pieces of work.
    @Test(arguments: [1, 2])
    func `the first of several errors is reported`(jobs: Int) async throws {
        var file = HandmadeFile()
        // An object with an invalid string offset, followed by a missing cluster.
        let leaf = file.writer.node(
            flags: NodeHeader.Mask.hasRefs | NodeHeader.Mask.context, widthType: .bits, width: 64, count: 1,
            payload: [0xF8, 0xFF, 0xFF, 0x7F, 0, 0, 0, 0])
        let first = file.cluster(1, [leaf])
        let root = file.clusterInner(depth: 1, count: 2, [first, 0x7FFF_0000])
        file.addTable("class_Damaged", [HandmadeFile.Column("text", .string)], objects: root)
        let exported = try await Exported(try RealmDatabase(bytes: file.bytes()).snapshot()) {
            $0.jobs = jobs
            $0.onDamage = .error
        }
        let error = try #require(exported.report.failures.first?.error)
        expect(error.property == "text" && error.offset == 0x7FFF_FFF8, "\(error)")
    }

    @Test func `odd names of properties are exported`() async throws {
        for name in ["a.b", "$ab", "a%b", "a\"b", "é1"] {
            try await check(ChangedFile("tombstones", replacing: [("one", Array(name.utf8))]))
        }
    }

    private func check(_ file: ChangedFile) async throws {
        let content = try Content(asRead: file.snapshot)
        try await MongoBSONTests.compare(content)
        try await JSONTests.extendedJSON(content)
        try await JSONTests.plainJSON(content)
        try await JSONTests.commaSeparatedValues(content)
        try await CanonicalTests.compare(content)
    }
}
