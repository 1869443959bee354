internal import RealmCore
internal import RealmLayout

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Handling of a property when its object is added. The most common types have specialised code: generic code looks up
/// types at run time for each value, which takes most of the time of adding an object.
enum FieldCode: Sendable {
    /// A value that contains no objects.
    case plain(Plain)
    /// A link or a collection: a reference, which is nil until it is set or read.
    case reference(isLink: Bool)
    /// Any other type, handled by `PersistedAccess`.
    case other

    struct Plain: Sendable {
        /// Returns the value in the form in which it is written.
        let encoded: @Sendable (FieldPlace) -> NewValue
        /// Drops the value, which is in the realm now.
        let forget: @Sendable (FieldPlace) -> Void
    }

    init(_ access: any PersistedAccess.Type, isCollection: Bool) {
        if let plain = Self.plain[ObjectIdentifier(access)] {
            self = .plain(plain)
        } else if isCollection {
            self = .reference(isLink: false)
        } else if access is any LinkAccess.Type {
            self = .reference(isLink: true)
        } else {
            self = .other
        }
    }

    /// Whether a link is nil, or a collection was never read. A new object then has nothing to write for it.
    @inline(__always)
    static func isNil(_ field: FieldPlace, isLink: Bool) -> Bool {
        // Works for any class: an optional reference is one word, at the same place in the wrapper.
        guard isLink else { return field.with(Persisted<List<Int>>.self) { $0.value == nil } }
        return field.with(Persisted<Object?>.self) { wrapper in
            if case .some(.some) = wrapper.value { false } else { true }
        }
    }

    /// Drops a collection.
    @inline(__always)
    static func forgetCollection(_ field: FieldPlace) { field.with(Persisted<List<Int>>.self) { $0.value = nil } }

    private static let plain: [ObjectIdentifier: Plain] = {
        var known: [ObjectIdentifier: Plain] = [:]
        add(Int.self, to: &known) { .int(Int64($0)) }
        add(Int8.self, to: &known) { .int(Int64($0)) }
        add(Int16.self, to: &known) { .int(Int64($0)) }
        add(Int32.self, to: &known) { .int(Int64($0)) }
        add(Int64.self, to: &known) { .int($0) }
        add(Bool.self, to: &known) { .bool($0) }
        add(Float.self, to: &known) { .float($0) }
        add(Double.self, to: &known) { .double($0) }
        add(String.self, to: &known) { .string($0) }
        add(Data.self, to: &known) { .binary([UInt8]($0)) }
        add(Date.self, to: &known) { .timestamp($0.timestamp) }
        add(ObjectId.self, to: &known) { .objectId($0.stored) }
        add(UUID.self, to: &known) { .uuid($0.stored) }
        add(Decimal128.self, to: &known) { .decimal128($0.bits) }
        return known
    }()

    @inline(__always)
    private static func add<T: _RealmCollectionValueInsideOptional & SendableMetatype>(
        _ type: T.Type, to known: inout [ObjectIdentifier: Plain], _ encode: @escaping @Sendable (T) -> NewValue
    ) {
        known[ObjectIdentifier(Persisted<T>.self)] = Plain { field in
            field.with(Persisted<T>.self) { encode($0.value ?? T._default()) }
        } forget: { field in
            field.with(Persisted<T>.self) { $0.value = nil }
        }
        known[ObjectIdentifier(Persisted<T?>.self)] = Plain { field in
            field.with(Persisted<T?>.self) { wrapper in
                if case .some(.some(let value)) = wrapper.value { encode(value) } else { .null }
            }
        } forget: { field in
            field.with(Persisted<T?>.self) { $0.value = nil }
        }
    }
}

/// `Persisted` of a link.
private protocol LinkAccess: PersistedAccess {}

extension Persisted: LinkAccess where Value: OptionalProtocol, Value.Wrapped: ObjectBase {}
