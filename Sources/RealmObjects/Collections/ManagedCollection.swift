internal import RealmCore
internal import RealmLayout
internal import RealmStore
internal import Synchronization

/// A collection of a managed object: a property, or a collection nested in a mixed value.
final class ManagedCollection {
    let place: PropertyPlace
    /// The path from the property to a nested collection.
    private(set) var path: [NestedStep<String>]
    /// Whether the collection was removed from the one around it.
    private var isRemoved = false
    /// Whether the collection no longer exists; also true if the transaction that created its object was undone.
    private var isGone: Bool { isRemoved || moment.isUndone(place.key, place.binding) }
    /// The location before the transaction that moved the collection.
    private var before: (path: [NestedStep<String>], isRemoved: Bool, transaction: UInt64)?
    private var known: Known?
    /// Held while threads that share a frozen collection use or fill the cache.
    private let sharing = Mutex<Void>(())
    /// The kind of collection expected in a mixed value, where another kind may replace it.
    private var kind: RealmLayout.CollectionKind?

    /// Cached content for one version.
    private final class Known: VersionCache {
        /// The complete content; nil if it was not requested.
        private(set) var value: Value?
        /// The elements of a long collection, which are read one by one.
        private var parts: ElementLookup?
        let stamp: UInt64

        init(_ value: Value, _ stamp: UInt64) { (self.value, self.stamp) = (value, stamp) }
        init(_ parts: ElementLookup, _ stamp: UInt64) { (self.parts, self.stamp) = (parts, stamp) }

        override func letGo() { (value, parts) = (nil, nil) }

        /// The number of elements of a collection that is read in parts; nil if the complete content is cached.
        var partCount: Int? { parts?.count }
        var count: Int? { partCount ?? value?.elementCount }

        func withParts<R>(_ body: (inout ElementLookup) throws(FormatError) -> R) throws(FormatError) -> R? {
            guard var parts else { return nil }
            defer { self.parts = parts }
            return try body(&parts)
        }
    }
    /// The number of elements read one by one in a version.
    private var reads: (count: Int, stamp: UInt64) = (0, 0)
    /// The time at which this view was created.
    private let moment: ObjectEpoch

    init(_ place: PropertyPlace, path: [NestedStep<String>] = []) {
        self.place = place
        self.path = path
        moment = ObjectEpoch(place.realm)
        if !place.realm.isFrozen, !path.isEmpty { place.realm.nested.add(self) }
    }

    var realm: RealmInstance { place.realm }

    /// Whether the collection or its object was deleted, or the realm invalidated.
    var isInvalidated: Bool {
        let realm = realm
        realm.checkConfinement()
        if isGone || moment.isInvalidated(realm) || !realm.exists(place.binding, place.key) { return true }
        // Another value may have replaced a mixed value.
        return isInMixed && !inTurn { isThere }
    }

    /// Whether the collection is in a mixed value, where another value may replace it.
    private var isInMixed: Bool { !path.isEmpty || place.property.collection == nil }

    /// Whether the mixed value still holds a collection of the expected kind.
    private var isThere: Bool {
        let realm = realm
        if let known, known.stamp == realm.stamp { return known.value?.isCollection ?? true }
        let value = realm.shallowValue(at: place, inside: path)
        return value.isCollection && kind?.isKind(of: value) ?? true
    }

    /// The location in the property.
    private var inProperty: CollectionInProperty { CollectionInProperty(path: path, kind: isInMixed ? kind : nil) }

    /// Ends the program if the collection no longer exists: code that takes its elements would get none.
    func checkExists() { if isInvalidated { Failure.stop(Failure.deleted) } }

    /// Sets the expected kind, and returns the collection. It appears empty while its value is of another kind.
    func being(_ kind: RealmLayout.CollectionKind) -> ManagedCollection {
        if place.property.type == .any, self.kind != kind { self.kind = kind }
        return self
    }

    /// Returns the collection nested at a step. `value` was just read there; if it has elements, it is complete and is
    /// cached.
    func inside(_ step: NestedStep<String>, _ value: Value) -> ManagedCollection {
        let inner = ManagedCollection(place, path: path + [step])
        // A value that was read without its elements is empty, whether or not the collection is.
        if value.elementCount > 0 { inner.keep(value) }
        return inner
    }

