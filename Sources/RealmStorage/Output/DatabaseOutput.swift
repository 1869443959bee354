package import RealmLayout

/// A new database file, written front to back; the first bytes (the file header) come last.
///
/// The file has a temporary name until `finish`. Before that, nothing changes under the final name, and a failure
/// leaves nothing behind. With a key, the file is encrypted as it is written (Spec 130).
@safe
package final class DatabaseOutput {
    /// The final path, with links followed.
    package let path: String
    /// The path as given by the caller.
    private let givenPath: String
    private let overwrite: Bool
    private let system: any OutputSystem
    /// The lock on the database, if the caller holds it.
    private let session: ExclusiveSession?
    private let file: PendingFile
    private var writer: PageWriter

    /// The last appended bytes, from data offset `start` on, which is the beginning of a block.
    @usableFromInline let buffer: UnsafeMutableRawPointer
    /// The used bytes of the buffer. Exceeds the capacity when nothing can be appended any more.
    @usableFromInline var filled = FileHeader.size
    private var start = 0
    /// The capacity of the buffer: the bytes that are encrypted at a time.
    @usableFromInline static let capacity = PageSealer.mostPages * PageGeometry.pageSize
    private var failure: StorageError?
    /// Fewer bytes are cheaper to copy than to write separately.
    private static let leastAtOnce = 1 << 16

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - overwrite: whether an existing file may be replaced.
    ///   - key: the key of an encrypted file; nil for an unencrypted one.
    ///   - permissions: the maximum permissions of the file.
    ///   - session: the lock on the database of that name, if the caller holds it: nobody else can have it open.
    /// - Throws: `StorageError`: `EEXIST` if an existing file may not be replaced, `EBUSY` if a process has the
    ///   database of that name open (Spec 140), `ESPIPE` for a pipe or a device.
    package init(
        path: String, overwrite: Bool, key: EncryptionKey?, permissions: UInt32 = 0o666,
        session: ExclusiveSession? = nil, system: any OutputSystem = RealSystem()
    ) throws(StorageError) {
        // Links are followed: their target is replaced, not the link.
        self.path = OutputFile.followed(path)
        givenPath = path
        self.overwrite = overwrite
        self.system = system
        self.session = session
        let sealer: PageSealer? = if let key { try PageSealer(key) } else { nil }
        try OutputTarget(self.path).check(overwrite: overwrite, path)
        if session == nil { _ = try SessionLock(self.path, alsoKnownAs: path, system: system) }
        PendingFile.removeAbandoned(besides: self.path)
        file = try PendingFile(path: self.path, permissions: permissions, system: system)
        writer = PageWriter(file, sealer)
        unsafe buffer = .allocate(byteCount: Self.capacity, alignment: PageGeometry.pageSize)
        unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0, count: FileHeader.size)
    }

    deinit {
        discard()
        unsafe buffer.deallocate()
    }

    /// The number of bytes so far, which is the offset of the next one. Starts after the file header.
    package var position: Int { start + filled }

    /// The unit to which `finish` pads the data.
    package var sizeUnit: Int { writer.sizeUnit }
    /// The size of the file if it were finished now.
    package var finishedSize: Int { writer.fileSize(forData: (position + sizeUnit - 1) / sizeUnit * sizeUnit) }

    /// Appends `bytes`.
    ///
    /// - Throws: `StorageError`; the temporary file has then been removed, and all further calls throw the same error.
    @inlinable @inline(__always)
    package func append(_ bytes: ByteView) throws(StorageError) {
        if bytes.count <= Self.capacity &- filled {
            unsafe (buffer + filled).copyMemory(from: bytes.base, byteCount: bytes.count)
            filled &+= bytes.count
        } else {
            try appendInParts(bytes)
        }
    }

    /// Appends `bytes`.
    ///
    /// - Throws: as `append(_: ByteView)`.
    @inlinable
    package func append(_ bytes: [UInt8]) throws(StorageError) {
        if bytes.count <= Self.capacity &- filled {
            unsafe bytes.withUnsafeBytes { source in
                guard let base = source.baseAddress else { return }
                unsafe (buffer + filled).copyMemory(from: base, byteCount: bytes.count)
            }
            filled &+= bytes.count
        } else {
            try ByteView.with(bytes) { view throws(StorageError) in try appendInParts(view) }
        }
    }

    /// Appends many bytes. An unencrypted file gets them directly, without a copy in between.
    ///
    /// - Throws: as `append(_: ByteView)`.
    package func write(_ bytes: ByteView) throws(StorageError) {
        guard writer.takesAnySize, failure == nil, bytes.count >= Self.leastAtOnce else { return try append(bytes) }
        do {
            try flush()
            try writer.write(bytes, at: start)
        } catch {
            throw fail(error)
        }
        start += bytes.count
    }

    @usableFromInline @inline(never)
    func appendInParts(_ bytes: ByteView) throws(StorageError) {
        if let failure { throw failure }
        var done = 0
        while done < bytes.count {
            if filled == Self.capacity {
                do { try flush() } catch { throw fail(error) }
            }
            let count = min(bytes.count - done, Self.capacity - filled)
            unsafe (buffer + filled).copyMemory(from: bytes.base + done, byteCount: count)
            filled += count
            done += count
        }
    }

    /// Completes the file and moves it to its final name.
    ///
    /// - Parameter header: the first 24 bytes of the file.
    /// - Throws: `StorageError`, as `complete` and `giveName`.
    package func finish(header: [UInt8]) throws(StorageError) {
        try complete(header: header)
        try giveName()
    }

    /// Completes the file under its temporary name: pads it to a whole page, writes the header, and forces all of it to
    /// the disk. Nothing may be appended afterwards.
    ///
    /// An unencrypted file need not end with a page. An encrypted file has a multiple of four pages of data: older
    /// releases read four at a time on machines whose memory pages have that size (Spec 130).
    ///
    /// - Parameters:
    ///   - header: the first 24 bytes of the file.
    ///   - endsWithPage: whether an unencrypted file, too, is padded to a whole page; otherwise its length is a
    ///     multiple of 8.
    /// - Throws: `StorageError`, as `append`.
    package func complete(header: [UInt8], endsWithPage: Bool = true) throws(StorageError) {
        precondition(header.count == FileHeader.size, "a file header has 24 bytes")
        if let failure { throw failure }
        do {
            try pad(to: endsWithPage ? sizeUnit : writer.leastSizeUnit)
            try flush()
            try writer.complete(header: header, size: position)
            try file.synchronize()
        } catch {
            throw fail(error)
        }
    }

    /// The bytes of the completed file, still encrypted, to be checked before the file gets its final name.
    ///
    /// - Throws: `StorageError` if the temporary file cannot be read back.
    package func written() throws(StorageError) -> ByteSource { try ByteSource(path: file.temporaryPath) }

    /// Moves the completed file to its final name, replacing an existing file.
    ///
    /// - Throws: `StorageError`, as the initialiser. If only the name could not be forced to the disk, the file stays.
    package func giveName() throws(StorageError) {
        if let failure { throw failure }
        do { try rename() } catch { throw fail(error) }
        // From now on, any use is a mistake.
        _ = fail(.closed(path))
        try file.synchronizeName()
    }

    /// Removes the file, unless it is finished.
    package func discard() {
        if failure == nil { _ = fail(.closed(path)) }
    }

    private func fail(_ error: StorageError) -> StorageError {
        failure = error
        filled = Self.capacity + 1
        file.discard()
        return error
    }
}

extension DatabaseOutput {
    private func pad(to unit: Int) throws(StorageError) {
        try append([UInt8](repeating: 0, count: (unit - position % unit) % unit))
    }

    /// Writes the content of the buffer; for an encrypted file, whole pages.
    private func flush() throws(StorageError) {
        if filled == 0 { return }
        try writer.write(unsafe ByteView(base: UnsafeRawPointer(buffer), count: filled), at: start)
        start += filled
        filled = 0
    }

    private func rename() throws(StorageError) {
        if session != nil {
            try OutputTarget(path).check(overwrite: overwrite, givenPath)
            return try file.rename()
        }
        // A process may have opened the database meanwhile.
        let lock = try SessionLock(path, alsoKnownAs: givenPath, system: system)
        try OutputTarget(path).check(overwrite: overwrite, givenPath)
        try file.rename()
        lock.endSession()
    }
}
