public import RealmLayout
public import RealmStorage

/// The part of a file that belongs to the database: where refs may lead.
///
/// Beside it there can be an overlay: nodes in memory that present the content of an older format in today's form, or those of a
/// transaction that is not committed. Their refs begin far behind every file, so that refs into the file cost nothing more.
///
/// Holds no reference to the bytes' owner; see `ByteView`.
@usableFromInline
package struct NodeSpace: Sendable {
    /// The bytes from the start of the file to the logical file size.
    @usableFromInline package let bytes: ByteView
    /// Through which pages of an encrypted file are asked for before their bytes are read.
    @usableFromInline package let gate: PageAccess

    /// Nodes that are not in the file; no bytes for files of today's formats.
    @usableFromInline let overlay: ByteView
    /// How many places for nodes the file has.
    @usableFromInline let places: UInt64

    /// Objects in a cluster: those of an overlay for an older format are as large as the leaves of that format.
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

    /// The ref of the overlay's first node: an exabyte is more than any file system takes.
    package static let overlayStart = 1 << 60

    /// Bytes of file and overlay: what there is to read.
    package var size: Int { bytes.count + overlay.count }

    /// Whether refs behind the file lead to the same nodes as in another space.
    package func hasSameOverlay(as other: NodeSpace) -> Bool {
        overlay.count == 0 && other.overlay.count == 0 || overlay.begins(with: other.overlay)
    }

    /// Whether what refs behind the file lead to in another space they lead to here as well.
    func hasOverlay(of other: NodeSpace) -> Bool { other.overlay.count == 0 || overlay.begins(with: other.overlay) }

    /// The same file without the overlay.
    package var withoutOverlay: NodeSpace { NodeSpace(bytes: bytes, gate: gate) }

    /// The same file with other nodes of a transaction.
    package func with(overlay: ByteView) -> NodeSpace { NodeSpace(bytes: bytes, overlay: overlay, gate: gate) }

    /// The same file with an overlay.
    func with(legacyOverlay overlay: ByteView) -> NodeSpace {
        NodeSpace(bytes: bytes, overlay: overlay, gate: gate, clusterObjects: Limits.legacyLeafElements)
    }

    /// The same space for nodes that are kept as long as the file is open.
    package var lasting: NodeSpace {
        NodeSpace(bytes: bytes, overlay: overlay, gate: gate.pinning, clusterObjects: clusterObjects)
    }

    /// Whether nodes may be gone when they are looked at without a lease: in an encrypted file.
    package var isTransient: Bool { gate.isClosed }

    /// The word at an offset that may be anything; 0 when it is not the offset of a node in the file. Loads the word ahead
    /// of its use, which decrypting a page is too much for: 0 in encrypted files.
    @inlinable @inline(__always)
    package func word(at offset: Int64) -> UInt64 {
        guard !gate.isClosed, offset & 7 == 0, offset >= 0, offset <= Int64(bytes.count &- 8) else { return 0 }
        return bytes.uint64(unchecked: Int(truncatingIfNeeded: offset))
    }

    /// Whether a node may begin at an offset: a multiple of 8 behind the header of the file, with room for its own.
    @inlinable @inline(__always)
    func isPlace(_ offset: Int) -> Bool {
        // What is left of the division by 8 becomes the highest bits, and so does a negative number: more than all places.
        let distance = UInt64(bitPattern: Int64(offset &- FileHeader.size))
        return distance &>> 3 | distance &<< 61 < places
    }

    /// Opens the node at `ref`.
    ///
    /// - Throws: `badRef`, `badNode`, `nodeOutsideFile`; `damagedPage` and `unwrittenPage` in an encrypted file.
    @inlinable @inline(__always)
    package func node(at ref: Ref) throws(FormatError) -> Node {
        guard isPlace(ref.offset) else { return try overlayNode(at: ref) }
        // Nodes begin at multiples of 8: their headers are in one page.
        if gate.isClosed { try gate.admit(ref.offset, NodeHeader.size) }
        return try node(at: ref, as: NodeHeader(word: bytes.uint64(unchecked: ref.offset)))
    }

    /// The header of the node at `ref`, whatever it says.
    ///
    /// - Throws: `badRef`; `damagedPage` and `unwrittenPage` in an encrypted file.
    package func header(at ref: Ref) throws(FormatError) -> NodeHeader {
        guard isPlace(ref.offset) else { throw Node.badRef(ref, limit: bytes.count) }
        if gate.isClosed { try gate.admit(ref.offset, NodeHeader.size) }
        return NodeHeader(word: bytes.uint64(unchecked: ref.offset))
    }

    /// Opens the node at `ref`, whose own header can be read, with a header that may not be the one that is there.
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
