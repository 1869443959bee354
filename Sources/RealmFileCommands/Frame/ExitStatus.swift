/// The exit status of a command; the same for all verbs.
public enum ExitStatus: Int32, Sendable {
    /// Everything was read and nothing is wrong.
    case success = 0
    /// The file was read, but has damage, findings, or losses that the options do not allow.
    case findings = 1
    /// The file cannot be read.
    case unreadable = 2
    /// The command line is wrong.
    case usage = 64
    /// The output to a pipe is incomplete because its reader has ended. Equal to the status after the signal SIGPIPE.
    case closedPipe = 141

    /// The exit code of the process.
    public var code: Int32 { rawValue }
}
