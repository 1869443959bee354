internal import RealmLayout
internal import RealmReader

/// Notes which words of a file belong to nodes.
protocol NodeClaims {
    /// Notes a node; false when some of its words belong to another one.
    mutating func claimWords(of node: Node) -> Bool
}

extension NodeMap: NodeClaims {}

/// Visits nodes of a commit to see whether there is anything to say about one of them. Where there is, `OwnedNodeWalk` says
/// it; it goes the same way and keeps in mind how it came to each node.
struct NodeSweep<Claims: NodeClaims> {
    /// Elements of a node with refs, some of which are yet to be followed.
    private struct Level {
        let elements: IntegerVector
        /// The element to look at next.
        var next: Int
        /// The element behind the last one to look at.
        let end: Int
    }

    /// Elements that lead to nodes that were not visited yet.
    struct Rest {
        fileprivate let elements: IntegerVector
        fileprivate var range: Range<Int>
        /// Nodes on the way to these elements, with the one that has them.
        fileprivate let depth: Int
    }

    private let space: NodeSpace
    private let rules: NodeRules
    private(set) var claims: Claims
    /// What the nodes that were visited begin with.
    private(set) var starts = NodeStarts()
    private var levels: [Level] = []
    /// Of no meaning, so that loads ahead are not left out.
    private var warmth: UInt64 = 0

    /// As many as there are objects in a cluster.
    private static var warmedNodes: Int { 256 }

    init(_ scope: SnapshotScope, _ claims: Claims) {
        space = scope.space
        rules = NodeRules()
        self.claims = claims
    }

    /// Visits the node at `root` and all below it; false when a node or a reference is not as it should be.
    mutating func visitAll(from root: Ref) -> Bool {
        guard let node = claimed(root) else { return false }
        return rest(of: node, depth: 1).map { visitAll(from: $0) } ?? true
    }

    /// Visits all nodes that elements lead to, and all below them.
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
            // Nodes with refs are gone through at once, so that no more is remembered than the way to one.
            levels.append(level)
            guard start.depth + levels.count < Limits.nodeDepth else { return false }
            level = Level(elements: node.elements, next: 0, end: node.count)
            warm(level.elements)
        }
    }

    /// Visits nodes level by level, until there are many elements to go on with.
    ///
    /// - Returns: what is left to be visited; nil when a node or a reference is not as it should be.
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

    /// Cuts what is left into pieces of about the same number of elements.
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

    /// The node at a ref; nil when there is something to say about it, or it shares words with another one.
    private mutating func claimed(_ ref: Ref) -> Node? {
        let node: Node
        do throws(FormatError) { node = try space.node(at: ref) } catch { return nil }
        starts.note(node)
        return rules.areKept(by: node) && claims.claimWords(of: node) ? node : nil
    }

    /// Loads the headers of nodes that come next: each would be waited for on the way down, together they are waited for
    /// once.
    private mutating func warm(_ elements: IntegerVector) {
        for index in 0..<min(elements.count, Self.warmedNodes) {
            warmth &+= space.word(at: elements[unchecked: index])
        }
    }
}

/// What holds for every node, whatever it is for (N; Spec 20).
struct NodeRules {
    /// A node may not be larger, because the allocator of Realm Core cannot move it.
    static let largestNode = 64 << 20

    /// Whether there is nothing to say about a node.
    func areKept(by node: Node) -> Bool {
        let header = node.header
        if header.hasRefs ? !header.isBits : header.isInner { return false }
        return node.size < Self.largestNode
    }
}
