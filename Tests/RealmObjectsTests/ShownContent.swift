import Foundation
import RealmObjects
import TestSupport

/// The content shown by live objects, in the form of `StoredContent`.
struct ShownContent {
    private let realm: Realm

    init(_ realm: Realm) { self.realm = realm }

    func text(_ object: DynamicObject) throws -> String {
        let names = object.objectSchema.properties.map(\.name).sorted()
        return try "{" + names.map { try "\($0): \(text(object[$0] as Any))" }.joined(separator: ", ") + "}"
    }

    private func link(_ object: ObjectBase) throws -> String {
        guard let object = object as? DynamicObject else { throw TestSupportError("\(type(of: object))") }
        if object.objectSchema.isEmbedded { return try text(object) }
        let name = object.objectSchema.className
        return "\(name) \(realm.dynamicObjects(name).index(of: object) ?? -1)"
    }

    private func text(_ any: Any) throws -> String {
        switch any {
        case let value as AnyRealmValue: try text(value)
        case let number as NSNumber: Self.text(number)
        case let string as String: string.debugDescription
        case let data as Data: Content.text(data)
        case let date as Date: Content.text(date)
        case let number as Decimal128: Content.text(number)
        case let id as ObjectId: "id \(id)"
        case let uuid as UUID: "uuid \(uuid.uuidString)".lowercased()
        case let object as ObjectBase: try link(object)
        case let map as any RealmKeyedCollection: "(\(try lines(map).sorted().joined(separator: ", ")))"
        case let list as any RealmCollection: try elements(list)
        default: try text(optional: any)
        }
    }

    private func text(optional any: Any) throws -> String {
        let mirror = Mirror(reflecting: any)
        guard mirror.displayStyle == .optional else { throw TestSupportError("\(type(of: any))") }
        return try mirror.children.first.map { try text($0.value) } ?? "null"
    }

    /// Returns the text of a number read by key, which can be cast to any number type.
    private static func text(_ number: NSNumber) -> String {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"): "\(number.boolValue)"
        case UInt8(ascii: "f"), UInt8(ascii: "d"): Content.text(number.doubleValue)
        default: "int \(number)"
        }
    }

    private func text(_ value: AnyRealmValue) throws -> String {
        switch value {
        case .none: "null"
        case .int(let value): try text(value)
        case .bool(let value): try text(value)
        case .float(let value): try text(value)
        case .double(let value): try text(value)
        case .string(let value): try text(value)
        case .data(let value): try text(value)
        case .date(let value): try text(value)
        case .object(let value): try link(value)
        case .objectId(let value): try text(value)
        case .decimal128(let value): try text(value)
        case .uuid(let value): try text(value)
        case .dictionary(let value): try text(value)
        case .list(let value): try text(value)
        }
    }

    private func lines<M: RealmKeyedCollection>(_ map: M) throws -> [String] {
        try map.keys.map { key in try "\(text(key)): \(text(map[key] as Any))" }
    }

    private func elements<C: RealmCollection>(_ collection: C) throws -> String {
        // Also each by its index.
        let (all, each) = (
            try collection.map { try text($0) }, try (0..<collection.count).map { try text(collection[$0]) }
        )
        guard all == each else { throw TestSupportError("\(all) and \(each)") }
        let isSet = "\(type(of: collection))".hasPrefix("MutableSet")
        return isSet ? "<\(all.sorted().joined(separator: ", "))>" : "[\(all.joined(separator: ", "))]"
    }
}

enum Content {
    static func text(_ data: Data) -> String { "data \(data.count) \(data.base64EncodedString())" }
    // Foundation has a single NaN, and a single infinity of type double.
    static func text(_ number: Double) -> String { number.isNaN ? "NaN" : "real \(number.bitPattern)" }
    static func text(_ date: Date) -> String { "date \(date.timeIntervalSinceReferenceDate)" }
    static func text(_ number: Decimal128) -> String { "decimal \(number)" }
}
