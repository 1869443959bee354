package import RealmReader
package import RealmLayout

/// What a byte of a file belongs to.
package enum OffsetDescription: Sendable {
    /// The header's 24 bytes.
    case header
    /// A node, by every way that leads to it: one in an intact file.
    case node(InspectedNode, paths: [[Int]])
    /// A ref leads there, but there is no node.
    case damagedNode(path: [Int], FormatError)
    /// A chunk in the list of free space.
    case free(chunk: Range<Int>, freedBy: Int64)
    /// Inside the database, but neither a node that the top leads to nor free.
    case unaccounted
    /// After the end of the database: unused, or the footer of the streaming form.
    case beyondDatabase(isFooter: Bool)
}

extension NodeInspector {
    /// Finds what the byte at `offset` belongs to, by going through all nodes.
    ///
    /// - Parameters:
    ///   - isStreaming: whether the file has the streaming form, and with it a footer.
    ///   - fileSize: the size of the file, for the footer.
    /// - Throws: what opening a node that was found throws.
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
    /// Bytes of header, payload and padding.
    package var byteCount: Int { NodeHeader.size + (size + 7) & ~7 }
}
