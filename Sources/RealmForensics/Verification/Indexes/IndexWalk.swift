internal import RealmCore
internal import RealmLayout

/// Visits the entries of a search index and checks its nodes (I02; Spec 80).
struct IndexWalk {
    /// One or several objects, with the chunks that lead to them.
    struct Entry {
        let chunks: [Int32]
        let objects: [ObjectKey]
        let ref: Ref
    }

    private struct Level {
        let ref: Ref
        let slots: IndexNodeSlots
        let chunks: IntegerVector
        let isInner: Bool
        /// The number of chunks above this node.
        let depth: Int
        var next = 0
    }

    /// Maximum number of levels: 51 for the bytes of long strings, and those of each level's own tree.
    private static let deepest = 512
    /// Before format 6, levels continued to the end of long strings; this limit applies to nodes in general.
    private static let deepestBefore6 = 4096

    private let scope: SnapshotScope
    private let reporter: ReportedTree.Reporter
    private var levels: [Level] = []
    private var path: [Int32] = []
    private var budget: Int
    /// Whether the whole index could be read.
    private(set) var isComplete = true

    init(_ scope: SnapshotScope, root: Ref, reporter: @escaping ReportedTree.Reporter) {
        self.scope = scope
        self.reporter = reporter
        budget = scope.root.logicalSize / 8
        enter(root, depth: 0, expectedLast: nil)
    }

    /// The next entry; nil at the end.
    mutating func next() -> Entry? {
        while let level = levels.last {
            guard level.next < level.chunks.count, level.next < level.slots.count else {
                levels.removeLast()
                continue
            }
            let index = level.next
            levels[levels.count - 1].next += 1
            let chunk = Int32(truncatingIfNeeded: level.chunks[unchecked: index])
            let slot = level.slots.entry(unchecked: index)
            if level.isInner {
                guard case .ref(let child) = slot else {
                    lose(level.ref, "child \(index) of the index is missing")
                    continue
                }
                enter(child, depth: level.depth, expectedLast: chunk)
                continue
            }
            path.removeLast(path.count - level.depth)
            path.append(chunk)
            switch slot {
            case .empty: lose(level.ref, "element \(index) of the index is empty")
            case .tagged(let number):
                return Entry(chunks: path, objects: [ObjectKey(Int64(bitPattern: number))], ref: level.ref)
            case .ref(let ref):
                guard let node = scope.node(ref) else {
                    isComplete = false
                    continue
                }
                if node.header.isContext {
                    enter(ref, depth: level.depth + 1, expectedLast: nil)
                } else if let objects = list(ref) {
                    return Entry(chunks: path, objects: objects, ref: ref)
                }
            }
        }
        return nil
    }

    private mutating func lose(_ ref: Ref, _ message: String) {
        isComplete = false
        reporter(.indexShape, ref, message)
    }

    private mutating func enter(_ ref: Ref, depth: Int, expectedLast: Int32?) {
        budget -= 1
        guard budget >= 0, levels.count < (scope.format.number < 6 ? Self.deepestBefore6 : Self.deepest) else {
            isComplete = false
            levels = []
            return reporter(.workLimit, ref, "the index has more nodes than the file has room for")
        }
        guard let node = scope.node(ref) else {
            isComplete = false
            return
        }
        guard node.header.isContext, let slots = scope.refs(ref).flatMap({ IndexNodeSlots($0) }) else {
            return lose(ref, "\(node.summary) is not a node of an index")
        }
        guard let chunks = scope.integers(slots.chunks) else {
            isComplete = false
            return
        }
        if chunks.width != 32, chunks.count > 0 {
            return lose(slots.chunks, "the chunks of the index have \(chunks.width) bits instead of 32")
        }
        if chunks.count != slots.count {
            reporter(.indexShape, ref, "\(chunks.count) chunks for \(slots.count) elements of the index")
        }
        for index in 1..<max(1, chunks.count) where chunks[unchecked: index - 1] >= chunks[unchecked: index] {
            reporter(.indexShape, slots.chunks, "the chunks of the index do not ascend")
            break
        }
        if let expectedLast, chunks.count > 0, Int32(truncatingIfNeeded: chunks[chunks.count - 1]) != expectedLast {
            reporter(.indexShape, ref, "the last chunk of a child is not the one that its parent names")
        }
        levels.append(
            Level(ref: ref, slots: slots, chunks: chunks, isInner: node.header.isInner, depth: depth))
    }

    private mutating func list(_ root: Ref) -> [ObjectKey]? {
        var walk = TreeWalk(scope, root: root) { [reporter] _, ref, message in reporter(.indexShape, ref, message) }
        var objects: [ObjectKey] = []
        var count: Int?
        while let node = walk.next(count: count) {
            // A list cannot have more objects than the file has bytes.
            guard let keys = scope.integers(node.ref), objects.count + keys.count <= scope.root.logicalSize else {
                count = nil
                reporter(.indexShape, node.ref, "\(node.summary) is not a list of objects")
                continue
            }
            for index in 0..<keys.count { objects.append(ObjectKey(keys[unchecked: index])) }
            count = keys.count
        }
        guard walk.isComplete else {
            isComplete = false
            return nil
        }
        return objects
    }
}
