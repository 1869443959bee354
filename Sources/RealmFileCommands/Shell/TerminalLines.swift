internal import CLibEdit
internal import RealmSystem
internal import Synchronization

/// Lines from a terminal, edited with libedit, with history and tab completion.
final class TerminalLines: LineInput {
    let isInteractive = true
    /// The file that keeps lines between sessions; nil for none.
    private let history: String?

    private static let modes = TerminalModes()

    /// State for the callbacks of libedit, which cannot carry a context.
    private static let state = Mutex(State())

    private struct State {
        var completer: LineCompleter?
        var candidates: [String] = []
    }

    /// The maximum number of lines to keep between sessions.
    private static let mostRemembered: Int32 = 2000
    /// The characters that end a word; paths are words.
    private static let wordEnds = " \t\n\"'(){}[]<>=!,;:+*/"

    init(history: String?, _ completer: @escaping LineCompleter) {
        self.history = history
        Self.state.withLock { $0.completer = completer }
        Self.useLocale()
        unsafe line_editor_set_up(
            Self.kept("realmfile"), Self.character, Self.complete, Self.kept(Self.wordEnds))
        using_history()
        stifle_history(Self.mostRemembered)
        if let history { unsafe read_history(history) }
    }

    /// Sets the character encoding to UTF-8, even if the environment does not specify it.
    private static func useLocale() {
        unsafe setlocale(LC_CTYPE, "")
        if unsafe setlocale(LC_CTYPE, nil).map({ unsafe ["C", "POSIX"].contains(String(cString: $0)) }) ?? true {
            unsafe setlocale(LC_CTYPE, "C.UTF-8")
        }
    }

    /// Returns a copy of a text that libedit keeps for ever.
    @unsafe
    private static func kept(_ text: String) -> UnsafeMutablePointer<CChar>? { unsafe strdup(text) }

    func next(prompt: String) -> EnteredLine {
        _ = Interruption.take()
        Self.modes.forget()
        let line = unsafe readline(prompt)
        defer { unsafe free(line) }
        if let line = unsafe line { return .line(unsafe String(cString: line)) }
        // libedit does not distinguish an interruption from the end of input.
        let isInterrupted = Interruption.take()
        unsafe puts(isInterrupted ? "^C" : "")
        fflush(nil)
        return isInterrupted ? .interrupted : .end
    }

    func remember(_ line: String) {
        unsafe add_history(line)
        guard let history else { return }
        // Queries can contain personal data: only the owner may read the file.
        let mask = umask(0o077)
        unsafe write_history(history)
        umask(mask)
    }

    // MARK: Callbacks of libedit

    /// Returns the next character as a code point; -1 at the end, and when the line is cancelled. Waits in steps,
    /// because a signal can be delivered to any thread and need not interrupt this one.
    private static let character: @convention(c) (UnsafeMutablePointer<FILE>?) -> Int32 = { _ in
        TerminalLines.modes.note()
        while true {
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let isReady = unsafe poll(&input, 1, TerminalLines.waitingStep) > 0
            if Interruption.isPending { return -1 }
            if Interruption.takeContinued() {
                TerminalLines.modes.set()
                line_editor_redraw()
            } else if Interruption.takeResized() {
                line_editor_redraw()
            }
            if isReady { return TerminalLines.readCharacter() }
        }
    }

    /// Milliseconds; too short to be noticed.
    private static let waitingStep: Int32 = 40

    /// Reads one UTF-8 character.
    private static func readCharacter() -> Int32 {
        guard let first = readByte() else { return -1 }
        var bytes = [first]
        let count = max(1, (~first).leadingZeroBitCount)
        while bytes.count < min(count, 4), let next = readByte() { bytes.append(next) }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.first.map { Int32($0.value) } ?? -1
    }

    private static func readByte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = unsafe read(STDIN_FILENO, &byte, 1)
            if count == 1 { return byte }
            guard count < 0, errno == EINTR else { return nil }
        }
    }

    private static let complete:
        @convention(c) (UnsafePointer<CChar>?, Int32, Int32)
            -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = { text, start, _ in
                unsafe TerminalLines.completions(text, Int(start))
            }

    @unsafe
    private static func completions(
        _ text: UnsafePointer<CChar>?, _ start: Int
    ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        guard let text = unsafe text, let buffer = unsafe line_editor_text() else { return nil }
        let word = unsafe String(cString: text)
        let before = unsafe String(decoding: UnsafeRawBufferPointer(start: buffer, count: start), as: UTF8.self)
        let completer = state.withLock(\.completer)
        let (words, endsWord) = completer?(before, word) ?? ([], true)
        line_editor_complete_with(endsWord ? 32 : 0)
        guard !words.isEmpty else { return nil }
        state.withLock { $0.candidates = words.reversed() }
        return unsafe rl_completion_matches(text) { _, _ in
            let next = TerminalLines.state.withLock { $0.candidates.popLast() }
            return unsafe next.flatMap { unsafe strdup($0) }
        }
    }
}

/// The terminal settings that libedit uses while a line is edited. After the process was suspended, the shell leaves
/// other settings.
private final class TerminalModes: Sendable {
    private let edited = Mutex<termios?>(nil)

    /// Records the settings when the first character of a line is read.
    func note() {
        edited.withLock { edited in
            guard edited == nil else { return }
            var now = termios()
            if unsafe tcgetattr(STDIN_FILENO, &now) == 0 { edited = now }
        }
    }

    func forget() { edited.withLock { $0 = nil } }

    /// Restores the recorded settings.
    func set() {
        edited.withLock { edited in
            guard var modes = edited else { return }
            unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &modes)
        }
    }
}
