import RealmLayout
import TestSupport

// T: the root and the list of tables; S: tables and columns.
extension DamageCase {
    static let group: [DamageCase] = [
        DamageCase(.topCount, "four elements") { $0.setCount($0.top, 4) },
        DamageCase(.topCount, "thirteen elements") { $0.setCount($0.top, 13) },
        DamageCase(.topCount, "twelve elements in format 22", "format-22-links") {
            try $0.replace([], $0.elements($0.top) + [Int](repeating: 0, count: 12 - $0.count($0.top)))
        },
        DamageCase(.topSlots, "an even logical size") { try $0.set($0.top, 2, 0x4000) },
        DamageCase(.topSlots, "a version that is a ref", with: [.versionNumber, .refRange]) {
            try $0.set($0.top, 6, 0x18)
        },
        DamageCase(.topSlots, "no tables") { try $0.set($0.top, 1, 0) },
        DamageCase(.versionNumber, "commits five apart", with: [.freeVersionRange]) { try $0.set($0.otherTop, 6, 17) },
        DamageCase(.versionNumber, "commit 0", with: [.freeVersionRange, .historyCount]) { try $0.set($0.top, 6, 1) },
        DamageCase(.tableCounts, "a name more", with: [.tableName]) {
            $0.setCount(try $0.ref([0]), $0.count(try $0.ref([0])) - 1)
        },
        DamageCase(.tableSlot, "an empty slot", with: [.leak, .oppositeColumn, .linkTarget]) {
            try $0.set($0.ref([1]), 0, 0)
        },
        DamageCase(.tableSlot, "a tag, but a name", with: [.leak]) { try $0.set($0.ref([1]), 0, 1) },
        DamageCase(.tableSlot, "a tag that is too large", with: [.leak, .oppositeColumn, .linkTarget]) {
            var slots = $0.elements(try $0.ref([1]))
            slots[0] = 0x8000 << 1 | 1
            try $0.replace([1], slots)
        },
        DamageCase(.tableName, "the same twice") { patient in
            let names = try patient.ref([0])
            let width = patient.width(names)
            for index in 0..<width { patient.bytes[names + 8 + width + index] = patient.bytes[names + 8 + index] }
        },
        DamageCase(.tableName, "not UTF-8") { $0.bytes[try $0.ref([0]) + 8] = 0xFF },
        DamageCase(.tableKey, "key of another slot") { try $0.set($0.ref($0.table("metadata")), 3, 5 << 1 | 1) },
        DamageCase(.evacuation, "beyond the end") { patient in
            try patient.replace([], patient.elements(patient.top) + [1 << 40 | 1])
        },
        DamageCase(.evacuation, "not a multiple of 8") { patient in
            try patient.replace([], patient.elements(patient.top) + [4 << 1 | 1])
        },
        DamageCase(.historyType, "type 9", with: []) { try $0.set($0.top, 7, 9 << 1 | 1) },
        DamageCase(.historyType, "a history that is none") { try $0.set($0.top, 7, 1) },
        DamageCase(.historyType, "layout 7") { try $0.set($0.top, 9, 7 << 1 | 1) },
    ]

