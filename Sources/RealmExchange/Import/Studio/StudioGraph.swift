internal import RealmLayout

/// The objects in a file that Realm Studio saved as JSON: an object with a list of objects for each class.
///
/// Releases up to 12 write linked objects out in place; where they would repeat for ever, an object has a number,
/// `$refId`, that others repeat as `$ref`. Releases from 13 on write the form of the JavaScript library flatted: an
/// array of all objects, lists and texts, each of which is replaced by its index elsewhere.
struct StudioGraph {
    /// A value of a field.
    enum Item {
        case scalar(JSONValue)
        case list([Item])
        /// An object, by its number.
        case object(Int)

        /// The number of values in it.
        var count: Int {
            if case .list(let items) = self { items.reduce(1) { $0 + $1.count } } else { 1 }
        }
    }

    /// The fields of each object.
    private(set) var objects: [[(name: String, value: Item)]] = []
    /// The objects of each class.
    private(set) var classes: [(name: String, objects: [Int])] = []

    /// More levels than an object of Realm can have.
    static let depth = 100

    /// Reads either form; nil for JSON that is something else.
    ///
    /// - Throws: `malformed` for an index that leads nowhere.
    init?(_ json: JSONValue) throws(DocumentError) {
        switch json {
        case .object(let members):
            guard !members.isEmpty, members.contains(where: { $0.1.elements?.isEmpty == false }) else { return nil }
            for (_, list) in members {
                guard let list = list.elements, list.allSatisfy({ $0.members != nil }) else { return nil }
            }
            var reader = NestedReader()
            for (name, list) in members {
                let objects = try reader.list(list.elements ?? [], 0)
                classes.append((name, objects.compactMap { if case .object(let number) = $0 { number } else { nil } }))
            }
            try reader.end()
            objects = reader.objects
        case .array(let table):
            guard let root = table.first?.members, !root.isEmpty else { return nil }
            for (_, index) in root {
                guard let digits = index.text, let number = Int(digits), table.indices.contains(number),
                    table[number].elements != nil
                else { return nil }
            }
            var reader = FlattedReader(table)
            for (name, index) in root {
                guard case .list(let items) = try reader.item(index, 0) else { continue }
                classes.append((name, items.compactMap { if case .object(let number) = $0 { number } else { nil } }))
            }
            try reader.end()
            objects = reader.objects
        default: return nil
        }
    }

    static func tooDeep() -> DocumentError {
        DocumentError(.tooDeep, "more than \(depth) levels of objects and lists, or lists that repeat each other")
    }
}

/// Reads objects that are written in place.
private struct NestedReader {
    private(set) var objects: [[(name: String, value: StudioGraph.Item)]] = []
    /// The objects with a number of their own.
    private var numbered: [String: Int] = [:]
    /// Fields that refer to an object by such a number, which may come later.
    private var waiting: Set<String> = []

    mutating func list(_ values: [JSONValue], _ level: Int) throws(DocumentError) -> [StudioGraph.Item] {
        var items: [StudioGraph.Item] = []
        for value in values { items.append(try item(value, level)) }
        return items
    }

    private mutating func item(_ value: JSONValue, _ level: Int) throws(DocumentError) -> StudioGraph.Item {
        guard level < StudioGraph.depth else { throw StudioGraph.tooDeep() }
        switch value {
        case .array(let values): return .list(try list(values, level + 1))
        case .object(let members):
            if members.count == 1, members[0].0 == "$ref", let name = Self.name(members[0].1) {
                return .object(number(of: name))
            }
            if members.count == 1, members[0].0.hasPrefix("$") { return .scalar(value) }
            let number: Int
            if let name = members.first(where: { $0.0 == "$refId" }).flatMap({ Self.name($0.1) }) {
                number = self.number(of: name)
                waiting.remove(name)
            } else {
                number = objects.count
                objects.append([])
            }
            var fields: [(name: String, value: StudioGraph.Item)] = []
            for (name, value) in members where name != "$refId" { fields.append((name, try item(value, level + 1))) }
            objects[number] = fields
            return .object(number)
        default: return .scalar(value)
        }
    }

    /// The object with a number of its own; a new one if it has not been seen.
    private mutating func number(of name: String) -> Int {
        if let number = numbered[name] { return number }
        numbered[name] = objects.count
        waiting.insert(name)
        objects.append([])
        return objects.count - 1
    }

    private static func name(_ value: JSONValue) -> String? { value.text ?? value.integer.map { String($0) } }

    /// Checks that everything that was referred to is there.
    func end() throws(DocumentError) {
        guard let name = waiting.inOrder().first else { return }
        throw DocumentError(.malformed, "no object has the \"$refId\" \(name.singleLine) that a \"$ref\" names")
    }
}

/// Reads objects that are replaced by indexes.
private struct FlattedReader {
    private let table: [JSONValue]
    private(set) var objects: [[(name: String, value: StudioGraph.Item)]] = []
    /// The numbers of objects by their indexes.
    private var numbers: [Int: Int] = [:]
    /// Objects whose fields have not been read.
    private var unread: [(index: Int, number: Int)] = []
    /// The number of values that may still be read: lists could repeat each other without end.
    private var rest: Int

    init(_ table: [JSONValue]) {
        self.table = table
        let count = table.reduce(0) { $0 + ($1.elements?.count ?? $1.members?.count ?? 1) }
        rest = 10 * count + 10_000
    }

    /// The value that a field or element stands for.
    mutating func item(_ value: JSONValue, _ level: Int) throws(DocumentError) -> StudioGraph.Item {
        rest -= 1
        guard level < StudioGraph.depth, rest > 0 else { throw StudioGraph.tooDeep() }
        guard let digits = value.text else { return .scalar(value) }
        guard let index = Int(digits), table.indices.contains(index) else {
            throw DocumentError(
                .malformed, "the index \"\(digits.singleLine)\" leads nowhere: there are \(table.count) values")
        }
        switch table[index] {
        case .array(let values):
            var items: [StudioGraph.Item] = []
            for value in values { items.append(try item(value, level + 1)) }
            return .list(items)
        case .object(let members):
            // A value that JSON has no type for.
            if members.count == 1, members[0].0.hasPrefix("$"),
                case .scalar(let inner) = try item(members[0].1, level + 1)
            {
                return .scalar(.object([(members[0].0, inner)]))
            }
            if let number = numbers[index] { return .object(number) }
            let number = objects.count
            numbers[index] = number
            objects.append([])
            unread.append((index, number))
            return .object(number)
        case let text: return .scalar(text)
        }
    }

    /// Reads the fields of all objects that were met.
    mutating func end() throws(DocumentError) {
        while let (index, number) = unread.popLast() {
            var fields: [(name: String, value: StudioGraph.Item)] = []
            for (name, value) in table[index].members ?? [] { fields.append((name, try item(value, 0))) }
            objects[number] = fields
        }
    }
}
