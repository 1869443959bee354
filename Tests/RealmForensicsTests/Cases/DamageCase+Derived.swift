import RealmLayout
import TestSupport

// I: search indexes.
extension DamageCase {
    static let derived: [DamageCase] = [
        DamageCase(.indexContent, "another value in the column") { patient in
            let path = try patient.leaf("class_Person", column: 0)
            var ids = patient.elements(try patient.ref(path))
            ids[2] = 77
            try patient.replace(path, ids)
        },
        DamageCase(.indexContent, "an object twice") { patient in
            let path = try patient.index("class_Person", 0)
            try patient.set(patient.ref(path), 1, patient.element(patient.ref(path), 2))
        },
        DamageCase(.indexContent, "an object that does not exist") { patient in
            let path = try patient.index("class_Person", 0)
            try patient.set(patient.ref(path), 1, 99 << 1 | 1)
        },
        DamageCase(.indexContent, "another word in the text", "fulltext") { patient in
            // "coffee" becomes "xoffee".
            let leaf = try patient.leaf("class_FullText", column: 0)
            try patient.changeText(leaf, "coffee", "xoffee")
        },
        DamageCase(.indexShape, "no context flag", with: [.indexContent]) {
            $0.bytes[try $0.ref($0.index("class_Person", 0)) + 4] &= ~0x20
        },
        DamageCase(.indexShape, "chunks swapped", with: [.indexContent]) {
            let chunks = try $0.ref($0.index("class_Person", 0) + [0])
            let (first, second) = ($0.element(chunks, 0), $0.element(chunks, 1))
            try $0.set(chunks, 0, second)
            try $0.set(chunks, 1, first)
        },
        DamageCase(
            .indexShape, "another last chunk of a child",
            from: { try twoStrings("abcd", "abcd", list: [0, 1], parent: "abce") }, with: [.leak]
        ) { _ in },
        DamageCase(
            .indexShape, "objects of a list swapped", from: { try twoStrings("abcd", "abcd", list: [1, 0]) },
            with: [.leak]
        ) { _ in },
        DamageCase(
            .indexContent, "a list of different values", from: { try twoStrings("abcdx", "abcdy", list: [0, 1]) },
            with: [.leak]
        ) { _ in },
        DamageCase(
            .indexListOrder, "long values swapped",
            from: {
                let long = String(repeating: "x", count: 250)
                var file = HandmadeFile()
                let strings = ["b", "a"].map { file.writer.blob(Array((long + $0).utf8) + [0]) }
                let leaf = file.writer.refs(strings, isContext: true)
                // 51 levels of "xxxx" lead to a list of both, in the order of their keys.
                var node = file.writer.integers([0, 1])
                for _ in 0...50 {
                    let chunks = file.writer.node(
                        widthType: .bits, width: 32, count: 1, payload: Array("xxxx".utf8.reversed()))
                    node = file.writer.refs([chunks, node], isContext: true)
                }
                let objects = file.cluster(2, [leaf])
                let top = file.addTable("class_Hostile", [.init("value", .string)], objects: objects)
                var patient = try Patient(bytes: file.bytes())
                try patient.set(
                    patient.child(top, TableTopSlot.spec.rawValue), SpecSlot.attributes.rawValue, patient.append([1]))
                try patient.set(top, TableTopSlot.searchIndexes.rawValue, patient.append([node], flags: 0x40))
                return patient
            }, with: [.leak]
        ) { _ in },
    ]

    /// A class of two strings that begin with "abcd", with an index that has both in one list.
    ///
    /// - Parameter parent: the chunk of an inner node above; nil for none.
    private static func twoStrings(
        _ first: String, _ second: String, list: [Int], parent: String? = nil
    ) throws -> Patient {
        var file = HandmadeFile()
        let objects = file.cluster(2, [file.writer.shortStrings([first, second])])
        let top = file.addTable("class_Hostile", [.init("value", .string)], objects: objects)
        func chunk(_ text: String) -> Int {
            file.writer.node(widthType: .bits, width: 32, count: 1, payload: text.utf8.reversed())
        }
        var index = file.writer.refs([chunk("abcd"), file.writer.integers(list)], isContext: true)
        if let parent { index = file.writer.refs([chunk(parent), index], isInner: true, isContext: true) }
        var patient = try Patient(bytes: file.bytes())
        try patient.set(
            patient.child(top, TableTopSlot.spec.rawValue), SpecSlot.attributes.rawValue, patient.append([1]))
        try patient.set(top, TableTopSlot.searchIndexes.rawValue, patient.append([index], flags: 0x40))
        return patient
    }
}

extension Patient {
    /// Returns the path to the index of a column.
    func index(_ table: String, _ column: Int) throws -> [Int] {
        try self.table(table) + [TableTopSlot.searchIndexes.rawValue, column]
    }

    /// Replaces the first occurrence of a text below the node at the end of a path by one of the same length.
    mutating func changeText(_ path: [Int], _ text: String, _ other: String) throws {
        let (old, new) = (Array(text.utf8), Array(other.utf8))
        var refs = [try ref(path)]
        while let ref = refs.popLast() {
            if bytes[ref + 4] & 0x40 != 0 {
                refs += elements(ref).filter { $0 != 0 && $0 & 1 == 0 }
                continue
            }
            guard bytes[ref + 4] & 0x18 != 0, count(ref) >= old.count else { continue }
            let size = bytes[ref + 4] & 0x18 == 0x08 ? count(ref) * width(ref) : count(ref)
            for offset in (ref + 8)..<(ref + 8 + size - old.count)
            where Array(bytes[offset..<(offset + old.count)]) == old {
                bytes.replaceSubrange(offset..<(offset + old.count), with: new)
                return
            }
        }
        throw TestSupportError("no text \(text)")
    }
}
