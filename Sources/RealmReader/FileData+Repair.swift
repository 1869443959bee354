package import RealmLayout
package import RealmStorage

extension FileData {
    /// What is wrong with the header of a file as it is; nil when nothing is. `encrypted` for a file that looks so.
    package static func headerProblem(_ source: ByteSource) -> FormatError? {
        do throws(FormatError) {
            _ = try FileDiagnosis(source.view).header()
            return nil
        } catch {
            return error
        }
    }

    /// The bytes of a plain file, whatever is in them.
    package static func whatever(_ source: ByteSource) -> FileData { FileData(source: source, pages: nil) }

    /// All data of an encrypted file that can be had, and how many pages cannot: zeros are in their place, as in that of
    /// pages that were never written.
    ///
    /// - Throws: `StorageError` when there is no room for pages; `truncated` for a file without pages, `wrongKey` when not
    ///   one of the pages that are looked at fits the key.
    package static func recovered(_ source: ByteSource, _ key: EncryptionKey) throws -> (data: FileData, lost: Int) {
        let pages = try EncryptedPages(source, key: key, limit: .max)
        guard pages.view.count > 0 else {
            throw FormatError(.truncated, at: 0, "\(source.count) bytes are too few for an encrypted file")
        }
        guard try !pages.isWrongKey() else {
            throw FormatError(
                .wrongKey, at: 0, "the key does not fit: no authentication code matches")
        }
        var lost = 0
        pages.admitAll { _ in lost += 1 }
        return (FileData(source: source, pages: pages), lost)
    }

    /// The state of the database at a root that no slot of the header need lead to.
    ///
    /// - Parameter isTolerant: whether rows of columns of formats 2 to 9 may be missing.
    /// - Throws: what opening a root throws.
    package func snapshot(
        at root: Ref, format: FormatVersion, isTolerant: Bool = false
    ) throws(FormatError) -> Snapshot {
        try Snapshot(data: self, mark: nil, version: format, slot: 0, topRef: root, isTolerant: isTolerant)
    }
}
