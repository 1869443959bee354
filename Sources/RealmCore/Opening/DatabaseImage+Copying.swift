package import RealmLayout
package import RealmStorage

extension DatabaseImage {
    /// Opens a file whose data is to be copied sequentially.
    ///
    /// - Returns: the data and its header; nothing else is examined.
    /// - Throws: the same errors as opening a database: the actual kind of file, `encrypted`, `wrongKey`,
    ///   `notEncrypted` and others.
    package static func forCopying(_ source: ByteSource, _ key: EncryptionKey?) throws -> (DatabaseImage, FileHeader) {
        guard let key else { return try plain(source) }
        return try encrypted(source, key, limit: EncryptedPages.defaultLimit)
    }

    /// Passes the bytes of a range, which must be inside the data, to `body`, in order and in parts. Pages of an
    /// encrypted file without data are zeros.
    ///
    /// - Returns: the pages without data, ascending.
    /// - Throws: `damagedPage` for the first page that fails, and errors from `body`.
    package func forEachPart(of range: Range<Int>, _ body: (ByteView) throws -> Void) throws -> [Int] {
        if let pages { return try pages.forEachPart(of: range, body) }
        try body(source.view.slice(unchecked: range.lowerBound, count: range.count))
        return []
    }
}
