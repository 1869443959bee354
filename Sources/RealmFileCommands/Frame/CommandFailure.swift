internal import RealmLayout
internal import RealmReader
internal import RealmStorage

/// Why a command could not do its work, in words for its user.
public struct CommandFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What a failure is made of.
    enum Cause: Equatable, Sendable {
        case format(FormatError)
        case system(StorageError)
        case other
    }

    /// What the process ends with.
    public let status: ExitStatus
    /// What happened, and where.
    let message: String
    /// What was thrown.
    let cause: Cause
    /// The file that could not be read, as messages name it.
    let file: String?
    /// What can be done.
    private(set) var remedies: [Remedy]
    /// The same in words, as soon as the command line is known.
    private(set) var advice: Advice?
    /// Whether a report has told it already.
    private(set) var isReported = false

    /// What happened, where, and what to try: one line.
    public var description: String { message + (advice.map { "; \($0.text)" } ?? "") }

    /// Makes a failure from its words.
    public init(_ message: String, status: ExitStatus = .unreadable) {
        self.init(message, status: status, file: nil)
    }

    /// Makes a failure from its words, what was thrown, and what can be done about the file.
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

    /// Words for what was thrown while `file` was being read.
    ///
    /// - Parameters:
    ///   - file: the name of the file as the user gave it.
    ///   - hasOtherCommit: whether the header's other slot leads to a commit that can be opened, when that is known; false
    ///     also for commands that have no --slot.
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
            var remedies = error.remedies(hasOtherCommit: hasOtherCommit)
            // The error says already what to do.
            if remedies == [.unpack] { remedies = [] }
            self.init(
                "\(file): \(error.line)", status: request.contains(error.code) ? .usage : .unreadable, .format(error),
                file: file, remedies)
        case let error as StorageError where error.isAlreadyThere:
            self.init(alreadyThere: error.path)
        case let error as StorageError:
            self.init("\(error)", .system(error), file: file)
            advice = Advice(error)
        default:
            self.init("\(file): \(error)", file: file)
        }
    }

    /// Words for an output that is in the way.
    init(alreadyThere path: String, option: String = "--out") {
        self.init("\(path.shownPath) already exists; use --overwrite to replace it, or another \(option)")
    }

    /// The same with other words, about the same thing.
    func saying(_ words: String) -> CommandFailure {
        var failure = CommandFailure("\(message); \(words)", status: status, cause, file: file, remedies)
        failure.advice = advice
        failure.isReported = isReported
        return failure
    }

    /// The same without some of what can be done.
    func without(_ done: [Remedy]) -> CommandFailure {
        var failure = self
        failure.remedies.removeAll { done.contains($0) }
        return failure
    }

    /// The same with advice that fits the command line.
    ///
    /// - Parameter arguments: how a command line names a file that messages give that name.
    func advised(_ arguments: (String) -> FileArguments?) -> CommandFailure {
        guard advice == nil, !remedies.isEmpty else { return self }
        var failure = self
        failure.advice = Advice(remedies, of: file.flatMap(arguments))
        return failure
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

    /// Whether there is no sign of a database in the file.
    fileprivate var isOfNoDatabase: Bool {
        [.emptyFile, .tooShort, .zeroedFile, .zeroedHeader, .notARealm, .encrypted].contains(code)
    }
}
