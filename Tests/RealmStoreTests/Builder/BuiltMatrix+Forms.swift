import RealmCore
import RealmLayout

// Forms that do not depend on types and numbers of elements.
extension BuiltMatrix {
    static let mixed = BuiltMatrix(
        name: "mixed",
        schema: SchemaDefinition([
            TableDefinition(
                class: "Any", primaryKey: "_id",
                [
                    PropertyDefinition("_id", .string, isNullable: true),
                    PropertyDefinition("any", .mixed, index: .general),
                ]),
            TableDefinition(class: "Other", primaryKey: "_id", [PropertyDefinition("_id", .int)]),
        ])
    ) { builder in
        try builder.add("Any", ["any": .link("Other", primaryKey: 7)])
        try builder.add("Other", ["_id": 7])
        for number in 0..<300 {
            let nested: NewValue = [value(.mixed, number), ["a": value(.mixed, number + 1), "b": [1, nil, [], [:]]]]
            try builder.add("Any", ["_id": "\(number)", "any": number % 3 == 0 ? nested : value(.mixed, number)])
        }
        let deep = (0..<100).reduce(NewValue.int(1)) { inner, level in
            level % 2 == 0 ? .list([inner]) : .dictionary(["k": inner])
        }
        try builder.add("Any", ["_id": "deep", "any": deep])
    }

    static let embedded = BuiltMatrix(
        name: "embedded",
        schema: SchemaDefinition(
            [
                TableDefinition(
                    class: "Node", kind: .embedded,
                    [
                        PropertyDefinition("name", .string), PropertyDefinition("child", .link, target: "class_Node"),
                        PropertyDefinition("children", .link, collection: .list, target: "class_Node"),
                        PropertyDefinition("owner", .link, target: "class_Tree"),
                    ]),
                TableDefinition(class: "Tree", [PropertyDefinition("root", .link, target: "class_Node")]),
            ], version: 0)
    ) { builder in
        for number in 0..<260 {
            let tree = NewValue.link(ObjectReference("Tree", ObjectKey(0)))
            let leaf = NewValue.embedded(["name": "leaf", "owner": tree])
            let children = [NewValue](repeating: leaf, count: number % 5)
            let chain = (0..<(number % 9)).reduce(leaf) { inner, _ in .embedded(["name": "x", "child": inner]) }
            try builder.add(
                "Tree", ["root": .embedded(["name": "root \(number)", "child": chain, "children": .list(children)])])
        }
    }

    static let tombstones = BuiltMatrix(
        name: "tombstones",
        schema: SchemaDefinition(
            ["int", "string", "objectId", "uuid"].map { name in
                TableDefinition(
                    class: name, primaryKey: "_id",
                    [
                        PropertyDefinition("_id", StoredPropertyType(rawValue: name) ?? .int, isNullable: true),
                        PropertyDefinition("to", .link, target: "class_\(name)"),
                        PropertyDefinition("list", .link, collection: .list, target: "class_\(name)"),
                        PropertyDefinition("any", .mixed),
                    ])
            })
    ) { builder in
        for type in [StoredPropertyType.int, .string, .objectId, .uuid] {
            let name = type.rawValue
            let gone = try (0..<5).map { try builder.addTombstone(name, primaryKey: value(type, $0)) }
            let null = try builder.addTombstone(name, primaryKey: .null)
            for number in 10..<20 {
                try builder.add(
                    name,
                    [
                        "_id": value(type, number), "to": .link(gone[number % 5]), "any": .link(null),
                        "list": [
                            .link(gone[1]), .link(primaryKey: value(type, 10)), .link(primaryKey: value(type, 19)),
                        ],
                    ])
            }
            for number in 5..<8 { try builder.addTombstone(name, primaryKey: value(type, number)) }
        }
    }

    static let asymmetric = BuiltMatrix(
        name: "asymmetric",
        schema: SchemaDefinition([
            TableDefinition(
                class: "Event", kind: .asymmetric, primaryKey: "_id",
                [
                    PropertyDefinition("_id", .objectId), PropertyDefinition("name", .string),
                    PropertyDefinition("place", .link, target: "class_Place"),
                ]),
            TableDefinition(class: "Place", kind: .embedded, [PropertyDefinition("x", .double)]),
        ])
    ) { builder in
        for number in 0..<20 {
            try builder.add(
                "Event",
                ["_id": objectId(number), "name": "\(number)", "place": .embedded(["x": .double(Double(number))])])
        }
    }

