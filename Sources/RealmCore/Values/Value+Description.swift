public import RealmLayout

/// Formats values for people, limited to a few lines of a log.
private struct ValueText {
    /// The length at which no further element is started.
    private static let enough = 1000
    /// Limits for one string in characters, and for one binary in bytes.
    private static let mostCharacters = 200
    private static let mostBytes = 32
    /// The maximum depth of embedded objects and collections.
    private static let mostLevels = 4

    var text = ""
    private var level = 0

    private var isFull: Bool { text.utf8.count >= Self.enough }

    mutating func add(_ value: Value, quotes: Bool) {
        switch value {
        case .null: text += "null"
        case .int(let number): text += String(number)
        case .bool(let truth): text += String(truth)
        case .string(let string): add(string, quotes)
        case .malformedString(let bytes):
            add(String(decoding: bytes.prefix(Self.mostCharacters), as: UTF8.self), quotes)
        case .binary(let bytes): add(bytes)
        case .timestamp(let time): text += time.text
        case .float(let number): text += String(number)
        case .double(let number): text += String(number)
        case .decimal128(let number): text += number.description
        case .objectId(let id): text += id.description
        case .uuid(let id): text += id.description
        case .link(let link): add(link)
        case .embedded(let object): add(object)
        case .list(let values), .set(let values): add(values, "[", "]") { $0.add($1, quotes: true) }
        case .dictionary(let entries):
            add(entries, "{", "}") {
                $0.add($1.key, quotes: true)
                $0.text += ": "
                $0.add($1.value, quotes: true)
            }
        }
    }

    private mutating func add(_ string: String, _ quotes: Bool) {
        let part = string.prefix(Self.mostCharacters)
        let more = part.endIndex == string.endIndex ? "" : "…"
        guard quotes else { return text += part + more }
        text +=
            "\""
            + String(part).singleLine.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
        text += more + "\""
    }

    private mutating func add(_ bytes: [UInt8]) {
        text += "<" + Hexadecimal.text(bytes.prefix(Self.mostBytes))
        text += bytes.count > Self.mostBytes ? "…, \(bytes.count) bytes>" : ">"
    }

    mutating func add(_ link: Link) {
        text += "\(link.table.name) object \(link.objectKey)"
        if link.isUnresolved { text += " (not there)" }
    }

    mutating func add(_ object: StoredObject) {
        text += "\(object.table.name) object \(object.key)"
        guard !object.key.isUnresolved else { return text += " (not there)" }
        text += " "
        add(Array(object.table.schema.properties.enumerated()), "{", "}") {
            $0.text += "\($1.element.name): "
            if let value = try? object.value(at: $1.offset) {
                $0.add(value, quotes: true)
            } else {
                $0.text += "unreadable"
            }
        }
    }

    private mutating func add<Item>(
        _ items: [Item], _ open: String, _ close: String, _ body: (inout ValueText, Item) -> Void
    ) {
        text += open
        defer { text += close }
        guard level < Self.mostLevels else { return text += items.isEmpty ? "" : "…" }
        level += 1
        for (index, item) in items.enumerated() {
            if index > 0 { text += ", " }
            guard !isFull else {
                text += "…"
                break
            }
            body(&self, item)
        }
        level -= 1
    }
}

extension Value: CustomStringConvertible, CustomDebugStringConvertible {
    /// The content as text: `Ann`, `42`, `["a", "b"]`; long content is truncated.
    public var description: String {
        var text = ValueText()
        text.add(self, quotes: false)
        return text.text
    }

    /// The same text with strings in quotation marks.
    public var debugDescription: String {
        var text = ValueText()
        text.add(self, quotes: true)
        return text.text
    }
}

extension StoredObject: CustomStringConvertible {
    /// Class, key and values: `Dog object 3 {_id: 4, name: "Rex"}`; long content is truncated.
    public var description: String {
        var text = ValueText()
        text.add(self)
        return text.text
    }
}

extension Link: CustomStringConvertible {
    /// Class and key: `Dog object 3`.
    public var description: String {
        var text = ValueText()
        text.add(self)
        return text.text
    }
}

extension DictionaryEntry: CustomStringConvertible {
    /// Key and value: `"a": 1`.
    public var description: String { key.debugDescription + ": " + value.debugDescription }
}

extension Timestamp: CustomStringConvertible {
    /// The time as readable text, `2020-09-13 12:38:39.312 UTC`.
    public var description: String { text }
}

extension Table: CustomStringConvertible {
    /// Name and number of objects: `Dog (10 objects)`.
    public var description: String {
        guard let count = try? count else { return "\(name) (unreadable)" }
        return "\(name) (\(count) \(count == 1 ? "object" : "objects"))"
    }
}

extension StoredProperty: CustomStringConvertible {
    /// Name and type in the notation of SDKs: `age: int?`, `dogs: list<Dog>`, `notes: dictionary<string, mixed>`.
    public var description: String { "\(name): \(typeText)" }

    /// The type without the name.
    package var typeText: String {
        let element =
            (target.map { TableName.className(of: $0) } ?? type.rawValue) + (isNullable && type != .link ? "?" : "")
        return switch collection {
        case nil: element
        case .list: "list<\(element)>"
        case .set: "set<\(element)>"
        case .dictionary(let keys): "dictionary<\(keys == .string ? "string" : "int"), \(element)>"
        }
    }
}
