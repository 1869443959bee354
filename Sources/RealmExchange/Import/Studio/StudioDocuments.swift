internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// A Realm Studio file as documents of each class, with links by `_id`.
struct StudioDocuments {
    private let graph: StudioGraph
    private let matches: StudioMatches
    /// The classes whose objects are numbered because others link to them.
    private(set) var numbered: Set<String> = []
    /// The fields of each class that are links to objects of one class, as `relationships.json` has them.
    private(set) var relationships: [(className: String, JSONValue)] = []
    /// Fields of dates, by their paths.
    private var dates: Set<String> = []
    /// The number of values that may still be looked at: objects without a class could repeat each other without end.
    private var rest: Int
    /// The classes that each path links to.
    private var targets: [String: Set<Int>] = [:]
    /// The number of links that lead to one of several objects with the same content.
    var ambiguous: Int { matches.ambiguous }

    init(_ graph: StudioGraph) throws(DocumentError) {
        self.graph = graph
        rest = 10 * graph.objects.reduce(0) { $0 + 1 + $1.reduce(0) { $0 + $1.value.count } } + 10_000
        matches = StudioMatches(graph)
        var (texts, others): (Set<String>, Set<String>) = ([], [])
        for (name, objects) in graph.classes {
            for object in objects {
                for (field, value) in graph.objects[object] {
                    try survey(value, "\(name).\(field)", 0) { path, text in
                        if text.map(Self.isDate) ?? false { texts.insert(path) } else { others.insert(path) }
                    }
                }
            }
        }
        dates = texts.subtracting(others)
        for (number, list) in graph.classes.enumerated()
        where targets.values.contains(where: { $0.contains(number) }) && !hasIdentities(list.objects) {
            numbered.insert(list.name)
        }
        for (name, _) in graph.classes {
            let links = targets.filter { $0.key.hasPrefix("\(name).") && $0.value.count == 1 }.map { path, targets in
                (String(path.dropFirst(name.count + 1)), graph.classes[targets.first ?? 0].name)
            }
            guard !links.isEmpty else { continue }
            relationships.append(
                (name, .object(links.map { path, target in (path, .object([("ref", .string("/\(target)"))])) })))
        }
    }

    /// Calls `note` for each text and other value of a field, and notes where links lead.
    private mutating func survey(
        _ item: StudioGraph.Item, _ path: String, _ level: Int, _ note: (String, String?) -> Void
    ) throws(DocumentError) {
        rest -= 1
        guard level < StudioGraph.depth, rest > 0 else { throw StudioGraph.tooDeep() }
        switch item {
        case .scalar(.null): break
        case .scalar(let value): note(path, value.text)
        case .list(let items): for item in items { try survey(item, path, level + 1, note) }
        case .object(let number):
            if let place = matches.places[number] {
                targets[path, default: []].insert(place.table)
            } else {
                for (name, value) in graph.objects[number] { try survey(value, "\(path).\(name)", level + 1, note) }
            }
        }
    }

    /// Whether a text is a date as JavaScript writes it.
    private static func isDate(_ text: String) -> Bool {
        text.utf8.count >= 24 && text.hasSuffix("Z") && text.dropLast(4).hasSuffix(".")
            && Timestamp(iso8601: text) != nil
    }

    /// Whether all objects have different values under `_id`.
    private func hasIdentities(_ objects: [Int]) -> Bool {
        var seen: Set<String> = []
        return objects.allSatisfy { object in
            guard let value = graph.objects[object].first(where: { $0.name == TableSchema.identityField })?.value,
                case .scalar(let identity) = value, identity.text != nil || identity.integer != nil
            else { return false }
            return seen.insert(identity.compact).inserted
        }
    }

    /// Writes the documents of a class in Extended JSON, one a line.
    func write(_ table: Int, to target: SpilledBytes) throws(ImportError) {
        let (name, objects) = graph.classes[table]
        for (row, object) in objects.enumerated() {
            var members: [(String, JSONValue)] = []
            let isNumbered = numbered.contains(name)
            if isNumbered { members.append((TableSchema.identityField, .int(Int64(row)))) }
            for (field, value) in graph.objects[object] {
                let isTaken = isNumbered && field == TableSchema.identityField
                members.append((isTaken ? field + "_" : field, json(value, "\(name).\(field)")))
            }
            let line = Array((JSONValue.object(members).compact + "\n").utf8)
            try importing { () throws(StorageError) in
                try ByteView.with(line) { view throws(StorageError) in try target.append(view) }
            }
        }
    }

    private func json(_ item: StudioGraph.Item, _ path: String) -> JSONValue {
        switch item {
        case .scalar(.string(let text)) where dates.contains(path): return .object([("$date", .string(text))])
        case .scalar(let value): return value
        case .list(let items): return .array(items.map { json($0, path) })
        case .object(let number):
            guard let place = matches.places[number] else {
                return .object(graph.objects[number].map { ($0.name, json($0.value, "\(path).\($0.name)")) })
            }
            let target = graph.classes[place.table]
            let identity: JSONValue =
                numbered.contains(target.name) ? .int(Int64(place.row)) : identity(ofObject: target.objects[place.row])
            guard targets[path]?.count == 1 else {
                return .object([("$ref", .string(target.name)), ("$id", identity)])
            }
            return identity
        }
    }

    private func identity(ofObject object: Int) -> JSONValue {
        let value = graph.objects[object].first { $0.name == TableSchema.identityField }?.value
        if case .scalar(let identity)? = value { return identity }
        return .null
    }
}
