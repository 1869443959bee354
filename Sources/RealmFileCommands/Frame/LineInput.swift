internal import RealmSystem
internal import Synchronization

/// What a user enters, line by line.
public protocol LineInput: Sendable {
    /// Whether a person sits there, who sees prompts and wants a conversation.
    var isInteractive: Bool { get }

    /// The next line, without its end.
    func next(prompt: String) -> EnteredLine

    /// Remembers a line for this and later sessions.
    func remember(_ line: String)
}

/// What comes of asking for a line.
public enum EnteredLine: Equatable, Sendable {
    case line(String)
    /// The user gave the line up.
    case interrupted
    /// There are no more.
    case end
}

/// Finds how the last word of a line can go on.
///
/// - Returns: whole words in place of it, and whether a space follows when it is the only one.
public typealias LineCompleter = @Sendable (_ line: String, _ word: String) -> (words: [String], endsWord: Bool)

/// Lines from the standard input, which is no terminal.
struct PipedLines: LineInput {
    let isInteractive = false

    func next(prompt: String) -> EnteredLine { readLine().map { .line($0) } ?? .end }
    func remember(_ line: String) {}
}

/// What a user asks for with signals while lines are read and answered.
enum Interruption {
    private static let isAsked = Atomic<Bool>(false)
    private static let isResized = Atomic<Bool>(false)
    private static let isContinued = Atomic<Bool>(false)

    /// From now on Ctrl-C is noted instead of ending the process; so is what happens to the terminal.
    static func listen() {
        // What is initialised on first use must be so before a handler uses it.
        for flag in [take, takeResized, takeContinued] { _ = flag() }
        signal(SIGINT) { _ in Interruption.isAsked.store(true, ordering: .relaxed) }
        signal(SIGWINCH) { _ in Interruption.isResized.store(true, ordering: .relaxed) }
        signal(SIGCONT) { _ in Interruption.isContinued.store(true, ordering: .relaxed) }
    }

    /// Whether there was a Ctrl-C since this was asked last.
    static func take() -> Bool { isAsked.exchange(false, ordering: .relaxed) }
    /// The same, without answering it.
    static var isPending: Bool { isAsked.load(ordering: .relaxed) }
    /// Whether the terminal's size changed since.
    static func takeResized() -> Bool { isResized.exchange(false, ordering: .relaxed) }
    /// Whether the process was stopped and goes on since.
    static func takeContinued() -> Bool { isContinued.exchange(false, ordering: .relaxed) }

    /// Does something as a task of its own, which is cancelled when the user asks for it.
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
