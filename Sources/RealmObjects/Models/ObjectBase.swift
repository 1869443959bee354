internal import RealmCore
internal import RealmLayout

/// The common base of `Object`, `EmbeddedObject` and `AsymmetricObject`: an object in memory until it is added to a
/// realm, then a view of the object in the realm.
///
/// ```swift
/// func values(of object: ObjectBase) -> [String: Any] {
///     let names = object.objectSchema.properties.map(\.name)
///     return Dictionary(uniqueKeysWithValues: names.map { ($0, object[$0] as Any) })
/// }
/// print(values(of: dog), dog.realm == nil, dog.isInvalidated)
/// ```
@safe
open class ObjectBase: CustomStringConvertible, CustomDebugStringConvertible {
    /// The realm of a managed object.
    private(set) final var boundRealm: RealmInstance?
    /// The same realm for reading, without reference counting.
    private final var readRealm: Unmanaged<RealmInstance>?
    /// The class in that realm. It is read only if there is a realm, which retains it.
    private final var boundClass: Unmanaged<ClassBinding>?
    private(set) final var key = ObjectKey.null
    /// Retains the cluster of the object in the realm's snapshot, while `stamp` is that of the realm. The cluster is
    /// released when the realm shows another version, which an object that is not being read does not notice.
    private final var home: RetainedCluster?
    /// The cluster for reading, without reference counting. It is read only while `stamp` is that of the realm.
    private final var readHome: Unmanaged<OpenedCluster>?
    private final var row: UInt32 = 0
    /// Whether the object was deleted through this instance.
    final var wasDeleted = false
    private final var stamp: UInt64 = 0
    /// The time at which the object was bound.
    private final var moment = ObjectEpoch()
    /// Records the properties read from a probe; nil for other objects.
    private(set) final var recorder: KeyPathRecorder?

    /// Creates an unmanaged object with the defaults of its class.
    public required init() {}

    /// The object in the realm's snapshot, valid while `stamp` is that of the realm.
    private final var found: StoredObject? {
        unsafe readHome.map { home in
            StoredObject(home: unsafe home.takeUnretainedValue(), key: key, row: Int(truncatingIfNeeded: row))
        }
    }

    @inline(__always)
    private final func show(_ stored: StoredObject?, _ realm: RealmInstance) {
        // A frozen realm is shared by threads, and shows only one version.
        home = stored.map { realm.isFrozen ? RetainedCluster(frozen: $0.home) : realm.caches.holder(of: $0.home) }
        unsafe readHome = stored.map { unsafe Unmanaged.passUnretained($0.home) }
        row = UInt32(truncatingIfNeeded: stored?.row ?? 0)
        stamp = realm.stamp
    }

    /// Whether other threads may read the object at the same time. Nothing is cached in the object then.
    @usableFromInline final var isShared: Bool { unsafe readRealm?._withUnsafeGuaranteedRef { $0.isFrozen } ?? false }

    final var binding: ClassBinding? { unsafe boundClass?.takeUnretainedValue() }

    /// Makes this object a view of one in a realm.
    ///
    /// - Parameters:
    ///   - stored: the object in the snapshot of the realm, if known.
    final func bind(_ binding: ClassBinding, _ key: ObjectKey, _ stored: StoredObject? = nil) {
        let realm = binding.realm
        boundRealm = realm
        unsafe readRealm = Unmanaged.passUnretained(realm)
        unsafe boundClass = Unmanaged.passUnretained(binding)
        self.key = key
        moment = ObjectEpoch(realm)
        if let stored, !realm.hasChanges {
            show(stored, realm)
        } else if realm.isFrozen {
            // Concurrent readers must not have to set anything.
            _ = find(realm, binding)
        }
        var index: Int32 = 0
        for offset in binding.model.offsets {
            FieldPlace(self, offset: offset).setIndex(index)
            index &+= 1
        }
    }

    /// Makes this newly created object a view of one in a realm. Drops the collections in memory that its class
    /// created.
    @inline(__always)
    final func show(_ binding: ClassBinding, _ key: ObjectKey, _ stored: StoredObject?) {
        bind(binding, key, stored)
        for offset in binding.model.collectionOffsets { FieldCode.forgetCollection(FieldPlace(self, offset: offset)) }
    }

