internal import RealmCore
internal import RealmLayout
internal import RealmQuery

/// The order of groups by their columns: `sum(total) DESC, count`.
struct GroupOrder {
    /// A column, as written.
    struct Key {
        let column: String
        let ascending: Bool
    }

    let keys: [Key]

    /// Parses sort keys. Commas within brackets belong to a key.
    init(_ texts: [String]) {
        keys = texts.flatMap { Self.parts($0) }.map { part in
            let words = part.split(separator: " ")
            let direction = words.last?.uppercased() ?? ""
            let isDirection = words.count > 1 && ["ASC", "DESC", "ASCENDING", "DESCENDING"].contains(direction)
            let column = words.dropLast(isDirection ? 1 : 0).joined(separator: " ")
            return Key(column: column, ascending: !isDirection || direction.hasPrefix("ASC"))
        }
    }

    private static func parts(_ text: String) -> [String] {
        var parts = [""]
        var depth = 0
        for character in text {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == ",", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts
    }

    /// An aggregate that a key names: `sum(total)`.
    static func aggregate(_ column: String) -> (function: QueryAggregate, columns: String)? {
        guard let bracket = column.firstIndex(of: "("), column.hasSuffix(")"),
            let function = QueryAggregate(rawValue: "@" + column[..<bracket].lowercased())
        else { return nil }
        return (function, String(column[column.index(after: bracket)...].dropLast()))
    }

    /// Whether two texts name the same column: neither spaces nor the case of a function count.
    static func areSame(_ left: String, _ right: String) -> Bool {
        func plain(_ text: String) -> String {
            let text = text.filter { $0 != " " }
            guard let bracket = text.firstIndex(of: "(") else { return text }
            return text[..<bracket].lowercased() + text[bracket...]
        }
        return plain(left) == plain(right)
    }
}
