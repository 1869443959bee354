package import RealmLayout
internal import RealmSystem

/// A file that is written under a temporary name beside its final one and renamed when it is complete.
///
/// Nothing changes under the final name before `commit`. The data is passed to the system, not forced to the disk: an
/// export that is lost with the power can be repeated. An existing pipe or device is written to directly, never
/// replaced.
package final class OutputFile {
    /// The final path.
    package let path: String
    private let system: any OutputSystem
    /// The file; nil for a pipe or a device.
    private let file: PendingFile?
    /// The number of bytes written.
    private var size = 0
    /// The pipe or device; -1 for a file, or after closing.
    private var descriptor: Int32 = -1

    /// Creates the temporary file.
    ///
    /// - Parameter permissions: the maximum permissions of the file.
    /// - Throws: `StorageError`, `EEXIST` if there is a file at `path` that may not be replaced.
    package convenience init(path: String, replacing: Bool, permissions: UInt32 = 0o666) throws(StorageError) {
        try self.init(path: path, replacing: replacing, permissions: permissions, system: RealSystem())
    }

    package init(
        path: String, replacing: Bool, permissions: UInt32 = 0o666, system: any OutputSystem
    ) throws(StorageError) {
        self.path = path
        self.system = system
        switch try OutputTarget(path) {
        case .special:
            file = nil
            let result = system.openFile(path)
            guard result >= 0 else {
                throw StorageError(code: Int32(-result), action: "cannot create a file there", path: path)
            }
            descriptor = Int32(result)
        case .file where !replacing:
            throw .alreadyThere(path)
        case .file, .free:
            PendingFile.removeAbandoned(besides: path)
            file = try PendingFile(path: path, permissions: permissions, system: system)
        }
    }

    deinit { discard() }

    /// Appends `bytes`.
    ///
    /// - Throws: `StorageError`; the temporary file has then been removed.
    package func write(_ bytes: ByteView) throws(StorageError) {
        if let file {
            try file.write(bytes, at: size)
        } else {
            try system.writeAll(bytes, to: descriptor, at: nil, path: path)
        }
        size += bytes.count
    }

    /// The bytes written so far, to be checked before the file gets its final name; nil for a pipe or a device.
    ///
    /// - Throws: `StorageError` if the temporary file cannot be read back.
    package func written() throws(StorageError) -> ByteSource? {
        guard let file else { return nil }
        return try ByteSource(path: file.temporaryPath)
    }

    /// Forces the written data to the disk, for files that may become the only copy of their data.
    ///
    /// - Throws: `StorageError`; the temporary file has then been removed.
    package func synchronize() throws(StorageError) { try file?.synchronize() }

    /// Moves the file to its final name.
    ///
    /// - Throws: `StorageError`; the temporary file has then been removed.
    package func commit() throws(StorageError) {
        if let file { return try file.rename() }
        let result = descriptor < 0 ? 0 : system.closeFile(descriptor)
        descriptor = -1
        guard result >= 0 else { throw StorageError(code: Int32(-result), action: "cannot write", path: path) }
    }

    /// Copies a file. Afterwards the copy is complete and on the disk, or does not exist.
    ///
    /// - Throws: `StorageError`, `EEXIST` if there is a file at `path`.
    package static func copy(
        _ source: String, to path: String, _ system: any OutputSystem = RealSystem()
    ) throws(StorageError) {
        let source = try ByteSource(path: source)
        let output = try OutputFile(path: path, replacing: false, system: system)
        try output.write(source.view)
        try output.synchronize()
        try output.commit()
        try output.file?.synchronizeName()
        withExtendedLifetime(source) {}
    }

    /// Removes the temporary file, if it still exists.
    package func discard() {
        file?.discard()
        if descriptor >= 0 { _ = system.closeFile(descriptor) }
        descriptor = -1
    }
}

/// Standard output as a sequence of bytes.
package enum StandardOutput {
    /// Writes `bytes`.
    ///
    /// - Throws: `StorageError`, `EPIPE` if the reader is gone.
    package static func write(_ bytes: ByteView) throws(StorageError) {
        try writeAll(bytes, to: 1, path: "standard output")
    }
}

/// Writes an array to a descriptor.
func writeAll(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(StorageError) {
    try ByteView.with(bytes) { view throws(StorageError) in try writeAll(view, to: descriptor, path: path) }
}

func writeAll(_ bytes: ByteView, to descriptor: Int32, path: String) throws(StorageError) {
    try RealSystem().writeAll(bytes, to: descriptor, at: nil, path: path)
}
