internal import Synchronization

/// A terminal bar that shows the progress of long work.
final class ProgressLine: Sendable {
    private let console: any Console
    private let width: Int
    private var isShown: Bool { width > 0 }
    private let state = Mutex(State())

    private struct State {
        var lastPercent = -1
        var started: ContinuousClock.Instant?
        var isVisible = false
    }

    init(on console: any Console, isQuiet: Bool) {
        self.console = console
        width = isQuiet ? 0 : console.errorOutputWidth ?? 0
    }

    /// Draws the bar when it has grown, unless the work has only just begun.
    func show(_ done: Int, of total: Int) {
        guard isShown, total > 0 else { return }
        let percent = min(100, done * 100 / total)
        let isDue = state.withLock { state in
            let now = ContinuousClock.now
            let started = state.started ?? now
            state.started = started
            guard percent != state.lastPercent, now - started > .milliseconds(300) else { return false }
            state.lastPercent = percent
            state.isVisible = true
            return true
        }
        guard isDue else { return }
        console.progress("\r" + Self.line(done, total, percent, width))
    }

    /// The bar and the numbers, in one line of the terminal: of a narrow one only as much as fits.
    private static func line(_ done: Int, _ total: Int, _ percent: Int, _ width: Int) -> String {
        // In the last column, some terminals begin another line.
        let room = width - 1
        let numbers = "\(percent) %  \(done) of \(total) objects"
        let length = min(40, room - numbers.count - 3)
        guard length >= 10 else { return String(numbers.prefix(max(0, room))) }
        let filled = percent * length / 100
        return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: length - filled) + "] "
            + numbers
    }

    /// Removes the bar.
    func clear() {
        guard isShown, state.withLock({ $0.isVisible }) else { return }
        console.progress("\r\u{1B}[K")
    }
}
