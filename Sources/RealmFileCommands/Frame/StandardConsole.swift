public import RealmStorage
internal import RealmSystem
internal import Synchronization

/// The standard output and error output of the process.
public final class StandardConsole: Console {
    private let buffer = Mutex<[UInt8]>([])
    private static let bufferSize = 1 << 16

    /// Creates the console. Writing to a closed pipe becomes an error instead of ending the process, and temporary
    /// files are removed on interruption.
    public init() {
        signal(SIGPIPE, SIG_IGN)
        InterruptedOutput.removeOnSignals(unreadableStatus: ExitStatus.unreadable.code)
    }

    /// The arguments of the process, without the name of the program. File names need not be UTF-8.
    public static var arguments: [String] { Array(allArguments.dropFirst()) }

    private static var allArguments: [String] {
        let all = unsafe UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        return unsafe all.compactMap { argument in unsafe argument.map { unsafe NativePath.text(cString: $0) } }
    }

    /// The arguments of the process, the host and the time.
    public var circumstances: Circumstances { Circumstances(arguments: Self.allArguments) }

    /// Returns the key in an environment variable.
    public func environmentKey(_ name: String) throws(KeyError) -> EncryptionKey? {
        try EncryptionKey.fromEnvironment(name)
    }

    /// Appends bytes to the standard output, through a buffer.
    ///
    /// - Throws: `OutputError`.
    public func write(_ bytes: [UInt8]) throws {
        try buffer.withLock { buffer in
            buffer += bytes
            if buffer.count >= Self.bufferSize { try Self.writeOut(&buffer) }
        }
    }

    /// Writes out the buffer.
    ///
    /// - Throws: `OutputError`.
    public func flush() throws {
        try buffer.withLock { try Self.writeOut(&$0) }
    }

    /// Writes a line to the error output.
    public func message(_ line: String) {
        var bytes = Array((line + "\n").utf8)
        try? Self.write(&bytes, to: STDERR_FILENO)
    }

    /// Writes text to the error output as it is.
    public func progress(_ text: String) {
        var bytes = Array(text.utf8)
        try? Self.write(&bytes, to: STDERR_FILENO)
    }

    /// The width in columns of the terminal on the error output; nil when it is not a terminal, or one without control
    /// sequences (`TERM=dumb`).
    public var errorOutputWidth: Int? {
        guard let kind = unsafe getenv("TERM"), unsafe String(cString: kind) != "dumb" else { return nil }
        return Self.width(STDERR_FILENO)
    }

    /// The width in columns of the terminal on the standard output; nil when it is not a terminal.
    public var outputWidth: Int? { Self.width(STDOUT_FILENO) }

    private static func width(_ descriptor: Int32) -> Int? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Returns a terminal with history and completion, or else the plain standard input.
    public func lineInput(_ completer: @escaping LineCompleter) -> any LineInput {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return PipedLines() }
        return TerminalLines(history: Self.historyFile, completer)
    }

    /// `.realmfile_history` in the user's folder, or the path in `REALMFILE_HISTORY`; nil when that is empty.
    private static var historyFile: String? {
        if let named = unsafe getenv("REALMFILE_HISTORY") {
            let path = unsafe String(cString: named)
            return path.isEmpty ? nil : path
        }
        return unsafe getenv("HOME").map { unsafe String(cString: $0) + "/.realmfile_history" }
    }

    private static func writeOut(_ buffer: inout [UInt8]) throws(OutputError) {
        guard !buffer.isEmpty else { return }
        defer { buffer.removeAll(keepingCapacity: true) }
        try write(&buffer, to: STDOUT_FILENO)
    }

    private static func write(_ bytes: inout [UInt8], to descriptor: Int32) throws(OutputError) {
        var start = 0
        let count = bytes.count
        while start < count {
            let written = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Self.systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: bytes[start...]))
            }
            if written < 0, errno == EINTR { continue }
            guard written >= 0 else { throw errno == EPIPE ? .closed : .failed(errno: errno) }
            start += written
        }
    }

    @unsafe
    private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            unsafe Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Glibc)
            unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            unsafe Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}
