package import RealmLayout
internal import RealmStorage

/// A backlink to add or remove.
package struct LinkChange: RadixSortable {
    package let target: ObjectKey
    package let origin: ObjectKey
    package let isAdded: Bool

    package init(target: ObjectKey, origin: ObjectKey, isAdded: Bool) {
        (self.target, self.origin, self.isAdded) = (target, origin, isAdded)
    }

    package var rank: UInt64 { UInt64(bitPattern: target.value) }

    /// Returns the changes sorted by target; stable.
    package static func sorted(_ changes: [LinkChange]) -> [LinkChange] {
        guard changes.count > 1 else { return changes }
        let array = UnsharedArray<LinkChange>(capacity: changes.count)
        for change in changes { array.append(change) }
        radixSort(array)
        return Array(array)
    }
}
