import RealmLayout
import TestSupport

// C: clusters; R: links; P: primary keys.
extension DamageCase {
    static let clusters: [DamageCase] = [
        DamageCase(.clusterShape, "no leaf of a column", with: [.leak]) {
            try $0.set($0.ref($0.cluster("class_Dog")), 3, 0)
        },
        DamageCase(.clusterShape, "a leaf for no column", with: [.sharedNode]) {
            let cluster = try $0.ref($0.cluster("class_Address"))
            try $0.replace($0.cluster("class_Address"), $0.elements(cluster) + [0, $0.element(cluster, 1)])
        },
        DamageCase(.leafCount, "a leaf of three") { $0.setCount(try $0.ref($0.leaf("class_Dog", column: 2)), 3) },
        DamageCase(.leafCount, "one object less", with: [.linkTarget]) {
            let cluster = try $0.ref($0.cluster("class_Dog"))
            try $0.set(cluster, 0, $0.element(cluster, 0) - 2)
        },
        DamageCase(.keyOrder, "two keys swapped", "cluster-gaps") {
            let keys = try $0.ref($0.cluster("class_Rows") + [0])
            let (first, second) = ($0.element(keys, 0), $0.element(keys, 1))
            try $0.set(keys, 0, second)
            try $0.set(keys, 1, first)
        },
        DamageCase(.keyOrder, "a key of the next sibling", from: twoClusters) {
            let keys = try $0.replace($0.table("class_Hostile") + [2, 3, 0], [0, 300])
            _ = keys
        },
        DamageCase(
            .keyOrder, "a negative key",
            from: {
                var file = HandmadeFile()
                let leaves = [file.writer.integers([7, -5]), file.writer.zeros(2)]
                file.addTable("class_Hostile", [.init("value", .int)], objects: file.writer.refs(leaves))
                return try Patient(bytes: file.bytes())
            }
        ) { _ in },
        DamageCase(.clusterTree, "a child missing", from: twoClusters, with: [.leak]) {
            try $0.set($0.ref($0.table("class_Hostile") + [2]), 4, 0)
        },
        DamageCase(
            .clusterTree, "257 children",
            from: {
                var file = HandmadeFile()
                let leaves = (0..<257).map { _ in file.writer.zeros(1) }
                let children = leaves.map { file.cluster(1, [$0]) }
                let objects = file.clusterInner(depth: 1, count: 257, children)
                file.addTable("class_Hostile", [.init("value", .int)], objects: objects)
                return try Patient(bytes: file.bytes())
            }
        ) { _ in },
        DamageCase(.clusterTree, "an object more", from: twoClusters) {
            try $0.set($0.ref($0.table("class_Hostile") + [2]), 2, 5 << 1 | 1)
        },
        DamageCase(.clusterTree, "depth 2", from: twoClusters) {
            try $0.set($0.ref($0.table("class_Hostile") + [2]), 1, 2 << 1 | 1)
        },
        DamageCase(
            .clusterSize, "300 objects",
            from: {
                try Patient(bytes: ofObjects(300) { file in file.writer.zeros(300) })
            }
        ) { _ in },
        DamageCase(.tombstones, "the key of an object", "tombstones", with: [.linkTarget, .backlinks]) {
            let path = try $0.table("class_TombTarget") + [TableTopSlot.tombstones.rawValue, 0]
            let keys = try $0.ref(path)
            try $0.set(keys, 0, 5)
        },
        DamageCase(
            .tombstones, "one that no link leads to",
            from: {
                var file = HandmadeFile()
                let objects = file.cluster(0, [file.writer.zeros(0)])
                let leaves = [file.writer.integers([-7]), file.writer.zeros(1)]
                file.addTable(
                    "class_Hostile", [.init("value", .int)], objects: objects, tombstones: file.writer.refs(leaves))
                return try Patient(bytes: file.bytes())
            }
        ) { _ in },
        DamageCase(
            .keySpacing, "four objects a cluster",
            from: {
                var file = HandmadeFile()
                let leaves = (0..<2).map { _ in file.writer.zeros(4) }
                let children = leaves.map { file.cluster(4, [$0]) }
                file.addTable(
                    "class_Hostile", [.init("value", .int)], objects: file.clusterInner(depth: 1, count: 8, children))
                return try Patient(bytes: file.bytes())
            }
        ) { _ in },
    ]

