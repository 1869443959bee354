internal import RealmCore
package import RealmLayout
package import RealmStorage

/// The bytes to verify: those of the file, or the decrypted content of its pages.
package struct DataUnderVerification {
    /// All data. Pages of an encrypted file without data are zeros.
    let bytes: ByteView
    private let pages: EncryptedPages?

    package init(_ bytes: ByteView, pages: EncryptedPages? = nil) {
        self.bytes = bytes
        self.pages = pages
    }

    /// A space for the nodes in a part of the data.
    func space(_ bytes: ByteView) -> NodeSpace {
        // Decrypted pages stay in memory, because checks keep views of them indefinitely.
        NodeSpace(bytes: bytes, gate: pages.map { PageAccess($0, pins: true) } ?? .none)
    }
}
