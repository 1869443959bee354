package import RealmCore
package import RealmLayout

/// The owner of a byte of a file.
package enum OffsetDescription: Sendable {
    /// The header's 24 bytes.
    case header
    /// A node, with every path that leads to it: exactly one in an intact file.
    case node(InspectedNode, paths: [[Int]])
    /// The target of a ref, where there is no valid node.
    case damagedNode(path: [Int], FormatError)
    /// A chunk on the free list.
    case free(chunk: Range<Int>, freedBy: Int64)
    /// Inside the database, but neither reachable from the top nor free.
    case unaccounted
    /// Beyond the end of the database: unused, or the footer of the streaming form.
    case beyondDatabase(isFooter: Bool)
}

extension NodeInspector {
    /// Finds the owner of the byte at `offset` by walking all nodes.
    ///
    /// - Parameters:
    ///   - isStreaming: Whether the file has the streaming form, and therefore a footer.
    ///   - fileSize: The size of the file, used to locate the footer.
    /// - Throws: Errors of opening the node that was found.
    package func whereabouts(of offset: Int, isStreaming: Bool, fileSize: Int) throws(FormatError) -> OffsetDescription
    {
        if offset < FileHeader.size { return .header }
        if offset >= snapshot.logicalSize {
            return .beyondDatabase(isFooter: isStreaming && offset >= fileSize - FileHeader.footerSize)
        }
        if let top = snapshot.topRef {
            var found: (ref: Ref, paths: [[Int]])?
            var damaged: (path: [Int], error: FormatError)?
            var walk = NodeWalk(root: top, in: snapshot.fileSpace)
            while let step = snapshot.reading({ walk.next() }) {
                switch step {
                case .node(let node):
                    let end = node.ref.offset + node.byteCount
                    if offset >= node.ref.offset, offset < end, found == nil { found = (node.ref, [walk.path]) }
                case .again(let ref):
                    if ref == found?.ref { found?.paths.append(walk.path) }
                case .damaged(let ref, let error):
                    if ref.offset == offset & ~7 { damaged = (walk.path, error) }
                }
            }
            if let found { return .node(try node(at: found.paths[0]), paths: found.paths) }
            if let damaged { return .damagedNode(path: damaged.path, damaged.error) }
        }
        return snapshot.reading { freeChunk(at: offset) } ?? .unaccounted
    }

    private func freeChunk(at offset: Int) -> OffsetDescription? {
        let space = snapshot.fileSpace
        guard let top = snapshot.topRef.flatMap({ try? Record<GroupTopSlot>(at: $0, in: space) }),
            let found = (try? top.freeList(in: space))?.chunk(containing: offset, limit: .max)
        else { return nil }
        return .free(chunk: found.bytes, freedBy: found.freedBy)
    }
}

extension Node {
    /// Number of bytes of header, payload and padding.
    package var byteCount: Int { NodeHeader.size + (size + 7) & ~7 }
}
