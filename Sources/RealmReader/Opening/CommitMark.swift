package import RealmLayout
package import RealmStorage

/// What tells one state of a file that others may be writing from the next (Spec 140).
///
/// The header alone does not: small commits use the same few places in turn, so that the same 24 bytes come back every
/// second commit. The root holds the number of the commit. As long as both are what they were, at most the next commit
/// has begun, and that one does not touch the nodes of this one.
package struct CommitMark: Equatable, Sendable {
    private let start: [UInt8]
    private let root: [UInt8]

    /// The mark of the file behind a map; nil for bytes that nobody else can change.
    ///
    /// - Throws: `fileChanged` when the file cannot be read any more.
    package static func now(of source: ByteSource) throws(FormatError) -> CommitMark? {
        guard let file = source.mappedFile else { return nil }
        do {
            return try CommitMark(of: file)
        } catch {
            throw FormatError(.fileChanged, "the file cannot be read any more: \(error.reason)")
        }
    }

    /// Compares with the file as it is at this moment.
    ///
    /// - Throws: `fileChanged`.
    package func check(_ source: ByteSource) throws(FormatError) {
        guard try Self.now(of: source) == self else {
            throw FormatError(.fileChanged, "another process changed the file while it was being read")
        }
    }

    /// Reads the mark of the file as it is at this moment.
    ///
    /// - Throws: `StorageError` when reading fails.
    init(of file: OpenedFile) throws(StorageError) {
        // An encrypted file begins with the entry of the page that holds the header: its write counter and code change with
        // every commit.
        let start = try file.contents(at: 0, count: PageGeometry.entrySize)
        guard let header = ByteView.with(start, { FileHeader($0) }), header.hasMnemonic else {
            self.start = start
            root = []
            return
        }
        self.start = Array(start[..<FileHeader.size])
        root = try Self.root(header, in: file)
    }

    /// The bytes of the node that the selected slot leads to; none when it leads nowhere.
    private static func root(_ header: FileHeader, in file: OpenedFile) throws(StorageError) -> [UInt8] {
        var topRef = header.slots[header.selectedSlot].topRef
        if header.isStreaming {
            let footer = try file.contents(at: max(0, file.size() - FileHeader.footerSize), count: NodeHeader.size)
            topRef = word(footer) ?? 0
        }
        guard let offset = Int(exactly: topRef), offset >= FileHeader.size, offset < Int.max / 2,
            let word = word(try file.contents(at: offset, count: NodeHeader.size))
        else { return [] }
        // A root has at most twelve elements of eight bytes; more is no root, and nothing to compare.
        let size = min(NodeHeader(word: word).payloadSize ?? 0, (GroupTopSlot.allowedCounts.max() ?? 0) * 8)
        return try file.contents(at: offset, count: NodeHeader.size + size)
    }

    private static func word(_ bytes: [UInt8]) -> UInt64? {
        guard bytes.count >= NodeHeader.size else { return nil }
        return ByteView.with(bytes) { $0.uint64(unchecked: 0) }
    }
}
