internal import RealmSystem

/// The machine's processors.
enum Processors {
    /// How many are in use; at least 1.
    static var count: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
