internal import RealmLayout
internal import RealmWriter

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What is done with a property when its object is added, in code of its own for each of the types that most properties have: in code that
/// is one for all types the runtime looks types up for each value, which takes most of the time that an object takes to add.
enum FieldCode: Sendable {
    /// A value that nothing lives in.
    case plain(Plain)
    /// A link, or a collection: a reference, which is nil until somebody sets it or asks for it.
    case reference(isLink: Bool)
    /// Anything else, by `PersistedAccess`.
    case other

    struct Plain: Sendable {
        /// The value as it is written.
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

    /// Whether a link is nil, or a collection was never asked for: then there is nothing to be written to a new object.
    @inline(__always)
    static func isNil(_ field: FieldPlace, isLink: Bool) -> Bool {
        // Of whatever class: a reference that may be nil is one word, at the same place of the wrapper.
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
