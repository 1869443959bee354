// What lists in user interfaces ask for.

extension List {
    /// Removes the elements at some indexes.
    public func remove(atOffsets offsets: some Sequence<Int>) {
        for index in Set(offsets).sorted(by: >) { remove(at: index) }
    }

    /// Moves the elements at some indexes before the one that is at `destination`, in their order.
    public func move(fromOffsets offsets: some Sequence<Int>, toOffset destination: Int) {
        var (moved, target) = (0, destination)
        for index in Set(offsets).sorted() {
            // Elements that were before the destination have moved the others by one.
            if index < destination {
                move(from: index - moved, to: destination - 1)
                moved += 1
            } else {
                move(from: index, to: target)
                target += 1
            }
        }
    }
}

// Lists are sorted, reversed and shuffled where they are: `dogs.sort { $0.age < $1.age }`.
extension List: MutableCollection {
    /// Some of the elements; setting them puts others in their place.
    public subscript(bounds: Range<Int>) -> Slice<List<Element>> {
        get { Slice(base: self, bounds: bounds) }
        set { replaceSubrange(bounds, with: Array(newValue)) }
    }
}
