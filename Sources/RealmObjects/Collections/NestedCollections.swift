internal import RealmCore

/// The collections in mixed values that the program holds. Their paths are updated when the collections around them
/// change.
final class NestedCollections {
    private var held = WeakList<ManagedCollection>(least: 64)

    func add(_ collection: ManagedCollection) { held.add(collection) }

    /// Updates the paths of the collections nested in another one.
    ///
    /// - Parameter place: returns the new step for an element; nil if the element was removed.
    func move(inside outer: ManagedCollection, _ place: (NestedStep<String>) -> NestedStep<String>?) {
        held.forEach { collection in
            guard collection.isInside(outer) else { return }
            collection.move(place(collection.path[outer.path.count]), at: outer.path.count)
        }
    }

    /// Restores the paths from before a cancelled transaction.
    func restore(_ transaction: UInt64) {
        held.forEach { $0.restore(transaction) }
    }
}

extension ManagedCollection {
    /// Updates the paths of nested collections after an insertion.
    func noteInserted(at index: Int) {
        moveNested { step in if case .index(let old) = step, old >= index { .index(old + 1) } else { step } }
    }

    /// Updates the paths of nested collections after a removal.
    func noteRemoved(at index: Int) {
        moveNested { step in
            guard case .index(let old) = step, old >= index else { return step }
            return old == index ? nil : .index(old - 1)
        }
    }

    /// Updates the paths of nested collections after a move.
    func noteMoved(from: Int, to: Int) {
        moveNested { step in
            guard case .index(let old) = step else { return step }
            if old == from { return .index(to) }
            let without = old > from ? old - 1 : old
            return .index(without >= to ? without + 1 : without)
        }
    }

    /// Marks the collection nested in a replaced or removed element as removed.
    func noteReplaced(_ replaced: NestedStep<String>) { moveNested { $0 == replaced ? nil : $0 } }

    /// Marks all nested collections as removed.
    func noteEmptied() { moveNested { _ in nil } }

    private func moveNested(_ place: (NestedStep<String>) -> NestedStep<String>?) {
        // Only collections in mixed values contain other collections.
        if self.place.property.type == .any { realm.nested.move(inside: self, place) }
    }
}
