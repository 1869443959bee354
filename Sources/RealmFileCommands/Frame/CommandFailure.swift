internal import RealmLayout
internal import RealmReader
internal import RealmStorage

/// Why a command could not do its work, in words for its user.
public struct CommandFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What a failure is made of.
    enum Cause: Equatable, Sendable {
        /// The bytes of a file, and whether the header's other slot leads to a commit that can be opened, when that is known.
        case format(FormatError, hasOtherCommit: Bool?)
        case system(StorageError)
        case other
    }

    /// What the process ends with.
    public let status: ExitStatus
    /// What happened, where, and what to try: one line.
    public let description: String
    /// What was thrown.
    let cause: Cause
    /// Whether a report has told it already.
    var isReported = false

    /// Makes a failure from its words.
    public init(_ description: String, status: ExitStatus = .unreadable) {
        self.init(description, status: status, .other)
    }

    /// Makes a failure from its words and what was thrown.
    init(_ description: String, status: ExitStatus = .unreadable, _ cause: Cause) {
        self.status = status
        self.description = description
        self.cause = cause
    }

    /// Words for what was thrown while `file` was being read.
    ///
    /// - Parameters:
    ///   - file: the name of the file as the user gave it.
    ///   - hasOtherCommit: whether the header's other slot leads to a commit that can be opened, when that is known.
    init(_ error: any Error, file: String, hasOtherCommit: Bool? = nil) {
        switch error {
        case let failure as CommandFailure:
            self = failure
        case let error as FormatError where file.hasSuffix(".lock") && ErrorAdvice.isNoDatabase(error):
            self.init(
                "\(file): a lock file, which Realm keeps beside a database; give \(file.dropLast(5)) itself",
                .format(error, hasOtherCommit: nil))
        case let error as FormatError:
            let request: Set<FormatError.Code> = [.noSuchTable, .noSuchProperty, .noSuchObject]
            self.init(
                "\(file): \(error.line)\(ErrorAdvice.suffix(for: error, hasOtherCommit: hasOtherCommit))",
                status: request.contains(error.code) ? .usage : .unreadable,
                .format(error, hasOtherCommit: hasOtherCommit))
        case let error as StorageError where error.isAlreadyThere:
            self.init(alreadyThere: error.path)
        case let error as StorageError:
            self.init("\(error)\(ErrorAdvice.suffix(for: error))", .system(error))
        default:
            self.init("\(file): \(error)")
        }
    }

    /// Words for an output that is in the way.
    init(alreadyThere path: String, option: String = "--out") {
        self.init("\(path.singleLine) already exists; use --overwrite to replace it, or another \(option)")
    }

    /// The same, when a report has told it.
    var reported: CommandFailure {
        var failure = self
        failure.isReported = true
        return failure
    }
}

extension FormatError {
    /// The description without line breaks and control characters, which names in a file may hold.
    var line: String { description.singleLine }
}
