internal import CThreadNumber

/// The thread that asks.
package enum CurrentThread {
    /// A number that no other thread of the process ever has; never 0.
    package static var number: UInt64 { thread_number() }
}
