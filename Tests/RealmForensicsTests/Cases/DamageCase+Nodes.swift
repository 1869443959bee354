import RealmLayout
import TestSupport

// N: nodes and references; A: space.
extension DamageCase {
    static let nodes: [DamageCase] = [
        DamageCase(.nodeMagic, "first byte changed") { $0.bytes[try $0.ref($0.leaf("class_Dog", column: 2))] = 0 },
        DamageCase(.nodeWidthType, "width type 3", with: [.leak]) {
            $0.bytes[try $0.ref($0.leaf("class_Dog", column: 2)) + 4] |= 0x18
        },
        DamageCase(.nodeFlags, "inner flag on a leaf", with: [.leafType]) {
            $0.bytes[try $0.ref($0.leaf("class_Dog", column: 2)) + 4] |= 0x80
        },
        DamageCase(.nodeFlags, "refs in a blob", with: [.leafType]) {
            $0.bytes[try $0.ref($0.leaf("class_Dog", column: 1)) + 4] |= 0x40
        },
        DamageCase(.nodeSize, "16 million elements", with: [.leak]) {
            let leaf = try $0.ref($0.leaf("class_DogClub", column: 1))
            $0.setCount(leaf, 0xFFFFFF)
        },
        DamageCase(.refAlignment, "two more", with: [.leak]) {
            let cluster = try $0.ref($0.cluster("class_Dog"))
            try $0.set(cluster, 3, $0.element(cluster, 3) + 2)
        },
        DamageCase(.refRange, "behind the end", with: [.leak]) {
            try $0.set($0.ref($0.cluster("class_Dog")), 3, 0x7FF8)
        },
        DamageCase(.refRange, "in the header", with: [.leak]) { try $0.set($0.ref($0.cluster("class_Dog")), 3, 8) },
        DamageCase(.cycle, "a child is its parent", with: [.leak, .leafType]) {
            let cluster = try $0.ref($0.cluster("class_Dog"))
            try $0.set(cluster, 3, cluster)
        },
        DamageCase(.sharedNode, "two columns share a leaf", with: [.leak]) {
            let cluster = try $0.ref($0.cluster("class_Address"))
            try $0.set(cluster, 2, $0.element(cluster, 1))
        },
        DamageCase(.overlap, "a node inside another") { patient in
            let inner = [UInt8](arrayLiteral: 0x41, 0x41, 0x41, 0x41, 0, 0, 0, 0)
            var ages = patient.elements(try patient.ref(patient.leaf("class_Dog", column: 2)))
            ages[0] = inner.reversed().reduce(0) { $0 << 8 | Int($1) }
            let leaf = try patient.replace(patient.leaf("class_Dog", column: 2), ages)
            let top = try patient.table("class_Dog")
            var slots = patient.elements(try patient.ref(top))
            slots[TableTopSlot.collisionMap.rawValue] = leaf + 8
            try patient.replace(top, slots)
        },
        DamageCase(
            .nodeLength, "64 MiB", from: { try oneList(.int) { $0.zeroed(8 << 20, width: 64) } },
            with: [
                .treeLeafSize, .noFreeList,
            ]
        ) { _ in },
        DamageCase(
            .workLimit, "16 million elements of width 0", from: { try oneList(.bool) { $0.zeros(0xFFFFFF) } },
            with: [.treeLeafSize]
        ) { _ in },
        DamageCase(.nodeDepth, "5000 nodes inside each other", with: [.leak, .leafType]) { patient in
            var ref = try patient.append([1])
            for _ in 0..<5000 { ref = try patient.append([ref], flags: 0x40) }
            try patient.point(patient.leaf("class_Dog", column: 2), to: ref)
        },
    ]

    static let space: [DamageCase] = [
        DamageCase(.freeListShape, "one version less") { $0.setCount(try $0.ref([5]), $0.count(try $0.ref([5])) - 1) },
        DamageCase(.freeListShape, "an array with a flag") { $0.bytes[try $0.ref([5]) + 4] |= 0x20 },
        DamageCase(.freeEntryAlignment, "inside the header", with: [.leak, .freeOverlap, .freeVersusLive]) {
            try $0.set($0.ref([3]), 0, 16)
        },
        DamageCase(.freeListShape, "no lengths", with: [.leak]) { try $0.set($0.top, 4, 0) },
        DamageCase(.freeEntryAlignment, "four bytes less", with: [.leak]) {
            let lengths = try $0.ref([4])
            try $0.set(lengths, 0, $0.element(lengths, 0) - 4)
        },
        DamageCase(.freeEntryAlignment, "no bytes", with: [.leak]) { try $0.set($0.ref([4]), 0, 0) },
        DamageCase(.freeEntryRange, "4096 bytes more", with: [.leak]) {
            let (lengths, last) = (try $0.ref([4]), $0.count(try $0.ref([4])) - 1)
            try $0.set(lengths, last, $0.element(lengths, last) + 4096)
        },
        DamageCase(.freeListOrder, "two swapped", with: [.freeOverlap, .freeVersusLive, .leak]) {
            let positions = try $0.ref([3])
            let (first, second) = ($0.element(positions, 0), $0.element(positions, 1))
            try $0.set(positions, 0, second)
            try $0.set(positions, 1, first)
        },
        DamageCase(.freeOverlap, "a chunk reaches into the next", with: [.freeVersusLive]) {
            let (positions, lengths) = (try $0.ref([3]), try $0.ref([4]))
            try $0.set(lengths, 0, $0.element(positions, 1) - $0.element(positions, 0) + 8)
        },
        DamageCase(.freeVersusLive, "a chunk reaches over a node") {
            let lengths = try $0.ref([4])
            try $0.set(lengths, 0, $0.element(lengths, 0) + 8)
        },
        DamageCase(.leak, "a chunk dropped") { patient in
            for part in 3...5 {
                let list = try patient.ref([part])
                patient.setCount(list, patient.count(list) - 1)
            }
        },
        DamageCase(.freeVersionRange, "freed by a commit to come", "cluster-gaps") { patient in
            var versions = patient.elements(try patient.ref([5]))
            versions[0] = 99
            try patient.replace([5], versions)
        },
        DamageCase(.freeCoalesced, "a chunk in two") { patient in
            var (positions, lengths, versions) = (
                patient.elements(try patient.ref([3])), patient.elements(try patient.ref([4])),
                patient.elements(try patient.ref([5]))
            )
            positions.insert(positions[0] + 8, at: 1)
            lengths.insert(lengths[0] - 8, at: 1)
            lengths[0] = 8
            versions.insert(versions[0], at: 1)
            try patient.replace([3], positions)
            try patient.replace([4], lengths)
            try patient.replace([5], versions)
        },
        DamageCase(.otherVersusFree, "chunks free for everybody") { patient in
            let versions = try patient.ref([5])
            for index in 0..<patient.count(versions) { try patient.set(versions, index, 0) }
        },
        DamageCase(.noFreeList, "none in a streamed file", "links-stream") { _ in },
    ]

    /// Returns a file with a list with the given leaf.
    static func oneList(_ type: ColumnType, _ leaf: (inout NodeWriter) -> Int) throws -> Patient {
        try Patient(
            bytes: HandmadeFile.oneValue(type, .list) { file in
                let list = leaf(&file.writer)
                return file.writer.refs([list])
            })
    }
}

extension NodeWriter {
    /// Adds an array of zeros that takes up space.
    mutating func zeroed(_ count: Int, width: Int) -> Int {
        node(widthType: .bits, width: width, count: count, payload: [UInt8](repeating: 0, count: count * width / 8))
    }
}
