package import RealmLayout
package import RealmStorage

extension DatabaseImage {
    /// Opens a file whose data is to be copied front to back.
    ///
    /// - Returns: the data and its header, which is all that is looked at.
    /// - Throws: as opening a database does: what the file is instead, `encrypted`, `wrongKey`, `notEncrypted` and others.
    package static func forCopying(_ source: ByteSource, _ key: EncryptionKey?) throws -> (DatabaseImage, FileHeader) {
        guard let key else { return try plain(source) }
        return try encrypted(source, key, limit: EncryptedPages.defaultLimit)
    }

    /// Hands the bytes of a range, which is inside of the data, to `body`, in order and in parts. Pages of an encrypted
    /// file without data are zeros.
    ///
    /// - Returns: the pages without data, in ascending order.
    /// - Throws: `damagedPage` for the first page that fails, and what `body` throws.
    package func forEachPart(of range: Range<Int>, _ body: (ByteView) throws -> Void) throws -> [Int] {
        if let pages { return try pages.forEachPart(of: range, body) }
        try body(source.view.slice(unchecked: range.lowerBound, count: range.count))
        return []
    }
}
