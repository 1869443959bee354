internal import RealmStorage
internal import Synchronization

/// A terminal line that shows that work goes on, and since when, for work that is not counted or only in part.
final class ElapsedLine: Sendable {
    private let console: any Console
    private let width: Int
    private let words: String
    private let state = Mutex(State())

    private struct State {
        var done: (count: Int, total: Int)?
        var isOver = false
        var isVisible = false
    }

    /// Prepares a line.
    ///
    /// - Parameter words: the work: `checking app.realm`.
    init(_ words: String, on console: any Console, isQuiet: Bool) {
        self.console = console
        self.words = words
        width = isQuiet ? 0 : console.errorOutputWidth ?? 0
    }

    /// Shows the part of the work that is done.
    func note(_ done: Int, of total: Int) {
        guard width > 0, total > 0 else { return }
        state.withLock { $0.done = (done, total) }
    }

    /// Draws the line once a second while `body` runs, from the third second on.
    func during<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard width > 0 else { return try body() }
        let ticker = Task.detached(priority: .high) { [self] in
            var seconds = 0
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                seconds += 1
                if seconds >= 2 { draw(seconds) }
            }
        }
        defer {
            ticker.cancel()
            state.withLock { state in
                state.isOver = true
                if state.isVisible { console.progress("\r\u{1B}[K") }
            }
        }
        return try body()
    }

    /// Reads a file while the line is drawn; see `InputOptions.reading`.
    func reading<Result>(_ input: InputOptions, _ body: (ByteSource) throws -> Result) throws -> Result {
        try during { try input.reading(body) }
    }

    private func draw(_ seconds: Int) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isVisible = true
            let part = state.done.map { " (\(min(100, $0.count / max(1, $0.total / 100))) %)" } ?? ""
            console.progress("\r" + "\(words)\(part), \(seconds) s".prefix(width - 1) + "\u{1B}[K")
        }
    }
}
