internal import Synchronization

/// A terminal bar that shows the progress of long work.
final class ProgressLine: Sendable {
    private let console: any Console
    private let isShown: Bool
    private let state = Mutex(State())

    private struct State {
        var lastPercent = -1
        var started: ContinuousClock.Instant?
        var isVisible = false
    }

    init(on console: any Console, isQuiet: Bool) {
        self.console = console
        isShown = !isQuiet && console.isErrorOutputTerminal
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
        let filled = percent * 40 / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 40 - filled)
        console.progress("\r[\(bar)] \(percent) %  \(done) of \(total) objects")
    }

    /// Removes the bar.
    func clear() {
        guard isShown, state.withLock({ $0.isVisible }) else { return }
        console.progress("\r\u{1B}[K")
    }
}
