internal import RealmLayout

// Leaves with invalid elements, and nested values.
extension HostileFile {
    private static func value(
        _ name: String, _ code: FormatError.Code, _ type: ColumnType, _ attributes: ColumnAttributes = [],
        _ leaf: @escaping @Sendable (inout HandmadeFile) -> Int
    ) -> HostileFile {
        HostileFile(name, code, property: "value", objectKey: 0) {
            HandmadeFile.oneValue(type, attributes, leaf: leaf)
        }
    }

    private static func mixed(
        _ name: String, _ code: FormatError.Code, _ leaf: @escaping @Sendable (inout HandmadeFile) -> Int
    ) -> HostileFile {
        value(name, code, .mixed, .nullable, leaf)
    }

    static let leaves: [HostileFile] = [
        value("string: an unused count above the width", .badLeaf, .string) { file in
            file.writer.node(widthType: .multiply, width: 4, count: 1, payload: [65, 0, 0, 9])
        },
        value("string: a distinct string that does not exist", .unexpectedNode, .string) { $0.writer.integers([7]) },
        value("string: end offsets that descend", .badLeaf, .string) { file in
            file.writer.refs([file.writer.integers([-5]), file.writer.blob([65, 0]), file.writer.zeros(1)])
        },
        value("string: an end offset beyond the bytes", .badLeaf, .string) { file in
            file.writer.refs([file.writer.integers([1 << 40]), file.writer.blob([65, 0]), file.writer.zeros(1)])
        },
        value("string: no terminating zero", .badLeaf, .string) { file in
            file.writer.refs([file.writer.integers([0]), file.writer.blob([]), file.writer.zeros(1)])
        },
        value("string: fewer null flags than offsets", .wrongCount, .string) { file in
            file.writer.refs([file.writer.integers([2]), file.writer.blob([65, 0]), file.writer.zeros(0)])
        },
        value("string: integers where the bytes should be", .unexpectedNode, .string) { file in
            file.writer.refs([file.writer.integers([2]), file.writer.integers([2]), file.writer.zeros(1)])
        },
        value("big string: a number where the ref should be", .badLeaf, .string) { file in
            file.writer.refs([NodeWriter.tagged(3)], isContext: true)
        },
        value("big string: an empty blob", .badLeaf, .string) { file in
            let blob = file.writer.blob([])
            return file.writer.refs([blob], isContext: true)
        },
        value("binary: a part of a split blob is missing", .badLeaf, .binary) { file in
            let parts = file.writer.refs([0], isContext: true)
            return file.writer.refs([parts], isContext: true)
        },
        value("binary: parts of a split blob that repeat", .sharedNodes, .binary) { file in
            let part = file.writer.blob([UInt8](repeating: 7, count: 4000))
            let parts = file.writer.refs([Int](repeating: part, count: 1000), isContext: true)
            return file.writer.refs([parts], isContext: true)
        },
        value("binary: a split blob in a split blob", .unexpectedNode, .binary) { file in
            let parts = file.writer.refs([file.writer.blob([1])], isContext: true)
            let outer = file.writer.refs([parts], isContext: true)
            return file.writer.refs([outer], isContext: true)
        },
        value("strings: a thousand refs to one long string", .sharedNodes, .string, .list) { file in
            let blob = file.writer.blob([UInt8](repeating: 65, count: 4000) + [0])
            let leaf = file.writer.refs([Int](repeating: blob, count: 1000), isContext: true)
            return file.writer.refs([leaf])
        },
        value("nullable int: no null marker", .badLeaf, .int, .nullable) { $0.writer.zeros(0) },
        value("timestamp: nanoseconds out of range", .badLeaf, .timestamp) { file in
            file.writer.refs([file.writer.integers([9, 1]), file.writer.integers([1_000_000_000])])
        },
        value("timestamp: more seconds than nanoseconds", .wrongCount, .timestamp) { file in
            file.writer.refs([file.writer.integers([9, 1]), file.writer.zeros(0)])
        },
        value("double: values of 4 bytes", .unexpectedNode, .double) { file in
            file.writer.node(widthType: .multiply, width: 4, count: 1, payload: [0, 0, 0, 0])
        },
        value("decimal: values of 2 bytes", .unexpectedNode, .decimal128) { file in
            file.writer.node(widthType: .multiply, width: 2, count: 1, payload: [0, 0])
        },
        value("object id: half a value", .badLeaf, .objectId) { file in
            file.writer.node(widthType: .multiply, width: 1, count: 7, payload: [0, 1, 2, 3, 4, 5, 6])
        },
        value("int: an inner node where a leaf should be", .unexpectedNode, .int) { file in
            file.treeInner(count: 1, [file.writer.zeros(1)])
        },
    ]

