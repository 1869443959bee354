#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
internal import RealmLayout

/// What has objects and collections inside, and shows them only so deep: they may lead back to it.
protocol DescribedByDepth {
    func description(depth: Int) -> String
}

/// Values as texts, in RealmSwift's form.
enum Described {
    /// How deep objects and collections are shown.
    static let depth = 5
    /// How many elements of a collection are shown.
    private static let elements = 100
    /// How many bytes of binary data are shown.
    private static let bytes = 24

    /// - Parameter depth: how deep objects and collections may still be shown.
    static func text(_ value: Any?, depth: Int) -> String {
        guard let value, !isNull(value) else { return "(null)" }
        if let optional = value as? any AnyOptional { return text(optional.wrappedAny, depth: depth) }
        switch value {
        case let value as any DescribedByDepth:
            return depth > 0 ? value.description(depth: depth) : "<Maximum depth exceeded>"
        case let value as Bool: return value ? "1" : "0"
        case let value as Data: return text([UInt8](value))
        case let value as Double: return number("\(value)")
        case let value as Float: return number("\(value)")
        case let value as AnyRealmValue: return text(value._dynamic, depth: depth)
        default: return "\(value)"
        }
    }

    /// Whole numbers have no fraction.
    private static func number(_ text: String) -> String { text.hasSuffix(".0") ? String(text.dropLast(2)) : text }

    private static func text(_ data: [UInt8]) -> String {
        let shown = Hexadecimal.text(data.prefix(bytes))
        return data.count > bytes ? "<\(shown) ... \(data.count) total bytes>" : "<\(shown)>"
    }

    /// A text as a part of another one.
    static func inside(_ text: String) -> String { text.replacing("\n", with: "\n\t") }

    /// A collection with its elements.
    ///
    /// - Parameter identity: what stands for the collection in memory.
    static func collection(
        _ name: String, _ identity: AnyObject?, _ values: some Collection<(label: String, value: Any?)>,
        _ separator: String, depth: Int
    ) -> String {
        let shown = values.prefix(elements).map { label, value in
            "\(label)\(separator)\(inside(text(value, depth: depth - 1)))"
        }
        let rest = values.count - shown.count
        let skipped = rest > 0 ? "\n\t... \(rest) objects skipped." : ""
        return "\(name) <\(address(identity))> (\n\(shown.joined(separator: ",\n"))\(skipped)\n)"
    }

    static func address(_ object: AnyObject?) -> String {
        "0x" + String(object.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0, radix: 16)
    }
}

extension ObjectBase: DescribedByDepth {
    final func description(depth: Int) -> String {
        guard !isInvalidated else { return "[invalid object]" }
        let model = model
        let lines = model.properties.filter { !$0.isLinkingObjects }.map { property in
            "\t\(property.name) = \(Described.inside(Described.text(dynamicValue(property.name), depth: depth - 1)));"
        }
        // A class of the program has its name there; one of the file alone that of the file.
        let name = model.type == DynamicObject.self ? model.className : "\(type(of: self))"
        return "\(name) {\n\(lines.joined(separator: "\n"))\n}"
    }
}

extension RealmCollection {
    /// The elements, for people.
    public var description: String { described(depth: Described.depth) }

    fileprivate func described(depth: Int) -> String {
        let name = String(describing: Self.self).prefix { $0 != "<" }
        let origin = _origin
        let identity: AnyObject? = if Self.self is AnyClass { self as AnyObject } else { origin.set }
        return Described.collection(
            "\(name)<\(origin.targetName ?? Element._typeText)>", identity,
            // Only what is shown is read.
            indices.lazy.map { ("\t[\($0)]", self[$0]._dynamic) }, " ", depth: depth)
    }
}

extension _CollectionOrigin {
    /// The class of the file whose objects are elements, if the program does not say it.
    fileprivate var targetName: String? {
        if case .collection(let collection) = source { collection.dynamicTarget } else { nil }
    }
}

extension ManagedCollection {
    /// The class of the file whose objects are elements, if the program does not say it.
    fileprivate var dynamicTarget: String? {
        let property = place.binding.model.properties[Int(place.index)]
        return path.isEmpty && property.targetType == nil ? property.target : nil
    }
}

extension List: DescribedByDepth {
    func description(depth: Int) -> String { described(depth: depth) }
}

extension MutableSet: DescribedByDepth {
    func description(depth: Int) -> String { described(depth: depth) }
}

extension Map: CustomStringConvertible, DescribedByDepth {
    /// The entries, for people.
    public var description: String { description(depth: Described.depth) }

    func description(depth: Int) -> String {
        Described.collection(
            "Map<string, \(managed?.dynamicTarget ?? Value._typeText)>", self,
            // RealmSwift does not set these in.
            asKeyValueSequence().map { ("[\($0.key)]", $0.value._dynamic) }, ": ", depth: depth)
    }
}
