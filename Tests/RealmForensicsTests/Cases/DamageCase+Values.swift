import RealmLayout
import TestSupport

// K: B+trees and collections; L: leaves.
extension DamageCase {
    private typealias File = HandmadeFile

    /// A list of integers in a tree of two leaves.
    private static let tree: @Sendable () throws -> Patient = {
        try Patient(
            bytes: HandmadeFile.oneValue(.int, .list) { file in
                let leaves = [[1, 2], [3]].map { file.writer.integers($0) }
                let root = file.writer.refs([NodeWriter.tagged(2)] + leaves + [NodeWriter.tagged(3)], isInner: true)
                return file.writer.refs([root])
            })
    }
    private static let treePath = [1, 0, 2, 1, 0]

    private static func set(_ type: ColumnType, _ leaf: @escaping @Sendable (inout NodeWriter) -> Int)
        -> @Sendable () throws -> Patient
    {
        {
            try Patient(
                bytes: HandmadeFile.oneValue(type, .set) { file in
                    let root = leaf(&file.writer)
                    return file.writer.refs([root])
                })
        }
    }

    static let collections: [DamageCase] = [
        DamageCase(.treeShape, "an element more", from: tree) { try $0.set($0.ref(treePath), 3, 4 << 1 | 1) },
        DamageCase(.treeShape, "three elements a child", from: tree) { try $0.set($0.ref(treePath), 0, 3 << 1 | 1) },
        DamageCase(.treeShape, "a child missing", from: tree, with: [.leak]) { try $0.set($0.ref(treePath), 2, 0) },
        DamageCase(
            .treeShape, "leaves not equally deep",
            from: {
                try oneList(.int) { writer in
                    let leaves = [[1], [2]].map { writer.integers($0) }
                    let below = writer.refs([NodeWriter.tagged(1), leaves[1], NodeWriter.tagged(1)], isInner: true)
                    return writer.refs([NodeWriter.tagged(1), leaves[0], below, NodeWriter.tagged(2)], isInner: true)
                }
            }
        ) { _ in },
        DamageCase(
            .treeShape, "a child that begins elsewhere",
            from: {
                try oneList(.int) { writer in
                    let parts = [writer.integers([1])] + [[1, 2], [3]].map { writer.integers($0) }
                    return writer.refs(parts + [NodeWriter.tagged(3)], isInner: true)
                }
            }
        ) { _ in },
        DamageCase(
            .treeShape, "an offset less than children",
            from: {
                try oneList(.int) { writer in
                    let parts = [writer.integers([])] + [[1, 2], [3]].map { writer.integers($0) }
                    return writer.refs(parts + [NodeWriter.tagged(3)], isInner: true)
                }
            }
        ) { _ in },
        DamageCase(.entryHash, "another key", from: entry("key-1690", 0x7FA7_FD44_963E_BB97)) {
            $0.bytes[try $0.ref([1, 0, 2, 1, 0, 1]) + 8 + 4] = UInt8(ascii: "2")
        },
        DamageCase(.entryHash, "a place below 0 without a clash", from: entry("ab", -5)) { _ in },
        DamageCase(.entryHash, "a short key", from: entry("ab", 0x17F0_A30F_F3CC_3F3E)) {
            $0.bytes[try $0.ref([1, 0, 2, 1, 0, 1]) + 8] = UInt8(ascii: "b")
        },
        DamageCase(.treeLeafSize, "1001 elements", from: { try oneList(.int) { $0.zeroed(1001, width: 8) } }) { _ in },
        DamageCase(.setOrder, "two swapped", from: set(.int) { $0.integers([3, 1, 2]) }) { _ in },
        DamageCase(.setOrder, "one twice", from: set(.int) { $0.integers([1, 2, 2]) }) { _ in },
        DamageCase(.setOrder, "strings", from: set(.string) { $0.shortStrings(["b", "a"]) }) { _ in },
        DamageCase(
            .setOrder, "across leaves",
            from: set(.int) { writer in
                let leaves = [[1, 2], [2]].map { writer.integers($0) }
                return writer.refs([NodeWriter.tagged(2)] + leaves + [NodeWriter.tagged(3)], isInner: true)
            }
        ) { _ in },
        DamageCase(.dictionaryPairs, "a value less", from: dictionary(["a", "b"], 1)) { _ in },
        DamageCase(.dictionaryPairs, "keys swapped", from: dictionary(["b", "a"], 2)) { _ in },
        DamageCase(.dictionaryPairs, "a key twice", from: dictionary(["a", "a"], 2)) { _ in },
        DamageCase(
            .dictionaryPairs, "a key less in the older form",
            from: {
                try Patient(
                    bytes: HandmadeFile.oneValue(.mixed, [.dictionary, .nullable], format: 22) { file in
                        let values = file.mixed([0, 0])
                        let keys = file.writer.shortStrings(["a"])
                        let cluster = file.writer.refs([file.writer.integers([1, 2]), keys, values])
                        return file.writer.refs([cluster])
                    })
            }
        ) { _ in },
        DamageCase(
            .mixedLeaf, "a payload that is not there",
            from: mixed([File.composite(.int, slot: 1, 5)], integers: [1 << 40])
        ) { _ in },
        DamageCase(
            .mixedLeaf, "a payload of two values",
            from: mixed(
                [File.composite(.int, slot: 1, 0), File.composite(.int, slot: 1, 0)], integers: [1 << 40], rows: 2)
        ) { _ in },
        DamageCase(.mixedLeaf, "a payload of no value", from: mixed([0], integers: [1 << 40])) { _ in },
        DamageCase(.mixedLeaf, "an unknown type", from: mixed([30])) { _ in },
        DamageCase(.collectionSlot, "a number", from: tree, with: [.leak]) { try $0.set($0.ref([1, 0, 2, 1]), 0, 7) },
        DamageCase(
            .collectionSlot, "a number in a Mixed",
            from: {
                try Patient(
                    bytes: HandmadeFile.oneValue(.mixed, [.nullable]) { file in
                        file.mixed([File.composite(.list, slot: 4, 0)], collections: [NodeWriter.tagged(5)])
                    })
            }
        ) { _ in },
        DamageCase(
            .nesting, "101 lists inside each other",
            from: {
                try Patient(
                    bytes: HandmadeFile.oneValue(.mixed, [.nullable]) { file in
                        var leaf = file.mixed([0])
                        for _ in 0...101 {
                            leaf = file.mixed([File.composite(.list, slot: 4, 0)], collections: [leaf])
                        }
                        return leaf
                    })
            }
        ) { _ in },
    ]

