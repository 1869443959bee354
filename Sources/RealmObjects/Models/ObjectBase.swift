internal import RealmLayout
internal import RealmReader
internal import RealmWriter

/// What `Object`, `EmbeddedObject` and `AsymmetricObject` have in common: an object in memory until it is added to a realm, then a view
/// of the one in the realm.
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
    /// The same for reading, which counts no references.
    private final var readRealm: Unmanaged<RealmInstance>?
    /// The class in that realm. Read only where there is a realm, which keeps it.
    private final var boundClass: Unmanaged<ClassBinding>?
    private(set) final var key = ObjectKey.null
    /// What holds the place of the object in the realm's snapshot, while `stamp` is that of the realm. It lets it go when another one is
    /// shown, which an object that nobody reads does not see.
    private final var home: RetainedCluster?
    /// The place, for reading, which counts no references. Read only while `stamp` is that of the realm.
    private final var readHome: Unmanaged<OpenedCluster>?
    private final var row: UInt32 = 0
    /// Whether it was this instance that was deleted.
    final var wasDeleted = false
    private final var stamp: UInt64 = 0
    /// When the object was bound.
    private final var moment = ObjectEpoch()
    /// What notes the properties that a probe is asked for; nil for other objects.
    private(set) final var recorder: KeyPathRecorder?

    /// An object that is in no realm, with the defaults of its class.
    public required init() {}

    /// The object in the realm's snapshot, while `stamp` is that of the realm.
    private final var found: StoredObject? {
        unsafe readHome.map { home in
            StoredObject(home: unsafe home.takeUnretainedValue(), key: key, row: Int(truncatingIfNeeded: row))
        }
    }

    @inline(__always)
    private final func show(_ stored: StoredObject?, _ realm: RealmInstance) {
        // Threads share a frozen realm, and it shows nothing else.
        home = stored.map { realm.isFrozen ? RetainedCluster(frozen: $0.home) : realm.caches.holder(of: $0.home) }
        unsafe readHome = stored.map { unsafe Unmanaged.passUnretained($0.home) }
        row = UInt32(truncatingIfNeeded: stored?.row ?? 0)
        stamp = realm.stamp
    }

    /// Whether other threads may read the object at the same time: then nothing is kept in it.
    @usableFromInline final var isShared: Bool { unsafe readRealm?._withUnsafeGuaranteedRef { $0.isFrozen } ?? false }

    final var binding: ClassBinding? { unsafe boundClass?.takeUnretainedValue() }

    /// Makes this object a view of one in a realm.
    ///
    /// - Parameters:
    ///   - stored: the object in the snapshot of the realm, where it is known.
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
            // Threads that read it at the same time must find nothing to set.
            _ = find(realm, binding)
        }
        var index: Int32 = 0
        for offset in binding.model.offsets {
            FieldPlace(self, offset: offset).setIndex(index)
            index &+= 1
        }
    }

    /// Makes this object, which was just made, a view of one in a realm. The collections that its class has given it are in memory: they go.
    @inline(__always)
    final func show(_ binding: ClassBinding, _ key: ObjectKey, _ stored: StoredObject?) {
        bind(binding, key, stored)
        for offset in binding.model.collectionOffsets { FieldCode.forgetCollection(FieldPlace(self, offset: offset)) }
    }

    /// Makes this object one that notes which of its properties are asked for.
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

    /// The value of a mixed property of a managed object; of a collection only what it is, without its elements.
    final func storedMixed(_ index: Int32) -> Value {
        guard let realm = boundRealm, let binding else { return .null }
        realm.checkConfinement()
        guard stamp == realm.stamp, let found else { return searched(index, realm, isMixed: true) }
        return Failure.unlessStopped { () throws(FormatError) in
            try found.value(of: binding.column(index), inside: [], isShallow: true)
        }
    }

    /// What `read` finds where the object is, by the index of the column and the row; nil where that has to be looked for.
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

    // What properties of numbers and texts read, without an allocation or a reference that is counted.

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

    /// The value, where something has changed since the last one was read.
    ///
    /// - Parameter isMixed: whether it is one as `storedMixed` gives it.
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

    /// Whether the transaction that made the object was undone, or the realm invalidated: what has its key now is not this one.
    @inline(__always)
    private final func isGone(_ realm: RealmInstance, _ binding: ClassBinding) -> Bool {
        moment.isInvalidated(realm) || moment.isUndone(key, binding)
    }

    /// Looks the object up in the realm's snapshot.
    ///
    /// - Returns: whether it is there.
    private final func find(_ realm: RealmInstance, _ binding: ClassBinding) -> Bool {
        if stamp == realm.stamp, unsafe readHome != nil { return true }
        guard !isGone(realm, binding) else { return false }
        let stored = Failure.unlessStopped { () throws(FormatError) in try binding.stored(key) }
        show(stored, realm)
        return stored != nil
    }

    /// A value of the type of a property.
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

    /// Where a property of a managed object is.
    final func place(_ index: Int32) -> PropertyPlace? {
        guard let realm = boundRealm, let binding else { return nil }
        if isGone(realm, binding) {
            realm.checkConfinement()
            Failure.stop(Failure.deleted)
        }
        return PropertyPlace(binding, key, index)
    }

    /// The object in the realm's snapshot; nil where it is gone.
    final func current() -> StoredObject? {
        guard let realm = boundRealm, let binding else { return nil }
        realm.settle()
        return find(realm, binding) ? found : nil
    }

    // MARK: What users see

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
        // Of others that show the same object one can still ask.
        wasDeleted && isInvalidated ? nil : boundRealm.map { Realm($0) }
    }

    /// The name of the class in the file.
    public class func className() -> String { _realmObjectName() ?? String(describing: Self.self) }

    /// A name of the class in the file that is another one than in the program.
    open class func _realmObjectName() -> String? { nil }

    /// Names of properties in the file that are others than in the program, by those in the program.
    open class func propertiesMapping() -> [String: String] { [:] }

    /// Names of properties in the file, as it was asked for before.
    @available(*, unavailable, renamed: "propertiesMapping")
    public class func _realmColumnNames() -> [String: String] { [:] }

    /// The name of the property that identifies objects, for models that do not say it with `@Persisted(primaryKey: true)`.
    open class func primaryKey() -> String? { nil }

    /// Names of properties that have a search index besides those that are declared with `@Persisted(indexed: true)`.
    open class func indexedProperties() -> [String] { [] }

    /// Names of properties that are marked with `@Persisted` and not stored all the same.
    open class func ignoredProperties() -> [String] { [] }

    /// Whether the class is in the schema of configurations without `objectTypes`.
    open class func shouldIncludeInDefaultSchema() -> Bool { true }

    // MARK: What models may say otherwise

    /// Whether the other one is equal: without a primary key only what is one object in memory, or frozen. `==` asks it.
    open func isEqual(_ object: Any?) -> Bool { (object as? ObjectBase).map { hasIdentity(of: $0) } ?? false }

    /// What equal objects have in common. Hashing asks it.
    open var hash: Int {
        var hasher = Hasher()
        hashIdentity(into: &hasher)
        return hasher.finalize()
    }

    /// The class with the values of its properties, for people.
    open var description: String { description(depth: Described.depth) }

    /// The same, for debuggers.
    open var debugDescription: String { description }
}

/// The base class of all objects as `import Realm` calls it.
public typealias RLMObjectBase = ObjectBase