    /// Makes this object a probe, which records the properties read from it.
    final func makeProbe(_ model: ModelClass, _ recorder: KeyPathRecorder) {
        self.recorder = recorder
        for (index, property) in model.properties.enumerated() {
            let field = FieldPlace(self, offset: property.offset)
            property.access.forget(field)
            field.setIndex(-2 - Int32(truncatingIfNeeded: index))
        }
    }

    // MARK: Reading and writing

    /// The value of a property of a managed object.
    @inline(__always)
    final func stored(_ index: Int32) -> Value {
        guard let readRealm = unsafe readRealm, let boundClass = unsafe boundClass else { return .null }
        let shown = unsafe readRealm._withUnsafeGuaranteedRef { realm in
            realm.checkConfinement()
            return realm.stamp
        }
        if stamp == shown, let found {
            let column = unsafe boundClass._withUnsafeGuaranteedRef { $0.column(index) }
            do { return try found.value(of: column) } catch { Failure.stop("\(error)") }
        }
        return searched(index, unsafe readRealm.takeUnretainedValue())
    }

    /// Returns the value of a mixed property of a managed object. A collection is returned without its elements.
    final func storedMixed(_ index: Int32) -> Value {
        guard let realm = boundRealm, let binding else { return .null }
        realm.checkConfinement()
        guard stamp == realm.stamp, let found else { return searched(index, realm, isMixed: true) }
        return Failure.unlessStopped { () throws(FormatError) in
            try found.value(of: binding.column(index), inside: [], isShallow: true)
        }
    }

    /// Calls `read` with the cluster, the column and the row of the object. Returns nil if the object has to be looked
    /// up first.
    @inline(__always)
    private final func quick<R>(_ index: Int32, _ read: (OpenedCluster, PropertyIndex, Int) -> R?) -> R? {
        guard let readRealm = unsafe readRealm, let boundClass = unsafe boundClass, let home = unsafe readHome else {
            return nil
        }
        let shown = unsafe readRealm._withUnsafeGuaranteedRef { realm in
            realm.checkConfinement()
            return realm.stamp
        }
        guard stamp == shown else { return nil }
        let column = unsafe boundClass._withUnsafeGuaranteedRef { $0.column(index) }
        return unsafe home._withUnsafeGuaranteedRef { read($0, column, Int(truncatingIfNeeded: row)) }
    }

    // Reading of numbers and texts, without allocation or reference counting.

    final func storedInt(_ index: Int32) -> Int64 {
        if let number = quick(index, { $0.int(ofProperty: $1, inRow: $2) }) { return number }
        return if case .int(let number) = stored(index) { number } else { 0 }
    }

    final func storedBool(_ index: Int32) -> Bool {
        if let truth = quick(index, { $0.bool(ofProperty: $1, inRow: $2) }) { return truth }
        return if case .bool(let truth) = stored(index) { truth } else { false }
    }

    final func storedFloat(_ index: Int32) -> Float {
        if let number = quick(index, { $0.float(ofProperty: $1, inRow: $2) }) { return number }
        return if case .float(let number) = stored(index) { number } else { 0 }
    }

    final func storedDouble(_ index: Int32) -> Double {
        if let number = quick(index, { $0.double(ofProperty: $1, inRow: $2) }) { return number }
        return if case .double(let number) = stored(index) { number } else { 0 }
    }

    final func storedString(_ index: Int32) -> String {
        if let text = quick(index, { $0.string(ofProperty: $1, inRow: $2) }) { return text }
        return switch stored(index) {
        case .string(let text): text
        case .malformedString(let bytes): String(decoding: bytes, as: UTF8.self)
        default: ""
        }
    }

    final func storedTime(_ index: Int32) -> Timestamp? {
        if let time = quick(index, { $0.timestamp(ofProperty: $1, inRow: $2) }) { return time }
        return if case .timestamp(let time) = stored(index) { time } else { nil }
    }

    /// Returns the value after something has changed since the last read.
    ///
    /// - Parameter isMixed: whether to return the value as `storedMixed` does.
    @inline(never)
    private final func searched(_ index: Int32, _ realm: RealmInstance, isMixed: Bool = false) -> Value {
        guard let binding else { return .null }
        if realm.hasChanges {
            let value =
                isGone(realm, binding)
                ? nil
                : isMixed ? realm.changedMixed(binding, key, index) : realm.changedValue(binding, key, index)
            guard let value else { Failure.stop(Failure.deleted) }
            return value
        }
        guard find(realm, binding), let found else { Failure.stop(Failure.deleted) }
        let column = binding.column(index)
        return Failure.unlessStopped { () throws(FormatError) in
            isMixed ? try found.value(of: column, inside: [], isShallow: true) : try found.value(of: column)
        }
    }

