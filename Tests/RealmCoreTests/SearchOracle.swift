import RealmForensics
import TestSupport

/// The matches in a dump of Realm Core, found value by value.
struct SearchOracle {
    /// A match in words: class, object key, path, text.
    typealias Match = String

    private let dump: TypedDump
    /// The owner of each embedded object: its table and key, and the step from there.
    private var owners: [Place: (owner: Place, step: String)] = [:]

    private struct Place: Hashable {
        let table: String
        let key: Int64
    }

    init(_ dump: TypedDump) {
        self.dump = dump
        let embedded = Set(dump.tables.filter { $0.kind == "embedded" }.map(\.name))
        for table in dump.tables {
            for object in table.objects {
                for (column, value) in zip(table.columns, object.values) {
                    let place = Place(table: table.name, key: object.key)
                    for (step, link) in Self.links(in: value) where embedded.contains(link.table) {
                        owners[link] = (place, column.name + step)
                    }
                }
            }
        }
    }

    private static func links(in value: DumpValue) -> [(step: String, link: Place)] {
        switch value {
        case .link(let table, let key): [("", Place(table: table, key: key))]
        case .list(let values):
            values.enumerated().flatMap { index, value in
                links(in: value).map { ("[\(index)]\($0.step)", $0.link) }
            }
        case .dictionary(let entries):
            entries.flatMap { entry in
                links(in: entry.value).map { ("[\(text(ofKey: entry.key))]\($0.step)", $0.link) }
            }
        default: []
        }
    }

    /// The texts of all values in the dump, each once.
    var texts: [String] {
        var texts: Set<String> = []
        forEachValue { _, _, value, _ in
            if case .plain(_, let text) = value { texts.insert(String(decoding: text, as: UTF8.self)) }
        }
        return texts.sorted()
    }

    /// The matches of a text in strings, integers, truth values, ObjectIds and UUIDs.
    func matches(of text: String, inIdentifiers: Bool = true) -> [Match] {
        var matches: [Match] = []
        forEachValue { place, path, value, isKey in
            guard case .plain(let tag, let bytes) = value, isMatch(text, tag, bytes),
                inIdentifiers || tag != "oid" && tag != "uuid"
            else { return }
            let (outer, prefix) = owner(of: place)
            matches.append(
                "\(outer.table) \(outer.key) \(prefix)\(path)\(isKey ? " key" : "") "
                    + String(decoding: bytes, as: UTF8.self))
        }
        return matches.sorted()
    }

    private func isMatch(_ text: String, _ tag: String, _ bytes: [UInt8]) -> Bool {
        let value = String(decoding: bytes, as: UTF8.self)
        let hasDigit = text.contains { $0.isASCII && $0.isNumber }
        return switch tag {
        case "s": Array(text.utf8).isPart(of: bytes)
        case "i": hasDigit && value.contains(text)
        case "t": value == text
        case "oid", "uuid":
            (hasDigit || text.utf8.count >= 8) && value.lowercased().contains(text.lowercased())
        default: false
        }
    }

    private func owner(of place: Place) -> (place: Place, path: String) {
        var (outer, path) = (place, "")
        while let next = owners[outer] { (outer, path) = (next.owner, "\(next.step).\(path)") }
        return (outer, path)
    }

    private func forEachValue(_ body: (Place, _ path: String, DumpValue, _ isKey: Bool) -> Void) {
        for table in dump.tables where table.name.hasPrefix("class_") {
            for object in table.objects {
                for (column, value) in zip(table.columns, object.values) {
                    Self.forEach(value, column.name) { body(Place(table: table.name, key: object.key), $0, $1, $2) }
                }
            }
        }
    }

    private static func forEach(
        _ value: DumpValue, _ path: String, _ body: (String, DumpValue, _ isKey: Bool) -> Void
    ) {
        switch value {
        case .list(let values), .set(let values):
            for (index, value) in values.enumerated() { forEach(value, "\(path)[\(index)]", body) }
        case .dictionary(let entries):
            for entry in entries {
                let place = "\(path)[\(text(ofKey: entry.key))]"
                body(place, entry.key, true)
                forEach(entry.value, place, body)
            }
        default: body(path, value, false)
        }
    }

    private static func text(ofKey key: DumpValue) -> String {
        guard case .plain(let tag, let text) = key else { return "?" }
        let shown = String(decoding: text, as: UTF8.self)
        return tag == "i" ? shown : "\"\(shown)\""
    }
}

extension [UInt8] {
    fileprivate func isPart(of whole: [UInt8]) -> Bool {
        guard whole.count >= count else { return false }
        return (0...(whole.count - count)).contains { whole[$0..<($0 + count)].elementsEqual(self) }
    }
}
