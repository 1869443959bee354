package import RealmLayout
package import RealmStorage

/// The encryption of an opened file, and the state of its pages.
package struct Encryption: Sendable {
    private let pages: EncryptedPages

    init(_ pages: EncryptedPages) { self.pages = pages }

    /// The number of 4096-byte pages of data.
    package var pageCount: Int { pages.file.geometry.pageCount }

    /// Bytes after the last whole page; 0 in an intact file.
    package var strayBytes: Int { pages.file.geometry.strayBytes }

    /// The number of pages that were never written. Reads one page in 65 of the file.
    package func neverWrittenCount() -> Int { pages.countNeverWritten() }

    /// Returns the states of all pages. Reads the whole file.
    ///
    /// - Throws: `FormatError` when there is not enough memory.
    package func census() throws(FormatError) -> PageCensus { try pages.census() }

    /// Decrypted pages in memory, their peak number since the file was opened, and the total number of decryptions.
    package var statistics: (now: Int, peak: Int, total: Int) { pages.statistics }
}
