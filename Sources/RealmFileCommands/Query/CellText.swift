internal import RealmCore
internal import RealmForensics
internal import RealmLayout

/// Values as text on one line. Strings in a column of strings have no quotes; embedded objects are shown with their
/// content.
struct CellText {
    /// The number of characters after which no new value is started; nil for no limit.
    private let most: Int?
    /// Whether links can refer to objects of several classes.
    private let namesClasses: Bool
    private var text = ""
    private var depth = 0
    /// The maximum depth of nested embedded objects and collections to show: a file can contain more than fits on a
    /// line.
    private static let deepest = 16
    /// The number of bytes of binary data that are shown in full, and of those shown of longer data.
    private static let mostBytes = 32
    private static let shownBytes = 16

    /// Returns the text of a value.
    ///
    /// - Parameters:
    ///   - isText: whether all values of the column are strings or null; such strings have no quotation marks.
    ///   - namesClasses: whether links can refer to objects of several classes.
    ///   - most: the number of characters after which no new value is started.
    static func of(_ value: Value, isText: Bool, namesClasses: Bool, most: Int?) throws(FormatError) -> String {
        var cell = CellText(most: most, namesClasses: namesClasses)
        if isText, case .string(let text) = value, !isMistakable(text) { return shown(text, most) }
        // A link is shown as the key of its object, and a key that is a string as other strings.
        if !namesClasses, case .link(let link) = value, case .string(let text)? = try key(of: link), !isMistakable(text)
        {
            return shown(text, most)
        }
        try cell.add(value)
        return cell.text.singleLine
    }

    private static func shown(_ text: String, _ most: Int?) -> String {
        most.map { String(text.prefix($0 + 1)) }?.singleLine ?? text.singleLine
    }

    /// The primary key of the object that a link leads to; nil if it has none.
    private static func key(of link: Link) throws(FormatError) -> Value? {
        guard !link.isUnresolved, link.table.schema.primaryKeyName != nil else { return nil }
        return try link.primaryKey()
    }

    /// Whether an unquoted string would look empty, or like another value.
    private static func isMistakable(_ text: String) -> Bool {
        text.isEmpty || text == "null" || text.first == "\"" || text.first == " " || text.last == " "
    }

    private init(most: Int?, namesClasses: Bool) {
        self.most = most
        self.namesClasses = namesClasses
    }

    private var isFull: Bool { most.map { text.utf8.count > $0 * 4 } ?? false }

    private mutating func add(_ value: Value) throws(FormatError) {
        switch value {
        case .string(let string): add(string)
        case .binary(let bytes) where bytes.count <= Self.mostBytes: text += "0x" + Hexadecimal.text(bytes)
        case .binary(let bytes):
            text += "0x\(Hexadecimal.text(Array(bytes.prefix(Self.shownBytes))))… (\(counted(bytes.count, "byte")))"
        case .malformedString(let bytes): add(String(decoding: bytes, as: UTF8.self))
        case .float(let number): text += number.isNaN ? "NaN" : number.description
        case .double(let number): text += number.isNaN ? "NaN" : number.description
        case .link(let link) where !namesClasses && !link.isUnresolved:
            if let key = try Self.key(of: link) {
                try add(key)
            } else {
                text += "object \(link.objectKey)"
            }
        case .embedded(let object): try add(object)
        case .list(let values): try add(values, "[", "]") { cell, value throws(FormatError) in try cell.add(value) }
        case .set(let values): try add(values, "{", "}") { cell, value throws(FormatError) in try cell.add(value) }
        case .dictionary(let entries):
            try add(entries, "{", "}") { cell, entry throws(FormatError) in
                try cell.add(entry.key)
                cell.text += ": "
                try cell.add(entry.value)
            }
        default: text += ValueText.short(value)
        }
    }

    private mutating func add(_ string: String) {
        let shown = most.map { String(string.prefix($0 + 1)) } ?? string
        text += "\"" + shown.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private mutating func add(_ object: StoredObject) throws(FormatError) {
        var present: [(name: String, value: Value)] = []
        for (index, property) in object.table.schema.properties.enumerated() {
            let value = try object.value(at: index)
            if case .null = value { continue }
            present.append((property.name, value))
        }
        try add(present, "{", "}") { cell, member throws(FormatError) in
            cell.text += "\(member.name): "
            try cell.add(member.value)
        }
    }

    private mutating func add<Item>(
        _ items: [Item], _ open: String, _ close: String, _ body: (inout CellText, Item) throws(FormatError) -> Void
    ) throws(FormatError) {
        text += open
        depth += 1
        for (index, item) in items.enumerated() {
            if index > 0 { text += ", " }
            guard !isFull, depth <= Self.deepest else {
                text += "…"
                break
            }
            try body(&self, item)
        }
        depth -= 1
        text += close
    }
}
