import RealmLayout
import TestSupport

// Formats 2 to 9.
extension DamageCase {
    private static let people = "Legacy/format-9-people"
    /// The columns of the classes in `people`. Roots of indexes follow those of their columns.
    private static let (person, dog, club) = ([1, 2, 1], [1, 3, 1], [1, 4, 1])

    static let legacyNodes: [DamageCase] = [
        DamageCase(.nodeMagic, "first byte changed, format 9", people) { $0.bytes[try $0.ref(dog + [3])] = 0 },
        DamageCase(.nodeWidthType, "width type 3, format 9", people, with: [.leak]) {
            $0.bytes[try $0.ref(dog + [3]) + 4] |= 0x18
        },
        DamageCase(.nodeSize, "16 million elements, format 9", people, with: [.leak]) {
            $0.setCount(try $0.ref(dog + [3]), 0xFFFFFF)
        },
        DamageCase(.refAlignment, "two more, format 9", people, with: [.leak]) {
            try $0.set($0.ref(dog), 3, $0.element($0.ref(dog), 3) + 2)
        },
        DamageCase(.refRange, "behind the end, format 9", people, with: [.leak]) { try $0.set($0.ref(dog), 3, 0x7FF8) },
        DamageCase(.cycle, "a child is its parent, format 9", people, with: [.leak]) {
            try $0.set($0.ref(dog), 3, $0.ref(dog))
        },
        DamageCase(.sharedNode, "two columns share a leaf, format 9", people, with: [.leak]) {
            try $0.set($0.ref(dog), 3, $0.element($0.ref(person), 0))
        },
        DamageCase(.freeVersusLive, "a chunk reaches over a node, format 9", people, with: [.freeOverlap]) {
            try $0.set($0.ref([4]), 0, $0.element($0.ref([4]), 0) + 8)
        },
        DamageCase(.leak, "a chunk dropped, format 9", people) { patient in
            for part in 3...5 {
                let list = try patient.ref([part])
                patient.setCount(list, patient.count(list) - 1)
            }
        },
        DamageCase(.topCount, "four elements, format 9", people) { $0.setCount($0.top, 4) },
        DamageCase(.tableCounts, "a name less, format 9", people, with: [.tableName]) {
            $0.setCount(try $0.ref([0]), 4)
        },
        DamageCase(.tableName, "the same twice, format 9", people) { patient in
            let names = try patient.ref([0]) + 8
            for index in 0..<16 { patient.bytes[names + 48 + index] = patient.bytes[names + 32 + index] }
        },
        DamageCase(.tableName, "not UTF-8, format 9", people) { $0.bytes[try $0.ref([0]) + 8 + 48 + 8] = 0xFF },
        DamageCase(.historyType, "type 9, format 9", people) { try $0.set($0.top, 7, 9 << 1 | 1) },
    ]

