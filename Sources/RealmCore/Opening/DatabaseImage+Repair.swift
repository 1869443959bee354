package import RealmLayout
package import RealmStorage

extension DatabaseImage {
    /// The defect in the header of a file as stored; nil when there is none, `encrypted` for a file that looks
    /// encrypted.
    package static func headerProblem(_ source: ByteSource) -> FormatError? {
        do throws(FormatError) {
            _ = try FileDiagnosis(source.view).header()
            return nil
        } catch {
            return error
        }
    }

    /// The number of bytes in front of a Realm file that begins inside this one; nil when none is found.
    package static func bytesInFront(of source: ByteSource) -> Int? { FileDiagnosis(source.view).bytesInFront }

    /// The error for a header slot that does not hold a ref, as when foreign bytes were written over it. Only
    /// meaningful when the slot leads nowhere.
    package func overwrittenSlot(_ slot: Int) -> FormatError? { Self.overwrittenSlot(slot, in: view) }

    /// The same check for data without a file.
    package static func overwrittenSlot(_ slot: Int, in data: ByteView) -> FormatError? {
        FileDiagnosis(data).overwritten(slot)
    }

    /// The bytes of a plain file, without any check.
    package static func whatever(_ source: ByteSource) -> DatabaseImage { DatabaseImage(source: source, pages: nil) }

    /// Returns all recoverable data of an encrypted file.
    ///
    /// - Parameter unproven: whether pages that fail authentication, or have lost their entries, are decrypted anyway.
    /// - Throws: `StorageError` when there is no room for pages; `truncated` for a file without pages, `notEncrypted`;
    ///   `wrongKey` when no examined page authenticates with the key or looks like part of a database when decrypted
    ///   without proof.
    package static func recovered(
        _ source: ByteSource, _ key: EncryptionKey, unproven: Bool = false
    ) throws -> RecoveredData {
        let pages = try EncryptedPages(source, key: key, limit: .max)
        guard pages.view.count > 0 else {
            throw FormatError(.truncated, at: 0, "\(source.count) bytes are too short for an encrypted file")
        }
        let isWrongKey = try pages.isWrongKey()
        if isWrongKey, FileDiagnosis(source.view).isPlain { throw notEncrypted }
        guard !isWrongKey || unproven else {
            throw FormatError(.wrongKey, at: 0, "wrong key: no authentication code matches")
        }
        if !isWrongKey { pages.admitAll { _ in } }
        let rest = pages.withoutProof
        if unproven { try pages.bringUnproven(rest) }
        guard !isWrongKey || FileDiagnosis(pages.view).holdsDatabase else {
            throw FormatError(
                .wrongKey, at: 0,
                "wrong key: no authentication code matches, and what it decrypts is not a Realm file")
        }
        return RecoveredData(
            data: DatabaseImage(source: source, pages: pages), lostPages: unproven ? 0 : rest.count,
            unprovenPages: unproven ? rest : [])
    }

    /// Opens the state of the database at a root, whether or not a header slot leads to it.
    ///
    /// - Parameters:
    ///   - slot: the header slot that leads to it, if any.
    ///   - isTolerant: whether rows of columns of formats 2 to 9 may be missing.
    ///   - isMarked: whether the snapshot can detect later changes to the file.
    /// - Throws: errors from opening a root.
    package func snapshot(
        at root: Ref, format: FormatVersion, slot: Int = 0, isTolerant: Bool = false, isMarked: Bool = false
    ) throws(FormatError) -> Snapshot {
        try Snapshot(
            data: self, mark: isMarked ? CommitMark.now(of: source) : nil, version: format, slot: slot, topRef: root,
            isTolerant: isTolerant)
    }
}

/// The recoverable data of an encrypted file.
package struct RecoveredData: Sendable {
    /// The data, with zeros in place of lost pages and of pages that were never written.
    package let data: DatabaseImage
    /// The number of encrypted pages that are lost.
    package let lostPages: Int
    /// The pages that were decrypted without proof, ascending.
    package let unprovenPages: [Int]
}
