/// Swift identifiers for names from a Realm schema.
enum SwiftNames {
    /// An identifier close to `name`. Characters that are not allowed become underscores.
    static func identifier(_ name: String, otherwise: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            let isAllowed =
                scalar == "_" || scalar.properties.isXIDContinue && scalar.properties.generalCategory != .format
            // Combining marks are kept within a word, but no word begins with one, nor with a digit.
            if result.isEmpty, isAllowed, scalar != "_", !scalar.properties.isXIDStart { result += "_" }
            result.unicodeScalars.append(isAllowed ? scalar : "_")
        }
        return result.allSatisfy { $0 == "_" } ? otherwise : result
    }

    /// The name of a property, in backticks if Swift requires them.
    static func quoted(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// Property names that conflict with compiler-derived members or have a special meaning.
    static let reservedProperties: Set<String> = [
        "self", "Self", "init", "Type", "Protocol", "CodingKeys", "hashValue", "hash", "encode", "deinit", "subscript",
    ]

    /// Type names used by the models themselves or not allowed for types.
    static let reservedTypes: Set<String> = [
        "Any", "AnyObject", "AnyRealmValue", "Array", "Bool", "Box", "Codable", "CodingKey", "CodingKeys", "Data",
        "Date",
        "Decodable", "Decoder", "Dictionary", "Double", "Encodable", "Encoder", "Equatable", "Error", "Float",
        "Foundation", "Hashable", "Hasher", "Int", "Never", "Optional", "Protocol", "Self", "Sendable", "Set", "String",
        "Swift", "Type", "UUID", "Value", "Void",
    ]

    static let keywords: Set<String> = [
        "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup",
        "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript",
        "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while", "await",
    ]
}

/// Assigns each name at most once.
struct UniqueNames {
    private var used: Set<String>
    /// The last number appended to each name, which keeps repeated requests for one name fast.
    private var numbers: [String: Int] = [:]

    init(reserved: Set<String>) { used = reserved }

    /// Returns `name`, `name` with `suffix`, or that with a number: the first that is free.
    mutating func take(_ name: String, suffix: String) -> String {
        guard !used.insert(name).inserted else { return name }
        var number = numbers[name] ?? 0
        var candidate: String
        repeat {
            number += 1
            candidate = number == 1 ? name + suffix : "\(name)\(suffix)\(number)"
        } while !used.insert(candidate).inserted
        numbers[name] = number
        return candidate
    }
}
