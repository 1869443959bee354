import RealmCore
import RealmLayout
import RealmStore
import TestSupport

/// A database with every type in every position, one class for each, with values that formats could get wrong, one
/// object for each.
///
/// Classes are named `type_position`, their property is `v`, and `n` identifies their objects.
struct ExchangeMatrix {
    /// The position of a value.
    enum Position: String, CaseIterable {
        case value, nullable, list, nullableList, set, dictionary, nullableDictionary, mixed, mixedList, mixedSet
        case mixedDictionary, nested, key
    }

    static let plainTypes: [StoredPropertyType] = [
        .int, .bool, .string, .binary, .timestamp, .float, .double, .decimal128, .objectId, .uuid,
    ]
    static let keyTypes: [StoredPropertyType] = [.int, .string, .objectId, .uuid]

    private let builder: RealmBuilder
    let path: String

    /// Writes the file.
    static func write(to path: String) throws -> Snapshot {
        let matrix = try ExchangeMatrix(path: path)
        try matrix.addObjects()
        try matrix.builder.finish()
        return try RealmDatabase(path: path).snapshot()
    }

    private init(path: String) throws {
        self.path = path
        builder = try RealmBuilder(SchemaDefinition(Self.tables), at: NewFile(path))
    }

    // MARK: Schema

    private static let number = PropertyDefinition("n", .int)

    private static var tables: [TableDefinition] {
        var tables = [
            TableDefinition(class: "Target", primaryKey: "_id", [PropertyDefinition("_id", .string, isNullable: true)]),
            TableDefinition(class: "Keyless", [number]),
            TableDefinition(
                class: "Inside", kind: .embedded,
                [
                    PropertyDefinition("time", .timestamp, isNullable: true), PropertyDefinition("any", .mixed),
                    PropertyDefinition("to", .link, target: "class_Target"),
                ]),
        ]
        for position in Position.allCases {
            for type in plainTypes {
                if position == .key, !keyTypes.contains(type) { continue }
                tables.append(table("\(type)", type, position, target: nil))
            }
            for target in ["Target", "Keyless", "Inside"] {
                guard accepts(target, position) else { continue }
                tables.append(table(target, .link, position, target: "class_\(target)"))
            }
        }
        return tables
    }

    /// Whether links to the class, or embedded objects of it, are possible in the position.
    private static func accepts(_ target: String, _ position: Position) -> Bool {
        switch position {
        case .value, .list, .dictionary: true
        case .set, .mixed, .mixedList, .mixedSet, .mixedDictionary, .nested: target != "Inside"
        case .nullable, .nullableList, .nullableDictionary, .key: false
        }
    }

    private static func table(
        _ name: String, _ type: StoredPropertyType, _ position: Position, target: String?
    ) -> TableDefinition {
        let property =
            switch position {
            case .value: PropertyDefinition("v", type, target: target)
            case .nullable, .key: PropertyDefinition("v", type, isNullable: true)
            case .list: PropertyDefinition("v", type, collection: .list, target: target)
            case .nullableList: PropertyDefinition("v", type, isNullable: true, collection: .list)
            case .set: PropertyDefinition("v", type, collection: .set, target: target)
            case .dictionary: PropertyDefinition("v", type, collection: .dictionary(.string), target: target)
            case .nullableDictionary:
                PropertyDefinition("v", type, isNullable: true, collection: .dictionary(.string))
            case .mixed, .nested: PropertyDefinition("v", .mixed)
            case .mixedList: PropertyDefinition("v", .mixed, collection: .list)
            case .mixedSet: PropertyDefinition("v", .mixed, collection: .set)
            case .mixedDictionary: PropertyDefinition("v", .mixed, collection: .dictionary(.string))
            }
        // Objects are found by number: in one class in three it is the primary key, other classes have no primary key
        // or their own.
        return TableDefinition(
            class: "\(name)_\(position.rawValue)", primaryKey: position == .key ? "v" : "n", [number, property])
    }

