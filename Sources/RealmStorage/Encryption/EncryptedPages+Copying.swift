package import RealmLayout

extension EncryptedPages {
    /// Pages that are handed out at a time.
    private static let pagesInPart = 64

    /// Hands the data of a range to `body`, in order and in parts: for those who read each page once. Pages without data are
    /// zeros. What was admitted is not looked at, nor is anything kept.
    ///
    /// - Returns: the pages without data, in ascending order.
    /// - Throws: `StorageError` when there is no memory, `damagedPage` for the first page that fails, and what `body` throws.
    package func forEachPart(of range: Range<Int>, _ body: (ByteView) throws -> Void) throws -> [Int] {
        let buffer = try PageMemory(pageCount: Self.pagesInPart, path: "an encrypted file")
        var empty: [Int] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            // Parts end with pages, so that each page is in one part only.
            let end = min(range.upperBound, (offset / PageGeometry.pageSize + Self.pagesInPart) * PageGeometry.pageSize)
            let first = PageGeometry.page(ofData: offset)
            empty += try withCipher { cipher throws(FormatError) in
                try fill(buffer, first...PageGeometry.page(ofData: end - 1), cipher)
            }
            try body(buffer.view.slice(unchecked: offset - first * PageGeometry.pageSize, count: end - offset))
            offset = end
        }
        return empty
    }

    /// Decrypts pages into `buffer`; returns those that have no data.
    private func fill(
        _ buffer: PageMemory, _ pages: ClosedRange<Int>, _ cipher: PageCipher
    ) throws(FormatError) -> [Int] {
        var empty: [Int] = []
        for index in pages {
            let page = buffer.page(index - pages.lowerBound)
            do throws(FormatError) {
                // Nobody asks why there is no data, which takes a look at all pages around.
                if !file.isNeverWritten(index) {
                    try decrypt(index, to: page, cipher)
                    continue
                }
            } catch {
                guard error.code == .unwrittenPage else { throw error }
            }
            page.clear()
            empty.append(index)
        }
        return empty
    }
}