    static let mixedLeaves: [HostileFile] = [
        mixed("Mixed: an unknown type", .badLeaf) { $0.mixed([31]) },
        mixed("Mixed: an integer that is not there", .badLeaf) { file in
            file.mixed([HandmadeFile.composite(.int, slot: 1, 9)], integers: file.writer.zeros(9))
        },
        mixed("Mixed: no integers at all", .badLeaf) { $0.mixed([HandmadeFile.composite(.double, slot: 1, 0)]) },
        mixed("Mixed: a negative index", .badLeaf) { file in
            file.mixed([HandmadeFile.composite(.string, slot: 3, -1)], strings: file.writer.shortStrings(["a"]))
        },
        mixed("Mixed: a pair that is half there", .badLeaf) { file in
            file.mixed([HandmadeFile.composite(.timestamp, slot: 2, 1)], pairs: file.writer.zeros(3))
        },
        mixed("Mixed: a UUID of 3 bytes", .badLeaf) { file in
            file.mixed([HandmadeFile.composite(.uuid, slot: 3, 0)], strings: file.writer.shortStrings(["abc"]))
        },
        mixed("Mixed: a collection that is not there", .badLeaf) { file in
            file.mixed([HandmadeFile.composite(.list, slot: 4, 5)], collections: [0])
        },
        mixed("Mixed: a link to a table that does not exist", .badLeaf) { file in
            file.mixed([HandmadeFile.composite(.typedLink, slot: 2, 0)], pairs: file.writer.integers([77, 0]))
        },
        mixed("Mixed: more than 100 lists in each other", .tooDeep) { file in
            nested(&file, HandmadeFile.composite(.list, slot: 4, 0), levels: 101) { _, leaf in leaf }
        },
        mixed("Mixed: more than 100 dictionaries in each other", .tooDeep) { file in
            nested(&file, HandmadeFile.composite(.dictionary, slot: 4, 0), levels: 101) { file, leaf in
                file.writer.refs([file.writer.shortStrings(["k"]), leaf])
            }
        },
        mixed("Mixed: a list that holds itself", .sharedNodes) { file in
            let list = HandmadeFile.composite(.list, slot: 4, 0)
            let collections = file.writer.refs([0])
            let leaf = file.writer.refs([file.writer.integers([list]), 0, 0, 0, collections, 0])
            file.writer.set(0, of: collections, to: leaf)
            return leaf
        },
        mixed("Mixed: 2^50 ways to an empty list", .sharedNodes) { file in
            let list = HandmadeFile.composite(.list, slot: 4, 0)
            var leaf = file.mixed([0])
            for _ in 0..<50 { leaf = file.mixed([list, list], collections: [leaf]) }
            return file.mixed([list], collections: [leaf])
        },
    ]

    private static func nested(
        _ file: inout HandmadeFile, _ composite: Int, levels: Int, _ wrap: (inout HandmadeFile, Int) -> Int
    ) -> Int {
        var leaf = file.mixed([0])
        for _ in 0..<levels {
            let collection = wrap(&file, leaf)
            leaf = file.mixed([composite], collections: [collection])
        }
        return leaf
    }

    static let schemas: [HostileFile] = [
        HostileFile("enumerated: an index out of range", .badLeaf, property: "value", objectKey: 0) {
            var file = HandmadeFile()
            var column = HandmadeFile.Column("value", .string)
            column.distinct = file.writer.shortStrings(["a", "b"])
            let objects = file.cluster(1, [file.writer.integers([2])])
            file.addTable("class_Hostile", [column], objects: objects)
            return file.bytes()
        },
        HostileFile("column: an unknown type", .badSpec) { schema { $0.key = 63 << 16 } },
        HostileFile("column: a type that no column can have", .badSpec, property: "value") {
            schema { $0.key = 19 << 16 }
        },
        HostileFile("column: links to a table that does not exist", .badLink, property: "value") {
            schema { $0 = HandmadeFile.Column("value", .link, .nullable, target: 77) }
        },
        HostileFile("embedded: a link to an object that does not exist", .badLink, property: "value", objectKey: 0) {
            var file = HandmadeFile()
            let objects = file.cluster(1, [file.writer.integers([8])])
            let columns = [HandmadeFile.Column("value", .link, .nullable, target: 0)]
            file.addTable("class_Hostile", columns, objects: objects, kind: .embedded)
            return file.bytes()
        },
        HostileFile("table: a top node of two slots", .badTable) {
            schema { _ in
            } damage: { file, top in
                file.bytes()[0] == 0xFF ? overwrite(&file, top + 7, with: 2) : []
            }
        },
        HostileFile("table: a key for another slot", .badTable) {
            schema { _ in
            } damage: { file, top in
                overwrite(&file, top + 8 + 3 * 8, with: 9)
            }
        },
        HostileFile("table: the spec is missing", .unexpectedNode) {
            schema { _ in
            } damage: { file, top in
                file.writer.set(0, of: top, to: 0)
                return file.bytes()
            }
        },
        HostileFile("tables: a wide spec that many tables share", .sharedNodes) {
            var file = HandmadeFile()
            let (zeros, name) = (file.writer.zeros(0xFFFF), file.writer.shortStrings(["value"]))
            let spec = file.writer.refs([zeros, name, zeros, 0, 0, zeros])
            let objects = file.cluster(0, [])
            for number in 0..<500 {
                let top = file.addTable("class_Hostile\(number)", [], objects: objects)
                file.writer.set(0, of: top, to: spec)
            }
            return file.bytes()
        },
    ]

    private static func schema(
        _ change: (inout HandmadeFile.Column) -> Void,
        damage: (inout HandmadeFile, Int) -> [UInt8] = { file, _ in file.bytes() }
    ) -> [UInt8] {
        var file = HandmadeFile()
        var column = HandmadeFile.Column("value", .int)
        change(&column)
        let objects = file.cluster(1, [file.writer.zeros(1)])
        let top = file.addTable("class_Hostile", [column], objects: objects)
        return damage(&file, top)
    }

    private static func overwrite(_ file: inout HandmadeFile, _ offset: Int, with byte: UInt8) -> [UInt8] {
        var bytes = file.bytes()
        bytes[offset] = byte
        return bytes
    }
}
