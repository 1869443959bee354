/// The positions of pages in an encrypted file (Spec 130).
///
/// Encryption divides the plain file, the data, into pages of 4096 bytes. Blocks of 64 pages follow each other in the
/// encrypted file, each preceded by a page with the 64 entries that describe their encryption.
@usableFromInline
package struct PageGeometry: Equatable, Sendable {
    /// The size of a page in bytes, independent of the machine's page size.
    @inlinable package static var pageSize: Int { 4096 }
    /// The number of data pages for each page of entries.
    package static let pagesInBlock = 64
    /// The size of a page's entry in bytes.
    package static let entrySize = 64
    /// The size of a block in bytes, with its page of entries.
    package static let blockSize = (pagesInBlock + 1) * pageSize

    /// The bytes of data in a block.
    static let blockDataSize = pagesInBlock * pageSize
    /// The unit of the size of new data. Releases that work in memory pages, which may have 16 KiB, refuse other files.
    static let dataUnit = 4 * pageSize

    /// The size of the encrypted file in bytes.
    package let fileSize: Int

    /// Describes an encrypted file of `fileSize` bytes.
    package init(fileSize: Int) { self.fileSize = fileSize }

    /// The number of complete data pages. The file may end with a page of entries without data pages, because it is
    /// extended that way.
    package var pageCount: Int {
        let rest = fileSize % Self.blockSize
        return fileSize / Self.blockSize * Self.pagesInBlock + max(0, rest / Self.pageSize - 1)
    }

    /// The bytes of data in complete pages.
    package var dataSize: Int { pageCount * Self.pageSize }

    /// The bytes after the last complete page; 0 in undamaged files.
    package var strayBytes: Int { fileSize % Self.pageSize }

    /// The number of pages of entries; the last may be without data.
    package var tableCount: Int { (fileSize / Self.pageSize + Self.pagesInBlock) / (Self.pagesInBlock + 1) }

    /// The size of an encrypted file with `size` bytes of data, in whole pages, and without a final page of entries
    /// that has no data.
    static func fileSize(forData size: Int) -> Int {
        let pages = size / pageSize
        return (pages + (pages + pagesInBlock - 1) / pagesInBlock) * pageSize
    }

    /// The size of a new encrypted file with at least `size` bytes of data.
    package static func newFileSize(forData size: Int) -> Int {
        fileSize(forData: (size + dataUnit - 1) / dataUnit * dataUnit)
    }

    /// The offset of a data page in the encrypted file.
    package static func offset(ofPage page: Int) -> Int {
        page * pageSize + (page / pagesInBlock + 1) * pageSize
    }

    /// The offset of a data page's entry in the encrypted file.
    package static func offset(ofEntryOfPage page: Int) -> Int {
        page / pagesInBlock * blockSize + page % pagesInBlock * entrySize
    }

    /// The page of a byte of the data.
    package static func page(ofData offset: Int) -> Int { offset / pageSize }
}
