package import RealmCore
package import RealmLayout
package import RealmStorage

/// Shows the nodes of a snapshot as stored in the file, with their roles.
package struct NodeInspector: Sendable {
    let snapshot: Snapshot

    /// Creates an inspector of `snapshot`.
    package init(_ snapshot: Snapshot) { self.snapshot = snapshot }

    /// Creates an inspector of a plain file whose header or top cannot be read. Refs are file offsets; roles are
    /// unknown.
    package init(wholeOf source: ByteSource) throws(FormatError) {
        let data = DatabaseImage(source: source, pages: nil)
        snapshot = try Snapshot(data: data, mark: nil, version: FormatVersion(24), slot: 0, topRef: nil)
    }

    /// Returns the node at a path.
    ///
    /// - Parameter path: The element indices from the group's top; empty for the top itself.
    /// - Throws: `noSuchObject` when an element of the path does not exist or holds no ref, and errors of opening
    ///   nodes.
    package func node(at path: [Int]) throws(FormatError) -> InspectedNode {
        guard let top = snapshot.topRef else {
            throw FormatError(.noSuchObject, "the database is empty: it has no nodes")
        }
        let hold = snapshot.hold()
        var node = try snapshot.fileSpace.node(at: top)
        var role = NodeRole(.groupTop, "group top")
        var way: [String] = []
        for (depth, index) in path.enumerated() {
            let place = depth == 0 ? "the group top" : "the node at path \(Self.text(path.prefix(depth)))"
            guard index >= 0, index < node.count else {
                throw FormatError(.noSuchObject, "\(place) has no element \(index), only \(node.count)")
            }
            guard let ref = try node.child(at: index) else {
                throw FormatError(.noSuchObject, "element \(index) of \(place) is not a ref")
            }
            way.append(role.slotName(index, of: node, in: snapshot) ?? "element \(index)")
            role = role.child(at: index, of: node, in: snapshot)
            node = try snapshot.fileSpace.node(at: ref)
        }
        return InspectedNode(
            snapshot: snapshot, node: node, role: role.prepared(for: node), path: path, way: way, hold: hold)
    }

    /// Returns the node at `ref`, with its role if a path from the top leads to it.
    ///
    /// Searches the nodes from the top until it reaches the ref.
    ///
    /// - Throws: Errors of opening the node.
    package func node(at ref: Ref) throws(FormatError) -> InspectedNode {
        _ = try snapshot.reading { () throws(FormatError) in try snapshot.fileSpace.node(at: ref) }
        if let top = snapshot.topRef {
            var walk = NodeWalk(root: top, in: snapshot.fileSpace)
            while let step = snapshot.reading({ walk.next() }) {
                if case .node(let found) = step, found.ref == ref { return try self.node(at: walk.path) }
            }
        }
        let hold = snapshot.hold()
        let node = try snapshot.fileSpace.node(at: ref)
        return InspectedNode(snapshot: snapshot, node: node, role: .unknown, path: nil, way: [], hold: hold)
    }

    /// Formats a path as on the command line: `1/0/3`.
    package static func text(_ path: some Sequence<Int>) -> String { path.map { String($0) }.joined(separator: "/") }
}
