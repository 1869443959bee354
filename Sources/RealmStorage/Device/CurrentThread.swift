internal import RealmSystem

/// The thread that asks.
package enum CurrentThread {
    /// A number that no other thread has as long as this one lives; never 0.
    package static var number: UInt64 {
        #if canImport(Darwin)
            UInt64(pthread_mach_thread_np(pthread_self()))
        #else
            UInt64(pthread_self())
        #endif
    }
}
