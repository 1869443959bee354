package import RealmLayout
internal import Synchronization

/// The entries and pages of an encrypted file, still encrypted.
package struct EncryptedFile: Sendable {
    private let bytes: ByteView
    private let extent: FileExtent

    /// Wraps the bytes of a file, whose owner the caller keeps alive.
    ///
    /// - Parameter size: how many of the bytes the file has now; a file that is changed in place may grow to the rest.
    package init(_ bytes: ByteView, size: Int? = nil) {
        self.bytes = bytes
        extent = FileExtent(size ?? bytes.count)
    }

    /// The positions of pages and entries.
    package var geometry: PageGeometry { PageGeometry(fileSize: extent.size) }

    /// Records that the file has grown.
    func noteSize(_ size: Int) { extent.size = size }

    /// The entry of a page: counters and authentication codes of its last two writes.
    func entry(_ page: Int) -> ByteView {
        bytes.slice(unchecked: PageGeometry.offset(ofEntryOfPage: page), count: PageGeometry.entrySize)
    }

    /// The entries of several pages of one block.
    func entries(_ pages: Range<Int>) -> ByteView {
        bytes.slice(
            unchecked: PageGeometry.offset(ofEntryOfPage: pages.lowerBound), count: pages.count * PageGeometry.entrySize
        )
    }

    /// Whether a page was never written, judging by its entry alone.
    package func isNeverWritten(_ page: Int) -> Bool { counters(page).last == 0 }

    /// The encrypted bytes of a page.
    func encrypted(_ page: Int) -> ByteView {
        bytes.slice(unchecked: PageGeometry.offset(ofPage: page), count: PageGeometry.pageSize)
    }

    /// The counters of the last two writes of a page; 0 for a write that did not happen.
    package func counters(_ page: Int) -> (last: UInt32, before: UInt32) { Self.counters(entry(page)) }

    /// The counters of the last two writes in an entry; 0 for a write that did not happen.
    static func counters(_ entry: ByteView) -> (last: UInt32, before: UInt32) {
        (entry.uint32(unchecked: 0), entry.uint32(unchecked: PageGeometry.entrySize / 2))
    }

    /// Whether a writer can leave these two counters (Spec R130.4). They grow by one, or by two if the code would
    /// otherwise stay the same; a counter that wraps around skips 0. A write that was interrupted and repeated may
    /// leave both equal.
    package static func canFollow(_ last: UInt32, _ before: UInt32) -> Bool {
        last == 0 ? before == 0 : last &- before <= 2
    }

    /// Determines the state of a page from its entry and its encrypted bytes, which may be copies.
    static func state(_ entry: ByteView, _ encrypted: ByteView, _ cipher: PageCipher) -> PageState {
        let counters = counters(entry)
        guard counters.last != 0 else { return .neverWritten }
        cipher.authenticate(encrypted)
        if cipher.matches(entry, at: 4) { return .written }
        if counters.before == 0 { return .interruptedFirstWrite }
        if cipher.matches(entry, at: PageGeometry.entrySize / 2 + 4) { return .interruptedRewrite }
        return encrypted.isZero ? .zeroed : .failing
    }
}

extension ByteView {
    /// Whether a view of equal size, in whole words, has the same bytes.
    func hasBytes(of other: ByteView) -> Bool {
        stride(from: 0, to: count, by: 8).allSatisfy { uint64(unchecked: $0) == other.uint64(unchecked: $0) }
    }
}

/// The size of a file; all users of the file see it grow.
private final class FileExtent: Sendable {
    private let bytes: Atomic<Int>

    init(_ size: Int) { bytes = Atomic(size) }

    var size: Int {
        get { bytes.load(ordering: .acquiring) }
        set { bytes.store(newValue, ordering: .releasing) }
    }
}
