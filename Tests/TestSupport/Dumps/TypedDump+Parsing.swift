package import Foundation

extension TypedDump {
    /// Reads a dump made by Realm Core.
    package init(contentsOf url: URL) throws {
        for line in try unpackedBytes(of: url).split(separator: UInt8(ascii: "\n")) {
            let members = try JSON(parsing: Array(line)).members()
            if members[optional: "table"] != nil {
                tables.append(try Table(members))
            } else {
                let name = try members[required: "t"].string()
                guard let last = tables.indices.last, tables[last].name == name else {
                    throw TestSupportError("an object of \(name) outside of its table")
                }
                tables[last].objects.append(try Object(members, columns: tables[last].columns))
            }
        }
        // A truncated dump must not be mistaken for a small one.
        for table in tables where table.objects.count != table.size {
            throw TestSupportError("\(table.objects.count) objects of \(table.name), expected \(table.size)")
        }
    }
}

extension TypedDump {
    /// Returns the tables of this dump with the objects of `lines` in place of their own, for programs that print only
    /// objects.
    package func withObjects(in lines: Data) throws -> TypedDump {
        var dump = self
        for table in dump.tables.indices { dump.tables[table].objects = [] }
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            let members = try JSON(parsing: Array(line)).members()
            let name = try members[required: "t"].string()
            guard let table = dump.tables.firstIndex(where: { $0.name == name }) else {
                throw TestSupportError("an object of \(name), which is no table")
            }
            dump.tables[table].objects.append(try Object(members, columns: dump.tables[table].columns))
        }
        return dump
    }
}

extension TypedDump.Table {
    init(_ members: [JSON.Member]) throws {
        self.init(
            name: try members[required: "table"].string(),
            key: UInt32(try members[required: "key"].int()),
            kind: try members[required: "kind"].string(),
            primaryKey: try members[required: "pk"].orNil?.string(),
            size: Int(try members[required: "size"].int()),
            tombstones: Int(try members[required: "tombstones"].int()),
            columns: try members[required: "columns"].elements().map { try TypedDump.Column($0.members()) },
            incoming: try members[required: "incoming"].elements().map { pair in
                let pair = try pair.elements()
                return TypedDump.Incoming(table: try pair[0].string(), property: try pair[1].string())
            })
    }
}

extension TypedDump.Column {
    init(_ members: [JSON.Member]) throws {
        self.init(
            name: try members[required: "name"].string(),
            type: try members[required: "type"].string(),
            isNullable: try members[required: "nullable"].bool(),
            collection: try members[required: "coll"].string(),
            target: try members[optional: "target"]?.string(),
            index: Int(try members[required: "index"].int()),
            isEnumerated: try members[required: "enum"].bool(),
            key: try members[required: "colkey"].int())
    }
}

extension TypedDump.Object {
    init(_ members: [JSON.Member], columns: [TypedDump.Column]) throws {
        let values = try members[required: "v"].members()
        guard values.map(\.name) == columns.map(\.name) else {
            throw TestSupportError("values of \(values.map(\.name)), expected \(columns.map(\.name))")
        }
        self.init(
            key: try members[required: "k"].int(),
            backlinks: Int(try members[optional: "backlinks"]?.int() ?? 0),
            values: try values.map { try DumpValue($0.value) })
    }
}

extension DumpValue {
    init(_ json: JSON) throws {
        guard json != .null else {
            self = .null
            return
        }
        let parts = try json.elements()
        guard let first = parts.first else { throw TestSupportError("an empty value") }
        let tag = try first.string()
        switch tag {
        case "i", "s", "sx", "b", "oid", "uuid", "f", "d", "dec":
            // The text after the bits of a number is for human readers.
            self = .plain(tag, try parts[1].bytes())
        case "t":
            self = .plain(tag, Array(try parts[1].bool() ? "true".utf8 : "false".utf8))
        case "ts":
            self = .plain(tag, try parts[1].bytes() + Array(" \(try parts[2].int())".utf8))
        case "s#", "b#":
            self = .plain(tag, Array("\(try parts[1].int()) ".utf8) + (try parts[2].bytes()))
        case "l":
            self = .link(table: try parts[1].string(), key: try parts[2].int())
        case "u":
            guard parts.count > 1 else {
                self = .unresolved(table: nil, key: nil)
                return
            }
            self = .unresolved(table: try parts[1].string(), key: try parts[2].int())
        case "L":
            self = .list(try parts[1].elements().map { try DumpValue($0) })
        case "S":
            self = .set(try parts[1].elements().map { try DumpValue($0) })
        case "D":
            self = .dictionary(
                try parts[1].elements().map { entry in
                    let pair = try entry.elements()
                    return Entry(key: try DumpValue(pair[0]), value: try DumpValue(pair[1]))
                })
        default:
            throw TestSupportError("an unknown tag: \(tag)")
        }
    }
}

extension JSON {
    fileprivate var orNil: JSON? { self == .null ? nil : self }
}
