internal import RealmLayout
internal import RealmReader

/// Visits every node of a commit to see whether there is anything to say about one of them. Where there is, `NodeWalk`
/// says it; it goes the same way and keeps in mind how it came to each node.
struct NodeSweep {
    private struct Level {
        let elements: IntegerVector
        /// The element to look at next.
        var next = 0
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
        return sweep.visit(scope.root.ref) && sweep.visitAll() ? sweep.nodes : nil
    }

    private init(_ scope: SnapshotScope) {
        space = scope.space
        rules = NodeRules(scope.format)
        nodes = NodeMap(bytes: scope.root.logicalSize)
    }

    private mutating func visitAll() -> Bool {
        while !levels.isEmpty {
            let top = levels.count &- 1
            let level = levels[top]
            var index = level.next
            // Nodes with refs come on top and are gone through first, so that no more is remembered than the way to one.
            while index < level.elements.count, levels.count == top &+ 1 {
                let element = level.elements[unchecked: index]
                index &+= 1
                guard element != 0, element & 1 == 0 else { continue }
                guard visit(Ref(Int(truncatingIfNeeded: element))) else { return false }
            }
            if levels.count > top &+ 1 { levels[top].next = index } else { levels.removeLast() }
        }
        return true
    }

    /// Claims a node, and puts it on top if it has refs.
    private mutating func visit(_ ref: Ref) -> Bool {
        guard let node = node(ref), rules.areKept(by: node), nodes.claim(node) else { return false }
        guard node.header.hasRefs, node.header.width > 0 else { return true }
        guard levels.count < NodeRules.deepest else { return false }
        warm(node.elements)
        levels.append(Level(elements: node.elements))
        return true
    }

    /// Loads the headers of nodes that come next: each would be waited for on the way down, together they are waited for
    /// once.
    private mutating func warm(_ elements: IntegerVector) {
        for index in 0..<min(elements.count, Self.warmedNodes) {
            warmth &+= space.word(at: elements[unchecked: index])
        }
    }

    private func node(_ ref: Ref) -> Node? {
        do throws(FormatError) { return try space.node(at: ref) } catch { return nil }
    }
}

/// What holds for every node, whatever it is for (N; Spec 20).
struct NodeRules {
    /// A node may not be larger, because the allocator of Realm Core cannot move it.
    static let largestNode = 64 << 20
    /// Levels of nodes: 100 nested collections with their trees take less than 1000.
    static let deepest = 4096

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
