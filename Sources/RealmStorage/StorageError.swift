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
    /// The error number of the system, e.g. `ENOENT`.
    public let code: Int32
    /// What was tried, e.g. "cannot open".
    public let action: String
    /// The path it was tried on.
    public let path: String
    /// Who has the database open, where that is the matter and the system says who.
    public private(set) var holders: [LockHolder] = []

    /// Makes an error from an error number.
    package init(code: Int32, action: String, path: String) {
        self.code = code
        self.action = action
        self.path = path
    }

    /// Makes an error from the thread's current error number.
    package static func last(_ action: String, _ path: String) -> StorageError {
        StorageError(code: errno, action: action, path: path)
    }

    /// Whether an output was the matter.
    package var isWriting: Bool { action.hasPrefix("cannot write") }

    /// Whether the reader of a pipe has seen enough.
    package var isClosedPipe: Bool { code == EPIPE }
    /// Whether something is in the way that may not be replaced.
    public var isAlreadyThere: Bool { code == EEXIST }

    /// The code of an error for a path where nothing is.
    package static let noSuchFile = ENOENT

    /// An error for something that is in the way.
    package static func alreadyThere(_ path: String) -> StorageError {
        StorageError(code: EEXIST, action: "cannot write", path: path)
    }

    /// Whether a process has the database open that was to be replaced.
    public var isInUse: Bool { code == EBUSY }

    /// An error for a database that a process has open.
    static func inUse(_ path: String, _ action: String) -> StorageError {
        StorageError(code: EBUSY, action: action, path: path)
    }

    /// The same error with those whose fault it is.
    func held(by holders: [LockHolder]) -> StorageError {
        var copy = self
        copy.holders = holders
        return copy
    }

    /// An error for a file that is being read.
    package static func isRead(_ path: String) -> StorageError {
        StorageError(code: ETXTBSY, action: "cannot write", path: path)
    }

    /// An error for a folder with files that are not to be removed.
    package static func isShared(_ path: String, _ files: [String]) -> StorageError {
        let named =
            files.prefix(5).map { NativePath.shown($0) }.joined(separator: ", ")
            + (files.count > 5 ? " and \(files.count - 5) more" : "")
        return StorageError(
            code: ENOTEMPTY, action: "contains files that realmfile did not write: \(named)", path: path)
    }

    /// An error for a transaction that is larger than the memory that is reserved for it.
    package static let withoutMemory = StorageError(
        code: ENOMEM, action: "cannot keep what is not committed", path: "memory")

    /// An error for a transaction that would wait for the one that it is begun in.
    package static func insideOfAnother(_ path: String) -> StorageError {
        StorageError(code: EDEADLK, action: "cannot write inside of another transaction", path: path)
    }

    /// An error for a store that does not know what its last change of the header came to. The system may say of a second attempt that
    /// all is well, and have thrown away what it could not write.
    package var untilReopened: StorageError {
        StorageError(
            code: code, action: "cannot write any more, since it is not known what reached the disk; open it again",
            path: path)
    }

    /// An error for a file that somebody cut off.
    package static func withoutHeader(_ path: String) -> StorageError {
        StorageError(code: EIO, action: "cannot read the header", path: path)
    }

    /// An error for a store that was closed.
    package static func storeIsClosed(_ path: String) -> StorageError {
        StorageError(code: EBADF, action: "cannot write: the store is closed", path: path)
    }

    /// An error for bytes behind the end of a database.
    static func withoutRoom(_ path: String) -> StorageError {
        StorageError(code: EFBIG, action: "cannot write after the end", path: path)
    }

    /// An error for a page that was read before and now fails.
    static func unreadable(_ path: String) -> StorageError {
        StorageError(code: EIO, action: "cannot read the first page", path: path)
    }

    /// An error for a file that is no longer being written.
    package static func closed(_ path: String) -> StorageError {
        StorageError(code: EBADF, action: "cannot write", path: path)
    }

    /// An error for a libcrypto that lacks an algorithm, or memory.
    static let withoutCipher = StorageError(
        code: ENOSYS, action: "cannot use AES-256-CBC and HMAC-SHA-224", path: SystemCrypto.name)

    /// Path, action and the system's words for the error number.
    public var description: String {
        "\(NativePath.shown(path)): \(action): \(reason)"
    }

    /// The system's words for the error number, with advice for the frequent ones.
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
        case ENODEV: "it is a device, not a file"
        case EROFS: "\(text); choose a folder on another disk"
        default: text
        }
    }
}
