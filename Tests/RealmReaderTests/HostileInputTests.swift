import HostileProperties
import RealmLayout
import RealmReader
import TestSupport
import Testing

/// A file made to mislead, and the first error that it has to end in.
struct HostileFile: Sendable, CustomStringConvertible {
    let name: String
    let code: FormatError.Code
    let property: String?
    let objectKey: Int?
    let bytes: @Sendable () -> [UInt8]

    var description: String { name }

    init(
        _ name: String, _ code: FormatError.Code, property: String? = nil, objectKey: Int? = nil,
        bytes: @escaping @Sendable () -> [UInt8]
    ) {
        self.name = name
        self.code = code
        self.property = property
        self.objectKey = objectKey
        self.bytes = bytes
    }

    static let all = clusterTrees + collections + leaves + mixedLeaves + schemas
}

/// Whatever the bytes are, reading ends: with a result or an error, in bounded work, without a trap.
@Suite struct HostileInputTests {
    @Test(arguments: HostileFile.all)
    func handmade(_ file: HostileFile) throws {
        let bytes = file.bytes()
        let outcome = readEverything(bytes)
        let error = try #require(outcome.errors.first)
        #expect(error.code == file.code, "\(error)")
        #expect(error.table?.hasPrefix("class_Hostile") == true)
        #expect(error.property == file.property, "\(error)")
        #expect(error.objectKey == file.objectKey.map { ObjectKey(Int64($0)) }, "\(error)")
        #expect(error.offset != nil)
        #expect(!outcome.isCutOff)
    }

    @Test(arguments: Victim.allCases)
    func everyPrefix(of victim: Victim) throws {
        let bytes = try victim.bytes()
        for count in stride(from: 0, through: bytes.count, by: 8) {
            check(Array(bytes[..<count]), "the first \(count) bytes")
        }
    }

    @Test(arguments: Victim.allCases, Replacement.allCases)
    func everyByte(of victim: Victim, replacedBy replacement: Replacement) throws {
        let original = try victim.bytes()
        var bytes = original
        // What follows the last node is never read.
        let end = (original.lastIndex { $0 != 0 } ?? 0) + 1
        for offset in 0..<end {
            bytes[offset] = replacement.byte(for: original[offset])
            if bytes[offset] != original[offset] { check(bytes, "byte \(offset) is \(bytes[offset])") }
            bytes[offset] = original[offset]
        }
    }

    /// Damage to one byte may turn 8 bytes into thousands of elements, but never into more than an intact file of the
    /// size could hold.
    private func check(_ bytes: [UInt8], _ what: String) {
        let outcome = readEverything(bytes)
        #expect(!outcome.isCutOff && outcome.work < 10_000 + 128 * bytes.count, "\(what): \(outcome.work) steps")
    }

    /// Each call of the reader ends, but nodes that are shared can be asked for again and again: who reads everything
    /// has to stop by himself.
    @Test func listThatManyObjectsShare() throws {
        var file = HandmadeFile()
        let list = file.writer.zeros(100_000)
        let lists = file.writer.refs([Int](repeating: list, count: 256))
        let cluster = file.cluster(256, [lists])
        file.addTable("class_Hostile", [HandmadeFile.Column("value", .int, .list)], objects: cluster)
        let outcome = readEverything(file.bytes())
        #expect(outcome.isCutOff)
        #expect(outcome.errors.map(\.code) == [.noOtherSlot])
        #expect(outcome.objects < 10)
    }

    @Test func namesThatAreNotUTF8() throws {
        var file = HandmadeFile()
        var column = HandmadeFile.Column("", .string)
        column.name = [0x61, 0xFF, 0x62]
        let leaf = file.writer.shortStrings([[0xC3, 0x28]])
        let cluster = file.cluster(1, [leaf])
        file.addTable("class_Hostile", [column], objects: cluster)
        let table = try #require(try RealmDatabase(bytes: file.bytes()).snapshot().classes.first)
        #expect(table.schema.properties.map(\.name) == ["a\u{FFFD}b"])
        let object = try #require(try table.object(ObjectKey(0)))
        #expect(try object["a\u{FFFD}b"] == .malformedString([0xC3, 0x28]))
    }
}

/// A small intact file, to be damaged in every place.
enum Victim: CaseIterable, Sendable {
    /// Links and collections of every kind, Mixed, tombstones.
    case tombstones
    /// Clusters in a tree, with gaps.
    case clusterGaps
    /// Embedded objects, lists of links of the type before 24, hashed object keys.
    case format20
    /// Collections inside collections in a Mixed; no fixture with them is small.
    case nestedMixed
    /// A dictionary in the form before 23; no fixture with one is small.
    case clusterDictionary

    func bytes() throws -> [UInt8] {
        switch self {
        case .tombstones: try KnownFile.fixture("tombstones").bytes()
        case .clusterGaps: try KnownFile.fixture("cluster-gaps").bytes()
        case .format20: try KnownFile.fixture("format-20-people").bytes()
        case .nestedMixed: HandmadeFile.oneValue(.mixed, [.list, .nullable]) { Self.nestedList(&$0) }
        case .clusterDictionary:
            HandmadeFile.oneValue(.mixed, [.dictionary, .nullable], format: 22) { Self.dictionary(&$0) }
        }
    }

    private static func nestedList(_ file: inout HandmadeFile) -> Int {
        let inner = file.mixed(
            [0, HandmadeFile.composite(.int, slot: 0, 7), HandmadeFile.composite(.string, slot: 3, 0)],
            strings: file.writer.shortStrings(["text"]))
        let keys = file.writer.shortStrings(["a", "b", "c"])
        let dictionary = file.writer.refs([keys, inner])
        let list = file.mixed(
            [
                HandmadeFile.composite(.dictionary, slot: 4, 0), HandmadeFile.composite(.list, slot: 4, 1),
                HandmadeFile.composite(.timestamp, slot: 2, 0),
            ],
            pairs: file.writer.integers([5, 6]), collections: [dictionary, 0])
        let tree = file.treeInner(count: 3, [list])
        return file.writer.refs([tree])
    }

    private static func dictionary(_ file: inout HandmadeFile) -> Int {
        let values = file.mixed(
            [HandmadeFile.composite(.int, slot: 1, 0), HandmadeFile.composite(.binary, slot: 3, 0)],
            integers: file.writer.integers([1 << 40]), strings: file.writer.shortStrings(["bytes"]))
        let keys = file.writer.shortStrings(["first", "second"])
        let cluster = file.writer.refs([file.writer.integers([11, 42]), keys, values])
        let tree = file.clusterInner(depth: 1, count: 2, [cluster])
        return file.writer.refs([tree])
    }
}

/// What to put in the place of a byte.
enum Replacement: CaseIterable, Sendable {
    case zero
    case ones
    case lowestBitChanged
    case highestBitChanged
    case oneMore

    func byte(for byte: UInt8) -> UInt8 {
        switch self {
        case .zero: 0
        case .ones: 0xFF
        case .lowestBitChanged: byte ^ 1
        case .highestBitChanged: byte ^ 0x80
        case .oneMore: byte &+ 1
        }
    }
}
