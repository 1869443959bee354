internal import RealmLayout
public import RealmStorage

/// Describes a new database file: path, key and permissions.
///
/// ```swift
/// try snapshot.write(to: NewFile("new.realm", key: EncryptionKey(bytes: key)))
/// ```
public struct NewFile: Sendable {
    /// The path of the file.
    public var path: String
    /// Whether it may replace an existing file. A file that a process has open is never replaced.
    public var overwrite = false
    /// The encryption key; nil for a plain file.
    public var key: EncryptionKey?
    /// Upper bound of its permissions, for example those of the source file.
    public var permissions: UInt32 = 0o666

    /// The system calls that create the file.
    package var system: any OutputSystem = RealSystem()
    /// The lock on the database of that name, if the caller holds it.
    package var session: ExclusiveSession?

    /// Describes a file; by default a plain one that replaces nothing.
    ///
    /// ```swift
    /// let file = NewFile("new.realm", overwrite: true, key: try EncryptionKey(bytes: key))
    /// print(file.path)
    /// ```
    public init(
        _ path: String, overwrite: Bool = false, key: EncryptionKey? = nil, permissions: UInt32 = 0o666
    ) {
        self.path = path
        self.overwrite = overwrite
        self.key = key
        self.permissions = permissions
    }

    /// Describes a file that stays in memory.
    package init(in memory: MemoryOutput) {
        path = MemoryOutput.path
        system = memory
    }

    /// Writes the file atomically: it is complete, or it does not exist.
    ///
    /// - Parameters:
    ///   - check: Examines the complete file before it gets its name. If it throws, no file remains.
    ///   - body: Appends the nodes, and returns the header.
    package func write(
        check: ((ByteSource) throws(WriteError) -> Void)? = nil,
        _ body: (DatabaseOutput) throws(WriteError) -> [UInt8]
    ) throws(WriteError) {
        let output = try begin()
        // Unless completed, the temporary file is deleted with the output.
        let header = try body(output)
        do throws(StorageError) { try output.complete(header: header) } catch { throw .storage(error) }
        if let check {
            let written: ByteSource
            do throws(StorageError) { written = try output.written() } catch { throw .storage(error) }
            try check(written)
        }
        do throws(StorageError) { try output.giveName() } catch { throw .storage(error) }
    }

    /// Begins the file under a temporary name.
    package func begin() throws(WriteError) -> DatabaseOutput {
        do throws(StorageError) {
            return try DatabaseOutput(
                path: path, overwrite: overwrite, key: key, permissions: permissions, session: session,
                system: system)
        } catch {
            throw .storage(error)
        }
    }
}
