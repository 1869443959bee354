package import RealmLayout
package import RealmStorage

extension FileData {
    /// Bytes of decrypted pages to keep for one who reads each page once.
    private static let copyingLimit = 4 << 20
    /// Bytes that are handed out at a time.
    private static let partSize = 64 * PageGeometry.pageSize

    /// Opens a file whose data is to be copied front to back.
    ///
    /// - Returns: the data and its header, which is all that is looked at.
    /// - Throws: as opening a database does: what the file is instead, `encrypted`, `wrongKey`, `notEncrypted` and others.
    package static func forCopying(_ source: ByteSource, _ key: EncryptionKey?) throws -> (FileData, FileHeader) {
        guard let key else { return try plain(source) }
        return try encrypted(source, key, limit: copyingLimit)
    }

    /// Hands the bytes of a range to `body`, in order and in parts. Pages of an encrypted file without data are zeros.
    ///
    /// - Returns: the number of pages without data.
    /// - Throws: `damagedPage` for the first page that fails, and what `body` throws.
    package func forEachPart(of range: Range<Int>, _ body: (ByteView) throws -> Void) throws -> Int {
        var empty = 0
        var offset = range.lowerBound
        while offset < range.upperBound {
            // Parts end with pages, so that each page is in one part only.
            let end = min(range.upperBound, (offset / Self.partSize + 1) * Self.partSize)
            try reading {
                empty += try admit(offset..<end)
                try body(view.slice(unchecked: offset, count: end - offset))
            }
            offset = end
        }
        return empty
    }

    /// Makes sure that a range is there, where it was written; zeros are in place of what was not.
    private func admit(_ range: Range<Int>) throws(FormatError) -> Int {
        guard let pages else { return 0 }
        let gate = PageGate(pages, pins: false)
        var empty = 0
        for page in range.lowerBound / PageGeometry.pageSize...(range.upperBound - 1) / PageGeometry.pageSize {
            // Looked at first, because a page that has no data is waited for: another process may be writing it.
            if pages.file.counters(page).last == 0 {
                empty += 1
                continue
            }
            do throws(FormatError) {
                try gate.admit(page * PageGeometry.pageSize, 1)
            } catch {
                guard error.code == .unwrittenPage else { throw error }
                empty += 1
            }
        }
        return empty
    }
}