    // MARK: Objects

    private func addObjects() throws {
        for key in Self.targetKeys { try builder.add("Target", ["_id": key]) }
        for number in 0..<3 { try builder.add("Keyless", ["n": .int(Int64(number))], key: ObjectKey(Int64(number))) }
        for position in Position.allCases {
            for type in Self.plainTypes where position != .key || Self.keyTypes.contains(type) {
                try add("\(type)", Self.values(type), position)
            }
            for target in ["Target", "Keyless", "Inside"] where Self.accepts(target, position) {
                try add(target, Self.values(of: target), position)
            }
        }
    }

    private func add(_ name: String, _ values: [NewValue], _ position: Position) throws {
        var values = values
        if [.nullable, .nullableList, .nullableDictionary, .key].contains(position) { values.append(.null) }
        if [.mixed, .mixedList, .mixedSet, .mixedDictionary].contains(position) { values.append(.null) }
        for (index, value) in values.enumerated() {
            let placed: NewValue =
                switch position {
                case .value, .nullable, .key, .mixed: value
                case .list, .nullableList, .mixedList: .list([value, value])
                case .set, .mixedSet: .list([value])
                case .dictionary, .nullableDictionary, .mixedDictionary: .dictionary(["key \(index)": value])
                case .nested: .list([.dictionary(["in": .list([value])]), "other"])
                }
            try builder.add("\(name)_\(position.rawValue)", ["n": .int(Int64(index)), "v": placed])
        }
        // An absent value, as opposed to a null inside.
        switch position {
        case .list, .nullableList, .set, .dictionary, .nullableDictionary, .mixedList, .mixedSet, .mixedDictionary:
            try builder.add("\(name)_\(position.rawValue)", ["n": .int(Int64(values.count))])
        case .value where name == "Target" || name == "Keyless" || name == "Inside":
            try builder.add("\(name)_\(position.rawValue)", ["n": .int(Int64(values.count))])
        default: break
        }
    }

    // MARK: Values

    private static let targetKeys: [NewValue] = ["", "a", .null, "null", "1"]

    private static func values(of target: String) -> [NewValue] {
        switch target {
        case "Target": targetKeys.map { .link("Target", primaryKey: $0) }
        case "Keyless": (0..<3).map { .link(ObjectReference("Keyless", ObjectKey(Int64($0)))) }
        default:
            [
                .embedded([:]), .embedded(["any": 1, "to": .link("Target", primaryKey: "a")]),
                .embedded(["time": time(1, 1)]), .embedded(["any": .float(0.5)]),
                .embedded(["to": .link("Target", primaryKey: .null)]),
            ]
        }
    }

    private static func time(_ seconds: Int64, _ nanoseconds: Int64) -> NewValue {
        Timestamp(seconds: seconds, nanoseconds: nanoseconds).map { .timestamp($0) } ?? .null
    }

    private static func decimal(_ high: UInt64, _ low: UInt64) -> NewValue {
        .decimal128(Decimal128Bits(high: high, low: low))
    }

