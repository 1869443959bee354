package import RealmLayout

/// Visits all nodes reachable from a root once, regardless of their purpose. Bounded on every file: no node is entered
/// twice, and all nodes together may not have more elements than fit in the file, which prevents quadratic work on
/// overlapping nodes.
package struct NodeWalk {
    /// One step of the walk.
    package enum Step {
        /// A node visited for the first time.
        case node(Node)
        /// A node already reached by another path; intact files have none.
        case again(Ref)
        /// A ref that is invalid, or whose node is not entered because it is too deep or overlaps others.
        case damaged(Ref, FormatError)
    }

    private struct Level {
        let ref: Ref
        let slots: IntegerVector
        var next = 0

        /// The elements, safe to access now: in an encrypted file they are opened again.
        func currentSlots(in space: NodeSpace) throws(FormatError) -> IntegerVector {
            guard space.isTransient else { return slots }
            let slots = try space.node(at: ref).integers()
            return slots.count == self.slots.count ? slots : .empty
        }
    }

    private let space: NodeSpace
    /// Remaining roots, in reverse order.
    private var pendingRoots: [Ref]
    private var levels: [Level] = []
    /// One bit per eight bytes of the file, the possible node positions.
    private var seen: [UInt64]
    /// The number of elements that fit in the unvisited part of the file. Elements of nodes with refs have at least a
    /// byte each.
    private var room: Int
    /// Whether the last step entered the last level without visiting any of its elements.
    private var hasEntered = false

    package init(root: Ref, in space: NodeSpace) { self.init(roots: [root], in: space) }

    /// Begins with the first of several roots; `path` is relative to the current one.
    package init(roots: [Ref], in space: NodeSpace) {
        // Restricted to the file, since `seen` does not cover the overlay.
        self.space = space.withoutOverlay
        pendingRoots = roots.reversed()
        seen = [UInt64](repeating: 0, count: space.bytes.count / 512 + 1)
        room = space.bytes.count
    }

    /// The element indexes from the root to the result of the last `next`.
    package var path: [Int] { (hasEntered ? levels.dropLast() : levels[...]).map { $0.next - 1 } }

    /// The number of nodes above the result of the last `next`.
    package var depth: Int { hasEntered ? levels.count - 1 : levels.count }

    /// The last of the indexes in `path`; nil for a root. Unlike `path`, it takes no memory.
    package var lastIndex: Int? {
        let above = depth - 1
        return above >= 0 ? levels[above].next - 1 : nil
    }

    /// The next step; nil at the end. In an encrypted file, the result may be accessed under a lease taken before the
    /// call.
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
        // Elements narrower than 8 bits are numbers and zeros: no node is at a ref of four bits.
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

    /// Marks the node as seen; returns false when it already was.
    private mutating func mark(_ ref: Ref) -> Bool {
        let word = ref.offset >> 9
        let bit: UInt64 = 1 << UInt64((ref.offset >> 3) & 63)
        guard seen[word] & bit == 0 else { return false }
        seen[word] |= bit
        return true
    }
}