    /// Whether the transaction that created the object was undone, or the realm invalidated. Another object may have
    /// its key now.
    @inline(__always)
    private final func isGone(_ realm: RealmInstance, _ binding: ClassBinding) -> Bool {
        moment.isInvalidated(realm) || moment.isUndone(key, binding)
    }

    /// Looks up the object in the realm's snapshot.
    ///
    /// - Returns: whether the object exists.
    private final func find(_ realm: RealmInstance, _ binding: ClassBinding) -> Bool {
        if stamp == realm.stamp, unsafe readHome != nil { return true }
        guard !isGone(realm, binding) else { return false }
        let stored = Failure.unlessStopped { () throws(FormatError) in try binding.stored(key) }
        show(stored, realm)
        return stored != nil
    }

    /// Returns the value of a property, converted to its type.
    final func decoded<Value: RealmCollectionValue>(_ index: Int32) -> Value {
        let value = stored(index)
        guard let realm = boundRealm else { return Value._default() }
        return Value.shown(_StoredValue(value: value, realm: realm), place(index)?.name)
    }

    /// Sets a property of a managed object.
    final func write<Value: _Persistable>(_ index: Int32, _ value: Value) {
        guard let place = place(index) else { return }
        place.realm.write(value, to: place)
    }

    /// Returns the location of a property of a managed object.
    final func place(_ index: Int32) -> PropertyPlace? {
        guard let realm = boundRealm, let binding else { return nil }
        if isGone(realm, binding) {
            realm.checkConfinement()
            Failure.stop(Failure.deleted)
        }
        return PropertyPlace(binding, key, index)
    }

    /// Returns the object in the realm's snapshot; nil if it no longer exists.
    final func current() -> StoredObject? {
        guard let realm = boundRealm, let binding else { return nil }
        realm.settle()
        return find(realm, binding) ? found : nil
    }

    // MARK: Public interface

    /// Whether the object was deleted, or its realm was invalidated.
    public final var isInvalidated: Bool {
        guard let realm = boundRealm, let binding else { return false }
        realm.checkConfinement()
        if isGone(realm, binding) { return true }
        if realm.hasChanges { return !realm.changedExists(binding, key) }
        return !find(realm, binding)
    }

    /// The realm that the object is in; nil for an object in memory.
    public final var realm: Realm? {
        // Other instances of the same object still return their realm.
        wasDeleted && isInvalidated ? nil : boundRealm.map { Realm($0) }
    }

    /// The name of the class in the file.
    public class func className() -> String { _realmObjectName() ?? String(describing: Self.self) }

    /// The name of the class in the file, if it differs from the name in the program.
    open class func _realmObjectName() -> String? { nil }

    /// The names of properties in the file, where they differ, keyed by their names in the program.
    open class func propertiesMapping() -> [String: String] { [:] }

    /// The former name of `propertiesMapping`.
    @available(*, unavailable, renamed: "propertiesMapping")
    public class func _realmColumnNames() -> [String: String] { [:] }

    /// The name of the primary key property, for models that do not declare it with `@Persisted(primaryKey: true)`.
    open class func primaryKey() -> String? { nil }

    /// The names of properties with a search index, in addition to those declared with `@Persisted(indexed: true)`.
    open class func indexedProperties() -> [String] { [] }

    /// The names of properties that are not stored although they are marked with `@Persisted`.
    open class func ignoredProperties() -> [String] { [] }

    /// Whether the class is in the schema of configurations without `objectTypes`.
    open class func shouldIncludeInDefaultSchema() -> Bool { true }

    // MARK: Customisation

    /// Whether the other object is equal. Without a primary key, only the same instance or a frozen view of the same
    /// object is. Called by `==`.
    open func isEqual(_ object: Any?) -> Bool { (object as? ObjectBase).map { hasIdentity(of: $0) } ?? false }

    /// The hash of the identity that equal objects share. Called by `hash(into:)`.
    open var hash: Int {
        var hasher = Hasher()
        hashIdentity(into: &hasher)
        return hasher.finalize()
    }

    /// A readable form of the class and the values of its properties.
    open var description: String { description(depth: Described.depth) }

    /// The same, for debuggers.
    open var debugDescription: String { description }
}

/// The name of `ObjectBase` in `import Realm`.
public typealias RLMObjectBase = ObjectBase
