package import RealmLayout
package import RealmStorage

/// The bytes of the database in an opened file: those of the file, or the content of its encrypted pages.
package struct DatabaseImage: Sendable {
    /// The file, not decrypted.
    package let source: ByteSource
    /// The data of an encrypted file.
    package let pages: EncryptedPages?
    /// Whether dates of formats 2 to 4 are in milliseconds, as written by Realm JavaScript before 0.13, not in seconds.
    package var hasMillisecondDates = false
    /// The number of the newest commit, when reading an older one.
    package var newestCommit: UInt64?

    package init(source: ByteSource, pages: EncryptedPages?) {
        self.source = source
        self.pages = pages
    }

    /// The first `size` bytes of a database that is changed in place.
    ///
    /// - Throws: `StorageError` when they cannot be mapped.
    package init(_ device: any DatabaseDevice, size: Int) throws(StorageError) {
        pages = device.pages
        source = if let pages { pages.source } else { try device.map(size) }
    }

    /// All data. In an encrypted file, only admitted pages may be read.
    package var view: ByteView { pages?.view ?? source.view }

    /// The space in which readers open nodes.
    func space(_ bytes: ByteView) -> NodeSpace {
        NodeSpace(bytes: bytes, gate: pages.map { PageAccess($0, pins: false) } ?? .none)
    }

    /// Calls `body`, which may access nodes of an encrypted file until it returns.
    @inline(__always)
    func reading<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        guard let pages else { return try body() }
        return try pages.leased(body)
    }
}

extension DatabaseImage {
    /// Reads the header of a plain file.
    ///
    /// - Throws: the actual kind of file, if it is not a Realm file.
    static func plain(_ source: ByteSource) throws(FormatError) -> (DatabaseImage, FileHeader) {
        (DatabaseImage(source: source, pages: nil), try FileDiagnosis(source.view).header())
    }

    /// Opens the data of an encrypted file and reads its header.
    ///
    /// - Throws: `StorageError` when there is no room for pages; `emptyFile`, `tooShort`, `notEncrypted`, `wrongKey`,
    ///   `wrongCipherKey`, `damagedPage`, `zeroedHeader`, or the actual kind of file if it is not an encrypted one.
    static func encrypted(_ source: ByteSource, _ key: EncryptionKey, limit: Int) throws -> (DatabaseImage, FileHeader)
    {
        try encrypted(EncryptedPages(source, key: key, limit: limit))
    }

    /// Opens the data in pages of an encrypted file that have not been examined, and reads its header.
    static func encrypted(_ pages: EncryptedPages) throws -> (DatabaseImage, FileHeader) {
        let source = pages.source
        let diagnosis = FileDiagnosis(source.view.slice(unchecked: 0, count: pages.file.geometry.fileSize))
        guard pages.view.count > 0 else {
            if diagnosis.isPlain { throw notEncrypted }
            // Shorter than any encrypted file, or only a table.
            if diagnosis.looksEncrypted {
                throw FormatError(
                    .truncated, at: 0,
                    "\(pages.file.geometry.fileSize) bytes are too short for an encrypted file, which has 8192 or more"
                )
            }
            _ = try diagnosis.header()
            throw notEncrypted
        }
        do throws(FormatError) {
            try PageAccess(pages, pins: true).admit(0, FileHeader.size)
        } catch {
            if diagnosis.isPlain { throw notEncrypted }
            guard try pages.isWrongKey() else { throw error }
            if !diagnosis.looksEncrypted { _ = try diagnosis.header() }
            let hint =
                pages.isFirstPageFirstWrite
                ? "; page 0 was written only once, so that a first write that was interrupted looks the same" : ""
            throw FormatError(
                .wrongKey, at: 0,
                "wrong key: the authentication codes of page 0 and of others do not match\(hint)")
        }
        guard let header = FileHeader(pages.view), header.hasMnemonic else {
            throw withoutHeader(pages.view)
        }
        return (DatabaseImage(source: source, pages: pages), header)
    }

    /// Returns all data of an encrypted file, decrypted, with zeros for pages that were never written. These are free
    /// space, or readers looking for a node there find none.
    ///
    /// - Throws: the same errors as `encrypted`, and `damagedPage` for the first page that fails.
    package static func decrypted(_ source: ByteSource, _ key: EncryptionKey) throws -> DatabaseImage {
        let (data, _) = try encrypted(source, key, limit: .max)
        try data.pages?.admitAll { failure throws(FormatError) in throw failure }
        return data
    }

    static var notEncrypted: FormatError {
        FormatError(.notEncrypted, at: 16, "a key was given, but the file is not encrypted")
    }

    /// The reason why page 0, whose code matches, does not begin like a Realm file.
    private static func withoutHeader(_ view: ByteView) -> FormatError {
        if view.slice(unchecked: 0, count: FileHeader.size).isZero {
            return FormatError(.zeroedHeader, at: 0, "the file is encrypted with this key, but its header is zeros")
        }
        return FormatError(
            .wrongCipherKey, at: 0,
            "the second half of the key is right, since the code of page 0 matches, but what the first half decrypts "
                + "is not the header of a Realm file")
    }
}
