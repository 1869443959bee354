internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

extension InspectReport {
    /// The members of the report.
    ///
    /// - Throws: Errors of reading bytes of an encrypted file.
    func members() throws -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [
            ("slot", JSONValue(slot)),
            ("finding", findingJSON ?? .null),
            ("node", node.map { json($0) } ?? .null),
        ]
        if let places { members.append(("object", try json(places))) }
        if let free { members.append(("free", try json(free))) }
        if let shownBytes {
            let most = limit > shownBytes.count / 16 ? shownBytes.count : limit * 16
            members.append(("bytesAt", .offset(shownBytes.lowerBound)))
            members.append(("hex", .string(Hexadecimal.text(try inspector?.bytes(in: shownBytes.prefix(most)) ?? []))))
        }
        return members
    }

    private var findingJSON: JSONValue? {
        guard let (offset, whereabouts) = finding else { return nil }
        let kind: String
        var paths: [[Int]] = []
        switch whereabouts {
        case .header: kind = "header"
        case .node(_, let found): (kind, paths) = ("node", found)
        case .damagedNode(let path, _): (kind, paths) = ("damagedNode", [path])
        case .free: kind = "free"
        case .unaccounted: kind = "unaccounted"
        case .beyondDatabase(let isFooter): kind = isFooter ? "footer" : "beyondDatabase"
        }
        return .object([
            ("offset", .offset(offset)), ("in", .string(kind)),
            ("paths", .array(paths.map { .string(NodeInspector.text($0)) })),
            ("message", JSONValue(findingText)),
        ])
    }

    private func json(_ node: InspectedNode) -> JSONValue {
        let isBytes = node.isBytes
        let count = min(node.count, limit)
        let values = node.values.map { values in
            JSONValue.array((0..<min(values.count, limit)).map { .string(values.text(at: $0)) })
        }
        let header = node.header
        return .object(present: [
            ("ref", .offset(node.ref.offset)),
            ("path", node.path.map { .string(NodeInspector.text($0)) } ?? .null),
            ("way", .array(node.way.map { .string($0) })),
            ("role", .string(node.title)),
            (
                "header",
                .object([
                    ("inner", .bool(header.isInner)), ("hasRefs", .bool(header.hasRefs)),
                    ("context", .bool(header.isContext)),
                    ("widthType", JSONValue(header.widthType.map { "\($0)" })), ("width", JSONValue(header.width)),
                    ("count", JSONValue(header.count)),
                ])
            ),
            ("payloadBytes", JSONValue(node.payloadSize)),
            ("byteCount", JSONValue(node.byteCount)),
            ("elements", isBytes ? nil : .array((0..<count).map { Self.json(node.element(at: $0)) })),
            ("bytes", isBytes ? .string(hexadecimal(of: node)) : nil),
            ("values", values),
            ("truncated", .bool(isTruncated(node))),
        ])
    }

    private func isTruncated(_ node: InspectedNode) -> Bool {
        let rows = node.isBytes ? (node.payloadSize + 15) / 16 : node.count
        return rows > limit || (node.values?.count ?? 0) > limit
    }

    private func hexadecimal(of node: InspectedNode) -> String {
        let count = limit > node.payloadSize / 16 ? node.payloadSize : limit * 16
        return node.payload(0..<count).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    private static func json(_ element: InspectedElement) -> JSONValue {
        let value: (kind: String, value: JSONValue) =
            switch element.content {
            case .empty: ("empty", .null)
            case .ref(let ref): ("ref", .offset(ref.offset))
            case .tagged(let number): ("tagged", JSONValue(number))
            case .number(let number): ("number", .int(number))
            case .bytes: ("bytes", .string(element.raw))
            }
        return .object(present: [
            ("index", JSONValue(element.index)),
            ("name", element.name.map { .string($0) }),
            ("kind", .string(value.kind)),
            ("value", value.value),
            ("raw", .string(element.raw)),
            ("note", element.note.map { .string($0) }),
        ])
    }
}
