public import RealmLayout

/// The part of a file that belongs to the database: where refs may lead.
///
/// Holds no reference to the bytes' owner; see `ByteView`.
@usableFromInline
package struct NodeSpace: Sendable {
    /// The bytes from the start of the file to the logical file size.
    @usableFromInline package let bytes: ByteView

    package init(bytes: ByteView) { self.bytes = bytes }

    /// The word at an offset that may be anything; 0 when it is not the offset of a node in the file.
    @inlinable @inline(__always)
    package func word(at offset: Int64) -> UInt64 {
        guard offset & 7 == 0, offset >= 0, offset <= Int64(bytes.count &- 8) else { return 0 }
        return bytes.uint64(unchecked: Int(truncatingIfNeeded: offset))
    }

    /// Opens the node at `ref`.
    ///
    /// - Throws: `badRef`, `badNode`, `nodeOutsideFile`.
    @inlinable
    package func node(at ref: Ref) throws(FormatError) -> Node {
        let limit = bytes.count
        guard ref.offset & 7 == 0, ref.offset >= FileHeader.size, ref.offset <= limit &- NodeHeader.size else {
            throw Node.badRef(ref, limit: limit)
        }
        let header = NodeHeader(word: bytes.uint64(unchecked: ref.offset))
        guard let size = header.payloadSize else { throw Node.badWidthType(ref) }
        let padded = (size &+ 7) & ~7
        guard padded <= limit &- ref.offset &- NodeHeader.size else {
            throw Node.outside(ref, size: size, limit: limit)
        }
        return Node(
            ref: ref, header: header, size: size,
            body: bytes.slice(unchecked: ref.offset, count: NodeHeader.size &+ padded))
    }
}
