package import RealmLayout
package import RealmStorage

/// Identifies one state of a file that other processes may write (Spec 140).
///
/// The header alone does not suffice: small commits alternate between the same few locations, so the same 24 bytes
/// recur every second commit. The root contains the commit number. While both are unchanged, at most the next commit
/// has begun, and it does not touch the nodes of this one.
package struct CommitMark: Equatable, Sendable {
    private let start: [UInt8]
    private let root: [UInt8]

    /// The current mark of a mapped file; nil for bytes that no other process can change.
    ///
    /// - Throws: `fileChanged` when the file can no longer be read.
    package static func now(of source: ByteSource) throws(FormatError) -> CommitMark? {
        guard let file = source.mappedFile else { return nil }
        do {
            return try CommitMark(of: file)
        } catch {
            throw FormatError(.fileChanged, "the file cannot be read any more: \(error.reason)")
        }
    }

    /// Compares with the current state of the file.
    ///
    /// - Throws: `fileChanged`.
    package func check(_ source: ByteSource) throws(FormatError) {
        guard try Self.now(of: source) == self else {
            throw FormatError(.fileChanged, "another process changed the file while it was being read")
        }
    }

    /// Reads the mark of the file's current state.
    ///
    /// - Throws: `StorageError` when reading fails.
    init(of file: OpenedFile) throws(StorageError) {
        // An encrypted file begins with the entry of the page that holds the header; its write counter and code change
        // with every commit.
        let start = try file.contents(at: 0, count: PageGeometry.entrySize)
        guard let header = ByteView.with(start, { FileHeader($0) }), header.hasMnemonic else {
            self.start = start
            root = []
            return
        }
        self.start = Array(start[..<FileHeader.size])
        root = try Self.root(header, in: file)
    }

    /// The bytes of the node at the selected slot's top ref; empty when there is none.
    private static func root(_ header: FileHeader, in file: OpenedFile) throws(StorageError) -> [UInt8] {
        var topRef = header.slots[header.selectedSlot].topRef
        if header.isStreaming {
            let footer = try file.contents(at: max(0, file.size() - FileHeader.footerSize), count: NodeHeader.size)
            topRef = word(footer) ?? 0
        }
        guard let offset = Int(exactly: topRef), offset >= FileHeader.size, offset < Int.max / 2,
            let word = word(try file.contents(at: offset, count: NodeHeader.size))
        else { return [] }
        // A root has at most twelve elements of eight bytes; a larger node is not a root and need not be compared.
        let size = min(NodeHeader(word: word).payloadSize ?? 0, (GroupTopSlot.allowedCounts.max() ?? 0) * 8)
        return try file.contents(at: offset, count: NodeHeader.size + size)
    }

    private static func word(_ bytes: [UInt8]) -> UInt64? {
        guard bytes.count >= NodeHeader.size else { return nil }
        return ByteView.with(bytes) { $0.uint64(unchecked: 0) }
    }
}
