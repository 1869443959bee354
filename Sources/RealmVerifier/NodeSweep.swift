internal import RealmLayout
internal import RealmReader

/// Visits every node of a commit to see whether there is anything to say about one of them. Where there is, `NodeWalk`
/// says it; it goes the same way and keeps in mind how it came to each node.
struct NodeSweep {
    /// A node whose refs are followed later on.
    private struct Level {
        let elements: IntegerVector
        /// The element to look at next.
        let next: Int
    }

    private let space: NodeSpace
    private let rules: NodeRules
    private var nodes: NodeMap
    private var levels: [Level] = []
    /// Of no meaning, so that loads ahead are not left out.
    private var warmth: UInt64 = 0

    /// As many as there are objects in a cluster.
    private static let warmedNodes = 256

    /// Visits all nodes.
    ///
    /// - Returns: nil when any of them, or a reference, is not as it should be.
    static func run(_ scope: SnapshotScope) -> NodeMap? {
        var sweep = NodeSweep(scope)
        return sweep.visitAll(from: scope.root.ref) ? sweep.nodes : nil
    }

    private init(_ scope: SnapshotScope) {
        space = scope.space
        rules = NodeRules(scope.format)
        nodes = NodeMap(bytes: scope.root.logicalSize)
    }

    /// False when a node or a reference is not as it should be.
    private mutating func visitAll(from root: Ref) -> Bool {
        guard let node = claimed(root) else { return false }
        guard node.header.hasRefs else { return true }
        var elements = node.elements
        var next = 0
        while true {
            guard next < elements.count else {
                guard let level = levels.popLast() else { return true }
                (elements, next) = (level.elements, level.next)
                continue
            }
            let element = elements[unchecked: next]
            next &+= 1
            guard element != 0, element & 1 == 0 else { continue }
            guard let node = claimed(Ref(Int(truncatingIfNeeded: element))) else { return false }
            guard node.header.hasRefs, node.header.width > 0 else { continue }
            // Nodes with refs are gone through at once, so that no more is remembered than the way to one.
            levels.append(Level(elements: elements, next: next))
            guard levels.count < NodeRules.deepest else { return false }
            (elements, next) = (node.elements, 0)
            warm(elements)
        }
    }

    /// The node at a ref; nil when there is something to say about it, or it shares words with another one.
    private mutating func claimed(_ ref: Ref) -> Node? {
        let node: Node
        do throws(FormatError) { node = try space.node(at: ref) } catch { return nil }
        return rules.areKept(by: node) && nodes.claimWords(of: node) ? node : nil
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
    /// Levels of nodes: 100 nested collections with their trees take less than 1000.
    static var deepest: Int { Limits.nodeDepth }

    /// Whether nodes begin with `AAAA`: before format 9 the four bytes were left as they were in memory.
    let checksMagic: Bool

    init(_ format: FormatVersion) { checksMagic = format.number >= 9 }

    /// Whether there is nothing to say about a node.
    func areKept(by node: Node) -> Bool {
        let header = node.header
        if checksMagic, !header.hasDummyChecksum { return false }
        if header.hasRefs ? !header.isBits : header.isInner { return false }
        return node.size < Self.largestNode
    }
}
