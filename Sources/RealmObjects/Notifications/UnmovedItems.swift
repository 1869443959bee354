/// Chooses which common items of two lists stay when their order differs: as many as possible, and among these as few
/// modified ones as possible. The rest has moved. Of two items that were swapped, the modified one has moved.
struct UnmovedItems {
    /// Weight of an item. It exceeds the sum of the bonuses that all unmodified items receive.
    private let one: Int

    /// - Parameter count: maximum number of items.
    init(of count: Int) { one = count + 1 }

    /// - Parameter modified: number of modified items among them.
    func weight(of count: Int, modified: Int) -> Int { count * one + count - modified }

    /// Returns whether each item stays. Among equal choices it keeps the items that are last in the new list.
    ///
    /// - Parameters:
    ///   - places: the old position of each item, in the order of the new list.
    ///   - weights: the weight of each item, in the same order.
    static func stays(_ places: [Int], weights: [Int]) -> [Bool] {
        // `reach`: weight of the heaviest ascending sequence that ends with an item. `tree`: its maximum over the
        // places up to one, as a binary indexed tree.
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
