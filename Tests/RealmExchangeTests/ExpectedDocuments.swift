import RealmExchange
import TestSupport

/// What the documents of a file have to be, made from the typed dump by the rules of the mapping.
struct ExpectedDocuments {
    /// A kind of loss of a property.
    struct Loss: Hashable, CustomStringConvertible {
        let className: String
        let property: String?
        let kind: LossKind
        var description: String { "\(className).\(property ?? "") \(kind)" }
    }

    let content: Content
    var keepsNulls = false
    /// Whether a leading `$` in dictionary keys is escaped.
    var escapesDollar = false
    private(set) var losses: [Loss: Int] = [:]
    /// Whether there are keys that `bson_validate` objects to.
    private(set) var hasOddKeys = false
    /// The class and property that losses are counted for.
    private var place: (String, String) = ("", "")

    init(_ content: Content) { self.content = content }

    /// The documents of a table, in the order of object keys.
    mutating func documents(of table: TypedDump.Table) throws -> [BSONValue] {
        for column in table.columns where fieldName(column, in: table) == Self.newName {
            losses[Loss(className: table.className, property: "_id", kind: .renamedProperty)] = 1
        }
        return try table.objects.map { .document(try fields(of: $0, in: table)) }
    }

    private static let newName = "_id_"

    /// Embedded objects of the whole file that no object holds.
    mutating func countOrphans() {
        for table in content.tables where table.kind == "embedded" {
            let count = table.objects.count { $0.backlinks == 0 }
            if count > 0 { losses[Loss(className: table.className, property: nil, kind: .orphanedObject)] = count }
        }
    }

    private mutating func fields(of object: TypedDump.Object, in table: TypedDump.Table) throws -> [BSONValue.Field] {
        var fields: [BSONValue.Field] = []
        if table.kind != "embedded" { fields.append(.init("_id", try identity(of: object, in: table))) }
        for (column, value) in zip(table.columns, object.values) {
            if column.name == "_id", table.primaryKey == "_id" { continue }
            let name = fieldName(column, in: table)
            if name.contains(".") || name.hasPrefix("$") { hasOddKeys = true }
            place = (table.className, column.name)
            if let value = try property(value, column) { fields.append(.init(name, value)) }
        }
        return fields
    }

    private func fieldName(_ column: TypedDump.Column, in table: TypedDump.Table) -> String {
        if column.name == "_id", table.kind != "embedded", table.primaryKey != "_id" { return Self.newName }
        return column.name
    }

    /// The primary key, or the object key of an object without one.
    private func identity(of object: TypedDump.Object, in table: TypedDump.Table) throws -> BSONValue {
        guard let index = table.primaryKeyIndex else { return .int64(object.key) }
        return try BSONValue.converted(object.values[index]).value
    }

    private func identity(_ key: Int64, in name: String) throws -> BSONValue {
        try identity(of: content.object(key, in: name), in: content.table(named: name))
    }

    /// The primary key of a tombstone, or its key.
    private func tombstone(_ key: Int64?, in name: String?) throws -> (BSONValue, String) {
        guard let key, let name, let known = content.tombstones[name]?[key] else {
            throw TestSupportError("a link to a tombstone that is not there")
        }
        return (known == .null ? .int64(key) : try BSONValue.converted(known).value, name)
    }

    private mutating func property(_ value: DumpValue, _ column: TypedDump.Column) throws -> BSONValue? {
        switch value {
        case .null: return keepsNulls ? .null : nil
        case .unresolved:
            count(.deletedTarget)
            return keepsNulls ? .null : nil
        default: return try element(value, column)
        }
    }

    private mutating func element(_ value: DumpValue, _ column: TypedDump.Column) throws -> BSONValue {
        switch value {
        case .null: return .null
        case .plain:
            let place = place
            let (value, loss) = try BSONValue.converted(value)
            if let loss { losses[Loss(className: place.0, property: place.1, kind: loss), default: 0] += 1 }
            return value
        case .link(let name, let key):
            let table = try content.table(named: name)
            if table.kind == "embedded" {
                let place = place
                defer { self.place = place }
                return .document(try fields(of: content.object(key, in: name), in: table))
            }
            let identity = try identity(key, in: name)
            return column.type == "mixed" ? reference(identity, table.className) : identity
        case .unresolved(let name, let key):
            let (identity, found) = try tombstone(key, in: name)
            return column.type == "mixed" ? reference(identity, try content.table(named: found).className) : identity
        case .list(let values), .set(let values):
            return .array(try values.map { try element($0, column) })
        case .dictionary(let entries):
            return .document(try entries.map { .init(try key($0.key), try element($0.value, column)) })
        }
    }

