internal import RealmSystem
internal import Synchronization

/// The temporary files being written, so that a process that receives a signal can remove them.
package enum InterruptedOutput {
    /// The address of the path as a C string; 0 for none. Paths are never freed, because a handler may be reading one.
    private static let path = Atomic<UInt>(0)
    /// The last path in the folders being written, as the address of two numbers: the address of a C string, and that
    /// of the previous pair; 0 for none.
    private static let added = Atomic<UInt>(0)
    /// Whether the process is about to end: files that a handler removes must not get a final name meanwhile.
    private static let isEnding = Atomic<Bool>(false)
    /// Whether handlers are installed: without them, no paths are recorded.
    private static let isAsked = Atomic<Bool>(false)

    /// Makes the process remove its temporary files when it is interrupted, terminated or hung up, and then end as it
    /// otherwise would. Also reports why it ends when a mapped file was truncated. Programs call this once, at their
    /// start.
    ///
    /// - Parameter unreadableStatus: the exit status if the input was truncated.
    package static func removeOnSignals(unreadableStatus: Int32) {
        path.store(0, ordering: .relaxed)
        added.store(0, ordering: .relaxed)
        isAsked.store(true, ordering: .relaxed)
        // Lazily initialised globals must be initialised before a handler uses them.
        _ = cutOff
        Self.unreadableStatus.store(unreadableStatus, ordering: .relaxed)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let previous = signal(number) { number in
                InterruptedOutput.removeInHandler()
                signal(number, SIG_DFL)
                raise(number)
            }
            // Signals that are ignored from the start, as with `nohup`, stay ignored.
            if isIgnored(previous) { signal(number, SIG_IGN) }
        }
        signal(SIGBUS) { _ in
            InterruptedOutput.removeInHandler()
            let message = InterruptedOutput.cutOff
            unsafe write(2, message.utf8Start, message.utf8CodeUnitCount)
            _exit(InterruptedOutput.unreadableStatus.load(ordering: .relaxed))
        }
    }

    /// In a program that only reads a map, a bus error means a page without a file behind it.
    private static let cutOff: StaticString = """
        realmfile: a file was cut off by another process while it was being read, or its disk failed; \
        close the app that writes it, or read a private copy with --copy

        """
    private static let unreadableStatus = Atomic<Int32>(2)

    /// Uses only functions that are permitted in a signal handler (POSIX 2.4.3).
    private static func removeInHandler() {
        // Must come first: code that sees a path cleared must also see this.
        isEnding.store(true, ordering: .sequentiallyConsistent)
        if let path = unsafe UnsafePointer<CChar>(bitPattern: path.load(ordering: .sequentiallyConsistent)) {
            unsafe unlink(path)
        }
        // Files before the folders that contain them.
        var next = added.load(ordering: .sequentiallyConsistent)
        while let entry = unsafe UnsafePointer<UInt>(bitPattern: next) {
            if let path = unsafe UnsafePointer<CChar>(bitPattern: entry[0]), unsafe unlink(path) != 0 {
                unsafe rmdir(path)
            }
            next = unsafe entry[1]
        }
    }

    /// Adds a file or folder in a folder being written. It is removed before those added earlier.
    static func add(_ path: String) {
        guard isAsked.load(ordering: .relaxed), let copy = unsafe strdup(path.native) else { return }
        let entry = UnsafeMutablePointer<UInt>.allocate(capacity: 2)
        unsafe entry.initialize(to: UInt(bitPattern: copy))
        unsafe (entry + 1).initialize(to: added.load(ordering: .relaxed))
        added.store(UInt(bitPattern: entry), ordering: .releasing)
    }

    /// Clears the added paths, which are kept from now on. If the process is ending, waits for its end.
    static func forgetAdded() {
        added.store(0, ordering: .sequentiallyConsistent)
        while isEnding.load(ordering: .sequentiallyConsistent) { sleep(1) }
    }

    private static func isIgnored(_ handler: sighandler?) -> Bool {
        unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Records the temporary file; nil if it is gone.
    static func note(_ temporaryPath: String?) {
        guard isAsked.load(ordering: .relaxed) else { return }
        let copy = unsafe temporaryPath.flatMap { unsafe strdup($0.native) }
        path.store(UInt(bitPattern: copy), ordering: .sequentiallyConsistent)
    }
}

private typealias sighandler = @convention(c) (Int32) -> Void
