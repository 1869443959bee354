internal import RealmSystem

/// A system call that failed.
///
/// ```swift
/// do {
///     _ = try ByteSource(path: "none.realm")
/// } catch {
///     print(error.action, error.path, error.reason)
/// }
/// ```
public struct StorageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The error number of the system, such as `ENOENT`.
    public let code: Int32
    /// The attempted action, such as "cannot open".
    public let action: String
    /// The path of the attempt.
    public let path: String
    /// The processes that have the database open, if that is the reason and the system reports them.
    public private(set) var holders: [LockHolder] = []

    /// Creates an error from an error number.
    package init(code: Int32, action: String, path: String) {
        self.code = code
        self.action = action
        self.path = path
    }

    /// Creates an error from the thread's current error number.
    package static func last(_ action: String, _ path: String) -> StorageError {
        StorageError(code: errno, action: action, path: path)
    }

    /// Whether writing an output failed.
    package var isWriting: Bool { action.hasPrefix("cannot write") }

    /// Whether the reader has closed the pipe.
    package var isClosedPipe: Bool { code == EPIPE }
    /// Whether an existing file may not be replaced.
    public var isAlreadyThere: Bool { code == EEXIST }

    /// The error code for a path where nothing exists.
    package static let noSuchFile = ENOENT

    /// An existing file may not be replaced.
    package static func alreadyThere(_ path: String) -> StorageError {
        StorageError(code: EEXIST, action: "cannot write", path: path)
    }

    /// Whether a process has the database open that was to be replaced.
    public var isInUse: Bool { code == EBUSY }

    /// A process has the database open.
    static func inUse(_ path: String, _ action: String) -> StorageError {
        StorageError(code: EBUSY, action: action, path: path)
    }

    /// The same error with the processes that cause it.
    func held(by holders: [LockHolder]) -> StorageError {
        var copy = self
        copy.holders = holders
        return copy
    }

    /// The output file is also an input.
    package static func isRead(_ path: String) -> StorageError {
        StorageError(code: ETXTBSY, action: "cannot write", path: path)
    }

    /// The folder contains files that must not be removed.
    package static func isShared(_ path: String, _ files: [String]) -> StorageError {
        let named =
            files.prefix(5).map { NativePath.shown($0) }.joined(separator: ", ")
            + (files.count > 5 ? " and \(files.count - 5) more" : "")
        return StorageError(
            code: ENOTEMPTY, action: "contains files that realmfile did not write: \(named)", path: path)
    }

    /// Another process has changed the folder since this one looked at it.
    static func isContested(_ path: String) -> StorageError {
        StorageError(code: EAGAIN, action: "cannot write: another process is writing there too", path: path)
    }

    /// The transaction is larger than the memory reserved for it.
    package static let withoutMemory = StorageError(
        code: ENOMEM, action: "cannot keep what is not committed", path: "memory")

    /// The transaction would wait for the one in which it was started.
    package static func insideOfAnother(_ path: String) -> StorageError {
        StorageError(code: EDEADLK, action: "cannot write inside of another transaction", path: path)
    }

    /// The store does not know the result of its last change of the header. The system may report success for a second
    /// attempt although it has discarded the data that it could not write.
    package var untilReopened: StorageError {
        StorageError(
            code: code, action: "cannot write any more, since it is not known what reached the disk; open it again",
            path: path)
    }

    /// The file was truncated.
    package static func withoutHeader(_ path: String) -> StorageError {
        StorageError(code: EIO, action: "cannot read the header", path: path)
    }

    /// The store was closed.
    package static func storeIsClosed(_ path: String) -> StorageError {
        StorageError(code: EBADF, action: "cannot write: the store is closed", path: path)
    }

    /// The bytes are beyond the end of a database.
    static func withoutRoom(_ path: String) -> StorageError {
        StorageError(code: EFBIG, action: "cannot write after the end", path: path)
    }

    /// A page that was read before fails now.
    static func unreadable(_ path: String) -> StorageError {
        StorageError(code: EIO, action: "cannot read the first page", path: path)
    }

    /// The file is no longer being written.
    package static func closed(_ path: String) -> StorageError {
        StorageError(code: EBADF, action: "cannot write", path: path)
    }

    /// libcrypto lacks an algorithm, or memory.
    static let withoutCipher = StorageError(
        code: ENOSYS, action: "cannot use AES-256-CBC and HMAC-SHA-224", path: SystemCrypto.name)

    /// The path, the action and the system's text for the error number.
    public var description: String {
        "\(NativePath.shown(path)): \(action): \(reason)"
    }

    /// The system's text for the error number, with advice for frequent ones.
    public var reason: String {
        let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return switch code {
        case ENOSPC, EDQUOT: "\(text); free some space or choose another folder"
        case EBUSY where holders.contains(where: \.isThisProcess):
            "this process has it open already; close the store, and let go of its snapshots"
        case EBUSY where !holders.isEmpty:
            "\(holders.map(\.description).joined(separator: ", ")) has it open; close that, or choose another path"
        case EBUSY: "a process has it open; close the app that uses it, or choose another path"
        case ETXTBSY: "it is one of the input files; choose another path"
        case ENOTEMPTY: "move them, or choose another folder"
        case EAGAIN where action.hasPrefix("cannot write"): "try again, or choose another folder"
        case ENODEV: "it is a device, not a file"
        case EROFS: "\(text); choose a folder on another disk"
        default: text
        }
    }
}
