internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// The reason why a command failed, in words for its user.
public struct CommandFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The origin of a failure.
    enum Cause: Equatable, Sendable {
        case format(FormatError)
        case system(StorageError)
        case other
    }

    /// The exit status of the process.
    public let status: ExitStatus
    /// The problem, and where it occurred.
    let message: String
    /// The underlying error.
    let cause: Cause
    /// The file that could not be read, as named in messages.
    let file: String?
    /// Possible remedies.
    private(set) var remedies: [Remedy]
    /// The remedies in words, once the command line is known.
    private(set) var advice: Advice?
    /// Whether a report already contains the failure.
    private(set) var isReported = false

    /// The problem, its place, and what to try, in one line.
    public var description: String { message + (advice.map { "; \($0.text)" } ?? "") }

    /// Creates a failure from a message.
    public init(_ message: String, status: ExitStatus = .unreadable) {
        self.init(message, status: status, file: nil)
    }

    /// Creates a failure from a message, its cause, and the remedies for the file.
    init(
        _ message: String, status: ExitStatus = .unreadable, _ cause: Cause = .other, file: String?,
        _ remedies: [Remedy] = []
    ) {
        self.status = status
        self.message = message
        self.cause = cause
        self.file = file
        self.remedies = remedies
    }

    /// Creates a failure from an error thrown while reading `file`.
    ///
    /// - Parameters:
    ///   - file: the name of the file as the user gave it.
    ///   - hasOtherCommit: whether the header's other slot refers to a commit that can be opened, if that is known;
    ///     false also for commands without --slot.
    init(_ error: any Error, file: String, hasOtherCommit: Bool? = nil) {
        switch error {
        case let failure as CommandFailure:
            self = failure
        case let error as FormatError
        where error.isOfNoDatabase && FileContext.lockedDatabase(of: file) != nil:
            self.init(
                "\(file): a lock file, which Realm keeps beside a database; give \(file.dropLast(5)) itself",
                .format(error), file: file)
        case let error as FormatError:
            let request: Set<FormatError.Code> = [.noSuchTable, .noSuchProperty, .noSuchObject]
            self.init(
                "\(file): \(error.line)", status: request.contains(error.code) ? .usage : .unreadable, .format(error),
                file: file, Self.diagnosing(error.remedies(hasOtherCommit: hasOtherCommit)))
        case let error as StorageError where error.isAlreadyThere:
            self.init(alreadyThere: error.path)
        case let error as StorageError:
            self.init("\(error)", .system(error), file: file)
            advice = Advice(error)
        default:
            self.init("\(file): \(error)", file: file)
        }
    }

    /// The remedies with a single one in place of those that need a decision, which `doctor` helps with.
    private static func diagnosing(_ remedies: [Remedy]) -> [Remedy] {
        var result: [Remedy] = []
        for remedy in remedies {
            switch remedy {
            case .readOtherCommit, .findRoot, .salvage: if !result.contains(.diagnose) { result.append(.diagnose) }
            default: result.append(remedy)
            }
        }
        return result
    }

    /// Creates a failure for an output path that already exists.
    init(alreadyThere path: String, option: String = "--out") {
        self.init("\(path.shownPath) already exists; use --overwrite to replace it, or another \(option)")
    }

    /// Returns the failure with words appended to its message.
    func saying(_ words: String) -> CommandFailure {
        var failure = CommandFailure("\(message); \(words)", status: status, cause, file: file, remedies)
        failure.advice = advice
        failure.isReported = isReported
        return failure
    }

    /// Returns the failure with advice.
    func advising(_ advice: Advice?) -> CommandFailure {
        var failure = self
        failure.advice = advice
        return failure
    }

    /// Returns the failure without some of its remedies.
    func without(_ done: [Remedy]) -> CommandFailure {
        var failure = self
        failure.remedies.removeAll { done.contains($0) }
        return failure
    }

    /// Returns the failure without advice to look for commits or salvage, which was done.
    var withoutRescue: CommandFailure { without(remedies.filter(\.isRescue)) }

    /// Returns the failure with advice that fits the command line.
    ///
    /// - Parameter arguments: the arguments for the file that messages give a name.
    func advised(_ arguments: (String) -> FileArguments?) -> CommandFailure {
        guard advice == nil, !remedies.isEmpty else { return self }
        var failure = self
        failure.advice = Advice(remedies, of: file.flatMap(arguments))
        return failure
    }

    /// The failure, marked as reported.
    var reported: CommandFailure {
        var failure = self
        failure.isReported = true
        return failure
    }
}

extension FormatError {
    /// The description without line breaks and control characters, which names in a file can contain.
    var line: String { description.singleLine }

    /// Whether the file shows no sign of being a database.
    fileprivate var isOfNoDatabase: Bool {
        [.emptyFile, .tooShort, .zeroedFile, .zeroedHeader, .notARealm, .encrypted].contains(code)
    }
}
