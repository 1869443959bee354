internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

extension InspectReport {
    /// The bytes of a part of a value that are shown unless all are requested.
    private static let shownBytes = 16

    /// Writes the places of an object's values.
    func write(_ places: ValuePlaces, to console: any Console) throws {
        try console.writeLine("object \(places.key)")
        let path = NodeInspector.text(places.path)
        try console.writeLine("  cluster  \(places.cluster), row \(places.row), at path /\(path)")
        if let key = places.keyPart { try write(key, "  key      ", to: console) }
        for property in places.properties {
            let value = property.value.map { ValueText.short($0) } ?? "unreadable"
            try console.writeLine("\(property.name.singleLine) = \(value.singleLine)")
            for part in property.parts { try write(part, "  ", to: console) }
            if let problem = property.problem { try console.writeLine("  damaged: \(problem.line)") }
        }
    }

    private func write(_ part: ValuePlaces.Part, _ start: String, to console: any Console) throws {
        let range = part.range
        let size = part.bits.map { "bits \($0.lowerBound) to \($0.upperBound)" } ?? counted(range.count, "byte")
        let place = part.node.map { " in the node \($0.ref) at /\(NodeInspector.text($0.path))" } ?? ""
        let (shown, isCut) = try bytes(of: part)
        let digits = shown.map { Self.hex($0) }.joined(separator: " ") + (isCut ? " …" : "")
        let end = range.isEmpty ? ", no bytes" : ": \(digits)"
        try console.writeLine("\(start)\(hexadecimal(range.lowerBound))  \(part.words), \(size)\(place)\(end)")
    }

    private func bytes(of part: ValuePlaces.Part) throws -> (bytes: [UInt8], isCut: Bool) {
        let most = limit == .max ? part.range.count : Self.shownBytes
        return (try inspector?.bytes(in: part.range.prefix(most)) ?? [], part.range.count > most)
    }

    /// The places for scripts.
    func json(_ places: ValuePlaces) throws -> JSONValue {
        .object([
            ("objectKey", .int(places.key.value)),
            ("cluster", .offset(places.cluster.offset)),
            ("row", JSONValue(places.row)),
            ("path", .string(NodeInspector.text(places.path))),
            ("keyPart", try places.keyPart.map { try json($0) } ?? .null),
            (
                "properties",
                .array(
                    try places.properties.map { property in
                        .object([
                            ("name", .string(property.name)),
                            ("value", JSONValue(property.value.map { ValueText.short($0) })),
                            ("leaf", property.leaf.map { .offset($0.offset) } ?? .null),
                            ("parts", .array(try property.parts.map { try json($0) })),
                            ("problem", property.problem?.json ?? .null),
                        ])
                    })
            ),
        ])
    }

    private func json(_ part: ValuePlaces.Part) throws -> JSONValue {
        let (shown, isCut) = try bytes(of: part)
        return .object([
            ("part", .string(part.words)),
            ("bytes", .bytes(part.range)),
            (
                "bits",
                part.bits.map {
                    .object([("from", JSONValue($0.lowerBound)), ("to", JSONValue($0.upperBound))])
                } ?? .null
            ),
            ("node", part.node.map { .offset($0.ref.offset) } ?? .null),
            ("path", part.node.map { .string(NodeInspector.text($0.path)) } ?? .null),
            ("hex", .string(Hexadecimal.text(shown))),
            ("truncated", .bool(isCut)),
        ])
    }
}
