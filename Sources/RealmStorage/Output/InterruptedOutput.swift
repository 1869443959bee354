internal import RealmSystem
internal import Synchronization

/// The temporary file that is being written, so that a process that is told to end can take it along.
package enum InterruptedOutput {
    /// The address of its path as a C string; 0 for none. Paths are never freed, because a handler may be reading one.
    private static let path = Atomic<UInt>(0)
    /// The last of the paths in folders that are being written, as the address of two numbers: that of a C string, and that of
    /// the path before; 0 for none.
    private static let added = Atomic<UInt>(0)
    /// Whether the process is about to end: what a handler removes must not get a final name meanwhile.
    private static let isEnding = Atomic<Bool>(false)
    /// Whether there are handlers that look at paths: programs that have not asked for them remember none.
    private static let isAsked = Atomic<Bool>(false)

    /// Makes the process remove its temporary file when it is interrupted, terminated or hung up, and then end as it
    /// would have; and say why when it ends because a mapped file was cut off. For programs, once, at their start.
    ///
    /// - Parameter unreadableStatus: what the process ends with when its input was cut off.
    package static func removeOnSignals(unreadableStatus: Int32) {
        path.store(0, ordering: .relaxed)
        added.store(0, ordering: .relaxed)
        isAsked.store(true, ordering: .relaxed)
        // What is initialised on first use must be so before a handler uses it.
        _ = cutOff
        Self.unreadableStatus.store(unreadableStatus, ordering: .relaxed)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let previous = signal(number) { number in
                InterruptedOutput.removeInHandler()
                signal(number, SIG_DFL)
                raise(number)
            }
            // Who started the program with signals ignored, as `nohup` does, wants it to stay so.
            if isIgnored(previous) { signal(number, SIG_IGN) }
        }
        signal(SIGBUS) { _ in
            InterruptedOutput.removeInHandler()
            let message = InterruptedOutput.cutOff
            unsafe write(2, message.utf8Start, message.utf8CodeUnitCount)
            _exit(InterruptedOutput.unreadableStatus.load(ordering: .relaxed))
        }
    }

    /// What the system calls a bus error is, in a program that only reads a map, a page without a file behind it.
    private static let cutOff: StaticString = """
        realmfile: a file was cut off by another process while it was being read, or its disk failed; \
        close the app that writes it, or read a private copy with --copy

        """
    private static let unreadableStatus = Atomic<Int32>(2)

    /// Does only what may be done in a handler (POSIX 2.4.3).
    private static func removeInHandler() {
        // First of all: whoever sees that a path is forgotten must see this, too.
        isEnding.store(true, ordering: .sequentiallyConsistent)
        if let path = unsafe UnsafePointer<CChar>(bitPattern: path.load(ordering: .sequentiallyConsistent)) {
            unsafe unlink(path)
        }
        // Files before the folders that they are in.
        var next = added.load(ordering: .sequentiallyConsistent)
        while let entry = unsafe UnsafePointer<UInt>(bitPattern: next) {
            if let path = unsafe UnsafePointer<CChar>(bitPattern: entry[0]), unsafe unlink(path) != 0 {
                unsafe rmdir(path)
            }
            next = unsafe entry[1]
        }
    }

    /// Adds a file or folder in a folder that is being written: it goes, too, before those that were added earlier.
    static func add(_ path: String) {
        guard isAsked.load(ordering: .relaxed), let copy = unsafe strdup(path.native) else { return }
        let entry = UnsafeMutablePointer<UInt>.allocate(capacity: 2)
        unsafe entry.initialize(to: UInt(bitPattern: copy))
        unsafe (entry + 1).initialize(to: added.load(ordering: .relaxed))
        added.store(UInt(bitPattern: entry), ordering: .releasing)
    }

    /// Forgets everything that was added, which stays from now on; waits for the end of a process that is ending.
    static func forgetAdded() {
        added.store(0, ordering: .sequentiallyConsistent)
        while isEnding.load(ordering: .sequentiallyConsistent) { sleep(1) }
    }

    private static func isIgnored(_ handler: sighandler?) -> Bool {
        unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Notes the temporary file, or nil when it is gone.
    static func note(_ temporaryPath: String?) {
        guard isAsked.load(ordering: .relaxed) else { return }
        let copy = unsafe temporaryPath.flatMap { unsafe strdup($0.native) }
        path.store(UInt(bitPattern: copy), ordering: .sequentiallyConsistent)
    }
}

private typealias sighandler = @convention(c) (Int32) -> Void
