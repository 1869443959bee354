internal import RealmCore
internal import RealmLayout

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A value of any type.
///
/// ```swift
/// class Note: Object {
///     @Persisted var content: AnyRealmValue
/// }
/// let note = Note()
/// note.content = .string("walk the dog")
/// if case .string(let text) = note.content { print(text) }
/// note.content = AnyRealmValue.fromArray([.int(1), .object(dog), .none])
/// ```
public enum AnyRealmValue: Hashable {
    /// No value.
    case none
    /// An integer.
    case int(Int)
    /// A Boolean.
    case bool(Bool)
    /// A single-precision number.
    case float(Float)
    /// A double.
    case double(Double)
    /// A text.
    case string(String)
    /// Bytes.
    case data(Data)
    /// A point in time.
    case date(Date)
    /// A link to an object.
    case object(Object)
    /// An ObjectId.
    case objectId(ObjectId)
    /// A decimal.
    case decimal128(Decimal128)
    /// A UUID.
    case uuid(UUID)
    /// A dictionary of values of any type.
    case dictionary(Map<String, AnyRealmValue>)
    /// A list of values of any type.
    case list(List<AnyRealmValue>)

    /// Creates `none`.
    public init() { self = .none }

    /// The integer.
    public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
    /// The Boolean.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The single-precision number.
    public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }
    /// The double.
    public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
    /// The text.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// The bytes.
    public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }
    /// The point in time.
    public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }
    /// The ObjectId.
    public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }
    /// The decimal.
    public var decimal128Value: Decimal128? { if case .decimal128(let value) = self { value } else { nil } }
    /// The UUID.
    public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }
    /// The dictionary.
    public var dictionaryValue: Map<String, AnyRealmValue>? {
        if case .dictionary(let value) = self { value } else { nil }
    }
    /// The list.
    public var listValue: List<AnyRealmValue>? { if case .list(let value) = self { value } else { nil } }
    /// Returns the object as one of a class; nil if it is of another class.
    public func object<T: Object>(_ objectType: T.Type) -> T? {
        guard case .object(let object) = self else { return nil }
        if let object = object as? T { return object }
        guard let realm = object.boundRealm, let binding = object.binding else { return nil }
        return realm.object(objectType, binding.position, object.key, nil)
    }
    /// The object, with properties accessed by name.
    public var dynamicObject: DynamicObject? { object(DynamicObject.self) }

    /// Creates an unmanaged dictionary.
    public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
        .dictionary(Map(dictionary.map { SingleMapEntry(key: $0.key, value: $0.value) }))
    }
    /// Creates an unmanaged list.
    public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue { .list(List(array)) }

    /// Hashes the value; for a collection, only its kind.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .none: hasher.combine(0)
        case .int(let value): hasher.combine(value)
        case .bool(let value): hasher.combine(value)
        case .float(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        case .objectId(let value): hasher.combine(value)
        case .decimal128(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .dictionary: hasher.combine(12)
        case .list: hasher.combine(13)
        }
    }

    /// The value in stored form; null for collections.
    var storedValue: Value {
        switch self {
        case .none, .dictionary, .list: .null
        case .int(let value): .int(Int64(value))
        case .bool(let value): .bool(value)
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        case .data(let value): .binary([UInt8](value))
        case .date(let value): .timestamp(value.timestamp)
        case .object(let value): RealmObjects.storedValue(value) ?? .null
        case .objectId(let value): .objectId(value.stored)
        case .decimal128(let value): .decimal128(value.bits)
        case .uuid(let value): .uuid(value.stored)
        }
    }
}

extension AnyRealmValue: RealmCollectionValue, MinMaxType, AddableType, SortableType, _Indexable {
    /// Stored as itself.
    public typealias PersistedType = AnyRealmValue
    /// A value of any type.
    public static var _traits: _PropertyTraits { _PropertyTraits(.any) }
    /// Returns `none`.
    public static func _default() -> AnyRealmValue { .none }

