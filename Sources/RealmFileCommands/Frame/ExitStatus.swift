/// How a command ended; the same for all verbs.
public enum ExitStatus: Int32, Sendable {
    /// Everything was read and nothing is wrong.
    case success = 0
    /// The file was read, but has damage, findings or losses that the options do not allow.
    case findings = 1
    /// The file cannot be read.
    case unreadable = 2
    /// The command line is wrong.
    case usage = 64
    /// What was to be written to a pipe is not complete: whoever read it has ended. As if by the signal SIGPIPE.
    case closedPipe = 141

    /// What the process ends with.
    public var code: Int32 { rawValue }
}