    private func keep(_ value: Value) {
        let new = Known(value, realm.stamp)
        known = new
        if !realm.isFrozen, value.holdsVersion { realm.caches.add(new) }
    }

    /// Whether this collection is nested in another one, at any depth.
    func isInside(_ outer: ManagedCollection) -> Bool {
        !isGone && path.count > outer.path.count && isOfSameProperty(as: outer) && path.starts(with: outer.path)
    }

    /// Changes a step of the path; nil marks the collection as removed.
    func move(_ step: NestedStep<String>?, at index: Int) {
        guard step != path[index] else { return }
        if before?.transaction != realm.transactionNumber { before = (path, isRemoved, realm.transactionNumber) }
        if let step { path[index] = step } else { isRemoved = true }
        known = nil
    }

    func restore(_ transaction: UInt64) {
        guard let before, before.transaction == transaction else { return }
        (path, isRemoved) = (before.path, before.isRemoved)
        (self.before, known) = (nil, nil)
    }

    /// The complete content; empty if the collection no longer exists.
    var content: Value {
        realm.checkConfinement()
        return inTurn { currentContent() }
    }

    /// Runs code that uses or fills the cache. For a frozen collection, one thread runs at a time.
    private func inTurn<R>(_ body: () -> R) -> R {
        guard realm.isFrozen else { return body() }
        return sharing.withLock { _ in SendableBox(body()) }.value
    }

    private func currentContent() -> Value {
        let realm = realm
        if let known, known.stamp == realm.stamp, let value = known.value { return value }
        var value: Value =
            isGone ? .null : path.isEmpty ? realm.value(at: place) : realm.value(at: place, inside: path)
        if let kind, !kind.isKind(of: value) { value = .null }
        if hidesTombstones { value = value.withoutTombstones }
        keep(value)
        return value
    }

    /// The keys of the objects that the elements link to, or are.
    var linkedKeys: [ObjectKey] {
        let keys = withParts(reading: 0) { parts throws(FormatError) in try parts.linkedKeys }
        return (keys ?? nil) ?? elements.compactMap(\.linkedKey)
    }

    /// The elements of a list or set, or the values of a dictionary.
    var elements: [Value] {
        switch content {
        case .list(let values), .set(let values): values
        case .dictionary(let entries): entries.map(\.value)
        default: []
        }
    }

    var entries: [DictionaryEntry] {
        if case .dictionary(let entries) = content { entries } else { [] }
    }

    /// The length from which a collection is long: its `ElementLookup` is then cached.
    private static let longCount = 64

    /// The approximate number of elements read by a binary search in a long set.
    private static let halvings = 16

    /// Whether elements can be read individually from where they are stored. Files that can be written have format 24,
    /// which stores keys and set elements in order.
    private var isReadInParts: Bool {
        !realm.hasChanges && !isGone && realm.database.store != nil && !hidesTombstones
    }

    /// Reads individual elements. Returns nil if the complete content is cached, or should be read because so many
    /// elements were read one by one.
    ///
    /// - Parameter count: the number of elements that are about to be read.
    private func withParts<R>(
        reading count: Int, _ body: (inout ElementLookup) throws(FormatError) -> R
    ) -> R? {
        realm.checkConfinement()
        return inTurn { currentParts(reading: count, body) }
    }

    private func currentParts<R>(
        reading count: Int, _ body: (inout ElementLookup) throws(FormatError) -> R
    ) -> R? {
        let realm = realm
        let stamp = realm.stamp
        if reads.stamp != stamp { reads = (0, stamp) }
        if let known, known.stamp == stamp {
            guard let all = known.partCount, !isSpent(all) else { return nil }
            reads.count += count
            return Failure.unlessStopped { () throws(FormatError) in try known.withParts(body) }
        }
        guard isReadInParts, var parts = realm.elements(at: place, inProperty), !isSpent(parts.count) else {
            return nil
        }
        reads.count += count
        if parts.count >= Self.longCount {
            let new = Known(parts, stamp)
            known = new
            if !realm.isFrozen { realm.caches.add(new) }
            return Failure.unlessStopped { () throws(FormatError) in try new.withParts(body) }
        }
        return Failure.unlessStopped { () throws(FormatError) in try body(&parts) }
    }

