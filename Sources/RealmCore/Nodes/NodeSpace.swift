public import RealmLayout
public import RealmStorage

/// The part of a file that belongs to the database: the target area of refs.
///
/// An overlay may supplement it: nodes in memory that present the content of an older format in the current form, or
/// those of an uncommitted transaction. Their refs begin far beyond the end of any file, which makes refs into the file
/// no more expensive.
///
/// Holds no reference to the bytes' owner; see `ByteView`.
@usableFromInline
package struct NodeSpace: Sendable {
    /// The bytes from the start of the file to the logical file size.
    @usableFromInline package let bytes: ByteView
    /// The gate through which pages of an encrypted file are requested before their bytes are read.
    @usableFromInline package let gate: PageAccess

    /// Nodes that are not in the file; empty for files of current formats.
    @usableFromInline let overlay: ByteView
    /// The number of possible node positions in the file.
    @usableFromInline let places: UInt64

    /// Maximum objects per cluster; clusters of a legacy overlay are as large as the leaves of that format.
    @usableFromInline let clusterObjects: Int

    package init(
        bytes: ByteView, overlay: ByteView = .empty, gate: PageAccess = .none,
        clusterObjects: Int = Limits.clusterObjects
    ) {
        self.bytes = bytes
        self.overlay = overlay
        self.gate = gate
        self.clusterObjects = clusterObjects
        places = UInt64(max(bytes.count - FileHeader.size, 0) / NodeHeader.size)
    }

    /// The ref of the overlay's first node: an exabyte, more than any file system supports.
    package static let overlayStart = 1 << 60

    /// The size of file and overlay in bytes.
    package var size: Int { bytes.count + overlay.count }

    /// Whether refs beyond the file lead to the same nodes as in another space.
    package func hasSameOverlay(as other: NodeSpace) -> Bool {
        overlay.count == 0 && other.overlay.count == 0 || overlay.begins(with: other.overlay)
    }

    /// Whether refs beyond the file that are valid in another space lead to the same nodes here.
    func hasOverlay(of other: NodeSpace) -> Bool { other.overlay.count == 0 || overlay.begins(with: other.overlay) }

    /// The same file without the overlay.
    package var withoutOverlay: NodeSpace { NodeSpace(bytes: bytes, gate: gate) }

    /// The same file with different nodes of a transaction.
    package func with(overlay: ByteView) -> NodeSpace { NodeSpace(bytes: bytes, overlay: overlay, gate: gate) }

    /// The same file with an overlay.
    func with(legacyOverlay overlay: ByteView) -> NodeSpace {
        NodeSpace(bytes: bytes, overlay: overlay, gate: gate, clusterObjects: Limits.legacyLeafElements)
    }

    /// The same space, for nodes that are kept as long as the file is open.
    package var lasting: NodeSpace {
        NodeSpace(bytes: bytes, overlay: overlay, gate: gate.pinning, clusterObjects: clusterObjects)
    }

    /// Whether nodes may be evicted unless a lease is held, as in an encrypted file.
    package var isTransient: Bool { gate.isClosed }

    /// The word at an arbitrary offset; 0 when no node of the file can be there. Loads the word ahead of its use.
    /// Returns 0 in encrypted files, where decrypting a page would be too expensive.
    @inlinable @inline(__always)
    package func word(at offset: Int64) -> UInt64 {
        guard !gate.isClosed, offset & 7 == 0, offset >= 0, offset <= Int64(bytes.count &- 8) else { return 0 }
        return bytes.uint64(unchecked: Int(truncatingIfNeeded: offset))
    }

    /// Whether a node may begin at an offset: a multiple of 8 after the file's header, with room for the node's header.
    @inlinable @inline(__always)
    func isPlace(_ offset: Int) -> Bool {
        // The remainder of the division by 8 becomes the highest bits, as does a negative sign: more than all places.
        let distance = UInt64(bitPattern: Int64(offset &- FileHeader.size))
        return distance &>> 3 | distance &<< 61 < places
    }

    /// Opens the node at `ref`.
    ///
    /// - Throws: `badRef`, `badNode`, `nodeOutsideFile`; `damagedPage` and `unwrittenPage` in an encrypted file.
    @inlinable @inline(__always)
    package func node(at ref: Ref) throws(FormatError) -> Node {
        guard isPlace(ref.offset) else { return try overlayNode(at: ref) }
        // Nodes begin at multiples of 8, so a header never crosses a page boundary.
        if gate.isClosed { try gate.admit(ref.offset, NodeHeader.size) }
        return try node(at: ref, as: NodeHeader(word: bytes.uint64(unchecked: ref.offset)))
    }

    /// The header of the node at `ref`, without validation.
    ///
    /// - Throws: `badRef`; `damagedPage` and `unwrittenPage` in an encrypted file.
    package func header(at ref: Ref) throws(FormatError) -> NodeHeader {
        guard isPlace(ref.offset) else { throw Node.badRef(ref, limit: bytes.count) }
        if gate.isClosed { try gate.admit(ref.offset, NodeHeader.size) }
        return NodeHeader(word: bytes.uint64(unchecked: ref.offset))
    }

    /// Opens the node at `ref`, whose own header must be readable, with a header that may differ from the stored one.
    @usableFromInline
    @inline(never)
    package func node(at ref: Ref, as header: NodeHeader) throws(FormatError) -> Node {
        let limit = bytes.count
        guard let size = header.payloadSize else { throw Node.badWidthType(ref) }
        let padded = (size &+ 7) & ~7
        guard padded <= limit &- ref.offset &- NodeHeader.size else {
            throw Node.outside(ref, size: size, limit: limit)
        }
        if gate.isClosed { try gate.admit(ref.offset, NodeHeader.size &+ padded, after: NodeHeader.size) }
        return Node(
            ref: ref, header: header, size: size,
            body: bytes.slice(unchecked: ref.offset, count: NodeHeader.size &+ padded))
    }

    /// Opens a node of the overlay.
    @usableFromInline
    @inline(never)
    func overlayNode(at ref: Ref) throws(FormatError) -> Node {
        let offset = ref.offset &- Self.overlayStart
        guard offset >= 0, offset & 7 == 0, offset <= overlay.count - NodeHeader.size else {
            throw Node.badRef(ref, limit: bytes.count)
        }
        let header = NodeHeader(word: overlay.uint64(unchecked: offset))
        // Refs from a hostile file can lead into the middle of a node.
        guard let size = header.payloadSize else { throw Node.badWidthType(ref) }
        let padded = (size + 7) & ~7
        guard padded <= overlay.count - offset - NodeHeader.size else {
            throw Node.outside(ref, size: size, limit: bytes.count)
        }
        return Node(
            ref: ref, header: header, size: size,
            body: overlay.slice(unchecked: offset, count: NodeHeader.size + padded))
    }
}