    private func reference(_ identity: BSONValue, _ className: String) -> BSONValue {
        .document([.init("$ref", .string(Array(className.utf8))), .init("$id", identity)])
    }

    private mutating func key(_ key: DumpValue) throws -> [UInt8] {
        guard case .plain(let tag, let text) = key else { throw TestSupportError("a key that is no value: \(key)") }
        guard tag == "s" || tag == "i" else { throw TestSupportError("a key of type \(tag)") }
        if text.contains(UInt8(ascii: ".")) || text.first == UInt8(ascii: "$") { hasOddKeys = true }
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
            case "$" where offset == 0 && escapesDollar: result += "%24"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return Array(result.utf8)
    }

    private mutating func count(_ kind: LossKind) {
        losses[Loss(className: place.0, property: place.1, kind: kind), default: 0] += 1
    }
}

extension BSONValue {
    /// A plain value of a dump in the `mongo` profile, and what is lost of it.
    static func converted(_ value: DumpValue) throws -> (value: BSONValue, loss: LossKind?) {
        guard case .plain(let tag, let bytes) = value else { return (.null, nil) }
        let text = String(decoding: bytes, as: UTF8.self)
        func number<T>(_ value: T?) throws -> T {
            guard let value else { throw TestSupportError("not a number: \(text)") }
            return value
        }
        switch tag {
        case "i": return (.int64(try number(Int64(text))), nil)
        case "t": return (.bool(text == "true"), nil)
        case "s": return (.string(bytes), nil)
        case "sx": return (.text(Array(String(decoding: try unhexed(text), as: UTF8.self).utf8)), .malformedText)
        case "s#": return (.longString(text), nil)
        case "b": return (.binary(subtype: 0, try unhexed(text)), nil)
        case "b#": return (.longBinary(text), nil)
        case "oid": return (.objectId(try unhexed(text)), nil)
        case "uuid": return (.binary(subtype: 4, try unhexed(text.filter { $0 != "-" })), nil)
        case "f": return (.double(widened(try number(UInt32(text, radix: 16)))), nil)
        case "d": return (.double(try number(UInt64(text, radix: 16))), nil)
        case "dec":
            let bits = try unhexed(text).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
            return (.decimal(high: UInt64(bits >> 64), low: UInt64(truncatingIfNeeded: bits)), nil)
        case "ts":
            let (nanoseconds, isExact) = try nanoseconds(text)
            let floored = (nanoseconds - (nanoseconds % 1_000_000 + 1_000_000) % 1_000_000) / 1_000_000
            guard let milliseconds = Int64(exactly: floored) else {
                return (.date(floored < 0 ? .min : .max), .timeOutOfRange)
            }
            return (.date(milliseconds), isExact ? nil : .subMilliseconds)
        default: throw TestSupportError("a tag that is not known: \(tag)")
        }
    }
}

/// The nanoseconds since 1970 of a timestamp in a dump, and whether milliseconds hold it.
func nanoseconds(_ text: String) throws -> (Int128, isWholeMilliseconds: Bool) {
    let parts = text.split(separator: " ").compactMap { Int64($0) }
    guard parts.count == 2 else { throw TestSupportError("no timestamp: \(text)") }
    let nanoseconds = Int128(parts[0]) * 1_000_000_000 + Int128(parts[1])
    return (nanoseconds, nanoseconds % 1_000_000 == 0)
}

func unhexed(_ text: some StringProtocol) throws -> [UInt8] {
    let digits = Array(text.utf8)
    return try stride(from: 0, to: digits.count, by: 2).map { at in
        guard at + 1 < digits.count, let byte = UInt8(String(decoding: digits[at...(at + 1)], as: UTF8.self), radix: 16)
        else { throw TestSupportError("not hexadecimal: \(text)") }
        return byte
    }
}

/// The bits of a float as a double. The processor makes signalling NaNs quiet, so that they are moved by hand.
private func widened(_ bits: UInt32) -> UInt64 {
    let value = Float(bitPattern: bits)
    guard value.isNaN else { return Double(value).bitPattern }
    let sign: UInt64 = bits >> 31 == 1 ? 1 << 63 : 0
    return sign | 0x7FF << 52 | UInt64(bits & 0x7F_FFFF) << (52 - 23)
}
