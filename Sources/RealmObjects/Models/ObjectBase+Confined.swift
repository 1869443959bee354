extension Object: ThreadConfined {
    /// Whether the object is of a frozen realm.
    public final var isFrozen: Bool { boundRealm?.isFrozen ?? false }
}

extension EmbeddedObject: ThreadConfined {
    /// Whether the object is of a frozen realm.
    public final var isFrozen: Bool { boundRealm?.isFrozen ?? false }
}

extension ObjectBase: CustomStringConvertible {
    /// The class with the values of its properties, for people.
    public final var description: String { description(depth: 0) }

    /// How deep objects are shown.
    private static let depth = 2

    private final func description(depth: Int) -> String {
        guard !isInvalidated else { return "[invalid object]" }
        let model = model
        guard depth <= Self.depth else { return "\(model.className) { … }" }
        let lines = model.properties.filter { !$0.isLinkingObjects }.map { property in
            let value = dynamicValue(property.name)
            let text =
                switch value {
                case nil: "(null)"
                case let object as ObjectBase: object.description(depth: depth + 1)
                case let value?: "\(value)"
                }
            return "\t\(property.name) = \(text.replacing("\n", with: "\n\t"));"
        }
        return "\(model.className) {\n\(lines.joined(separator: "\n"))\n}"
    }
}
