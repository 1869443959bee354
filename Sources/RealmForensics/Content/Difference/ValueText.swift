package import RealmCore
internal import RealmLayout

/// Abbreviated text of values, for display.
package enum ValueText {
    /// Maximum number of characters of a string, and of digits of binary data.
    private static let shownCharacters = 60
    /// Maximum number of elements of a collection.
    private static let shownElements = 4
    /// Maximum depth of nested collections.
    private static let shownDepth = 2

    /// Returns a value as one line, unabbreviated if it is short.
    package static func short(_ value: Value) -> String { short(value, depth: 0) }

    private static func short(_ value: Value, depth: Int) -> String {
        switch value {
        case .null: "null"
        case .int(let value): String(value)
        case .bool(let value): String(value)
        case .string(let text): quoted(text)
        case .malformedString(let bytes): "not UTF-8: \(digits(bytes))"
        case .binary(let bytes): "binary \(digits(bytes))"
        case .timestamp(let value): value.text
        case .float(let value): number(value, bits: UInt64(value.bitPattern), isNaN: value.isNaN)
        case .double(let value): number(value, bits: value.bitPattern, isNaN: value.isNaN)
        case .decimal128(let value): value.description
        case .objectId(let id): id.description
        case .uuid(let id): id.description
        case .link(let link): "\(link.table.name)(\(identity(of: link))\(link.isUnresolved ? ", deleted" : ""))"
        case .embedded(let object): "\(object.table.name)(object \(object.key))"
        case .list(let values): elements(values, "[", "]", depth)
        case .set(let values): elements(values, "{", "}", depth)
        case .dictionary(let entries): dictionary(entries, depth)
        }
    }

    /// Describes some of the elements of a collection of `total` elements.
    static func some(_ values: [Value], of total: Int) -> String {
        values.count == total ? elements(values, "{", "}", 0) : "\(elements(values, "{", "}", 0)) of \(total)"
    }

    private static func elements(_ values: [Value], _ open: String, _ close: String, _ depth: Int) -> String {
        guard depth < shownDepth else { return "\(open)\(values.count)\(close)" }
        let shown = values.prefix(shownElements).map { short($0, depth: depth + 1) }.joined(separator: ", ")
        return open + shown + more(values.count) + close
    }

    private static func dictionary(_ entries: [DictionaryEntry], _ depth: Int) -> String {
        guard depth < shownDepth else { return "{\(entries.count)}" }
        let shown = entries.prefix(shownElements)
            .map { "\(short($0.key, depth: depth + 1)): \(short($0.value, depth: depth + 1))" }
            .joined(separator: ", ")
        return "{" + (entries.isEmpty ? ":" : shown) + more(entries.count) + "}"
    }

    private static func more(_ count: Int) -> String {
        count > shownElements ? ", … \(count) in all" : ""
    }

    private static func quoted(_ text: String) -> String {
        guard text.unicodeScalars.count > shownCharacters else { return "\"\(text)\"" }
        return "\"\(String(String.UnicodeScalarView(text.unicodeScalars.prefix(shownCharacters))))…\" "
            + "(\(text.utf8.count) bytes)"
    }

    private static func digits(_ bytes: [UInt8]) -> String {
        guard bytes.count > shownCharacters / 2 else { return "0x\(Hexadecimal.text(bytes))" }
        return "0x\(Hexadecimal.text(Array(bytes.prefix(shownCharacters / 2))))… (\(bytes.count) bytes)"
    }

    /// Returns the shortest unambiguous decimal text, or the bits of a NaN.
    private static func number(_ value: some CustomStringConvertible, bits: UInt64, isNaN: Bool) -> String {
        isNaN ? "NaN 0x\(String(bits, radix: 16))" : value.description
    }

    /// Identifies a link's target by its primary key, if there is a readable one, otherwise by its object key.
    private static func identity(of link: Link) -> String {
        guard let name = link.table.schema.primaryKeyName, let key = try? link.primaryKey() else {
            return "object \(link.objectKey)"
        }
        return "\(name): \(short(key))"
    }

    /// Returns the texts of two differing values, with their types added if the texts would be equal.
    static func pair(_ first: Value, _ second: Value) -> (first: String, second: String) {
        let texts = (short(first), short(second))
        guard texts.0 == texts.1 else { return texts }
        return ("\(type(of: first)) \(texts.0)", "\(type(of: second)) \(texts.1)")
    }

    /// Type name that distinguishes a value from one with the same text.
    private static func type(of value: Value) -> String {
        switch value {
        case .null: "nothing:"
        case .int: "int"
        case .bool: "bool"
        case .string, .malformedString: "string"
        case .binary: "data"
        case .timestamp: "date"
        case .float: "float"
        case .double: "double"
        case .decimal128: "decimal"
        case .objectId: "objectId"
        case .uuid: "uuid"
        case .link(let link): "object \(link.objectKey),"
        case .embedded(let object): "object \(object.key),"
        case .list: "list"
        case .set: "set"
        case .dictionary: "dictionary"
        }
    }
}