    /// Whether so many elements were read that reading all of them is better.
    private func isSpent(_ count: Int) -> Bool { reads.count > count / 8 }

    /// The number of elements. After changes in a transaction, it is found without reading the collection.
    var count: Int {
        if isReadInPlace, let count = realm.changedCount(place, inProperty) { return count }
        realm.checkConfinement()
        if let count = inTurn({ knownCount }) { return count }
        if isReadInParts, let count = realm.elementCount(at: place, inProperty) { return count }
        return content.elementCount
    }

    /// The cached number of elements; nil if nothing is cached.
    private var knownCount: Int? {
        guard let known, known.stamp == realm.stamp else { return nil }
        return known.count
    }

    func element(at index: Int) -> Value {
        if isReadInPlace, case .value(let value?) = realm.changedElement(place, .index(index), inProperty) {
            return value
        }
        let value = withParts(reading: 1) { parts throws(FormatError) -> Value? in
            index >= 0 && index < parts.count ? try parts.value(at: index) : nil
        }
        if let value = value ?? nil { return value }
        let elements = elements
        guard elements.indices.contains(index) else {
            Failure.stop("Index \(index) is out of bounds (must be less than \(elements.count)).")
        }
        return elements[index]
    }

    /// Returns the value of a dictionary key; nil if there is none. After changes in a transaction, it is found without
    /// reading the dictionary.
    func value(ofKey key: String) -> Value? {
        if isReadInPlace, case .value(let value) = realm.changedElement(place, .key(key), inProperty) { return value }
        let stored = withParts(reading: 1) { parts throws(FormatError) -> Value? in
            guard let index = try parts.index(ofKey: key) else { return nil }
            return try parts.value(at: index)
        }
        if let stored { return stored }
        let entries = entries
        // Files that can be written have format 24, which orders keys by their bytes.
        guard realm.database.store != nil else { return entries.first { $0.key == .string(key) }?.value }
        let index = entries.partitioningIndex { !$0.isBefore(key) }
        return index < entries.count && entries[index].key == .string(key) ? entries[index].value : nil
    }

    /// Whether a set has an element; nil if only a comparison with each element can answer.
    func contains(_ element: some RealmCollectionValue) -> Bool? {
        if let object = element as? ObjectBase {
            guard object.boundRealm?.isSame(as: realm) ?? false, !object.isInvalidated else { return false }
            return isFound { element in element.linkedKey.map { $0 == object.key ? 0 : $0 < object.key ? -1 : 1 } ?? -1
            }
        }
        guard let stored = storedValue(element) else { return nil }
        switch stored {
        case .malformedString, .link, .embedded, .list, .set, .dictionary: return nil
        case .null where (element as? AnyRealmValue).map { $0 != .none } ?? false: return nil
        default: break
        }
        guard isReadInPlace, let transaction = realm.transaction, realm.changedCount(place, inProperty) != nil,
            let new = element._encoded(realm.adding(.error))?.value
        else {
            if isFound({ ValueOrder.order($0, stored) }) { return true }
            // NaN may be anywhere among numbers, and null among decimals.
            switch place.property.type {
            case .float, .double, .decimal128, .any: return elements.contains { ValueOrder.order($0, stored) == 0 }
            default: return false
            }
        }
        return Failure.unlessStopped { () throws(WriteError) in try set(transaction).contains(new) }
    }

    /// Whether a set has an element, by binary search: files that can be written have format 24, whose sets are in
    /// order (Spec 40).
    ///
    /// - Parameter order: negative for elements that come before the wanted one, 0 for the wanted one.
    private func isFound(_ order: (Value) -> Int) -> Bool {
        let isFound = withParts(reading: Self.halvings) { parts throws(FormatError) in
            let index = try (0..<parts.count).partitioningIndex { index throws(FormatError) in
                order(try parts.value(at: index)) >= 0
            }
            return index < parts.count ? order(try parts.value(at: index)) == 0 : false
        }
        if let isFound { return isFound }
        let elements = elements
        guard realm.database.store != nil else { return elements.contains { order($0) == 0 } }
        let index = elements.partitioningIndex { order($0) >= 0 }
        return index < elements.count && order(elements[index]) == 0
    }