    static let legacyContent: [DamageCase] = [
        DamageCase(.tableTopCount, "three elements, format 9", people) {
            let top = try $0.ref([1, 4])
            try $0.replace([1, 4], $0.elements(top) + [1])
        },
        DamageCase(.specParallel, "a type less, format 9", people) { $0.setCount(try $0.ref([1, 4, 0, 0]), 1) },
        DamageCase(.leafCount, "a row less, format 9", people) { $0.setCount(try $0.ref(dog + [3]), 19) },
        DamageCase(.leafType, "integers in the place of strings, format 9", people) {
            try $0.replace(dog + [2], [Int](1...20))
        },
        DamageCase(.leafCount, "a total too large, format 9", from: tree(total: 5)) { _ in },
        DamageCase(.linkTarget, "a link to row 99, format 9", people, with: [.backlinks]) {
            try $0.replace(person + [3, 1], [99])
        },
        DamageCase(.backlinks, "one removed, format 9", people) { patient in
            var backlinks = patient.elements(try patient.ref(dog + [4]))
            guard let row = backlinks.firstIndex(where: { $0 & 1 == 1 }) else { throw TestSupportError("no backlink") }
            backlinks[row] = 0
            try patient.replace(dog + [4], backlinks)
        },
        DamageCase(.utf8, "FF in format 9", people) { $0.bytes[try $0.ref(dog + [2]) + 8] = 0xFF },
        DamageCase(.columnAttributes, "an unknown attribute, format 9", people) {
            try $0.replace([1, 4, 0, 2], [64, 0])
        },
        DamageCase(.columnAttributes, "unique without an index, format 9", people) {
            try $0.replace([1, 4, 0, 2], [2, 0])
        },
        DamageCase(.columnAttributes, "one that was never used, format 9", people) {
            try $0.replace([1, 4, 0, 2], [4, 0])
        },
        DamageCase(.columnAttributes, "strong links of strings, format 9", people) {
            try $0.replace([1, 4, 0, 2], [8, 0])
        },
        DamageCase(.columnAttributes, "null in format 2", "Legacy/format-2-enumerated", with: [.leafType]) { patient in
            var attributes = patient.elements(try patient.ref([1, 2, 0, 2]))
            attributes[0] |= 16
            try patient.replace([1, 2, 0, 2], attributes)
        },
        DamageCase(.metadataObject, "two rows, format 9", "Legacy/format-9-dates") {
            $0.setCount(try $0.ref([1, 1, 1, 0]), 2)
        },
        DamageCase(.primaryKeyTable, "another name of the table", people, with: [.tableName]) {
            $0.bytes[try $0.ref([0]) + 8] ^= 1
        },
        DamageCase(.columnType, "type 33, format 9", people) { try $0.replace([1, 4, 0, 0], [33, 13]) },
        DamageCase(.specCount, "two elements, format 9", people, with: [.leak]) {
            $0.setCount(try $0.ref([1, 4, 0]), 2)
        },
        DamageCase(.distinctStrings, "none, format 4", "Legacy/format-4-enumerated", with: [.leak]) {
            try $0.set($0.ref([1, 2, 0, 4]), 1, 0)
        },
        DamageCase(.columnName, "FF in format 9", people) { $0.bytes[try $0.ref([1, 4, 0, 1]) + 8] = 0xFF },
        DamageCase(.stringTermination, "bytes behind the end, format 9", people) {
            $0.bytes[try $0.ref(dog + [2]) + 8 + 6] = 1
        },
        DamageCase(.stringTermination, "more unused bytes than there are, format 9", people, with: [.leafType]) {
            $0.bytes[try $0.ref(dog + [2]) + 8 + 7] = 0xFE
        },
        DamageCase(.stringTermination, "bytes behind a name, format 9", people) {
            $0.bytes[try $0.ref([0]) + 8 + 14] = 1
        },
        DamageCase(.stringTermination, "medium without zero, format 9", from: { try strings(0, medium: true) }) {
            try $0.setNumber(0x6161, at: $0.ref([1, 0, 1, 0, 1]) + 8 + 1, 2)
        },
        DamageCase(.stringTermination, "offsets that descend, format 9", from: { try strings(0, medium: true) }) {
            try $0.set($0.ref([1, 0, 1, 0, 0]), 0, 4)
        },
        DamageCase(.stringTermination, "big without zero, format 9", from: { try strings(16, medium: false) }) {
            $0.bytes[try $0.ref([1, 0, 1, 0, 0]) + 8 + 1] = 0x61
        },
        DamageCase(.primaryKeyUnique, "two equal integers, format 9", people) { patient in
            var keys = patient.elements(try patient.ref(person + [0]))
            keys[3] = keys[1]
            try patient.replace(person + [0], keys)
        },
        DamageCase(.primaryKeyUnique, "two equal strings, format 9", people) { patient in
            let leaf = try patient.ref(dog + [0]) + 8
            for index in 0..<8 { patient.bytes[leaf + 24 + index] = patient.bytes[leaf + index] }
        },
        DamageCase(.primaryKeyTable, "a class twice", people) { patient in
            let leaf = try patient.ref([1, 0, 1, 0]) + 8
            for index in 0..<8 { patient.bytes[leaf + 8 + index] = patient.bytes[leaf + index] }
        },
        DamageCase(.primaryKeyTable, "a property of another type", from: { try keyTable(propertyType: 9) }) { _ in },
        DamageCase(.primaryKeyTable, "no column of properties", people) {
            let names = try $0.ref([1, 0, 0, 1]) + 8
            $0.bytes[names + 16] = UInt8(ascii: "x")
        },
        DamageCase(.indexSlots, "no index, format 9", people, with: [.leak]) { try $0.set($0.ref(person), 1, 0) },
        DamageCase(.indexContent, "another integer in the column, format 9", people) { patient in
            var ids = patient.elements(try patient.ref(person + [0]))
            ids[2] = 77
            try patient.replace(person + [0], ids)
        },
        DamageCase(.indexContent, "another string in the column, format 9", people) {
            $0.bytes[try $0.ref(dog + [0]) + 8 + 24 + 4] = UInt8(ascii: "x")
        },
        DamageCase(.indexContent, "a row twice, format 9", people) {
            try $0.set($0.ref(person + [1]), 1, $0.element($0.ref(person + [1]), 2))
        },
        DamageCase(.indexContent, "a row that does not exist, format 9", people) {
            try $0.set($0.ref(person + [1]), 1, 99 << 1 | 1)
        },
        DamageCase(.indexContent, "a row less, format 9", people) { patient in
            let index = try patient.ref(person + [1])
            patient.setCount(index, 10)
            patient.setCount(try patient.ref(person + [1, 0]), 9)
        },
        DamageCase(
            .indexContent, "another string of those that are stored once, format 2", "Legacy/format-2-enumerated"
        ) {
            patient in
            var numbers = patient.elements(try patient.ref([1, 2, 1, 2]))
            numbers[5] = (numbers[5] + 1) % 5
            try patient.replace([1, 2, 1, 2], numbers)
        },
        DamageCase(.indexContent, "rows of other values in one list, format 4", "Legacy/format-4-enumerated") {
            patient in
            let index = [1, 2, 1, 3]
            let (first, second) = (try patient.ref(index + [1]), try patient.ref(index + [2]))
            try patient.set(first, 0, patient.element(second, 0))
        },
        DamageCase(.indexShape, "no context flag, format 9", people, with: [.indexContent]) {
            $0.bytes[try $0.ref(person + [1]) + 4] &= ~0x20
        },
        DamageCase(.indexShape, "chunks swapped, format 9", people, with: [.indexContent]) {
            let chunks = try $0.ref(person + [1, 0])
            let (first, second) = ($0.element(chunks, 0), $0.element(chunks, 1))
            try $0.set(chunks, 0, second)
            try $0.set(chunks, 1, first)
        },
        DamageCase(.indexShape, "rows of a list swapped, format 9", from: { try dates(rows: [1, 0], [5, 5]) }) { _ in },
        DamageCase(.indexContent, "another date, format 9", from: { try dates(rows: [0, 1], [5, 6]) }) { _ in },
        DamageCase(.stringTermination, "without zero in a subtable, format 9", from: subtables) {
            try $0.setNumber(0x6161, at: $0.ref([1, 0, 1, 0, 1, 0, 1]) + 8 + 1, 2)
        },
        DamageCase(.indexContent, "another date in a subtable, format 9", from: subtables) {
            try $0.set($0.ref([1, 0, 1, 0, 1, 1, 0]), 2, 6)
        },
        DamageCase(.indexContent, "a row less in a subtable, format 9", from: subtables, with: [.leak]) {
            $0.setCount(try $0.ref([1, 0, 1, 0, 1, 2, 1]), 1)
        },
        DamageCase(.indexShape, "rows swapped in a subtable, format 9", from: subtables) {
            let rows = try $0.ref([1, 0, 1, 0, 1, 2, 1])
            try $0.set(rows, 0, 1)
            try $0.set(rows, 1, 0)
        },
    ]

