internal import RealmSystem

/// The machine's processors.
enum Processors {
    /// The number of processors online; at least 1.
    static var count: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
