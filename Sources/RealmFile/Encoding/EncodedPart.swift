/// What an `Encodable` type made of one of its parts: containers are filled after they were handed out.
final class EncodedPart {
    enum Content {
        /// Nothing was encoded.
        case nothing
        case value(NewValue)
        case list([EncodedPart])
        case keyed([(key: String, part: EncodedPart)])
    }

    private(set) var content = Content.nothing

    func set(_ value: NewValue) { content = .value(value) }

    func beginKeyed() { if case .keyed = content {} else { content = .keyed([]) } }

    func beginList() { if case .list = content {} else { content = .list([]) } }

    /// A new part under a key; what was there before is replaced.
    func part(at key: String) -> EncodedPart {
        let part = EncodedPart()
        guard case .keyed(var parts) = content else { return part }
        content = .nothing
        if let index = parts.firstIndex(where: { $0.key.hasBytes(of: key) }) {
            parts[index].part = part
        } else {
            parts.append((key, part))
        }
        content = .keyed(parts)
        return part
    }

    /// A new part at the end.
    func nextPart() -> EncodedPart {
        let part = EncodedPart()
        guard case .list(var parts) = content else { return part }
        content = .nothing
        parts.append(part)
        content = .list(parts)
        return part
    }

    var count: Int { if case .list(let parts) = content { parts.count } else { 0 } }

    /// The part as it is, without a property that it is for.
    var value: NewValue {
        switch content {
        case .nothing: .null
        case .value(let value): value
        case .list(let parts): .list(parts.map(\.value))
        case .keyed(let parts): .dictionary(parts.map { NewEntry(.string($0.key), $0.part.value) })
        }
    }
}
