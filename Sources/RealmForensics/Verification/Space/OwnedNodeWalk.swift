internal import RealmCore
internal import RealmLayout

/// Visits every node of a commit once, whatever its purpose (N; Spec 20): a node belongs to the node that refers to it,
/// and has one owner. Uses an explicit stack, which no file can overflow. The reader's `NodeWalk` records only where
/// nodes begin, and permits overlaps. This walk claims every word of a node, and reports each second claim with its
/// path.
struct OwnedNodeWalk {
    /// A node whose refs are being followed.
    struct Level {
        let node: Node
        let elements: IntegerVector
        /// The next element to follow.
        var next = 0

        /// The last element followed.
        var current: Int { next - 1 }
    }

    private let scope: SnapshotScope
    /// The tables by slot: there can be as many findings as tables.
    private let tables: [Int: CheckedTable]
    private var nodes: NodeMap
    private var levels: [Level] = []

    private init(_ scope: SnapshotScope, _ tables: [CheckedTable]) {
        self.scope = scope
        self.tables = Dictionary(tables.map { ($0.slot, $0) }) { first, _ in first }
        nodes = NodeMap(bytes: scope.root.logicalSize)
    }

    /// Visits all nodes, reports irregularities, and returns which nodes are sound.
    ///
    /// - Parameter tables: used for names in findings.
    static func run(_ scope: SnapshotScope, tables: [CheckedTable]) -> NodeMap {
        var walk = OwnedNodeWalk(scope, tables)
        walk.enter(scope.root.ref)
        while !walk.levels.isEmpty { walk.step() }
        return walk.nodes
    }

    private mutating func step() {
        let top = levels.count - 1
        let elements = levels[top].elements
        var index = levels[top].next
        while index < elements.count {
            let element = elements[unchecked: index]
            index += 1
            if element != 0, element & 1 == 0 {
                levels[top].next = index
                enter(Ref(Int(truncatingIfNeeded: element)))
                return
            }
        }
        levels.removeLast()
    }

    private mutating func enter(_ ref: Ref) {
        guard let node = open(ref), claim(node) else {
            nodes.isClean = false
            return
        }
        let header = node.header
        nodes.startsOfNodes.note(node)
        if header.isInner, !header.hasRefs { report(.nodeFlags, ref, "\(node.summary): inner nodes have refs") }
        if node.size >= NodeRules.largestNode {
            report(.nodeLength, ref, "the node has \(node.size) bytes, more than Realm Core can move")
        }
        guard header.hasRefs else { return }
        guard let elements = Self.elements(of: node) else {
            report(.nodeFlags, ref, "\(node.summary): nodes with refs have elements of bits")
            return
        }
        guard header.width > 0 else { return }
        guard levels.count < Limits.nodeDepth else {
            report(.nodeDepth, ref, "more than \(Limits.nodeDepth) nodes inside each other")
            nodes.isClean = false
            return
        }
        levels.append(Level(node: node, elements: elements))
    }

    private static func elements(of node: Node) -> IntegerVector? {
        do throws(FormatError) { return try node.integers() } catch { return nil }
    }

    private func open(_ ref: Ref) -> Node? {
        let limit = scope.root.logicalSize
        guard ref.offset & 7 == 0 else {
            report(.refAlignment, ref, "the reference to \(ref) is not a multiple of 8")
            return nil
        }
        guard ref.offset >= FileHeader.size, ref.offset <= limit - NodeHeader.size else {
            report(.refRange, ref, "the reference to \(ref) is outside of the database (\(limit) bytes)")
            return nil
        }
        do throws(FormatError) {
            return try scope.space.node(at: ref)
        } catch {
            report(Self.check(for: error.code), ref, error.detail)
            return nil
        }
    }

    private static func check(for code: FormatError.Code) -> CheckIdentifier {
        switch code {
        case .badNode: .nodeWidthType
        case .damagedPage: .pageAuthentication
        case .unwrittenPage: .unwrittenPage
        default: .nodeSize
        }
    }

    private mutating func claim(_ node: Node) -> Bool {
        let offset = node.ref.offset
        guard !nodes.starts.contains(offset) else {
            if levels.contains(where: { $0.node.ref == node.ref }) {
                report(.cycle, node.ref, "the node is its own ancestor")
            } else {
                report(.sharedNode, node.ref, "the node is referred to a second time")
            }
            return false
        }
        guard nodes.claim(node) else {
            report(.overlap, node.ref, "the node of \(node.body.count) bytes overlaps another one")
            return false
        }
        return true
    }

    private func report(_ check: CheckIdentifier, _ ref: Ref, _ message: @autoclosure () -> String) {
        // A bad ref is no location in the file; the node that contains it is reported instead.
        let isRefToBlame = check == .refAlignment || check == .refRange
        let offset = isRefToBlame ? (levels.last?.node.ref.offset ?? scope.slot * 8) : ref.offset
        scope.sink.report(
            check, at: offset, in: NodePath(levels).place(in: scope, tables), message())
    }
}
