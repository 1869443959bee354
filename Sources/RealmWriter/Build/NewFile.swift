internal import RealmLayout
public import RealmStorage

/// Where a new database file is to be, and how.
///
/// ```swift
/// try snapshot.write(to: NewFile("new.realm", key: EncryptionKey(bytes: key)))
/// ```
public struct NewFile: Sendable {
    /// Its path.
    public var path: String
    /// Whether it may replace a file that is there; never one that a process has open.
    public var overwrite = false
    /// What to encrypt it with; nil for a plain file.
    public var key: EncryptionKey?
    /// What it may be used for at most: those of the file that its content comes from.
    public var permissions: UInt32 = 0o666

    /// The calls that make the file.
    package var system: any OutputSystem = RealSystem()
    /// The lock on the database of that name, where the caller has it.
    package var session: ExclusiveSession?

    /// Describes a file: unless one says otherwise a plain one that replaces nothing.
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

    /// A file that stays in memory.
    package init(in memory: MemoryOutput) {
        path = MemoryOutput.path
        system = memory
    }

    /// Writes the file: it is complete, or it is not there.
    ///
    /// - Parameters:
    ///   - check: looks at the complete file before it gets its name; what it throws leaves no file.
    ///   - body: appends the nodes, and returns the header.
    package func write(
        check: ((ByteSource) throws(WriteError) -> Void)? = nil,
        _ body: (DatabaseOutput) throws(WriteError) -> [UInt8]
    ) throws(WriteError) {
        let output = try begin()
        // Without an end the temporary file goes with the output.
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
