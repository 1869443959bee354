internal import Synchronization

/// A terminal line that shows the progress of work of unknown size.
final class CountLine: Sendable {
    private let console: any Console
    private let width: Int
    private var isShown: Bool { width > 0 }
    private let state = Mutex(State())

    private struct State {
        var next: ContinuousClock.Instant?
        var isVisible = false
    }

    init(on console: any Console, isQuiet: Bool) {
        self.console = console
        width = isQuiet ? 0 : console.errorOutputWidth ?? 0
    }

    /// Draws the line, a few times a second.
    func show(_ text: @autoclosure () -> String) {
        guard isShown else { return }
        let isDue = state.withLock { state in
            let now = ContinuousClock.now
            guard let next = state.next else {
                state.next = now + .milliseconds(300)
                return false
            }
            guard now >= next else { return false }
            state.next = now + .milliseconds(200)
            state.isVisible = true
            return true
        }
        if isDue { console.progress("\r\(text().prefix(width - 1))\u{1B}[K") }
    }

    /// Removes the line.
    func clear() {
        guard isShown, state.withLock({ $0.isVisible }) else { return }
        console.progress("\r\u{1B}[K")
    }
}
