public import RealmLayout
public import RealmStorage

/// How an opened file is encrypted, and the state of its pages.
public struct Encryption: Sendable {
    private let pages: EncryptedPages

    init(_ pages: EncryptedPages) { self.pages = pages }

    /// Pages of 4096 bytes that the data has.
    public var pageCount: Int { pages.file.geometry.pageCount }

    /// Bytes after the last whole page; 0 in a file that is as it was written.
    public var strayBytes: Int { pages.file.geometry.strayBytes }

    /// How many pages were never written. Reads one page in 65 of the file.
    public func neverWrittenCount() -> Int { pages.countNeverWritten() }

    /// The states of all pages. Reads the whole file.
    ///
    /// - Throws: `FormatError` when there is no memory for it.
    public func census() throws(FormatError) -> PageCensus { try pages.census() }

    /// Decrypted pages that are in memory, the most there were since the file was opened, and how often one was decrypted.
    package var statistics: (now: Int, peak: Int, total: Int) { pages.statistics }
}
