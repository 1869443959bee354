/// Where the pages of an encrypted file are (Spec 130).
///
/// Encryption cuts the plain file, the data, into pages of 4096 bytes. Blocks of 64 of them follow each other in the
/// encrypted file, each after a page with the 64 entries that say how they are encrypted.
@usableFromInline
package struct PageGeometry: Equatable, Sendable {
    /// Bytes of a page, whatever the machine's pages are.
    @inlinable package static var pageSize: Int { 4096 }
    /// Data pages that one page of entries is for.
    package static let pagesInBlock = 64
    /// Bytes of a page's entry.
    package static let entrySize = 64
    /// Bytes of a block with its page of entries.
    package static let blockSize = (pagesInBlock + 1) * pageSize

    /// Bytes of data in a block.
    static let blockDataSize = pagesInBlock * pageSize
    /// What the size of new data is a multiple of: releases that handled a memory page at a time, which may have 16 KiB,
    /// refuse other files.
    static let dataUnit = 4 * pageSize

    /// Bytes of the encrypted file.
    package let fileSize: Int

    /// Describes an encrypted file of `fileSize` bytes.
    package init(fileSize: Int) { self.fileSize = fileSize }

    /// Data pages that are whole. A page of entries at the end may be there without any: files are extended so.
    package var pageCount: Int {
        let rest = fileSize % Self.blockSize
        return fileSize / Self.blockSize * Self.pagesInBlock + max(0, rest / Self.pageSize - 1)
    }

    /// Bytes of data in whole pages.
    package var dataSize: Int { pageCount * Self.pageSize }

    /// Bytes after the last whole page; 0 in files that are as they were written.
    package var strayBytes: Int { fileSize % Self.pageSize }

    /// Pages of entries, the last of which may be without data.
    package var tableCount: Int { (fileSize / Self.pageSize + Self.pagesInBlock) / (Self.pagesInBlock + 1) }

    /// Bytes of an encrypted file with so many bytes of data, whole pages, without a table page that has none behind it.
    static func fileSize(forData size: Int) -> Int {
        let pages = size / pageSize
        return (pages + (pages + pagesInBlock - 1) / pagesInBlock) * pageSize
    }

    /// Where a data page begins in the encrypted file.
    package static func offset(ofPage page: Int) -> Int {
        page * pageSize + (page / pagesInBlock + 1) * pageSize
    }

    /// Where a data page's entry begins in the encrypted file.
    package static func offset(ofEntryOfPage page: Int) -> Int {
        page / pagesInBlock * blockSize + page % pagesInBlock * entrySize
    }

    /// The number of the page that a byte of the data is in.
    package static func page(ofData offset: Int) -> Int { offset / pageSize }
}
