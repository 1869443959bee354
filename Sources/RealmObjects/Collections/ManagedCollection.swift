internal import RealmLayout
internal import RealmReader
internal import RealmTransactions
internal import RealmWriter

/// A collection of a managed object: a property, or one inside of a mixed value.
///
/// Of a frozen realm it is read when it is made, so that any thread may look at it.
final class ManagedCollection {
    let place: PropertyPlace
    /// The way from the property to a collection inside of it: indexes and keys.
    let path: [NewValue]
    private var known: (value: Value, stamp: UInt64)?

    init(_ place: PropertyPlace, path: [NewValue] = []) {
        self.place = place
        self.path = path
        if place.realm.isFrozen { _ = content }
    }

    var realm: RealmState { place.realm }

    var isInvalidated: Bool { !place.realm.exists(place.binding, place.key) }

    /// The whole collection; empty where it is gone.
    var content: Value {
        let realm = realm
        realm.checkConfinement()
        if let known, known.stamp == realm.stamp { return known.value }
        var value = realm.value(at: place)
        for step in path { value = value.inside(step) }
        known = (value, realm.stamp)
        return value
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

    /// The number of elements. Where a transaction has changed something the collection is not read for that.
    var count: Int {
        if isReadInPlace, let count = realm.changedCount(place) { return count }
        return if case .dictionary(let entries) = content { entries.count } else { elements.count }
    }

    func element(at index: Int) -> Value {
        if isReadInPlace, let value = realm.changedElement(place, index) { return value }
        let elements = elements
        guard elements.indices.contains(index) else {
            Failure.stop("Index \(index) is out of bounds (must be less than \(elements.count)).")
        }
        return elements[index]
    }

    private var isReadInPlace: Bool {
        let realm = realm
        return realm.hasChanges && path.isEmpty && known?.stamp != realm.stamp
    }

    // MARK: Changes

    func list(_ transaction: WriteTransaction) -> TransactionList {
        transaction.list(place.reference, place.column, path: path)
    }

    func set(_ transaction: WriteTransaction) -> TransactionSet { transaction.set(place.reference, place.column) }

    func dictionary(_ transaction: WriteTransaction) -> TransactionDictionary {
        transaction.dictionary(place.reference, place.column, path: path)
    }

    /// Whether elements are objects that live here, which become views of what was written.
    var holdsEmbedded: Bool { place.property.targetType is EmbeddedObject.Type }

    /// Binds an element that was written.
    func adopt(_ element: some _Persistable, at index: Int) {
        guard holdsEmbedded else { return }
        element._adopt(_AdoptedPlace(property: place, element: self.element(at: index)))
    }
}

extension Value {
    /// The element at an index or with a key; null where there is none.
    fileprivate func inside(_ step: NewValue) -> Value {
        switch (step, self) {
        case (.int(let index), .list(let elements)) where elements.indices.contains(Int(index)): elements[Int(index)]
        case (.string(let key), .dictionary(let entries)):
            entries.first { if case .string(key) = $0.key { true } else { false } }?.value ?? .null
        default: .null
        }
    }
}
