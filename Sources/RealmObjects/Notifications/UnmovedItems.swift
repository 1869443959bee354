/// Which of the things that two lists have in common stay, where they come in another order: as many as can, and of these as few modified
/// ones; the others have moved. Where two have changed places, it is the one that was modified that has moved.
struct UnmovedItems {
    /// The weight of a thing: that of all that are not modified is less than one of these.
    private let one: Int

    /// - Parameter count: how many things there are at most.
    init(of count: Int) { one = count + 1 }

    /// - Parameter modified: how many of them are modified.
    func weight(of count: Int, modified: Int) -> Int { count * one + count - modified }

    /// Whether each stays; of several choices it is the one that keeps what is last in the new list.
    ///
    /// - Parameters:
    ///   - places: where each was among them, in the order of the new list.
    ///   - weights: what each weighs, in the same order.
    static func stays(_ places: [Int], weights: [Int]) -> [Bool] {
        // What the heaviest ascent weighs that ends with an item; the greatest of the items up to a place, as a binary indexed tree.
        var reach = [Int](repeating: 0, count: places.count)
        var tree = [Int](repeating: 0, count: (places.max() ?? 0) + 2)
        for (index, place) in places.enumerated() {
            var (node, before) = (place, 0)
            while node > 0 {
                before = max(before, tree[node])
                node &= node - 1
            }
            reach[index] = before + weights[index]
            node = place + 1
            while node < tree.count {
                tree[node] = max(tree[node], reach[index])
                node += node & -node
            }
        }
        var stays = [Bool](repeating: false, count: places.count)
        var rest = reach.max() ?? 0
        for index in places.indices.reversed() where rest > 0 && reach[index] == rest {
            stays[index] = true
            rest -= weights[index]
        }
        return stays
    }
}
