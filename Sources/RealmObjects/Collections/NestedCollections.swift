internal import RealmReader

/// The collections inside of mixed values that the program holds, which stay the ones they are while collections around them change.
final class NestedCollections {
    private var held = WeakList<ManagedCollection>(least: 64)

    func add(_ collection: ManagedCollection) { held.add(collection) }

    /// Lets the collections inside of another one know where they are.
    ///
    /// - Parameter place: where the element at a step is now; nil where it is gone.
    func move(inside outer: ManagedCollection, _ place: (NestedStep) -> NestedStep?) {
        held.forEach { collection in
            guard collection.isInside(outer) else { return }
            collection.move(place(collection.path[outer.path.count]), at: outer.path.count)
        }
    }

    /// Takes back what a transaction did that was cancelled.
    func restore(_ transaction: UInt64) {
        held.forEach { $0.restore(transaction) }
    }
}

extension ManagedCollection {
    /// Lets the collections inside know that an element was added.
    func noteInserted(at index: Int) {
        moveNested { step in if case .index(let old) = step, old >= index { .index(old + 1) } else { step } }
    }

    /// Lets the collections inside know that an element was removed.
    func noteRemoved(at index: Int) {
        moveNested { step in
            guard case .index(let old) = step, old >= index else { return step }
            return old == index ? nil : .index(old - 1)
        }
    }

    /// Lets the collections inside know that an element was moved.
    func noteMoved(from: Int, to: Int) {
        moveNested { step in
            guard case .index(let old) = step else { return step }
            if old == from { return .index(to) }
            let without = old > from ? old - 1 : old
            return .index(without >= to ? without + 1 : without)
        }
    }

    /// Lets the collections inside know that another element is in the place of one, or none.
    func noteReplaced(_ replaced: NestedStep) { moveNested { $0 == replaced ? nil : $0 } }

    /// Lets the collections inside know that they are gone.
    func noteEmptied() { moveNested { _ in nil } }

    private func moveNested(_ place: (NestedStep) -> NestedStep?) {
        // Only in mixed values there are collections inside of others.
        if self.place.property.type == .any { realm.nested.move(inside: self, place) }
    }
}
