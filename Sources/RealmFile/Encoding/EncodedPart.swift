/// The encoded form of a part of an `Encodable` value. A class, because containers are filled after they were handed
/// out.
final class EncodedPart {
    enum Content {
        /// Nothing has been encoded.
        case nothing
        case value(NewValue)
        case list([EncodedPart])
        case keyed([(key: String, part: EncodedPart)])
    }

    private(set) var content = Content.nothing

    func set(_ value: NewValue) { content = .value(value) }

    func beginKeyed() { if case .keyed = content {} else { content = .keyed([]) } }

    func beginList() { if case .list = content {} else { content = .list([]) } }

    /// Adds a part under a key, replacing an earlier one.
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

    /// Appends a part.
    func nextPart() -> EncodedPart {
        let part = EncodedPart()
        guard case .list(var parts) = content else { return part }
        content = .nothing
        parts.append(part)
        content = .list(parts)
        return part
    }

    var count: Int { if case .list(let parts) = content { parts.count } else { 0 } }

    /// The part as a value, without regard to the property that it is for.
    var value: NewValue {
        switch content {
        case .nothing: .null
        case .value(let value): value
        case .list(let parts): .list(parts.map(\.value))
        case .keyed(let parts): .dictionary(parts.map { NewEntry(.string($0.key), $0.part.value) })
        }
    }
}
