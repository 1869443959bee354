import RealmExchange
import TestSupport

/// A kind of loss for one property.
struct Loss: Hashable, CustomStringConvertible {
    let className: String
    let property: String?
    let kind: LossKind
    var description: String { "\(className).\(property ?? "") \(kind)" }
}

/// The value type of expected documents.
protocol ExpectedValue {
    static var null: Self { get }
    static func document(_ fields: [(name: [UInt8], value: Self)]) -> Self
    static func array(_ values: [Self]) -> Self
    /// Returns a plain value of a dump, and its loss.
    static func converted(_ value: DumpValue) throws -> (value: Self, loss: LossKind?)
}

/// The rule for writing dictionary keys.
enum KeyRule {
    case asTheyAre
    case bson
    /// A leading `$` is escaped too.
    case extendedJSON
}

/// The expected documents of a file, made from the typed dump by the rules of the mapping.
struct ExpectedDocuments<Value: ExpectedValue> {
    let content: Content
    var keepsNulls = false
    /// The same for embedded objects, if it differs.
    var keepsNullsInside: Bool?
    let keyRule: KeyRule
    /// Whether properties are fields of comma-separated values, which are all text.
    var hasTextFields = false
    private var isInside = false
    private(set) var losses: [Loss: Int] = [:]
    /// Whether there are keys that `bson_validate` rejects.
    private(set) var hasOddKeys = false
    /// The class and property for which losses are counted.
    private var place: (String, String) = ("", "")

    init(_ content: Content, _ keyRule: KeyRule) {
        self.content = content
        self.keyRule = keyRule
    }

    /// Returns the documents of a table, in the order of object keys.
    mutating func documents(of table: TypedDump.Table) throws -> [Value] {
        for column in table.columns {
            let name = fieldName(column, in: table)
            guard name != column.name else { continue }
            let kind: LossKind = name == Self.newName ? .renamedProperty : .escapedProperty
            losses[Loss(className: table.className, property: column.name, kind: kind)] = 1
        }
        return try table.objects.map { .document(try fields(of: $0, in: table)) }
    }

    private static var newName: String { "_id_" }

    /// Counts the embedded objects of the whole file that have no owner.
    mutating func countOrphans() {
        for table in content.tables where table.kind == "embedded" {
            let count = table.objects.count { $0.backlinks == 0 }
            if count > 0 { losses[Loss(className: table.className, property: nil, kind: .orphanedObject)] = count }
        }
    }

    private mutating func fields(of object: TypedDump.Object, in table: TypedDump.Table) throws -> [(
        name: [UInt8], value: Value
    )] {
        var fields: [(name: [UInt8], value: Value)] = []
        if table.kind != "embedded" { fields.append((Array("_id".utf8), try identity(of: object, in: table))) }
        for (column, value) in zip(table.columns, object.values) {
            if column.name == "_id", table.primaryKey == "_id", table.kind != "embedded" {
                // Already written as the identity.
                place = (table.className, column.name)
                _ = try element(value, column)
                continue
            }
            let name = fieldName(column, in: table)
            if name.contains(".") || name.hasPrefix("$") { hasOddKeys = true }
            place = (table.className, column.name)
            if let value = try property(value, column) { fields.append((Array(name.utf8), value)) }
        }
        return fields
    }

    private func fieldName(_ column: TypedDump.Column, in table: TypedDump.Table) -> String {
        if column.name == "_id", table.kind != "embedded", table.primaryKey != "_id" { return Self.newName }
        if keyRule == .extendedJSON, column.name.hasPrefix("$") { return "%24" + column.name.dropFirst() }
        return column.name
    }

    /// Returns the primary key, or the object key of an object without one.
    private func identity(of object: TypedDump.Object, in table: TypedDump.Table) throws -> Value {
        guard let index = table.primaryKeyIndex else { return try integer(object.key) }
        return try Value.converted(object.values[index]).value
    }

    private func integer(_ value: Int64) throws -> Value {
        try Value.converted(.plain("i", Array("\(value)".utf8))).value
    }

    private func identity(_ key: Int64, in name: String) throws -> Value {
        try identity(of: content.object(key, in: name), in: content.table(named: name))
    }

    /// Returns the primary key of a tombstone, or its object key.
    private func tombstone(_ key: Int64?, in name: String?) throws -> (Value, String) {
        guard let key, let name, let known = content.tombstones[name]?[key] else {
            throw TestSupportError("a link to a tombstone that is not there")
        }
        return (known == .null ? try integer(key) : try Value.converted(known).value, name)
    }

    private mutating func property(_ value: DumpValue, _ column: TypedDump.Column) throws -> Value? {
        switch value {
        case .null: return keepsNulls ? .null : nil
        case .unresolved:
            count(.deletedTarget)
            return keepsNulls ? .null : nil
        default:
            let isField = hasTextFields && !isInside && column.type == "mixed" && column.collection.isEmpty
            // For plain values, text in place of another type is counted once.
            if isField, !value.isText, !changesType(value) { count(.mixedType) }
            return try element(value, column)
        }
    }

