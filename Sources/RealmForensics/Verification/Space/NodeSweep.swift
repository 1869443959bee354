internal import RealmCore
internal import RealmLayout

/// Records which words of a file belong to nodes.
protocol NodeClaims {
    /// Claims a node; returns false when some of its words belong to another one.
    mutating func claimWords(of node: Node) -> Bool
}

extension NodeMap: NodeClaims {}

/// Visits the nodes of a commit to detect irregularities. `OwnedNodeWalk` then reports them: it repeats the walk and
/// keeps track of the path to each node.
struct NodeSweep<Claims: NodeClaims> {
    /// The elements of a node with refs, some of which are still to be followed.
    private struct Level {
        let elements: IntegerVector
        /// The next element to follow.
        var next: Int
        /// The end of the range of elements to follow.
        let end: Int
    }

    /// Elements that lead to unvisited nodes.
    struct Rest {
        fileprivate let elements: IntegerVector
        fileprivate var range: Range<Int>
        /// The number of nodes on the path, including the one with these elements.
        fileprivate let depth: Int
    }

    private let space: NodeSpace
    private let rules: NodeRules
    private(set) var claims: Claims
    /// Counts of visited nodes that do not begin with `AAAA`.
    private(set) var starts = NodeStarts()
    private var levels: [Level] = []
    /// Keeps prefetch loads from being optimised away.
    private var warmth: UInt64 = 0

    /// Maximum number of objects in a cluster.
    private static var warmedNodes: Int { 256 }

    init(_ scope: SnapshotScope, _ claims: Claims) {
        space = scope.space
        rules = NodeRules()
        self.claims = claims
    }

    /// Visits the node at `root` and all nodes below it; returns false when a node or a reference is irregular.
    mutating func visitAll(from root: Ref) -> Bool {
        guard let node = claimed(root) else { return false }
        return rest(of: node, depth: 1).map { visitAll(from: $0) } ?? true
    }

    /// Visits the nodes that elements lead to, and all nodes below them.
    mutating func visitAll(from start: Rest) -> Bool {
        var level = Level(elements: start.elements, next: start.range.lowerBound, end: start.range.upperBound)
        while true {
            guard level.next < level.end else {
                guard let above = levels.popLast() else { return true }
                level = above
                continue
            }
            let element = level.elements[unchecked: level.next]
            level.next &+= 1
            guard element != 0, element & 1 == 0 else { continue }
            guard let node = claimed(Ref(Int(truncatingIfNeeded: element))) else { return false }
            guard node.header.hasRefs, node.header.width > 0 else { continue }
            // Descends into nodes with refs at once, so that only the current path is kept in memory.
            levels.append(level)
            guard start.depth + levels.count < Limits.nodeDepth else { return false }
            level = Level(elements: node.elements, next: 0, end: node.count)
            warm(level.elements)
        }
    }

    /// Visits nodes breadth-first, until enough elements remain for `count` pieces.
    ///
    /// - Returns: the elements still to be visited; nil when a node or a reference is irregular.
    mutating func spread(from root: Ref, to count: Int) -> [Rest]? {
        guard let node = claimed(root) else { return nil }
        var queue = [rest(of: node, depth: 1)].compactMap(\.self)
        var first = 0
        while first < queue.count, queue.count - first < count {
            let rest = queue[first]
            first += 1
            guard !rest.range.isEmpty else { continue }
            queue.append(Rest(elements: rest.elements, range: rest.range.dropFirst(), depth: rest.depth))
            let element = rest.elements[unchecked: rest.range.lowerBound]
            guard element != 0, element & 1 == 0 else { continue }
            guard let node = claimed(Ref(Int(truncatingIfNeeded: element))) else { return nil }
            guard let below = self.rest(of: node, depth: rest.depth + 1) else { continue }
            guard below.depth < Limits.nodeDepth else { return nil }
            queue.append(below)
        }
        return Self.cut(queue[first...], into: count)
    }

    /// Divides the remaining elements into pieces of about the same size.
    private static func cut(_ rests: ArraySlice<Rest>, into count: Int) -> [Rest] {
        let size = max(1, rests.reduce(0) { $0 + $1.range.count } / count)
        return rests.flatMap { rest in
            stride(from: rest.range.lowerBound, to: rest.range.upperBound, by: size).map { start in
                let range = start..<min(rest.range.upperBound, start + size)
                return Rest(elements: rest.elements, range: range, depth: rest.depth)
            }
        }
    }

    private func rest(of node: Node, depth: Int) -> Rest? {
        guard node.header.hasRefs, node.header.width > 0 else { return nil }
        return Rest(elements: node.elements, range: 0..<node.count, depth: depth)
    }

    /// Claims the node at a ref; returns nil when it is irregular, or shares words with another one.
    private mutating func claimed(_ ref: Ref) -> Node? {
        let node: Node
        do throws(FormatError) { node = try space.node(at: ref) } catch { return nil }
        starts.note(node)
        return rules.areKept(by: node) && claims.claimWords(of: node) ? node : nil
    }

    /// Loads the headers of the next nodes together, so that the memory accesses overlap.
    private mutating func warm(_ elements: IntegerVector) {
        for index in 0..<min(elements.count, Self.warmedNodes) {
            warmth &+= space.word(at: elements[unchecked: index])
        }
    }
}

/// Rules for every node, whatever its purpose (N; Spec 20).
struct NodeRules {
    /// The allocator of Realm Core cannot move larger nodes.
    static let largestNode = 64 << 20

    /// Whether a node complies with the rules.
    func areKept(by node: Node) -> Bool {
        let header = node.header
        if header.hasRefs ? !header.isBits : header.isInner { return false }
        return node.size < Self.largestNode
    }
}
