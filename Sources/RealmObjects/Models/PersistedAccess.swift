internal import RealmCore

/// Access to a property of unknown type: `Persisted` of any value.
protocol PersistedAccess: SendableMetatype {
    static var traits: _PropertyTraits { get }
    /// Returns the attributes of the declaration besides the type.
    static func declaration(_ field: FieldPlace) -> (isPrimaryKey: Bool, isIndexed: Bool, originProperty: String?)
    /// Returns the value of an unmanaged object in its public form.
    static func value(_ field: FieldPlace) -> Any?
    /// Sets the value of an unmanaged object.
    ///
    /// - Returns: whether the value fits.
    static func setValue(_ value: Any, _ field: FieldPlace) -> Bool
    static func encoded(_ field: FieldPlace, _ context: _WriteContext) -> NewValue?
    static func adopt(_ field: FieldPlace, _ place: _AdoptedPlace)
    /// Drops what is cached for a managed object.
    static func forget(_ field: FieldPlace)
    /// Returns the value of a managed object in its public form.
    static func managedValue(_ object: ObjectBase, _ index: Int32) -> Any?
    static func setManagedValue(_ value: Any, _ object: ObjectBase, _ index: Int32) -> Bool
    /// Returns a stored property value in its public form; nil for a collection.
    static func dynamicValue(_ stored: RealmCore.Value, _ realm: RealmInstance) -> Any?
    /// Returns a value in the form in which it is written; nil if it does not fit.
    static func encoded(_ value: Any, _ context: _WriteContext) -> NewValue?
}

/// A property of an instance of a model or a projection.
@safe
struct FieldPlace {
    private let address: UnsafeMutableRawPointer

    /// - Precondition: the instance outlives the use of the place, and has a stored property there.
    init(_ object: AnyObject, offset: Int) {
        unsafe address = Unmanaged.passUnretained(object).toOpaque() + offset
    }

    /// Sets the index of the wrapper, which is its first field.
    @inline(__always)
    func setIndex(_ index: Int32) { unsafe address.storeBytes(of: index, as: Int32.self) }

    /// Calls `body` with the property, whose type is known from the layout of the class.
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
        // For an enum, the raw value, even if no case has it.
        if let type = Value.self as? any PersistableEnum.Type { return type.rawValue(of: object, index) }
        return Value._read(object, index)._dynamic
    }

    static func dynamicValue(_ stored: RealmCore.Value, _ realm: RealmInstance) -> Any? {
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