    private mutating func element(_ value: DumpValue, _ column: TypedDump.Column) throws -> Value {
        switch value {
        case .null: return .null
        case .plain(let tag, let bits):
            if keyRule != .bson, try isToldByText(tag, String(decoding: bits, as: UTF8.self)) == false {
                count(.numberBits)
            }
            if column.type == "mixed", changesType(value) { count(.mixedType) }
            let place = place
            let (value, loss) = try Value.converted(value)
            if let loss { losses[Loss(className: place.0, property: place.1, kind: loss), default: 0] += 1 }
            return value
        case .link(let name, let key):
            let table = try content.table(named: name)
            if table.kind == "embedded" {
                let (place, keepsNulls, isInside) = (place, keepsNulls, isInside)
                self.keepsNulls = keepsNullsInside ?? keepsNulls
                self.isInside = true
                defer { (self.place, self.keepsNulls, self.isInside) = (place, keepsNulls, isInside) }
                return .document(try fields(of: content.object(key, in: name), in: table))
            }
            let identity = try identity(key, in: name)
            if column.type != "mixed", column.collection == "" || column.collection == "dict",
                let index = table.primaryKeyIndex, try content.object(key, in: name).values[index] == .null
            {
                count(.linkToNullKey)
            }
            return column.type == "mixed" ? try reference(identity, table.className) : identity
        case .unresolved(let name, let key):
            count(.deletedElement)
            let (identity, found) = try tombstone(key, in: name)
            guard column.type == "mixed" else { return identity }
            return try reference(identity, try content.table(named: found).className)
        case .list(let values), .set(let values):
            return .array(try values.map { try element($0, column) })
        case .dictionary(let entries):
            return .document(try entries.map { (try key($0.key), try element($0.value, column)) })
        }
    }

    /// Whether a value of Mixed is read back as another type.
    private func changesType(_ value: DumpValue) -> Bool {
        guard case .plain(let tag, let bits) = value else { return false }
        let text = String(decoding: bits, as: UTF8.self)
        return switch tag {
        case "f": true
        case "b", "b#", "ts", "dec", "oid", "uuid": keyRule == .asTheyAre
        case "d": keyRule == .asTheyAre && UInt64(text, radix: 16).map { !Double(bitPattern: $0).isFinite } ?? true
        default: false
        }
    }

    /// Whether the text of a number preserves all of its bits.
    private func isToldByText(_ tag: String, _ digits: String) throws -> Bool {
        guard tag == "f" || tag == "d" || tag == "dec" else { return true }
        let bits = try unhexed(digits).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        switch tag {
        case "f": return !Float(bitPattern: UInt32(bits)).isNaN || bits == 0x7FC0_0000
        case "d": return !Double(bitPattern: UInt64(bits)).isNaN || bits == 0x7FF8_0000_0000_0000
        default:
            let infinity: UInt128 = 0x78 << 120
            let nan: UInt128 = 0x7C << 120
            if bits & 0x60 << 120 != 0x60 << 120 {
                return bits & (1 << 113 - 1) < (0..<34).reduce(1) { power, _ in power * 10 }
            }
            return bits == nan || bits & ~(1 << 127) == infinity
        }
    }

    private func reference(_ identity: Value, _ className: String) throws -> Value {
        let name = try Value.converted(.plain("s", Array(className.utf8))).value
        return .document([(Array("$ref".utf8), name), (Array("$id".utf8), identity)])
    }

    private mutating func key(_ key: DumpValue) throws -> [UInt8] {
        guard case .plain(let tag, let text) = key else { throw TestSupportError("a key that is no value: \(key)") }
        guard tag != "sx" else {
            count(.malformedText)
            return Array(String(decoding: try unhexed(String(decoding: text, as: UTF8.self)), as: UTF8.self).utf8)
        }
        guard tag == "s" || tag == "i" else { throw TestSupportError("a key of type \(tag)") }
        if text.contains(UInt8(ascii: ".")) || text.first == UInt8(ascii: "$") { hasOddKeys = true }
        guard keyRule != .asTheyAre else { return text }
        let escaped = percentEscaped(text)
        if escaped != text { count(.escapedKey) }
        return escaped
    }

    private func percentEscaped(_ key: [UInt8]) -> [UInt8] {
        var result = ""
        let text = String(decoding: key, as: UTF8.self)
        for (offset, scalar) in text.unicodeScalars.enumerated() {
            let rest = String(text.unicodeScalars.dropFirst(offset).prefix(3)).uppercased()
            switch scalar {
            case "\0": result += "%00"
            case "%" where rest != "%2E" && rest != "%24": result += "%25"
            case "$" where offset == 0 && keyRule == .extendedJSON: result += "%24"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return Array(result.utf8)
    }

    private mutating func count(_ kind: LossKind) {
        losses[Loss(className: place.0, property: place.1, kind: kind), default: 0] += 1
    }
}

extension DumpValue {
    /// Whether this is a string.
    fileprivate var isText: Bool {
        guard case .plain(let tag, _) = self else { return false }
        return ["s", "s#", "sx"].contains(tag)
    }
}
