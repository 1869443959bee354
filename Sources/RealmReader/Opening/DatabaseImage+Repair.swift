package import RealmLayout
package import RealmStorage

extension DatabaseImage {
    /// What is wrong with the header of a file as it is; nil when nothing is. `encrypted` for a file that looks so.
    package static func headerProblem(_ source: ByteSource) -> FormatError? {
        do throws(FormatError) {
            _ = try FileDiagnosis(source.view).header()
            return nil
        } catch {
            return error
        }
    }

    /// That a slot of the header holds no ref, as when foreign bytes were written over it; to be asked where that leads to
    /// nothing.
    package func overwrittenSlot(_ slot: Int) -> FormatError? { Self.overwrittenSlot(slot, in: view) }

    /// The same for data without a file.
    package static func overwrittenSlot(_ slot: Int, in data: ByteView) -> FormatError? {
        FileDiagnosis(data).overwritten(slot)
    }

    /// The bytes of a plain file, whatever is in them.
    package static func whatever(_ source: ByteSource) -> DatabaseImage { DatabaseImage(source: source, pages: nil) }

    /// All data of an encrypted file that can be had.
    ///
    /// - Parameter unproven: whether pages that fail their authentication, or have lost their entries, are decrypted
    ///   nevertheless.
    /// - Throws: `StorageError` when there is no room for pages; `truncated` for a file without pages, `notEncrypted`,
    ///   `wrongKey` when not one of the pages that are looked at fits the key, nor looks like a part of a database without
    ///   a proof.
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

    /// The state of the database at a root that no slot of the header need lead to.
    ///
    /// - Parameters:
    ///   - slot: the slot of the header that leads to it, if one does.
    ///   - isTolerant: whether rows of columns of formats 2 to 9 may be missing.
    ///   - isMarked: whether the snapshot tells whether the file has changed since.
    /// - Throws: what opening a root throws.
    package func snapshot(
        at root: Ref, format: FormatVersion, slot: Int = 0, isTolerant: Bool = false, isMarked: Bool = false
    ) throws(FormatError) -> Snapshot {
        try Snapshot(
            data: self, mark: isMarked ? CommitMark.now(of: source) : nil, version: format, slot: slot, topRef: root,
            isTolerant: isTolerant)
    }
}

/// What can be had of the data of an encrypted file.
package struct RecoveredData: Sendable {
    /// The data, with zeros in the place of lost pages, as in that of pages that were never written.
    package let data: DatabaseImage
    /// How many pages with encrypted bytes are lost.
    package let lostPages: Int
    /// The pages that were decrypted although nothing proves them, ascending.
    package let unprovenPages: [Int]
}
