package import RealmLayout

/// A new database file while it is being written: front to back, the first bytes (the file header) at the end.
///
/// The file has a temporary name until `finish`; nothing changes under the final name before that, and nothing is left when
/// anything fails. With a key it is encrypted as it is written (Spec 130).
@safe
package final class DatabaseOutput {
    /// The final path, links followed.
    package let path: String
    /// The path as the user gave it.
    private let givenPath: String
    private let overwrite: Bool
    private let system: any OutputSystem
    /// The lock on the database, if the caller has it.
    private let session: ExclusiveSession?
    private let file: PendingFile
    private var writer: PageWriter

    /// What was appended last, from data offset `start` on, where a block begins.
    @usableFromInline let buffer: UnsafeMutableRawPointer
    /// The bytes of the buffer that are in use. More than there are when nothing can be appended any more.
    @usableFromInline var filled = FileHeader.size
    private var start = 0
    /// Bytes of the buffer: what is encrypted at a time.
    @usableFromInline static let capacity = PageSealer.mostPages * PageGeometry.pageSize
    private var failure: StorageError?
    /// Fewer bytes are cheaper to copy than to write alone.
    private static let leastAtOnce = 1 << 16

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - overwrite: whether a file that is there may be replaced.
    ///   - key: the key of an encrypted file; nil for a plain one.
    ///   - permissions: what the file may be used for at most.
    ///   - session: the lock on the database of that name, where the caller has it: nobody else can have it open.
    /// - Throws: `StorageError`: `EEXIST` when there is a file that may not be replaced, `EBUSY` when a process has the
    ///   database of that name open (Spec 140), `ESPIPE` for a pipe or a device.
    package init(
        path: String, overwrite: Bool, key: EncryptionKey?, permissions: UInt32 = 0o666,
        session: ExclusiveSession? = nil, system: any OutputSystem = RealSystem()
    ) throws(StorageError) {
        // Links are followed: what they lead to is replaced, not they.
        self.path = OutputFile.followed(path)
        givenPath = path
        self.overwrite = overwrite
        self.system = system
        self.session = session
        let sealer: PageSealer? = if let key { try PageSealer(key) } else { nil }
        try OutputTarget(self.path).check(overwrite: overwrite, path)
        if session == nil { _ = try SessionLock(self.path, alsoKnownAs: path, system: system) }
        file = try PendingFile(path: self.path, permissions: permissions, system: system)
        writer = PageWriter(file, sealer)
        unsafe buffer = .allocate(byteCount: Self.capacity, alignment: PageGeometry.pageSize)
        unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0, count: FileHeader.size)
    }

    deinit {
        discard()
        unsafe buffer.deallocate()
    }

    /// Bytes so far: where the next ones will lie. Begins behind the file header.
    package var position: Int { start + filled }

    /// What `finish` makes the size of the data a multiple of.
    package var sizeUnit: Int { writer.sizeUnit }
    /// The bytes that the file has when it is finished now.
    package var finishedSize: Int { writer.fileSize(forData: (position + sizeUnit - 1) / sizeUnit * sizeUnit) }

    /// Appends `bytes`.
    ///
    /// - Throws: `StorageError`; the temporary file is gone then, and all further calls throw the same.
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

    /// Appends many bytes: a plain file gets them at once, without a copy in between.
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

    /// Completes the file and gives it its name.
    ///
    /// - Parameter header: the first 24 bytes of the file.
    /// - Throws: `StorageError`, as `complete` and `giveName`.
    package func finish(header: [UInt8]) throws(StorageError) {
        try complete(header: header)
        try giveName()
    }

    /// Completes the file under its temporary name: zeros up to a whole page, then the header, all of it on the disk.
    /// Nothing may be appended any more.
    ///
    /// A plain file need not end with a page.
    ///
    /// An encrypted file has a multiple of four pages of data: older releases read as many at a time on machines whose
    /// memory has such pages (Spec 130).
    ///
    /// - Parameters:
    ///   - header: the first 24 bytes of the file.
    ///   - endsWithPage: whether zeros fill the last page of a plain file, too; its length is a multiple of 8 otherwise.
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

    /// The bytes of the completed file, encrypted as they are, to be checked before they get their final name.
    ///
    /// - Throws: `StorageError` when the temporary file cannot be read back.
    package func written() throws(StorageError) -> ByteSource { try ByteSource(path: file.temporaryPath) }

    /// Gives the completed file its name, in place of what is there.
    ///
    /// - Throws: `StorageError`, as the initialiser. When only the name could not be forced to the disk, the file stays.
    package func giveName() throws(StorageError) {
        if let failure { throw failure }
        do { try rename() } catch { throw fail(error) }
        // Whatever is done with it from now on is a mistake.
        _ = fail(.closed(path))
        try file.synchronizeName()
    }

    /// Removes the file, if it is not finished.
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

    /// Writes what is in the buffer: whole pages where the file is encrypted.
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
        // Somebody may have come meanwhile.
        let lock = try SessionLock(path, alsoKnownAs: givenPath, system: system)
        try OutputTarget(path).check(overwrite: overwrite, givenPath)
        try file.rename()
        lock.endSession()
    }
}
