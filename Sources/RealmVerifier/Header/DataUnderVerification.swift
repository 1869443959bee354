package import RealmLayout
internal import RealmReader
package import RealmStorage

/// The bytes that are verified: those of the file, or what its encrypted pages hold.
package struct DataUnderVerification {
    /// All data. Pages of an encrypted file that have none are zeros.
    let bytes: ByteView
    private let pages: EncryptedPages?

    package init(_ bytes: ByteView, pages: EncryptedPages? = nil) {
        self.bytes = bytes
        self.pages = pages
    }

    /// Where the nodes are in a part of the data.
    func space(_ bytes: ByteView) -> NodeSpace {
        // Whatever was decrypted stays, because checks keep what they look at for as long as they like.
        NodeSpace(bytes: bytes, gate: pages.map { PageAccess($0, pins: true) } ?? .none)
    }
}