    /// Two clusters of two objects each.
    private static let twoClusters: @Sendable () throws -> Patient = {
        var file = HandmadeFile()
        let children = (0..<2).map { _ in
            let keys = file.writer.integers([0, 7])
            let leaf = file.writer.zeros(2)
            return file.writer.refs([keys, leaf])
        }
        file.addTable("class_Hostile", [.init("value", .int)], objects: file.clusterInner(depth: 1, count: 4, children))
        return try Patient(bytes: file.bytes())
    }

    /// Returns a class of `count` objects with one leaf.
    static func ofObjects(
        _ count: Int, _ type: ColumnType = .int, _ attributes: ColumnAttributes = [],
        leaf: (inout HandmadeFile) -> Int
    ) -> [UInt8] {
        var file = HandmadeFile()
        let objects = file.cluster(count, [leaf(&file)])
        file.addTable("class_Hostile", [.init("value", type, attributes)], objects: objects)
        return file.bytes()
    }

    static let links: [DamageCase] = [
        DamageCase(.linkTarget, "to object 99", with: [.backlinks]) { patient in
            var links = patient.elements(try patient.ref(patient.leaf("class_Person", column: 4)))
            guard let index = links.firstIndex(where: { $0 != 0 }) else { throw TestSupportError("no link") }
            links[index] = 100
            try patient.replace(patient.leaf("class_Person", column: 4), links)
        },
        DamageCase(.linkTarget, "from a list", with: [.backlinks]) { patient in
            let lists = try patient.leaf("class_Person", column: 3)
            guard let row = patient.elements(try patient.ref(lists)).firstIndex(where: { $0 != 0 }) else {
                throw TestSupportError("no list")
            }
            var keys = patient.elements(try patient.ref(lists + [row]))
            keys[0] = 1000
            try patient.replace(lists + [row], keys)
        },
        DamageCase(.backlinks, "one removed") { patient in
            let leaf = try patient.backlinkLeaf(of: "class_Dog")
            var backlinks = patient.elements(try patient.ref(leaf))
            guard let row = backlinks.firstIndex(where: { $0 & 1 == 1 }) else { throw TestSupportError("no backlink") }
            backlinks[row] = 0
            try patient.replace(leaf, backlinks)
        },
        DamageCase(.backlinks, "from another object") { patient in
            let leaf = try patient.backlinkLeaf(of: "class_Dog")
            var backlinks = patient.elements(try patient.ref(leaf))
            guard let row = backlinks.firstIndex(where: { $0 & 1 == 1 }) else { throw TestSupportError("no backlink") }
            backlinks[row] ^= 2
            try patient.replace(leaf, backlinks)
        },
        DamageCase(.backlinks, "link cleared") { patient in
            var links = patient.elements(try patient.ref(patient.leaf("class_Person", column: 4)))
            guard let index = links.firstIndex(where: { $0 != 0 }) else { throw TestSupportError("no link") }
            links[index] = 0
            try patient.replace(patient.leaf("class_Person", column: 4), links)
        },
        DamageCase(.embeddedOwner, "none, of a class that was none of embedded objects", "fulltext") {
            try $0.setTop("class_FullText", .flags, 1 << 1 | 1)
        },
        DamageCase(.embeddedOwner, "two owners", with: [.backlinks]) { patient in
            var links = patient.elements(try patient.ref(patient.leaf("class_Person", column: 4)))
            let used = links.indices.filter { links[$0] != 0 }
            guard used.count > 1 else { throw TestSupportError("too few links") }
            links[used[1]] = links[used[0]]
            try patient.replace(patient.leaf("class_Person", column: 4), links)
            // With its backlink: only the second owner is wrong then.
            let leaf = try patient.backlinkLeaf(of: "class_Address", from: "class_Person")
            let list = try patient.append([used[0], used[1]])
            var backlinks = patient.elements(try patient.ref(leaf))
            backlinks[links[used[0]] - 1] = list
            try patient.replace(leaf, backlinks)
        },
        DamageCase(.mixedLink, "a table that does not exist", "tombstones", with: [.backlinks]) { patient in
            let leaf = try patient.leaf("class_TombOrigin", column: 4)
            var pairs = patient.elements(try patient.ref(leaf + [MixedSlot.pairs.rawValue]))
            pairs[0] = 99
            try patient.replace(leaf + [MixedSlot.pairs.rawValue], pairs)
        },
        DamageCase(.mixedLink, "a table without backlinks of it", "tombstones", with: [.backlinks, .linkTarget]) {
            patient in
            let leaf = try patient.leaf("class_TombOrigin", column: 4)
            var pairs = patient.elements(try patient.ref(leaf + [MixedSlot.pairs.rawValue]))
            pairs[0] = try patient.table("metadata")[1]
            pairs[1] = 0
            try patient.replace(leaf + [MixedSlot.pairs.rawValue], pairs)
        },
        DamageCase(.primaryKeyUnique, "two equal integers") { patient in
            var keys = patient.elements(try patient.ref(patient.leaf("class_Person", column: 0)))
            keys[3] = keys[1]
            try patient.replace(patient.leaf("class_Person", column: 0), keys)
        },
        DamageCase(.primaryKeyUnique, "two equal ObjectIds") { patient in
            let leaf = try patient.ref(patient.leaf("class_Dog", column: 0))
            for index in 0..<12 { patient.bytes[leaf + 8 + 1 + 12 + index] = patient.bytes[leaf + 8 + 1 + index] }
        },
        DamageCase(.primaryKeyUnique, "two nulls", "primary-keys-stream") { patient in
            let path = try patient.leaf("class_PkIntN", column: 0)
            var keys = patient.elements(try patient.ref(path))
            guard let null = keys.dropFirst().firstIndex(of: keys[0]) else { throw TestSupportError("no null") }
            keys[null == 1 ? 2 : 1] = keys[0]
            try patient.replace(path, keys)
        },
        DamageCase(.primaryKeyHash, "another integer", "format-20-people") { patient in
            let path = try patient.leaf("class_Person", column: 0)
            var keys = patient.elements(try patient.ref(path))
            keys[3] = 99
            try patient.replace(path, keys)
        },
        DamageCase(.primaryKeyHash, "another ObjectId", "format-20-people") { patient in
            patient.bytes[try patient.ref(patient.leaf("class_Dog", column: 0)) + 8 + 1 + 5] ^= 1
        },
        DamageCase(.primaryKeyHash, "another string", "format-11-people") { patient in
            patient.bytes[try patient.ref(patient.leaf("class_Dog", column: 0)) + 8] ^= 1
        },
        DamageCase(.primaryKeyHash, "another string of a tombstone", "format-21-tombstones") { patient in
            let path = try patient.table("class_TombTarget") + [TableTopSlot.tombstones.rawValue, 1]
            patient.bytes[try patient.ref(path) + 8] ^= 1
        },
        DamageCase(.primaryKeyHash, "a key of the collision map for another value", "format-20-people") {
            try $0.setCollisionMap("class_Person", lower: [77], upper: [0], keys: [3])
        },
        DamageCase(.primaryKeyHash, "a collision map in another order", "format-20-people") {
            try $0.setCollisionMap("class_Person", lower: [9, 8], upper: [0, 0], keys: [1 << 62, 1 << 62 + 1])
        },
        DamageCase(.primaryKeyHash, "a collision map with a key less", "format-20-people") {
            try $0.setCollisionMap("class_Person", lower: [8, 9], upper: [0, 0], keys: [1 << 62])
        },
        DamageCase(.primaryKeyHash, "a collision map with a key twice", "format-20-people") {
            try $0.setCollisionMap("class_Person", lower: [8, 9], upper: [0, 0], keys: [1 << 62, 1 << 62])
        },
        DamageCase(.primaryKeyHash, "a collision map that is none", "format-20-people") { patient in
            let map = try patient.append([0, 0], flags: 0x40)
            try patient.setTop("class_Person", .collisionMap, map)
        },
    ]
}

extension Patient {
    /// Returns the path to the leaf of a table's first column of backlinks.
    func backlinkLeaf(of table: String, from origin: String? = nil) throws -> [Int] {
        let keys = elements(try ref(spec(table, .columnKeys)))
        let tables = elements(try ref(self.table(table) + [TableTopSlot.oppositeTables.rawValue]))
        let wanted = try origin.map { try self.table($0)[1] }
        for key in keys where key >> 16 & 0x3F == ColumnType.backLink.rawValue {
            if wanted == nil || tables[key & 0xFFFF] == wanted { return try leaf(table, column: key & 0xFFFF) }
        }
        throw TestSupportError("no column of backlinks")
    }
}

extension Patient {
    /// Gives a table a collision map.
    mutating func setCollisionMap(_ table: String, lower: [Int], upper: [Int], keys: [Int]) throws {
        let parts = [try append(lower), try append(upper), try append(keys)]
        try setTop(table, .collisionMap, append(parts, flags: 0x40))
    }

    /// Changes a slot of a table's top node.
    mutating func setTop(_ table: String, _ slot: TableTopSlot, _ value: Int) throws {
        let path = try self.table(table)
        var slots = elements(try ref(path))
        slots[slot.rawValue] = value
        try replace(path, slots)
    }
}
