package import RealmLayout

/// Goes through all nodes that a root leads to, each once, whatever they are for. Bounded on every file: a node that
/// was seen is not entered again, and together nodes have no more elements than there is room for in the file, so that the
/// work does not grow with the square of nodes that overlap.
package struct NodeWalk {
    /// What the walk came to.
    package enum Step {
        /// A node for the first time.
        case node(Node)
        /// A node that another way led to already; intact files have none.
        case again(Ref)
        /// A ref to no node, or to one that is not entered: too deep, or overlapping others.
        case damaged(Ref, FormatError)
    }

    private struct Level {
        let ref: Ref
        let slots: IntegerVector
        var next = 0

        /// The elements as they may be looked at now: of an encrypted file, opened again.
        func currentSlots(in space: NodeSpace) throws(FormatError) -> IntegerVector {
            guard space.isTransient else { return slots }
            let slots = try space.node(at: ref).integers()
            return slots.count == self.slots.count ? slots : .empty
        }
    }

    private let space: NodeSpace
    /// Roots to begin with, the last first.
    private var pendingRoots: [Ref]
    private var levels: [Level] = []
    /// One bit for each eight bytes of the file, where nodes can begin.
    private var seen: [UInt64]
    /// How many elements there is room for in nodes that were not entered. Those with refs have at least a byte each.
    private var room: Int
    /// Whether the last step was into the last level, none of whose elements was looked at.
    private var hasEntered = false

    package init(root: Ref, in space: NodeSpace) { self.init(roots: [root], in: space) }

    /// Begins with the first of several roots; `path` tells where the walk is below one of them.
    package init(roots: [Ref], in space: NodeSpace) {
        // Only what is in the file: `seen` has no room for more.
        self.space = space.withoutOverlay
        pendingRoots = roots.reversed()
        seen = [UInt64](repeating: 0, count: space.bytes.count / 512 + 1)
        room = space.bytes.count
    }

    /// The elements to follow from the root to what `next` came to last.
    package var path: [Int] { (hasEntered ? levels.dropLast() : levels[...]).map { $0.next - 1 } }

    /// The next step; nil at the end. Of an encrypted file, what comes of it may be looked at with a lease from before.
    package mutating func next() -> Step? {
        hasEntered = false
        while let last = levels.indices.last {
            let level = levels[last]
            guard level.next < level.slots.count else {
                levels.removeLast()
                continue
            }
            levels[last].next += 1
            guard let element = try? level.currentSlots(in: space).element(at: level.next),
                case .ref(let ref) = Slot(element)
            else { continue }
            return visit(ref)
        }
        guard let root = pendingRoots.popLast() else { return nil }
        return visit(root)
    }

    private mutating func visit(_ ref: Ref) -> Step {
        do throws(FormatError) {
            let node = try space.node(at: ref)
            guard mark(ref) else { return .again(ref) }
            if node.header.hasRefs { try enter(ref, node.integers()) }
            return .node(node)
        } catch {
            return .damaged(ref, error)
        }
    }

    private mutating func enter(_ ref: Ref, _ slots: IntegerVector) throws(FormatError) {
        // Fewer bits hold numbers and zeros only: no node is where a ref of four bits leads to.
        guard slots.width >= 8 else { return }
        guard levels.count < Limits.nodeDepth else {
            throw FormatError(.tooDeep, at: ref.offset, "more than \(Limits.nodeDepth) nodes inside each other")
        }
        guard slots.count <= room else {
            throw FormatError(
                .sharedNodes, at: ref.offset, "nodes overlap: they have more elements than the file has bytes")
        }
        room -= slots.count
        levels.append(Level(ref: ref, slots: slots))
        hasEntered = true
    }

    /// Notes that the node was seen; false when it was before.
    private mutating func mark(_ ref: Ref) -> Bool {
        let word = ref.offset >> 9
        let bit: UInt64 = 1 << UInt64((ref.offset >> 3) & 63)
        guard seen[word] & bit == 0 else { return false }
        seen[word] |= bit
        return true
    }
}
