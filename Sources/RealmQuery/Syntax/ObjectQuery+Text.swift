// Formats queries as text that parses to an equal query.

internal import RealmLayout

extension ObjectQuery: CustomStringConvertible {
    /// The query in Realm Query Language.
    public var description: String {
        ([predicate.text(inside: .or)] + steps.map(\.description)).joined(separator: " ")
    }
}

extension QueryPredicate: CustomStringConvertible {
    /// The predicate in Realm Query Language.
    public var description: String { text(inside: .or) }

    /// Precedence: a predicate that binds more loosely than its surroundings needs brackets.
    enum Binding: Int {
        case or, and, not
    }

    func text(inside surroundings: Binding) -> String {
        switch self {
        case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .and(let parts): return joined(parts, " AND ", .and, surroundings, empty: "TRUEPREDICATE")
        case .or(let parts): return joined(parts, " OR ", .or, surroundings, empty: "FALSEPREDICATE")
        case .not(let part): return "NOT \(part.text(inside: .not))"
        case .comparison(let left, let operation, let right, let ignoresCase, let ignoresDiacritics):
            let folding = TextFolding(case: ignoresCase, diacritics: ignoresDiacritics)
            let text = "\(left.operand) \(operation.rawValue)\(folding) \(right.operand)"
            return surroundings == .not ? "(\(text))" : text
        case .between(let value, let limits):
            if limits.count == 1, case .argument = limits[0] { return "\(value.operand) BETWEEN \(limits[0])" }
            return "\(value.operand) BETWEEN \(limits.listText)"
        case .within(let path, let shape): return "\(path) GEOWITHIN \(shape)"
        }
    }

    private func joined(
        _ parts: [QueryPredicate], _ separator: String, _ binding: Binding, _ surroundings: Binding, empty: String
    ) -> String {
        guard !parts.isEmpty else { return empty }
        let text = parts.map { part in
            // A conjunction within a conjunction keeps its brackets, so that the text parses to the same tree.
            if case .and = part, binding == .and { return "(\(part))" }
            if case .or = part, binding == .or { return "(\(part))" }
            return part.text(inside: binding)
        }.joined(separator: separator)
        return binding.rawValue < surroundings.rawValue ? "(\(text))" : text
    }
}

extension QueryExpression: CustomStringConvertible {
    /// The expression in Realm Query Language.
    public var description: String {
        switch self {
        case .constant(let constant): constant.description
        case .list(let elements, let quantifier): "\(quantifier.map { "\($0.rawValue) " } ?? "")\(elements.listText)"
        case .property(let path): path.description
        case .aggregate(let path, let aggregate, let property):
            "\(path).\(aggregate.rawValue)\(property.map { ".\(nameText($0))" } ?? "")"
        case .subquery(let path, let variable, let predicate): "SUBQUERY(\(path), \(variable), \(predicate)).@count"
        case .arithmetic(let left, let operation, let right):
            "\(left.operand) \(operation.rawValue) \(right.operand)"
        }
    }

    /// The text with brackets if there are several operands.
    var operand: String {
        if case .arithmetic = self { "(\(self))" } else { description }
    }
}

extension QueryPath: CustomStringConvertible {
    /// The path in Realm Query Language.
    public var description: String {
        var text = quantifier.map { "\($0.rawValue) " } ?? ""
        for (index, element) in elements.enumerated() {
            switch element {
            case .name(let name): text += (index == 0 ? "" : ".") + nameText(name)
            case .argument(let number): text += "\(index == 0 ? "" : ".")$K\(number)"
            case .index(let position): text += "[\(position)]"
            case .first: text += "[FIRST]"
            case .last: text += "[LAST]"
            case .all: text += "[*]"
            case .key(let key): text += "[\(quotedText(key))]"
            case .keyArgument(let number): text += "[$\(number)]"
            }
        }
        switch suffix {
        case .size: return text + ".@count"
        case .type: return text + ".@type"
        case nil: return text
        }
    }
}

extension QueryConstant: CustomStringConvertible {
    /// The value in Realm Query Language.
    public var description: String {
        switch self {
        case .null: "NULL"
        case .bool(let value): value ? "true" : "false"
        case .integer(let digits), .real(let digits): digits
        case .infinity(let negative): negative ? "-inf" : "inf"
        case .notANumber: "nan"
        case .string(let string): quotedText(string)
        case .base64(let bytes): "B64\"\(Base64.text(bytes))\""
        case .binary(let bytes): "binary(B64\"\(Base64.text(bytes))\")"
        case .timestamp(let seconds, let nanoseconds): "T\(seconds):\(nanoseconds)"
        case .uuid(let bytes): "uuid(\(Hexadecimal.uuidText(bytes)))"
        case .objectId(let bytes): "oid(\(Hexadecimal.text(bytes)))"
        case .objectKey(let key): "O\(key)"
        case .typedLink(let table, let object): "L\(table):\(object)"
        case .object(let className, let primaryKey): "obj(\(quotedText(className)), \(primaryKey))"
        case .argument(let number, let quantifier): "\(quantifier.map { "\($0.rawValue) " } ?? "")$\(number)"
        }
    }
}

extension GeoShape: CustomStringConvertible {
    /// The shape in Realm Query Language.
    public var description: String {
        switch self {
        case .box(let first, let second): "geoBox(\(first), \(second))"
        case .circle(let centre, let radius): "geoCircle(\(centre), \(radius))"
        case .polygon(let rings):
            "geoPolygon(\(rings.map { "{\($0.map(\.description).joined(separator: ", "))}" }.joined(separator: ", ")))"
        case .argument(let number): "$\(number)"
        }
    }
}

extension GeoPosition: CustomStringConvertible {
    /// The position in Realm Query Language.
    public var description: String {
        "[\(longitude), \(latitude)\(altitude.map { ", \($0)" } ?? "")]"
    }
}

extension GeoCoordinate: CustomStringConvertible {
    /// The number in Realm Query Language.
    public var description: String {
        switch self {
        case .number(let number): number.description
        case .argument(let number): "$\(number)"
        }
    }
}

extension ResultStep: CustomStringConvertible {
    /// The step in Realm Query Language.
    public var description: String {
        switch self {
        case .sort(let keys):
            "SORT(\(keys.map { "\($0.path) \($0.ascending ? "ASC" : "DESC")" }.joined(separator: ", ")))"
        case .distinct(let paths): "DISTINCT(\(paths.map(\.description).joined(separator: ", ")))"
        case .limit(let count): "LIMIT(\(count))"
        }
    }
}

extension [QueryConstant] {
    fileprivate var listText: String { "{\(map(\.description).joined(separator: ", "))}" }
}

/// A name with escaped blanks.
private func nameText(_ name: String) -> String {
    var text = ""
    for character in name.unicodeScalars {
        switch character {
        case " ": text += "\\ "
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        default: text.unicodeScalars.append(character)
        }
    }
    return Lexer.isName(text) ? text : "#" + text
}

private func quotedText(_ string: String) -> String {
    var text = "\""
    for character in string.unicodeScalars {
        switch character {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case "\0": text += "\\0"
        case "\u{8}": text += "\\b"
        case "\u{C}": text += "\\f"
        default: text.unicodeScalars.append(character)
        }
    }
    return text + "\""
}
