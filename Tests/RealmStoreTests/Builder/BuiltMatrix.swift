import RealmCore
import RealmLayout
import RealmStore
import Testing
import WriterTestSupport

/// A file of a fixed matrix: every type in every size class, and special forms.
struct BuiltMatrix: Sendable, CustomTestStringConvertible {
    let name: String
    let schema: SchemaDefinition
    let build: @Sendable (RealmBuilder) throws -> Void

    var testDescription: String { name }

    static let all: [BuiltMatrix] =
        [0, 1, 255, 256, 257].map { everyType($0) } + [
            nothing, minimal, gaps, collections, sets, dictionaries, mixed, embedded, tombstones, asymmetric, fullText,
            indexes,
            primaryKeys, manyBacklinks, longValues,
        ]

    private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0 &* 7) }
    }

    static func objectId(_ number: Int) -> NewValue { ObjectID(bytes(number, 12)).map { .objectId($0) } ?? .null }
    static func uuid(_ number: Int) -> NewValue { UUIDBytes(bytes(number, 16)).map { .uuid($0) } ?? .null }

    /// Returns a value of a type, determined by a number.
    static func value(_ type: StoredPropertyType, _ number: Int) -> NewValue {
        switch type {
        case .int: .int(number % 5 == 4 ? Int64.max - Int64(number) : Int64(number) - 3)
        case .bool: .bool(number % 3 == 1)
        case .string: .string(String(repeating: "ab c", count: number % 23) + "\(number)")
        case .binary: .binary(bytes(number, number % 70))
        case .timestamp:
            Timestamp(seconds: Int64(number) * 1_000_003, nanoseconds: Int64(number)).map { .timestamp($0) } ?? .null
        case .float: .float(Float(number) / 3)
        case .double: .double(Double(number) / 7)
        case .decimal128: .decimal128(Decimal128Bits(high: 0x303C_0000_0000_0000, low: UInt64(number) * 101))
        case .objectId: objectId(number)
        case .uuid: uuid(number)
        case .mixed: value(RandomSchema.scalars[number % RandomSchema.scalars.count], number)
        case .link: .null
        }
    }

    private static func everyType(_ count: Int) -> BuiltMatrix {
        let types = RandomSchema.scalars + [.mixed]
        var properties: [PropertyDefinition] = []
        for type in types {
            properties.append(PropertyDefinition("\(type)", type))
            if type != .mixed { properties.append(PropertyDefinition("\(type)OrNull", type, isNullable: true)) }
            properties.append(PropertyDefinition("\(type)List", type, isNullable: true, collection: .list))
            properties.append(PropertyDefinition("\(type)Set", type, collection: .set))
            properties.append(
                PropertyDefinition("\(type)Dictionary", type, isNullable: true, collection: .dictionary(.string)))
        }
        properties.append(PropertyDefinition("link", .link, target: "class_All"))
        properties.append(PropertyDefinition("links", .link, collection: .list, target: "class_All"))
        let schema = SchemaDefinition([TableDefinition(class: "All", properties)], version: 1)
        return BuiltMatrix(name: "types-\(count)", schema: schema) { builder in
            for number in 0..<count {
                var values: [String: NewValue] = [:]
                for type in types {
                    values["\(type)"] = value(type, number)
                    if number % 3 != 0, type != .mixed { values["\(type)OrNull"] = value(type, number + 1) }
                    values["\(type)List"] = .list(
                        (0..<(number % 4)).map { $0 == 1 ? .null : value(type, number + $0) })
                    values["\(type)Set"] = .list((0..<(number % 3)).map { value(type, number + $0) })
                    values["\(type)Dictionary"] = .dictionary(
                        (0..<(number % 3)).map { NewEntry("k\($0)", $0 == 1 ? .null : value(type, $0)) })
                }
                // Realm Core ends the process when objects are removed after the last one with a collection in a leaf.
                if number == 255 || number == count - 1 { values["mixed"] = [1, ["k": "v"]] }
                let next = ObjectReference("All", ObjectKey(key(of: (number + 1) % count)))
                if number % 2 == 0 { values["link"] = .link(next) }
                values["links"] = .list((0..<(number % 3)).map { _ in .link(next) })
                try builder.add("All", values)
            }
        }
    }

    /// Returns the key of the object `number` after the first, in a class without primary key (Spec 50).
    private static func key(of number: Int) -> Int64 { Int64(number & 0xFF | (number & ~0xFF) << 8) }

    static let nothing = BuiltMatrix(name: "no-tables", schema: SchemaDefinition([])) { _ in }

    /// The file shown byte by byte in Spec 165.
    static let minimal = BuiltMatrix(
        name: "minimal",
        schema: SchemaDefinition([TableDefinition(class: "T", [PropertyDefinition("a", .int)])])
    ) { builder in
        try builder.add("T", ["a": 1])
        try builder.add("T", ["a": 2])
    }

    /// 70,000 objects with gaps between their keys, which results in three levels of clusters.
    private static let gaps = BuiltMatrix(
        name: "gaps-70000",
        schema: SchemaDefinition([
            TableDefinition(
                class: "Item",
                [
                    PropertyDefinition("number", .int, index: .general), PropertyDefinition("name", .string),
                    PropertyDefinition("next", .link, target: "class_Item"),
                ])
        ])
    ) { builder in
        func key(_ number: Int) -> ObjectKey { ObjectKey(Int64(number * 3 + number / 1000 * 100_000)) }
        for number in 0..<70_000 {
            // From the last to the first.
            let number = 69_999 - number
            try builder.add(
                "Item",
                [
                    "number": .int(Int64(number % 1000)), "name": "item \(number)",
                    "next": .link(ObjectReference("Item", key(number * 7 % 70_000))),
                ], key: key(number))
        }
    }

    private static let collections = BuiltMatrix(
        name: "collections",
        schema: SchemaDefinition([
            TableDefinition(
                class: "Lists",
                [
                    PropertyDefinition("numbers", .int, collection: .list),
                    PropertyDefinition("strings", .string, isNullable: true, collection: .list),
                    PropertyDefinition("links", .link, collection: .list, target: "class_Lists"),
                    PropertyDefinition("any", .mixed, collection: .list),
                ])
        ])
    ) { builder in
        for count in [0, 1, 999, 1000, 1001, 100_000] {
            let short = min(count, 1001)
            try builder.add(
                "Lists",
                [
                    "numbers": .list((0..<count).map { .int(Int64($0)) }),
                    "strings": .list((0..<short).map { $0 % 10 == 9 ? .null : "string \($0)" }),
                    "links": .list((0..<short).map { .link(ObjectReference("Lists", ObjectKey(Int64($0 % 6)))) }),
                    "any": .list((0..<short).map { value(.mixed, $0) }),
                ])
        }
    }

    private static let sets = BuiltMatrix(
        name: "sets",
        schema: SchemaDefinition([
            TableDefinition(
                class: "Sets",
                (RandomSchema.scalars + [.mixed]).map {
                    PropertyDefinition("\($0)", $0, isNullable: true, collection: .set)
                } + [PropertyDefinition("link", .link, collection: .set, target: "class_Sets")])
        ])
    ) { builder in
        for count in [0, 1, 20, 1001] {
            var values: [String: NewValue] = [:]
            for type in RandomSchema.scalars + [.mixed] {
                values["\(type)"] = .list((0..<count).map { $0 == 7 ? .null : value(type, count - $0) })
            }
            values["link"] = .list(
                (0..<count).map { .link(ObjectReference("Sets", ObjectKey(Int64((count - $0) % 4)))) })
            try builder.add("Sets", values)
        }
    }

    private static let dictionaries = BuiltMatrix(
        name: "dictionaries",
        schema: SchemaDefinition([
            TableDefinition(
                class: "Dictionaries",
                (RandomSchema.scalars + [.mixed]).map {
                    PropertyDefinition("\($0)", $0, isNullable: true, collection: .dictionary(.string))
                } + [
                    PropertyDefinition("link", .link, collection: .dictionary(.string), target: "class_Dictionaries"),
                    PropertyDefinition("inside", .link, collection: .dictionary(.string), target: "class_Inside"),
                ]),
            TableDefinition(class: "Inside", kind: .embedded, [PropertyDefinition("number", .int)]),
        ])
    ) { builder in
        for count in [0, 1, 20, 1001] {
            var values: [String: NewValue] = [:]
            for type in RandomSchema.scalars + [.mixed] {
                values["\(type)"] = .dictionary(
                    (0..<count).map { NewEntry("key \(count - $0)", $0 % 7 == 6 ? .null : value(type, $0)) })
            }
            values["link"] = .dictionary(
                (0..<count).map { number in
                    let link = NewValue.link(ObjectReference("Dictionaries", ObjectKey(Int64(number % 4))))
                    return NewEntry("é\(number)", number % 5 == 4 ? .null : link)
                })
            values["inside"] = .dictionary(
                (0..<min(count, 300)).map { NewEntry("\($0)", .embedded(["number": .int(Int64($0))])) })
            try builder.add("Dictionaries", values)
        }
    }
}
