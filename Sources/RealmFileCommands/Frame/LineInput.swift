internal import RealmSystem
internal import Synchronization

/// A source of lines entered by a user.
public protocol LineInput: Sendable {
    /// Whether the lines come from a person, who sees prompts and expects a conversation.
    var isInteractive: Bool { get }

    /// Returns the next line, without its end.
    func next(prompt: String) -> EnteredLine

    /// Remembers a line for this and later sessions.
    func remember(_ line: String)
}

/// The result of requesting a line.
public enum EnteredLine: Equatable, Sendable {
    case line(String)
    /// The user cancelled the line.
    case interrupted
    /// There are no more lines.
    case end
}

/// Completes the last word of a line.
///
/// - Returns: whole words that can replace it, and whether a space follows if there is only one.
public typealias LineCompleter = @Sendable (_ line: String, _ word: String) -> (words: [String], endsWord: Bool)

/// Lines from standard input that is not a terminal.
struct PipedLines: LineInput {
    let isInteractive = false

    func next(prompt: String) -> EnteredLine { readLine().map { .line($0) } ?? .end }
    func remember(_ line: String) {}
}

/// Requests that signals make while lines are read and answered.
enum Interruption {
    private static let isAsked = Atomic<Bool>(false)
    private static let isResized = Atomic<Bool>(false)
    private static let isContinued = Atomic<Bool>(false)

    /// Starts recording Ctrl-C instead of ending the process, as well as changes to the terminal.
    static func listen() {
        // Lazily initialised state must be initialised before a signal handler uses it.
        for flag in [take, takeResized, takeContinued] { _ = flag() }
        signal(SIGINT) { _ in Interruption.isAsked.store(true, ordering: .relaxed) }
        signal(SIGWINCH) { _ in Interruption.isResized.store(true, ordering: .relaxed) }
        signal(SIGCONT) { _ in Interruption.isContinued.store(true, ordering: .relaxed) }
    }

    /// Returns whether there was a Ctrl-C since the last call.
    static func take() -> Bool { isAsked.exchange(false, ordering: .relaxed) }
    /// Whether there was a Ctrl-C; does not reset it.
    static var isPending: Bool { isAsked.load(ordering: .relaxed) }
    /// Returns whether the terminal's size changed since the last call.
    static func takeResized() -> Bool { isResized.exchange(false, ordering: .relaxed) }
    /// Returns whether the process was stopped and continued since the last call.
    static func takeContinued() -> Bool { isContinued.exchange(false, ordering: .relaxed) }

    /// Runs work in a separate task, which is cancelled on Ctrl-C.
    static func cancelling<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        _ = take()
        let task = Task(operation: work)
        let watch = Task {
            while !Task.isCancelled {
                if take() { task.cancel() }
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
        defer { watch.cancel() }
        return try await task.value
    }
}