    private var isReadInPlace: Bool {
        let realm = realm
        guard realm.hasChanges else { return false }
        // Reading from the transaction mutates it, so the thread is checked first.
        realm.checkConfinement()
        return known?.stamp != realm.stamp && !isGone && !hidesTombstones
    }

    /// Whether elements that link to tombstones are left out. The complete content is then read to find them.
    var hidesTombstones: Bool {
        guard realm.database.hasTombstones, path.isEmpty, place.property.type == .object else { return false }
        return place.property.collection == .list || place.property.collection == .set
    }

    // MARK: Changes

    func list(_ transaction: WriteTransaction) -> TransactionList {
        transaction.mutableList(
            of: place.key, inTableAt: place.table, property: place.tableProperty, inside: existingPath)
    }

    func set(_ transaction: WriteTransaction) -> TransactionSet {
        if isGone { Failure.stop(Failure.deleted) }
        return transaction.mutableSet(of: place.key, inTableAt: place.table, property: place.tableProperty)
    }

    func dictionary(_ transaction: WriteTransaction) -> TransactionDictionary {
        transaction.mutableDictionary(
            of: place.key, inTableAt: place.table, property: place.tableProperty, inside: existingPath)
    }

    /// The path of a collection that exists.
    private var existingPath: [NestedStep<String>] {
        if isGone { Failure.stop(Failure.deleted) }
        return path
    }

    /// Whether the elements are embedded objects, which become views of what was written.
    var holdsEmbedded: Bool { place.property.targetType is EmbeddedObject.Type }

    /// Whether a value is the embedded object that is stored there already.
    func isEmbedded(_ value: some _Persistable, _ stored: @autoclosure () -> Value?) -> Bool {
        holdsEmbedded && realm.transaction != nil && realm.isEmbedded(value, in: place, stored())
    }

    /// Binds an element that was written.
    func adopt(_ element: some _Persistable, at index: Int) {
        guard holdsEmbedded else { return }
        element._adopt(_AdoptedPlace(property: place, element: self.element(at: index)))
    }

    /// Binds the value of an entry that was written.
    func adopt(_ value: some _Persistable, atKey key: String) {
        guard holdsEmbedded, let stored = self.value(ofKey: key) else { return }
        value._adopt(_AdoptedPlace(property: place, element: stored))
    }
}

extension DictionaryEntry {
    /// Whether the key of the entry precedes another one.
    fileprivate func isBefore(_ key: String) -> Bool {
        if case .string(let text) = self.key { text.utf8.lexicographicallyPrecedes(key.utf8) } else { true }
    }
}

extension RealmLayout.CollectionKind {
    /// False for a collection of another kind; true for all other values.
    fileprivate func isKind(of value: Value) -> Bool {
        switch value {
        case .list: isList
        case .dictionary: isDictionary
        default: true
        }
    }
}

extension Value {
    /// The list or set without links to objects that do not exist.
    fileprivate var withoutTombstones: Value {
        func isThere(_ element: Value) -> Bool { element.linkedKey != nil }
        return switch self {
        case .list(let elements): .list(elements.filter(isThere))
        case .set(let elements): .set(elements.filter(isThere))
        default: self
        }
    }

    /// Whether the value contains objects, which hold a version.
    fileprivate var holdsVersion: Bool {
        switch self {
        case .link, .embedded: true
        case .list(let elements), .set(let elements): elements.contains { $0.holdsVersion }
        case .dictionary(let entries): entries.contains { $0.value.holdsVersion }
        default: false
        }
    }

    /// The number of elements of a collection; 0 for other values.
    fileprivate var elementCount: Int {
        switch self {
        case .list(let elements), .set(let elements): elements.count
        case .dictionary(let entries): entries.count
        default: 0
        }
    }

    fileprivate var isCollection: Bool {
        switch self {
        case .list, .set, .dictionary: true
        default: false
        }
    }
}