    private static func dictionary(_ keys: [String], _ values: Int) -> @Sendable () throws -> Patient {
        {
            try Patient(
                bytes: HandmadeFile.oneValue(.mixed, [.dictionary, .nullable]) { file in
                    let keys = file.writer.shortStrings(keys)
                    let values = file.mixed([Int](repeating: 0, count: values))
                    return file.writer.refs([file.writer.refs([keys, values])])
                })
        }
    }

    /// Returns a dictionary of format 22 with one entry.
    private static func entry(_ key: String, _ hash: Int) -> @Sendable () throws -> Patient {
        {
            try Patient(
                bytes: HandmadeFile.oneValue(.mixed, [.dictionary, .nullable], format: 22) { file in
                    let leaves = [file.writer.integers([hash]), file.writer.shortStrings([key]), file.mixed([0])]
                    return file.writer.refs([file.writer.refs(leaves)])
                })
        }
    }

    private static func mixed(_ composites: [Int], integers: [Int]? = nil, rows: Int = 1)
        -> @Sendable () throws -> Patient
    {
        {
            try Patient(
                bytes: ofObjects(rows, .mixed, .nullable) { file in
                    let numbers = integers.map { file.writer.integers($0) } ?? 0
                    return file.mixed(composites, integers: numbers)
                })
        }
    }

    /// Returns a class of `count` objects with one leaf.
    private static func leaf(
        _ count: Int, _ type: ColumnType, _ attributes: ColumnAttributes = [],
        _ make: @escaping @Sendable (inout NodeWriter) -> Int
    ) -> @Sendable () throws -> Patient {
        { try Patient(bytes: ofObjects(count, type, attributes) { make(&$0.writer) }) }
    }

