import RealmLayout
import TestSupport

/// A small file whose values, each within the rules, would produce documents quadratic in its size.
struct Amplifier: Sendable, CustomStringConvertible {
    let description: String
    let bytes: @Sendable () -> [UInt8]

    private static let long = [UInt8](repeating: 0x61, count: 3000)
    private static let many = 3000

    private static func value(
        _ name: String, _ type: ColumnType, _ attributes: ColumnAttributes,
        _ leaf: @escaping @Sendable (inout HandmadeFile) -> Int
    ) -> Amplifier {
        Amplifier(description: name) { HandmadeFile.oneValue(type, attributes, leaf: leaf) }
    }

    private static func mixedList(_ type: ColumnType) -> @Sendable (inout HandmadeFile) -> Int {
        { file in
            let blob = file.writer.blob(long + [0])
            let strings = file.writer.refs([blob], isContext: true)
            let composites = [Int](repeating: HandmadeFile.composite(type, slot: 3, 0), count: many)
            let leaf = file.mixed(composites, strings: strings)
            return file.writer.refs([leaf])
        }
    }

    static let all: [Amplifier] = [
        value("Mixed values that share a string", .mixed, [.list, .nullable], mixedList(.string)),
        value("Mixed values that share bytes", .mixed, [.list, .nullable], mixedList(.binary)),
        value("a list of refs to one string", .string, .list) { file in
            let blob = file.writer.blob(long + [0])
            let leaf = file.writer.refs([Int](repeating: blob, count: many), isContext: true)
            return file.writer.refs([leaf])
        },
        value("a list of refs to one split blob", .binary, .list) { file in
            let part = file.writer.blob(long)
            let parts = file.writer.refs([part], isContext: true)
            let leaf = file.writer.refs([Int](repeating: parts, count: many), isContext: true)
            return file.writer.refs([leaf])
        },
        value("a dictionary whose keys are one string", .mixed, [.dictionary, .nullable]) { file in
            let blob = file.writer.blob(long + [0])
            let keys = file.writer.refs([Int](repeating: blob, count: many), isContext: true)
            let values = file.mixed([Int](repeating: 0, count: many))
            let dictionary = file.writer.refs([keys, values])
            return file.writer.refs([dictionary])
        },
        Amplifier(description: "an embedded object of many properties in one list, again and again") {
            var file = HandmadeFile()
            let list = file.writer.refs([file.writer.zeros(100_000)])
            let owners = file.cluster(1, [list])
            file.addTable("class_Hostile", [HandmadeFile.Column("value", .link, .list, target: 1)], objects: owners)
            let columns = (0..<50).map { HandmadeFile.Column("property\($0)", .int, index: $0) }
            let zero = file.writer.zeros(1)
            let objects = file.cluster(1, columns.map { _ in zero })
            file.addTable("class_Part", columns, objects: objects, kind: .embedded)
            return file.bytes()
        },
        Amplifier(description: "enumerated: many objects with one long distinct string") {
            var file = HandmadeFile()
            var column = HandmadeFile.Column("value", .string)
            let blob = file.writer.blob(long + [0])
            column.distinct = file.writer.refs([blob], isContext: true)
            let leaf = file.writer.zeros(256)
            let clusters = (0..<200).map { _ in file.cluster(256, [leaf]) }
            let keys = file.writer.integers((0..<200).map { $0 * 256 })
            let root = file.writer.refs(
                [keys, NodeWriter.tagged(1), NodeWriter.tagged(200 * 256)] + clusters, isInner: true)
            file.addTable("class_Hostile", [column], objects: root)
            return file.bytes()
        },
    ]
}

/// A file with values nested to the maximum depth, or one level deeper.
struct DeepFile: Sendable, CustomStringConvertible {
    let description: String
    let isTooDeep: Bool
    let bytes: @Sendable () -> [UInt8]

    /// Nested embedded objects, the innermost with a Mixed of `nested` nested collections.
    private static func embedded(_ levels: Int, isList: Bool, nested: Int, dictionaries: Bool) -> [UInt8] {
        var file = HandmadeFile()
        var mixed = file.mixed([0])
        for _ in 0..<nested {
            let collection =
                dictionaries ? file.writer.refs([file.writer.shortStrings(["key"]), mixed]) : mixed
            let type = dictionaries ? ColumnType.dictionary : .list
            mixed = file.mixed([HandmadeFile.composite(type, slot: 4, 0)], collections: [collection])
        }
        func columns(_ target: Int) -> [HandmadeFile.Column] {
            [
                HandmadeFile.Column("next", .link, isList ? .list : .nullable, target: target),
                HandmadeFile.Column("value", .mixed, .nullable, index: 1),
            ]
        }
        let empty = file.mixed([0])
        func link(to key: Int, _ file: inout HandmadeFile) -> Int {
            guard isList else { return file.writer.integers([key + 1]) }
            return file.writer.refs([file.writer.integers([key])])
        }
        let first = link(to: 0, &file)
        file.addTable("class_Owner", columns(1), objects: file.cluster(1, [first, empty]))
        // The embedded objects are in clusters of one, so that all of them are in memory at once.
        var clusters: [Int] = []
        for level in 0..<levels {
            let isLast = level == levels - 1
            let next = isLast ? file.writer.zeros(1) : link(to: level + 1, &file)
            let leaf = isLast && isList ? file.writer.refs([0]) : next
            clusters.append(file.cluster(1, [leaf, isLast ? mixed : empty]))
        }
        let keys = file.writer.integers(Array(0..<levels))
        let root = file.writer.refs(
            [keys, NodeWriter.tagged(1), NodeWriter.tagged(levels)] + clusters, isInner: true)
        file.addTable("class_Part", columns(1), objects: root, kind: .embedded)
        return file.bytes()
    }

    static let all: [DeepFile] = [
        DeepFile(description: "embedded objects, 30 levels, with 90 lists inside", isTooDeep: false) {
            embedded(30, isList: false, nested: 90, dictionaries: false)
        },
        DeepFile(description: "lists of embedded objects, 20 levels, with 100 dictionaries inside", isTooDeep: false) {
            embedded(20, isList: true, nested: 100, dictionaries: true)
        },
        DeepFile(description: "lists of embedded objects, 90 levels, with 90 lists inside") {
            embedded(90, isList: true, nested: 90, dictionaries: false)
        },
        DeepFile(description: "embedded objects, 101 levels", isTooDeep: true) {
            embedded(101, isList: false, nested: 0, dictionaries: false)
        },
        DeepFile(description: "embedded objects that hold themselves, in a list with another") {
            var file = HandmadeFile()
            let list = file.writer.refs([file.writer.zeros(2)])
            let columns = [HandmadeFile.Column("next", .link, .list, target: 1)]
            file.addTable("class_Owner", columns, objects: file.cluster(1, [list]))
            file.addTable("class_Part", columns, objects: file.cluster(1, [list]), kind: .embedded)
            return file.bytes()
        },
    ]

    private init(description: String, isTooDeep: Bool = true, bytes: @escaping @Sendable () -> [UInt8]) {
        self.description = description
        self.isTooDeep = isTooDeep
        self.bytes = bytes
    }
}
