internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The temporary file that is being written, so that a process that is told to end can take it along.
public enum InterruptedOutput {
    /// The address of its path as a C string; 0 for none. Paths are never freed, because a handler may be reading one.
    private static let path = Atomic<UInt>(0)

    /// Makes the process remove its temporary file when it is interrupted, terminated or hung up, and then end as it
    /// would have. For programs, once, at their start.
    public static func removeOnSignals() {
        path.store(0, ordering: .relaxed)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let previous = signal(number) { number in
                // Only what may be called in a handler (POSIX 2.4.3).
                if let path = unsafe UnsafePointer<CChar>(bitPattern: InterruptedOutput.path.load(ordering: .relaxed)) {
                    unsafe unlink(path)
                }
                signal(number, SIG_DFL)
                raise(number)
            }
            // Who started the program with signals ignored, as `nohup` does, wants it to stay so.
            if isIgnored(previous) { signal(number, SIG_IGN) }
        }
    }

    private static func isIgnored(_ handler: sighandler?) -> Bool {
        unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Notes the temporary file, or nil when it is gone.
    static func note(_ temporaryPath: String?) {
        let copy = unsafe temporaryPath.flatMap { unsafe strdup($0) }
        path.store(UInt(bitPattern: copy), ordering: .relaxed)
    }
}

private typealias sighandler = @convention(c) (Int32) -> Void