    /// Returns a column of integers in a tree of two leaves, with 3 elements in total.
    private static func tree(total: Int) -> @Sendable () throws -> Patient {
        {
            try Patient(
                bytes: LegacyFile.oneColumn(0) { file, column in
                    let leaves = [[1, 2], [3]].map { file.writer.integers($0) }
                    column.root = file.tree(leaves, counts: [2, 1], total: total)
                })
        }
    }

    /// Returns a class of the strings "a" and "b".
    private static func strings(_ attributes: Int, medium: Bool) throws -> Patient {
        try Patient(
            bytes: LegacyFile.oneColumn(2, attributes) { file, column in
                column.root = medium ? file.mediumStrings(["a", "b"], hasFlags: false) : file.bigStrings(["a", "b"])
            })
    }

    /// Returns a class whose primary key has the type.
    private static func keyTable(propertyType: Int) throws -> Patient {
        var file = LegacyFile()
        let names = [file.writer.shortStrings(["Hostile"]), file.writer.shortStrings(["value"])]
        file.addTable("pk", [.init("pk_table", 2, root: names[0]), .init("pk_property", 2, root: names[1])])
        file.addTable("class_Hostile", [.init("value", propertyType, root: file.bits([0], bytes: 4))])
        return try Patient(bytes: file.bytes())
    }

    /// Returns a class of two rows, the second of which has a subtable of two rows, with a string each and indexed
    /// dates.
    private static func subtables() throws -> Patient {
        var file = LegacyFile()
        let dates = file.timestamps(file.nullableIntegers([5, 5]), file.writer.integers([0, 0]))
        let chunks = file.writer.node(widthType: .bits, width: 32, count: 1, payload: [0, 0, 0, 5])
        let index = file.writer.refs([chunks, file.writer.integers([0, 1])], isContext: true)
        let strings = file.mediumStrings(["a", "b"], hasFlags: false)
        var column = LegacyFile.Column("value", 5, root: 0)
        column.subspecs = [file.spec([.init("text", 2, root: 0), .init("date", 8, 1, root: 0)])]
        column.root = file.writer.refs([0, file.writer.refs([strings, dates, index])])
        file.addTable("class_Hostile", [column])
        return try Patient(bytes: file.bytes())
    }

    /// Returns a class of two dates, which an index has in one list, as if both were second 5.
    static func dates(rows: [Int], _ seconds: [Int]) throws -> Patient {
        var file = LegacyFile()
        let root = file.timestamps(
            file.nullableIntegers(seconds), file.writer.integers([Int](repeating: 0, count: seconds.count)))
        let chunks = file.writer.node(widthType: .bits, width: 32, count: 1, payload: [0, 0, 0, 5])
        let index = file.writer.refs([chunks, file.writer.integers(rows)], isContext: true)
        let spec = file.spec([.init("value", 8, 1, root: 0)])
        file.addTable("class_Hostile", top: [spec, file.writer.refs([root, index])])
        return try Patient(bytes: file.bytes())
    }
}