    static let values: [DamageCase] = [
        DamageCase(.stringTermination, "more unused bytes than there are") {
            let leaf = try $0.ref($0.leaf("class_Dog", column: 1))
            $0.bytes[leaf + 8 + $0.width(leaf) - 1] = 0xFE
        },
        DamageCase(.stringTermination, "bytes behind the end") {
            let leaf = try $0.ref($0.leaf("class_Dog", column: 1))
            $0.bytes[leaf + 8 + $0.width(leaf) - 2] = 1
        },
        DamageCase(.stringTermination, "medium without zero", from: medium(["ab", "c"])) {
            let blob = try $0.ref([1, 0, 2, 1, 1])
            $0.bytes[blob + 8 + 2] = 1
        },
        DamageCase(.stringTermination, "offsets that descend", from: medium(["ab", "c"])) {
            try $0.set($0.ref([1, 0, 2, 1, 0]), 0, 60)
        },
        DamageCase(
            .stringTermination, "big without zero",
            from: leaf(1, .string) { writer in
                writer.refs([writer.blob([0x61, 0x62])], isContext: true)
            }
        ) { _ in },
        DamageCase(.utf8, "FF") { $0.bytes[try $0.ref($0.leaf("class_Dog", column: 1)) + 8] = 0xFF },
        DamageCase(.utf8, "FF in a medium leaf", from: medium(["ab", "c"])) {
            $0.bytes[try $0.ref([1, 0, 2, 1, 1]) + 8] = 0xFF
        },
        DamageCase(.distinctIndex, "99", "enumerated") {
            let path = try $0.leaf("class_Enumerated", column: 0)
            var indexes = $0.elements(try $0.ref(path))
            indexes[3] = 99
            try $0.replace(path, indexes)
        },
        DamageCase(.nullSentinel, "one less", "collections-stream") { patient in
            let lists = try patient.leaf("class_ListOfAll", column: 1)
            let row = try patient.elements(patient.ref(lists)).firstIndex {
                $0 != 0 && patient.width($0) > 0 && patient.width($0) < 64
            }
            guard let row else { throw TestSupportError("no list") }
            let leaf = try patient.ref(lists + [row])
            try patient.set(leaf, 0, patient.element(leaf, 0) - 1)
        },
        DamageCase(.nullSentinel, "not there", from: leaf(0, .int, .nullable) { $0.integers([]) }) { _ in },
        DamageCase(.boolValue, "2", from: leaf(3, .bool) { $0.integers([0, 1, 2]) }) { _ in },
        DamageCase(.timestampRange, "seconds and nanoseconds of other signs", from: timestamp(5, -5)) { _ in },
        DamageCase(.timestampRange, "a second of nanoseconds", from: timestamp(5, 1_000_000_000)) { _ in },
        DamageCase(
            .timestampRange, "two nanoseconds for one second",
            from: leaf(1, .timestamp) { writer in
                writer.refs([writer.integers([1 << 62, 5]), writer.integers([0, 0])])
            }
        ) { _ in },
        DamageCase(
            .decimalForm, "35 digits",
            from: leaf(1, .decimal128) {
                $0.node(
                    widthType: .multiply, width: 16, count: 1,
                    payload: [UInt8](repeating: 0xFF, count: 14) + [0x41, 0x30])
            }
        ) { _ in },
        DamageCase(
            .floatNull, "in a column without null",
            from: leaf(1, .float) {
                $0.node(widthType: .multiply, width: 4, count: 1, payload: [0xAA, 0, 0xC0, 0x7F])
            }
        ) { _ in },
        DamageCase(
            .blockNulls, "half a value",
            from: leaf(1, .objectId) {
                $0.node(widthType: .multiply, width: 1, count: 7, payload: [0] + [UInt8](1...6))
            }
        ) { _ in },
        DamageCase(
            .blobChunks, "a number in the place of bytes",
            from: leaf(1, .binary) {
                $0.refs([NodeWriter.tagged(4)], isContext: true)
            }
        ) { _ in },
        DamageCase(
            .blobChunks, "numbers in the place of bytes",
            from: leaf(1, .binary) { writer in
                writer.refs([writer.integers([1])], isContext: true)
            }
        ) { _ in },
        DamageCase(
            .blobChunks, "a part missing",
            from: leaf(1, .binary) { writer in
                let parts = writer.refs([writer.blob([1]), 0], isContext: true)
                return writer.refs([parts], isContext: true)
            }
        ) { _ in },
        DamageCase(.leafType, "integers in the place of strings", from: leaf(1, .string) { $0.integers([1]) }) { _ in },
        DamageCase(
            .leafType, "floats in the place of doubles",
            from: leaf(1, .double) {
                $0.node(widthType: .multiply, width: 4, count: 1, payload: [0, 0, 0, 0])
            }
        ) { _ in },
        DamageCase(.unexpectedNull, "a string") {
            let leaf = try $0.ref($0.leaf("class_Dog", column: 1))
            let width = $0.width(leaf)
            for index in 0..<width { $0.bytes[leaf + 8 + index] = index == width - 1 ? UInt8(width) : 0 }
        },
        DamageCase(.unexpectedNull, "a truth value", from: leaf(1, .bool) { $0.integers([3]) }) { _ in },
    ]

    /// Returns a file with one object, which has one timestamp.
    static func timestamp(
        _ seconds: Int, _ nanoseconds: Int, _ attributes: ColumnAttributes = []
    ) -> @Sendable () throws -> Patient {
        leaf(1, .timestamp, attributes) { writer in
            writer.refs([writer.integers([1 << 62, seconds]), writer.integers([nanoseconds])])
        }
    }

    private static func medium(_ values: [String]) -> @Sendable () throws -> Patient {
        leaf(values.count, .string) { writer in
            var (offsets, bytes): ([Int], [UInt8]) = ([], [])
            for value in values {
                bytes += Array(value.utf8) + [0]
                offsets.append(bytes.count)
            }
            let parts = [writer.integers(offsets), writer.blob(bytes), writer.zeros(values.count)]
            return writer.refs(parts)
        }
    }
}
