import Expectations
import RealmLayout
import TestSupport
import Testing

import RealmCore

/// The walk over all nodes terminates on every file, with work proportional to its size.
@Suite struct NodeWalkTests {
    /// Returns the results of the walk from `root`, which is aborted after more than two steps for each byte.
    private func steps(_ bytes: [UInt8], from root: Int) -> (nodes: Int, again: Int, damaged: [FormatError]) {
        ByteView.with(bytes) { view in
            var walk = NodeWalk(root: Ref(root), in: NodeSpace(bytes: view))
            var (nodes, again, damaged) = (0, 0, [FormatError]())
            while nodes + again + damaged.count <= 2 * bytes.count, let step = walk.next() {
                switch step {
                case .node: nodes += 1
                case .again: again += 1
                case .damaged(_, let error): damaged.append(error)
                }
            }
            return (nodes, again, damaged)
        }
    }

    /// Every eight bytes are a node whose elements are the rest of the file: refs to nodes, in the unused part of the
    /// header.
    @Test func `nodes inside nodes are walked in bounded work`() throws {
        let count = 8000
        var bytes = [UInt8](repeating: 0, count: FileHeader.size)
        let end = bytes.count + count * NodeHeader.size
        while bytes.count < end {
            let next = bytes.count + NodeHeader.size
            let ref = next < end ? next : FileHeader.size
            let elements = (end - next) / 4
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: ref >> (8 * $0)) }
            bytes.append(NodeHeader.Mask.hasRefs | 6)
            bytes += [UInt8(elements >> 16 & 0xFF), UInt8(elements >> 8 & 0xFF), UInt8(elements & 0xFF)]
        }
        let found = steps(bytes, from: FileHeader.size)
        expect(found.nodes + found.again + found.damaged.count <= bytes.count + FileHeader.size)
        expect(found.damaged.contains { $0.code == .sharedNodes })
    }

    /// Zeros are not refs, however many an array of eight bytes has.
    @Test func `zeros are not followed as refs`() {
        var writer = NodeWriter()
        let arrays = (0..<200).map { _ in writer.zeros(Limits.nodeElements, flags: NodeHeader.Mask.hasRefs) }
        let root = writer.refs(arrays)
        let found = steps(writer.bytes, from: root)
        expect(found.nodes == 201 && found.again == 0 && found.damaged.isEmpty)
    }

    @Test func `a chain of nodes is limited in depth`() {
        var writer = NodeWriter()
        var root = writer.integers([])
        for _ in 0...Limits.nodeDepth { root = writer.refs([root]) }
        let found = steps(writer.bytes, from: root)
        expectEqual(found.nodes, Limits.nodeDepth)
        expectEqual(found.damaged.map(\.code), [.tooDeep])
    }

    /// The path is that of the node of the step, whether it is entered or not.
    @Test func `the path is that of the node of the step`() {
        var writer = NodeWriter()
        let leaf = writer.integers([1])
        let inner = writer.refs([NodeWriter.tagged(7), leaf])
        let root = writer.refs([leaf, 0, inner])
        ByteView.with(writer.bytes) { view in
            var walk = NodeWalk(root: Ref(root), in: NodeSpace(bytes: view))
            var paths: [[Int]] = []
            while walk.next() != nil { paths.append(walk.path) }
            expectEqual(paths, [[], [0], [2], [2, 1]])
        }
    }
}
