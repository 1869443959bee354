internal import CThreadNumber

/// The thread that asks.
package enum CurrentThread {
    /// A number that no other thread of the process ever has; never 0.
    package static var number: UInt64 { thread_number() }

    /// Calls a function on the thread, with its number, when the thread ends. There is one such function for all.
    package static func whenItEnds(_ body: @convention(c) (_ number: UInt64) -> Void) { thread_end_call(body) }
}
