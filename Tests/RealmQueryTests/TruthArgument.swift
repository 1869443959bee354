import RealmCore
import RealmLayout
import RealmQuery
import TestSupport
import Testing

/// The arguments of a query in the truth files: words separated by spaces, each prefixed with its type, as `int:5`, or
/// a list of them, as `[int:5,null]`. Separators in text are written as `%20`.
enum TruthArgument {
    static func arguments(_ text: String, in snapshot: Snapshot) throws -> [QueryArgument] {
        try text.split(separator: " ").map { word in
            guard word.first == "[" else { return .value(try value(word, snapshot)) }
            return .list(try word.dropFirst().dropLast().split(separator: ",").map { try value($0, snapshot) })
        }
    }

    private static func value(_ word: Substring, _ snapshot: Snapshot) throws -> Value {
        if word == "null" { return .null }
        let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        try #require(parts.count == 2, "\(word)")
        let text = parts[1]
        switch parts[0] {
        case "int": return .int(try #require(Int64(text)))
        case "bool": return .bool(text == "true")
        case "float": return .float(try #require(Float(text)))
        case "double": return .double(try #require(Double(text)))
        case "decimal": return .decimal128(try #require(Decimal128Bits(String(text))))
        case "string": return .string(try #require(text.removingPercentEncoding))
        case "binary": return .binary(bytes(text))
        case "oid": return .objectId(try #require(ObjectID(bytes(text))))
        case "uuid": return .uuid(try #require(UUIDBytes(bytes(text.filter { $0 != "-" }[...]))))
        case "time":
            let numbers = text.split(separator: ":").compactMap { Int64($0) }
            return .timestamp(try #require(Timestamp(seconds: numbers[0], nanoseconds: numbers[1])))
        case "link":
            let place = text.split(separator: ":")
            let table = try snapshot.table(named: try #require(place[0].removingPercentEncoding))
            return .link(Link(table: table, objectKey: ObjectKey(try #require(Int64(place[1])))))
        default:
            Issue.record("\(word) has no type")
            return .null
        }
    }

    private static func bytes(_ digits: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = digits
        while rest.count >= 2 {
            bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
