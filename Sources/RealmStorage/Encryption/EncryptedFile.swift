package import RealmLayout

/// The entries and pages of an encrypted file, as they are.
package struct EncryptedFile: Sendable {
    /// Where what is.
    package let geometry: PageGeometry
    private let bytes: ByteView

    /// Looks at the bytes of a file, whose owner the caller keeps.
    package init(_ bytes: ByteView) {
        self.bytes = bytes
        geometry = PageGeometry(fileSize: bytes.count)
    }

    /// The counters of the last two writes of a page; 0 for a write that was not.
    func counters(ofPage page: Int) -> (last: UInt32, before: UInt32) {
        let entry = PageGeometry.offset(ofEntryOfPage: page)
        return (
            bytes.uint32(unchecked: entry), bytes.uint32(unchecked: entry + PageGeometry.entrySize / 2)
        )
    }

    /// Whether a page was never written.
    func isNeverWritten(_ page: Int) -> Bool { counters(ofPage: page).last == 0 }

    /// The encrypted bytes of a page.
    func encrypted(_ page: Int) -> ByteView {
        bytes.slice(unchecked: PageGeometry.offset(ofPage: page), count: PageGeometry.pageSize)
    }

    /// What state a page is in.
    ///
    /// - Parameter encrypted: the page's encrypted bytes, from the file or copied.
    func state(ofPage page: Int, _ encrypted: ByteView, _ cipher: PageCipher) -> PageState {
        let counters = counters(ofPage: page)
        guard counters.last != 0 else { return .neverWritten }
        let entry = PageGeometry.offset(ofEntryOfPage: page)
        cipher.authenticate(encrypted)
        if cipher.matches(bytes, at: entry + 4) { return .written }
        if counters.before == 0 { return .interruptedFirstWrite }
        if cipher.matches(bytes, at: entry + PageGeometry.entrySize / 2 + 4) { return .interruptedRewrite }
        return Self.isZero(encrypted) ? .zeroed : .failing
    }

    private static func isZero(_ bytes: ByteView) -> Bool {
        stride(from: 0, to: bytes.count, by: 8).allSatisfy { bytes.uint64(unchecked: $0) == 0 }
    }
}
