// Changes by offsets, for lists in user interfaces.

extension List {
    /// Removes the elements at the given indexes.
    public func remove(atOffsets offsets: some Sequence<Int>) {
        for index in Set(offsets).sorted(by: >) { remove(at: index) }
    }

    /// Moves the elements at the given indexes before the element at `destination`, keeping their order.
    public func move(fromOffsets offsets: some Sequence<Int>, toOffset destination: Int) {
        var (moved, target) = (0, destination)
        for index in Set(offsets).sorted() {
            // Each element moved from before the destination shifts the remaining ones by one.
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

// Lists can be sorted, reversed and shuffled in place: `dogs.sort { $0.age < $1.age }`.
extension List: MutableCollection {
    /// The elements in a range. Setting it replaces them.
    public subscript(bounds: Range<Int>) -> Slice<List<Element>> {
        get { Slice(base: self, bounds: bounds) }
        set { replaceSubrange(bounds, with: Array(newValue)) }
    }
}