    static let fullText = BuiltMatrix(
        name: "full-text",
        schema: SchemaDefinition([
            TableDefinition(
                class: "Page",
                [
                    PropertyDefinition("text", .string, isNullable: true, index: .fullText),
                    PropertyDefinition("words", .string, isNullable: true, collection: .list, index: .general),
                ])
        ])
    ) { builder in
        let words = ["The", "quick", "brown", "föx", "jumps", "over", "ÉCOLE", "dog's", "x1", "日本"]
        for number in 0..<600 {
            let text = (0..<(number % 12)).map { words[($0 * number) % 10] }.joined(
                separator: number % 2 == 0 ? " " : ", ")
            try builder.add(
                "Page",
                [
                    "text": number % 50 == 49 ? .null : .string(text),
                    "words": .list((0..<(number % 5)).map { $0 == 3 ? .null : .string(words[(number + $0) % 10]) }),
                ])
        }
    }

    static let indexes = BuiltMatrix(
        name: "indexes",
        schema: SchemaDefinition([
            TableDefinition(
                class: "Indexed",
                [StoredPropertyType.int, .bool, .string, .timestamp, .objectId, .uuid, .mixed].flatMap { type in
                    [
                        PropertyDefinition("\(type)", type, index: .general),
                        PropertyDefinition("\(type)OrNull", type, isNullable: true, index: .general),
                    ]
                })
        ])
    ) { builder in
        for number in 0..<3000 {
            var values: [String: NewValue] = [:]
            for type in [StoredPropertyType.int, .bool, .string, .timestamp, .objectId, .uuid, .mixed] {
                // Many with the same value, and some strings longer than the prefix in the index.
                let value =
                    type == .string && number % 7 == 0
                    ? .string(String(repeating: "long ", count: 50) + "\(number % 20)") : value(type, number % 1100)
                values["\(type)"] = value
                if number % 4 != 0 { values["\(type)OrNull"] = value }
            }
            try builder.add("Indexed", values)
        }
    }

    static let primaryKeys = BuiltMatrix(
        name: "primary-keys",
        schema: SchemaDefinition(
            [StoredPropertyType.int, .string, .objectId, .uuid].map { type in
                TableDefinition(
                    class: type.rawValue, primaryKey: "_id",
                    [
                        PropertyDefinition("_id", type, isNullable: true),
                        PropertyDefinition("next", .link, target: "class_\(type)"),
                    ])
            }, version: .max)
    ) { builder in
        for type in [StoredPropertyType.int, .string, .objectId, .uuid] {
            for number in 0..<1500 {
                let key: (Int) -> NewValue = {
                    $0 == 700 ? .null : type == .int ? .int(Int64($0) * 65_537 - 9) : unique(type, $0)
                }
                try builder.add(
                    type.rawValue, ["_id": key(number), "next": .link(primaryKey: key((number + 1) % 1500))])
            }
        }
    }

    private static func unique(_ type: StoredPropertyType, _ number: Int) -> NewValue {
        switch type {
        case .objectId:
            ObjectID([UInt8](repeating: 1, count: 8) + UInt32(number).littleEndianBytes).map { .objectId($0) } ?? .null
        case .uuid:
            UUIDBytes([UInt8](repeating: 1, count: 12) + UInt32(number).littleEndianBytes).map { .uuid($0) } ?? .null
        default: "key \(number)"
        }
    }

    static let manyBacklinks = BuiltMatrix(
        name: "backlinks",
        schema: SchemaDefinition([
            TableDefinition(class: "Hub", [PropertyDefinition("name", .string)]),
            TableDefinition(class: "Spoke", [PropertyDefinition("hub", .link, target: "class_Hub")]),
        ])
    ) { builder in
        let hubs = try ["none", "one", "many"].map { try builder.add("Hub", ["name": .string($0)]) }
        for number in 0..<2500 { try builder.add("Spoke", ["hub": .link(hubs[number == 5 ? 1 : 2])]) }
    }

    static let longValues = BuiltMatrix(
        name: "long-values",
        schema: SchemaDefinition([
            TableDefinition(
                class: "Long",
                [
                    PropertyDefinition("string", .string, isNullable: true),
                    PropertyDefinition("binary", .binary, isNullable: true),
                    PropertyDefinition("any", .mixed),
                ])
        ])
    ) { builder in
        for count in [0, 1, 7, 8, 14, 15, 16, 31, 32, 62, 63, 64, 65, 1000, 100_000, 16_777_199] {
            let text = NewValue.string(String(repeating: "x", count: count))
            try builder.add("Long", ["string": text, "any": count < 1_000_000 ? text : 1])
            try builder.add("Long", ["binary": .binary([UInt8](repeating: 0xFF, count: count + 1))])
        }
    }
}
