internal import RealmReader
internal import RealmWriter

/// What can be done with a property whose type is not known: `Persisted` of any value.
protocol PersistedAccess: SendableMetatype {
    static var traits: _PropertyTraits { get }
    /// What the declaration says besides the type.
    static func declaration(_ field: FieldPlace) -> (isPrimaryKey: Bool, isIndexed: Bool, originProperty: String?)
    /// The value of an object that is not managed, as users see it.
    static func value(_ field: FieldPlace) -> Any?
    /// Sets the value of an object that is not managed.
    ///
    /// - Returns: whether it fits.
    static func setValue(_ value: Any, _ field: FieldPlace) -> Bool
    static func encoded(_ field: FieldPlace, _ context: _WriteContext) -> NewValue?
    static func adopt(_ field: FieldPlace, _ place: _AdoptedPlace)
    /// Drops what is kept of a managed object.
    static func forget(_ field: FieldPlace)
    /// The value of a managed object, as users see it.
    static func managedValue(_ object: ObjectBase, _ index: Int32) -> Any?
    static func setManagedValue(_ value: Any, _ object: ObjectBase, _ index: Int32) -> Bool
    /// A value that was stored in a property of an object, as users see it; nil of a collection.
    static func dynamicValue(_ stored: RealmReader.Value, _ realm: RealmInstance) -> Any?
    /// A value as it is written; nil where it does not fit.
    static func encoded(_ value: Any, _ context: _WriteContext) -> NewValue?
}

/// A property of an instance of a model or a projection.
@safe
struct FieldPlace {
    private let address: UnsafeMutableRawPointer

    /// - Precondition: the instance lives as long as the place is used, and has a stored property there.
    init(_ object: AnyObject, offset: Int) {
        unsafe address = Unmanaged.passUnretained(object).toOpaque() + offset
    }

    /// Sets the index of the wrapper, which is the first thing in it.
    @inline(__always)
    func setIndex(_ index: Int32) { unsafe address.storeBytes(of: index, as: Int32.self) }

    /// Calls `body` with the property, whose type the layout of the class told.
    func with<T, R>(_ type: T.Type, _ body: (inout T) -> R) -> R {
        unsafe body(&address.assumingMemoryBound(to: type).pointee)
    }
}

extension Persisted: PersistedAccess {
    static var traits: _PropertyTraits { Value._traits }

    static func declaration(_ field: FieldPlace) -> (isPrimaryKey: Bool, isIndexed: Bool, originProperty: String?) {
        field.with(Self.self) { ($0.isPrimaryKey, $0.isIndexed, ($0.value as? any AnyLinkingObjects)?.originProperty) }
    }

    private static func current(_ field: FieldPlace) -> Value {
        field.with(Self.self) { wrapper in
            if let value = wrapper.value { return value }
            let new = Value._default()
            wrapper.value = new
            return new
        }
    }

    static func value(_ field: FieldPlace) -> Any? { current(field)._dynamic }

    static func setValue(_ value: Any, _ field: FieldPlace) -> Bool {
        guard let converted = Value.made(of: value) else { return false }
        field.with(Self.self) { $0.take(converted) }
        return true
    }

    static func encoded(_ field: FieldPlace, _ context: _WriteContext) -> NewValue? {
        current(field)._encoded(context)?.value
    }

    static func adopt(_ field: FieldPlace, _ place: _AdoptedPlace) {
        field.with(Self.self) { wrapper in
            wrapper.value?._adopt(place)
            if !Value._isKept { wrapper.value = nil }
        }
    }

    static func forget(_ field: FieldPlace) { field.with(Self.self) { $0.value = nil } }

    static func managedValue(_ object: ObjectBase, _ index: Int32) -> Any? {
        // Of an enum the raw value, also one that no case has.
        if let type = Value.self as? any PersistableEnum.Type { return type.rawValue(of: object, index) }
        return Value._read(object, index)._dynamic
    }

    static func dynamicValue(_ stored: RealmReader.Value, _ realm: RealmInstance) -> Any? {
        (Value.self as? any RealmCollectionValue.Type)?.dynamicValue(_StoredValue(value: stored, realm: realm))
    }

    static func setManagedValue(_ value: Any, _ object: ObjectBase, _ index: Int32) -> Bool {
        guard let converted = Value.made(of: value) else { return false }
        Value._write(object, index, converted)
        return true
    }

    static func encoded(_ value: Any, _ context: _WriteContext) -> NewValue? {
        Value.made(of: value)?._encoded(context)?.value
    }
}
