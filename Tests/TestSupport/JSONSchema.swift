package import Foundation

/// The subset of JSON Schema 2020-12 that the schemas of this project use. Unknown keywords are errors, so that every
/// constraint in a schema is checked.
package struct JSONSchema {
    private let root: [JSON.Member]

    /// Reads a schema.
    package init(contentsOf url: URL) throws {
        root = try JSON(parsing: Array(Data(contentsOf: url))).members()
    }

    /// The names of the definitions.
    package var definitions: [String] {
        get throws { try root[required: "$defs"].members().map(\.name) }
    }

    /// The names of the properties of a definition.
    package func properties(of definition: String) throws -> [String] {
        try self.definition(definition)[required: "properties"].members().map(\.name)
    }

    /// Returns the violations of a definition in `value`, with places and reasons; empty if there are none.
    package func problems(of value: JSON, as definition: String) throws -> [String] {
        try problems(value, .object(self.definition(definition)), at: "")
    }

    private func definition(_ name: String) throws -> [JSON.Member] {
        try root[required: "$defs"].members()[required: name].members()
    }

    private static let annotations: Set = ["description", "title", "then", "additionalProperties"]

    private func problems(_ value: JSON, _ schema: JSON, at path: String) throws -> [String] {
        let members = try schema.members()
        var problems: [String] = []
        for member in members where !Self.annotations.contains(member.name) {
            switch member.name {
            case "$ref":
                let name = try member.value.string().replacing("#/$defs/", with: "")
                problems += try self.problems(value, .object(definition(name)), at: path)
            case "type":
                let names =
                    if case .array(let names) = member.value { try names.map { try $0.string() } } else {
                        [try member.value.string()]
                    }
                if !names.contains(value.schemaType) { problems.append("\(path): \(value.schemaType), not \(names)") }
            case "const":
                if value != member.value { problems.append("\(path): \(value), not \(member.value)") }
            case "enum":
                if try !member.value.elements().contains(value) {
                    problems.append("\(path): \(value) is none of the values")
                }
            case "pattern":
                // The keyword applies to text only.
                guard case .text = value else { break }
                let text = try value.string()
                if try text.firstMatch(of: Regex(try member.value.string())) == nil {
                    problems.append("\(path): \(text) is not of the form")
                }
            case "anyOf":
                let all = try member.value.elements().map { try self.problems(value, $0, at: path) }
                if !all.contains(where: \.isEmpty) { problems += all.min { $0.count < $1.count } ?? [] }
            case "items":
                guard case .array(let elements) = value else { break }
                for (index, element) in elements.enumerated() {
                    problems += try self.problems(element, member.value, at: "\(path)/\(index)")
                }
            case "required":
                guard case .object(let present) = value else { break }
                for name in try member.value.elements().map({ try $0.string() })
                where !present.contains(where: { $0.name == name }) {
                    problems.append("\(path): \(name) is missing")
                }
            case "properties":
                problems += try self.problems(of: value, members, member.value.members(), at: path)
            case "if":
                if try self.problems(value, member.value, at: path).isEmpty {
                    problems += try self.problems(value, members[required: "then"], at: path)
                }
            default: throw TestSupportError("the keyword \(member.name) is not supported")
            }
        }
        // An object with arbitrary names.
        if members[optional: "properties"] == nil, let others = members[optional: "additionalProperties"] {
            problems += try self.problems(of: value, [.init(name: "additionalProperties", value: others)], [], at: path)
        }
        return problems
    }

    private func problems(
        of value: JSON, _ schema: [JSON.Member], _ properties: [JSON.Member], at path: String
    ) throws -> [String] {
        guard case .object(let present) = value else { return [] }
        var problems: [String] = []
        for member in present {
            let place = "\(path)/\(member.name)"
            if let known = properties[optional: member.name] {
                problems += try self.problems(member.value, known, at: place)
            } else if let others = schema[optional: "additionalProperties"] {
                if case .bool(let isAllowed) = others {
                    if !isAllowed { problems.append("\(place) is not in the schema") }
                } else {
                    problems += try self.problems(member.value, others, at: place)
                }
            }
        }
        return problems
    }
}

extension JSON {
    /// The name of the value's type in JSON Schema.
    fileprivate var schemaType: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .int: "integer"
        case .text: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