    /// Returns non-null values of a type.
    static func values(_ type: StoredPropertyType) -> [NewValue] {
        switch type {
        case .int:
            [0, -1, .int(.max), .int(.min), 9_007_199_254_740_992, 9_007_199_254_740_993, -9_007_199_254_740_993]
        case .bool: [true, false]
        case .string:
            [
                "", "a", "é😀\u{FFFD}", "a,b\"c\nd\r\n", " a ", "\t", "null", "true", "12", "1.5", "NaN", "{\"a\":1}",
                "2024-01-01T00:00:00Z", "a\0b", "$oid", "0123456789abcdef01234567", "[1,2]", "=1+1", "a;b",
                .string(String(repeating: "long ", count: 40)), .malformedString([0x61, 0xFF, 0xC3]),
            ]
        case .binary:
            [.binary([]), .binary([0]), .binary(Array(0...255)), .binary([UInt8](repeating: 7, count: 16))]
        case .timestamp:
            [
                time(0, 0), time(1, 500_000_000), time(1, 1), time(-1, -500_000_000), time(-1, -1), time(0, -1),
                time(253_402_300_799, 999_000_000), time(253_402_300_800, 0), time(-62_135_596_801, 0),
                time(-2_208_988_800, 0), time(.max, 999_999_999), time(.min, -999_999_999),
                time(9_223_372_036_854_775, 807_000_000), time(9_223_372_036_854_775, 808_000_000),
            ]
        case .float:
            [
                .float(0), .float(-0.0), .float(0.1), .float(16_777_216), .float(.greatestFiniteMagnitude),
                .float(.leastNonzeroMagnitude), .float(.infinity), .float(-.infinity), .float(.nan),
                .float(Float(bitPattern: 0xFFC0_0001)), .float(1e10), .float(3),
            ]
        case .double:
            [
                .double(0), .double(-0.0), .double(0.1), .double(1), .double(1e20),
                .double(123_456_789_012_345_680_000.0),
                .double(9_007_199_254_740_994), .double(1e300),
                .double(.greatestFiniteMagnitude), .double(.leastNonzeroMagnitude), .double(.infinity),
                .double(-.infinity), .double(.nan), .double(Double(bitPattern: 0xFFF8_0000_0000_0001)),
            ]
        case .decimal128:
            [
                decimal(0x3040_0000_0000_0000, 0), decimal(0x303C_0000_0000_0000, 110),
                decimal(0xB040_0000_0000_0000, 0), decimal(0x7C00_0000_0000_0000, 0),
                decimal(0x7800_0000_0000_0000, 0), decimal(0xF800_0000_0000_0000, 0), decimal(0, 1),
                decimal(0x5FFE_314D_C644_8D93, 0x38C1_5B0A_0000_0000),
                decimal(0x5FFF_ED09_BEAD_87C0, 0x378D_8E63_FFFF_FFFF),
                decimal(0x7C00_0000_0000_0000, 7), decimal(0x3041_ED09_BEAD_87C0, 0x378D_8E64_0000_0000),
            ]
        case .objectId:
            [0, 0xFF, 0x5A].map { ObjectID([UInt8](repeating: $0, count: 12)).map { .objectId($0) } ?? .null }
        case .uuid: [0, 0xFF, 0x5A].map { UUIDBytes([UInt8](repeating: $0, count: 16)).map { .uuid($0) } ?? .null }
        case .mixed, .link: []
        }
    }
}

/// The identity of a value as text: types and bits, and for links the targets' identities.
struct ExchangedValue: CustomStringConvertible {
    let description: String

    init(_ value: Value) throws {
        description =
            switch value {
            case .null: "null"
            case .int(let value): "int \(value)"
            case .bool(let value): "bool \(value)"
            case .string(let text): "string \(Array(text.utf8))"
            case .malformedString(let bytes): "string \(bytes)"
            case .binary(let bytes): "binary \(bytes)"
            case .timestamp(let time): "time \(time.seconds) \(time.nanoseconds)"
            case .float(let value): "float \(value.bitPattern)"
            case .double(let value): "double \(value.bitPattern)"
            case .decimal128(let value): "decimal \(value.high) \(value.low)"
            case .objectId(let id): "objectId \(id)"
            case .uuid(let id): "uuid \(id)"
            case .link(let link):
                try
                    "link \(link.table.name) \(link.object().map { try ExchangedValue($0.value(at: 0)).description } ?? "none")"
            case .embedded(let object): try "embedded \(object.values().map { try ExchangedValue($0).description })"
            case .list(let values): try "list \(values.map { try ExchangedValue($0).description })"
            case .set(let values): try "set \(values.map { try ExchangedValue($0).description }.sorted())"
            case .dictionary(let entries):
                try
                    "dictionary \(entries.map { try "\(ExchangedValue($0.key)): \(ExchangedValue($0.value))" }.sorted())"
            }
    }
}
