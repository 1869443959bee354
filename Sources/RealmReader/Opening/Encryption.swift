package import RealmLayout
package import RealmStorage

/// How an opened file is encrypted, and the state of its pages.
package struct Encryption: Sendable {
    private let pages: EncryptedPages

    init(_ pages: EncryptedPages) { self.pages = pages }

    /// Pages of 4096 bytes that the data has.
    package var pageCount: Int { pages.file.geometry.pageCount }

    /// Bytes after the last whole page; 0 in a file that is as it was written.
    package var strayBytes: Int { pages.file.geometry.strayBytes }

    /// How many pages were never written. Reads one page in 65 of the file.
    package func neverWrittenCount() -> Int { pages.countNeverWritten() }

    /// The states of all pages. Reads the whole file.
    ///
    /// - Throws: `FormatError` when there is no memory for it.
    package func census() throws(FormatError) -> PageCensus { try pages.census() }

    /// Decrypted pages that are in memory, the most there were since the file was opened, and how often one was decrypted.
    package var statistics: (now: Int, peak: Int, total: Int) { pages.statistics }
}
