import TestSupport

/// The subset of MongoDB's `$jsonSchema` that our validators use. Unknown keywords and types are errors, as in MongoDB.
struct SchemaValidator {
    static let types: Set<String> = [
        "double", "string", "object", "array", "binData", "objectId", "bool", "date", "null", "long", "decimal",
    ]

    /// Checks a schema by the rules of MongoDB.
    static func check(_ schema: [JSON.Member], at path: String = "") throws {
        for member in schema {
            switch member.name {
            case "title": _ = try member.value.string()
            case "bsonType":
                for type in try typeNames(member.value) where !types.contains(type) {
                    throw TestSupportError("\(path): MongoDB does not know the type \(type)")
                }
            case "required":
                let names = try member.value.elements().map { try $0.string() }
                guard !names.isEmpty, Set(names).count == names.count else {
                    throw TestSupportError("\(path): required is empty or repeats a name")
                }
            case "properties":
                let members = try member.value.members()
                guard Set(members.map(\.name)).count == members.count else {
                    throw TestSupportError("\(path): a property twice")
                }
                for property in members { try check(property.value.members(), at: "\(path).\(property.name)") }
            case "items", "additionalProperties": try check(member.value.members(), at: "\(path)[]")
            case "uniqueItems": _ = try member.value.bool()
            default: throw TestSupportError("\(path): MongoDB does not know the keyword \(member.name)")
            }
        }
    }

    /// Returns the reason why `shape` is refused; nil when it is accepted.
    static func refusal(
        of shape: DocumentShape, by schema: [JSON.Member], at path: String = ""
    ) throws -> String? {
        if let types = try schema[optional: "bsonType"].map({ try typeNames($0) }), !types.contains(shape.type) {
            return "\(path): \(shape.type), expected \(types)"
        }
        switch shape {
        case .value: return nil
        case .array(let values):
            guard let items = try schema[optional: "items"]?.members() else { return nil }
            for value in values {
                if let refusal = try refusal(of: value, by: items, at: "\(path)[]") { return refusal }
            }
        case .document(let fields):
            for name in try schema[optional: "required"]?.elements() ?? [] {
                let name = try name.string()
                if !fields.contains(where: { $0.name == name }) { return "\(path).\(name) is missing" }
            }
            let properties = try schema[optional: "properties"]?.members() ?? []
            let others = try schema[optional: "additionalProperties"]?.members()
            for field in fields {
                guard let rule = try properties[optional: field.name]?.members() ?? others else { continue }
                if let refusal = try refusal(of: field.value, by: rule, at: "\(path).\(field.name)") { return refusal }
            }
        }
        return nil
    }

    private static func typeNames(_ value: JSON) throws -> [String] {
        if case .array(let names) = value { return try names.map { try $0.string() } }
        return [try value.string()]
    }
}
