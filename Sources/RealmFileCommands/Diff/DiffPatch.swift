internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

/// A difference as JSON Patch (RFC 6902): the steps from the first content to the second, as a document that has a
/// member for each class, and in it a member for each object, by primary key or else by object key.
struct DiffPatch {
    let difference: ContentDifference
    let first: Snapshot
    let second: Snapshot

    /// Returns the whole patch, a step a line.
    ///
    /// - Throws: `FormatError` for a value that cannot be read.
    func bytes() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var steps = 0
        func add(_ operation: String, _ path: [String], _ value: [UInt8]? = nil) throws {
            let path = "/" + path.map(Self.token).joined(separator: "/")
            var line = Array((steps == 0 ? "[\n" : ",\n").utf8)
            line += Array(#"{"op":"\#(operation)","path":\#(JSONValue.string(path).compact)"#.utf8)
            if let value { line += Array(",\"value\":".utf8) + value }
            line.append(UInt8(ascii: "}"))
            bytes += line
            steps += 1
        }
        for table in difference.removedTables { try add("remove", [table.name]) }
        for table in difference.addedTables {
            let added = try second.table(named: table.name)
            guard added.schema.kind != .embedded else { continue }
            try add("add", [table.name], Array("{}".utf8))
            let documents = ObjectDocuments(added)
            var objects = added.objects
            while let object = try objects.next() {
                try add("add", [table.name, try Self.name(of: object)], documents.bytes(of: object))
            }
        }
        for table in difference.tables { try write(table, add) }
        return bytes + Array(steps == 0 ? "[]\n".utf8 : "\n]\n".utf8)
    }

    private func write(
        _ table: TableDifference, _ add: (String, [String], [UInt8]?) throws -> Void
    ) throws {
        let (left, right) = (try first.table(named: table.tableName), try second.table(named: table.tableName))
        guard left.schema.kind != .embedded, right.schema.kind != .embedded else { return }
        let documents = ObjectDocuments(right)
        var fresh: Set<ObjectKey> = []
        for object in table.objects {
            if let key = object.firstKey, object.kind == .removed, let old = try left.object(key) {
                try add("remove", [table.name, Self.name(of: old)], nil)
            }
            guard let key = object.secondKey, let new = try right.object(key) else { continue }
            let name = try Self.name(of: new)
            guard object.kind == .changed else {
                fresh.insert(key)
                try add("add", [table.name, name], documents.bytes(of: new))
                continue
            }
            for change in object.changes {
                guard let value = try Self.value(of: change.property, new) else { continue }
                try add("replace", [table.name, name, change.property], value)
            }
        }
        try writeProperties(table, left, right, fresh, add)
    }

    /// Writes the steps for properties that only one side has, in all objects that both sides have.
    private func writeProperties(
        _ table: TableDifference, _ left: Table, _ right: Table, _ fresh: Set<ObjectKey>,
        _ add: (String, [String], [UInt8]?) throws -> Void
    ) throws {
        let changes = table.schema.filter { $0.part == "property" }
        guard !changes.isEmpty else { return }
        var objects = right.objects
        while let object = try objects.next() {
            if fresh.contains(object.key) { continue }
            let name = try Self.name(of: object)
            for change in changes {
                guard let property = change.property else { continue }
                if change.second == nil {
                    try add("remove", [table.name, name, property], nil)
                } else if let value = try Self.value(of: property, object) {
                    try add("add", [table.name, name, property], value)
                }
            }
        }
    }

    /// The value of one property, as in the document of the object.
    private static func value(of property: String, _ object: StoredObject) throws(FormatError) -> [UInt8]? {
        guard let index = object.table.schema.properties.firstIndex(where: { $0.name == property }) else { return nil }
        guard case .object(let members) = try ObjectDocuments(object.table, properties: [index]).json(of: object) else {
            return nil
        }
        return members.first.map { Array($0.1.compact.utf8) }
    }

    /// The name of an object: its primary key, or else its object key.
    private static func name(of object: StoredObject) throws(FormatError) -> String {
        guard let name = object.table.schema.primaryKeyName,
            let index = object.table.schema.properties.firstIndex(where: { $0.name == name })
        else { return String(object.key.value) }
        let value = try object.value(at: index)
        if case .string(let text) = value { return text }
        return ValueText.short(value)
    }

    /// A name as a part of a JSON pointer (RFC 6901).
    private static func token(_ name: String) -> String {
        name.replacing("~", with: "~0").replacing("/", with: "~1")
    }
}
