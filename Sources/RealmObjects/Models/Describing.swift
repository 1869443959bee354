#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
internal import RealmLayout

/// A value that contains objects and collections. They are shown to a limited depth, because they may lead back to it.
protocol DescribedByDepth {
    func description(depth: Int) -> String
}

/// Text representations of values, in RealmSwift's form.
enum Described {
    /// The depth to which objects and collections are shown.
    static let depth = 5
    /// The number of elements of a collection that are shown.
    private static let elements = 100
    /// The number of bytes of binary data that are shown.
    private static let bytes = 24

    /// - Parameter depth: the number of levels of objects and collections that may still be shown.
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

    /// Removes the fraction of whole numbers.
    private static func number(_ text: String) -> String { text.hasSuffix(".0") ? String(text.dropLast(2)) : text }

    private static func text(_ data: [UInt8]) -> String {
        let shown = Hexadecimal.text(data.prefix(bytes))
        return data.count > bytes ? "<\(shown) ... \(data.count) total bytes>" : "<\(shown)>"
    }

    /// Indents a text that is nested in another one.
    static func inside(_ text: String) -> String { text.replacing("\n", with: "\n\t") }

    /// Returns a collection with its elements.
    ///
    /// - Parameter identity: the object in memory that represents the collection.
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
        // A class of the program is shown by its Swift name, a class known only from the file by its name there.
        let name = model.type == DynamicObject.self ? model.className : "\(type(of: self))"
        return "\(name) {\n\(lines.joined(separator: "\n"))\n}"
    }
}

extension RealmCollection {
    /// A readable form of the elements.
    public var description: String { described(depth: Described.depth) }

    fileprivate func described(depth: Int) -> String {
        let name = String(describing: Self.self).prefix { $0 != "<" }
        let origin = _origin
        let identity: AnyObject? = if Self.self is AnyClass { self as AnyObject } else { origin.set }
        return Described.collection(
            "\(name)<\(origin.targetName ?? Element._typeText)>", identity,
            // Lazy: only the elements shown are read.
            indices.lazy.map { ("\t[\($0)]", self[$0]._dynamic) }, " ", depth: depth)
    }
}

extension _CollectionOrigin {
    /// The name in the file of the elements' class, if the program does not declare it.
    fileprivate var targetName: String? {
        if case .collection(let collection) = source { collection.dynamicTarget } else { nil }
    }
}

extension ManagedCollection {
    /// The name in the file of the elements' class, if the program does not declare it.
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
    /// A readable form of the entries.
    public var description: String { description(depth: Described.depth) }

    func description(depth: Int) -> String {
        Described.collection(
            "Map<string, \(managed?.dynamicTarget ?? Value._typeText)>", self,
            // RealmSwift does not indent map entries.
            asKeyValueSequence().map { ("[\($0.key)]", $0.value._dynamic) }, ": ", depth: depth)
    }
}