    static let schema: [DamageCase] = [
        DamageCase(
            .tableTopCount, "five elements",
            with: [
                .leak, .indexSlots, .oppositeColumn,
            ]
        ) { $0.setCount(try $0.ref($0.table("metadata")), 5) },
        DamageCase(.tableTopCount, "no cluster tree", with: [.leak]) {
            try $0.set($0.ref($0.table("metadata")), 2, 0)
        },
        DamageCase(.specCount, "five elements", with: [.specParallel, .leak, .clusterShape]) {
            $0.setCount(try $0.ref($0.table("metadata") + [0]), 5)
        },
        DamageCase(.specParallel, "a type less", with: [.clusterShape, .oppositeColumn, .primaryKeyColumn]) {
            let types = try $0.ref($0.spec("class_Dog", .types))
            $0.setCount(types, $0.count(types) - 1)
        },
        DamageCase(.specParallel, "a name less") {
            let names = try $0.ref($0.spec("class_Dog", .names))
            $0.setCount(names, $0.count(names) - 1)
        },
        DamageCase(.columnType, "type 33", with: [.clusterShape]) {
            try $0.setColumnKey("class_Dog", 2) { $0 | 33 << 16 }
        },
        DamageCase(
            .columnType, "Mixed in format 20",
            from: { try oneColumn(.mixed, format: 20) { $0.mixed([0]) } }, with: [.clusterShape]
        ) { _ in },
        DamageCase(
            .columnAttributes, "a set in format 20",
            from: { try oneColumn(.int, .set, format: 20) { $0.writer.zeros(1, flags: 0x40) } }
        ) { _ in },
        DamageCase(
            .columnAttributes, "strong links of integers",
            from: { try oneColumn(.int, .strongLinks) { $0.writer.zeros(1) } }
        ) { _ in },
        DamageCase(.columnAttributes, "an unknown attribute") {
            let path = try $0.spec("class_Dog", .attributes)
            var attributes = $0.elements(try $0.ref(path))
            attributes[1] |= 1 << 10
            try $0.replace(path, attributes)
        },
        DamageCase(.columnAttributes, "backlinks that can be null", with: [.columnKey, .oppositeColumn, .backlinks]) {
            try $0.setColumnKey("class_Dog", 3) { $0 | ColumnAttributes.nullable.rawValue << 22 }
        },
        DamageCase(.columnAttributes, "set and list", with: [.columnKey, .oppositeColumn, .mixedLink, .backlinks]) {
            try $0.setColumnKey("class_DogClub", 1) { $0 | 0x80 << 22 }
        },
        DamageCase(.columnKey, "another type in the key", with: [.leafType]) {
            try $0.setColumnKey("class_Dog", 2) { $0 | 9 << 16 }
        },
        DamageCase(.columnKey, "other attributes in the key", with: [.nullSentinel, .leafCount]) {
            try $0.setColumnKey("class_Dog", 2) { $0 | ColumnAttributes.nullable.rawValue << 22 }
        },
        DamageCase(.columnKey, "the same index twice", with: [.clusterShape]) {
            try $0.setColumnKey("class_Dog", 2) { $0 & ~0xFFFF | 1 }
        },
        DamageCase(.columnName, "no name") { patient in
            let names = try patient.ref(patient.spec("class_Dog", .names))
            let width = patient.width(names)
            for index in 0..<width { patient.bytes[names + 8 + width + index] = 0 }
            patient.bytes[names + 8 + 2 * width - 1] = UInt8(width - 1)
        },
        DamageCase(.columnName, "the same twice") { patient in
            let names = try patient.ref(patient.spec("class_Dog", .names))
            let width = patient.width(names)
            for index in 0..<width { patient.bytes[names + 8 + width + index] = patient.bytes[names + 8 + index] }
        },
        DamageCase(.oppositeColumn, "a table that does not exist", with: []) {
            let path = try $0.table("class_Person") + [TableTopSlot.oppositeTables.rawValue]
            try $0.set($0.ref(path), 3, 77)
        },
        DamageCase(.oppositeColumn, "another column", with: [.backlinks, .linkTarget]) {
            let path = try $0.table("class_Person") + [TableTopSlot.oppositeColumns.rawValue]
            try $0.set($0.ref(path), 3, $0.element($0.ref(path), 4))
        },
        DamageCase(.oppositeColumn, "of a column without links") {
            let path = try $0.table("class_Person") + [TableTopSlot.oppositeTables.rawValue]
            try $0.set($0.ref(path), 0, $0.element($0.ref(path), 3))
        },
        DamageCase(.oppositeColumn, "a list that is too short", with: [.linkTarget, .backlinks]) {
            let path = try $0.table("class_Person") + [TableTopSlot.oppositeTables.rawValue]
            $0.setCount(try $0.ref(path), 4)
        },
        DamageCase(.distinctStrings, "the same twice", "enumerated") { patient in
            let path = try patient.table("class_Enumerated") + [0, SpecSlot.enumKeys.rawValue, 0]
            let names = try patient.ref(path)
            let width = patient.width(names)
            for index in 0..<width { patient.bytes[names + 8 + width + index] = patient.bytes[names + 8 + index] }
        },
        DamageCase(.distinctStrings, "of integers") { patient in
            let spec = try patient.table("class_Dog") + [0]
            let strings = try patient.append([], flags: 0)
            let list = try patient.append([0, 0, strings], flags: 0x40)
            var parts = patient.elements(try patient.ref(spec))
            parts[SpecSlot.enumKeys.rawValue] = list
            try patient.replace(spec, parts)
        },
        DamageCase(.indexSlots, "no index of the primary key", with: [.leak]) {
            try $0.set($0.ref($0.table("class_Dog") + [TableTopSlot.searchIndexes.rawValue]), 0, 0)
        },
        DamageCase(.indexSlots, "an index that is not marked", with: [.sharedNode]) {
            let indexes = try $0.ref($0.table("class_Dog") + [TableTopSlot.searchIndexes.rawValue])
            try $0.set(indexes, 2, $0.element(indexes, 0))
        },
        DamageCase(.indexSlots, "a number", with: [.leak]) {
            try $0.set($0.ref($0.table("class_Dog") + [TableTopSlot.searchIndexes.rawValue]), 0, 7)
        },
        DamageCase(.indexSlots, "a list that is too short", with: [.leak]) {
            $0.setCount(try $0.ref($0.table("class_Dog") + [TableTopSlot.searchIndexes.rawValue]), 0)
        },
        DamageCase(.primaryKeyColumn, "a list of links", with: [.indexSlots]) {
            let key = $0.element(try $0.ref($0.spec("class_Person", .columnKeys)), 3)
            try $0.setTop("class_Person", .primaryKeyColumn, key << 1 | 1)
        },
        DamageCase(.primaryKeyColumn, "of an embedded class", with: [.indexSlots]) {
            let key = $0.element(try $0.ref($0.spec("class_Address", .columnKeys)), 0)
            try $0.setTop("class_Address", .primaryKeyColumn, key << 1 | 1)
        },
        DamageCase(.primaryKeyColumn, "no such column", with: [.indexSlots]) {
            try $0.set($0.ref($0.table("class_Dog")), TableTopSlot.primaryKeyColumn.rawValue, 0x1FF1)
        },
        DamageCase(.tableFlags, "kind 3") { try $0.set($0.ref($0.table("class_Dog")), TableTopSlot.flags.rawValue, 7) },
        DamageCase(.tableFlags, "an asymmetric class with backlinks") {
            try $0.setTop("class_Dog", .flags, 2 << 1 | 1)
        },
        DamageCase(.tableFlags, "asymmetric in format 21", "format-21-tombstones") {
            try $0.setTop("class_TombTarget", .flags, 2 << 1 | 1)
        },
        DamageCase(.sequenceNumber, "none used") {
            try $0.set($0.ref($0.table("class_DogClub")), TableTopSlot.sequenceNumber.rawValue, 1)
        },
        DamageCase(.dictionaryKeyType, "keys of type 7", "embedded") { patient in
            let types = try patient.spec("class_EmbParent", .types)
            var values = patient.elements(try patient.ref(types))
            guard let index = values.firstIndex(where: { $0 >> 16 != 0 }) else {
                throw TestSupportError("no dictionary")
            }
            values[index] = values[index] & 0xFFFF | 7 << 16
            try patient.replace(types, values)
        },
    ]

    /// Returns a class of one object with one property.
    private static func oneColumn(
        _ type: ColumnType, _ attributes: ColumnAttributes = [], format: UInt8 = 24, leaf: (inout HandmadeFile) -> Int
    ) throws -> Patient {
        try Patient(bytes: HandmadeFile.oneValue(type, attributes, format: format, leaf: leaf))
    }
}

extension Patient {
    /// Changes the key of a column, given by its position in the spec.
    mutating func setColumnKey(_ table: String, _ position: Int, _ change: (Int) -> Int) throws {
        let path = try spec(table, .columnKeys)
        var keys = elements(try ref(path))
        keys[position] = change(keys[position])
        try replace(path, keys)
    }
}