    /// Reads a value. A collection is a view of the one in the property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> AnyRealmValue {
        guard let realm = object.boundRealm, let place = object.place(index) else { return .none }
        return make(object.storedMixed(index), realm, ManagedCollection(place))
    }

    /// Decodes any value. A collection inside a managed collection becomes a view of it, any other an unmanaged one.
    public static func _decoded(_ stored: _StoredValue) -> AnyRealmValue? {
        make(stored.value, stored.realm, stored.owner.map { $0.collection.inside($0.step, stored.value) })
    }

    /// Whether it is the collection in a property.
    func isView(of place: PropertyPlace) -> Bool {
        let managed: ManagedCollection? =
            switch self {
            case .list(let list): list.managed
            case .dictionary(let map): map.managed
            default: nil
            }
        return managed?.isSame(as: ManagedCollection(place)) ?? false
    }

    private static func make(
        _ value: Value, _ realm: RealmInstance, _ collection: @autoclosure () -> ManagedCollection?
    ) -> AnyRealmValue {
        switch value {
        case .null: .none
        case .int(let value): .int(Int(value))
        case .bool(let value): .bool(value)
        case .string(let value): .string(value)
        case .malformedString(let bytes): .string(String(decoding: bytes, as: UTF8.self))
        case .binary(let bytes): .data(Data(bytes))
        case .timestamp(let time): .date(Date(time))
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .decimal128(let bits): .decimal128(Decimal128(bits))
        case .objectId(let id): .objectId(ObjectId(id))
        case .uuid(let id): .uuid(UUID(id))
        case .link, .embedded:
            _StoredValue(value: value, realm: realm).object(Object.self).map { .object($0) } ?? .none
        case .list(let elements), .set(let elements):
            .list(collection().map { List($0) } ?? List(elements.map { make($0, realm, nil) }))
        case .dictionary(let entries):
            .dictionary(
                collection().map { Map($0) }
                    ?? Map(
                        entries.map { entry in
                            if case .string(let key) = entry.key {
                                SingleMapEntry(key: key, value: make(entry.value, realm, nil))
                            } else {
                                SingleMapEntry(key: "", value: AnyRealmValue.none)
                            }
                        }))
        }
    }

    /// Encodes the value with all its content.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? {
        switch self {
        case .none: _EncodedValue(.null)
        case .int(let value): value._encoded(context)
        case .bool(let value): value._encoded(context)
        case .float(let value): value._encoded(context)
        case .double(let value): value._encoded(context)
        case .string(let value): value._encoded(context)
        case .data(let value): value._encoded(context)
        case .date(let value): value._encoded(context)
        case .object(let value): value._encoded(context)
        case .objectId(let value): value._encoded(context)
        case .decimal128(let value): value._encoded(context)
        case .uuid(let value): value._encoded(context)
        case .dictionary(let value): value.existing._encoded(context)
        case .list(let value): value.existing._encoded(context)
        }
    }

    /// Accepts values of all types that have a case, and sequences and dictionaries of them. Integers that do not fit
    /// in an `Int` become decimals.
    public static func _converted(_ any: Any) -> AnyRealmValue? {
        if let value = any as? AnyRealmValue { return value }
        if isNull(any) { return AnyRealmValue.none }
        if let optional = any as? any AnyOptional, let wrapped = optional.wrappedAny { return _converted(wrapped) }
        switch NumberObject.value(any) ?? any {
        case let number as any BinaryInteger:
            return Int(exactly: number).map { .int($0) } ?? Decimal128(exactly: number).map { .decimal128($0) }
        case let value as Bool: return .bool(value)
        case let value as Float: return .float(value)
        case let value as Double: return .double(value)
        case let value as String: return .string(value)
        case let value as Data: return .data(value)
        case let value as Date: return .date(value)
        case let value as ObjectId: return .objectId(value)
        case let value as Decimal128: return .decimal128(value)
        case let value as UUID: return .uuid(value)
        case let value as Object: return .object(value)
        default: break
        }
        if let map = Map<String, AnyRealmValue>._converted(any) { return .dictionary(map) }
        return List<AnyRealmValue>._converted(any).map { .list($0) }
    }

    /// The value of the case.
    public var _dynamic: Any? {
        switch self {
        case .none: nil
        case .int(let value): value
        case .bool(let value): value
        case .float(let value): value
        case .double(let value): value
        case .string(let value): value
        case .data(let value): value
        case .date(let value): value
        case .object(let value): value
        case .objectId(let value): value
        case .decimal128(let value): value
        case .uuid(let value): value
        case .dictionary(let value): value
        case .list(let value): value
        }
    }
}
