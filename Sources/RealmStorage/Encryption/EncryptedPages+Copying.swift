package import RealmLayout

extension EncryptedPages {
    /// The number of pages in one part.
    private static let pagesInPart = 64

    /// Passes the data of a range to `body`, in order and in parts, for callers that read each page once. Pages without
    /// data are zeros. Bypasses the cache in both directions.
    ///
    /// - Returns: the pages without data, in ascending order.
    /// - Throws: `StorageError` if there is no memory, `damagedPage` for the first page that fails, and errors of
    ///   `body`.
    package func forEachPart(of range: Range<Int>, _ body: (ByteView) throws -> Void) throws -> [Int] {
        let buffer = try PageMemory(pageCount: Self.pagesInPart, path: "an encrypted file")
        var empty: [Int] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            // Parts end at page boundaries, so that each page belongs to one part only.
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

    /// Decrypts pages into `buffer`; returns those without data.
    private func fill(
        _ buffer: PageMemory, _ pages: ClosedRange<Int>, _ cipher: PageCipher
    ) throws(FormatError) -> [Int] {
        var empty: [Int] = []
        for index in pages {
            let page = buffer.page(index - pages.lowerBound)
            do throws(FormatError) {
                // The reason is not needed here, and finding it takes a look at all pages around.
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
