internal import CThreadNumber

/// The calling thread.
package enum CurrentThread {
    /// A number that no other thread of the process ever has; never 0.
    package static var number: UInt64 { thread_number() }

    /// Registers a function that is called on the thread, with its number, when it ends. The process has one such
    /// function.
    package static func whenItEnds(_ body: @convention(c) (_ number: UInt64) -> Void) { thread_end_call(body) }
}
