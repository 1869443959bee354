public import RealmStorage

/// The destination of a command's output: data and reports go to the output, messages to the error output.
///
/// Commands use no other part of their process, so that tests can run them without one.
public protocol Console: Sendable {
    /// Appends bytes to the output.
    ///
    /// - Throws: `OutputError`.
    func write(_ bytes: [UInt8]) throws

    /// Writes out buffered bytes.
    ///
    /// - Throws: `OutputError`.
    func flush() throws

    /// Writes a line of text to the error output. Errors are ignored.
    func message(_ line: String)

    /// Writes text to the error output as it is, without a line break, to redraw a line.
    func progress(_ text: String)

    /// Returns the key in an environment variable; nil when there is no such variable.
    ///
    /// - Throws: `KeyError` when its value is not a key.
    func environmentKey(_ name: String) throws(KeyError) -> EncryptionKey?

    /// The width in columns of the error output's terminal, which can show progress; nil when it is no terminal, or one
    /// that cannot draw a line again.
    var errorOutputWidth: Int? { get }

    /// The width in columns of the output's terminal; nil when the output is not a terminal.
    var outputWidth: Int? { get }

    /// The command line, the host and the time, for reports that are evidence.
    var circumstances: Circumstances { get }

    /// Returns the lines that a user enters.
    func lineInput(_ completer: @escaping LineCompleter) -> any LineInput
}

extension Console {
    /// Nil: the output is not a terminal.
    public var outputWidth: Int? { nil }

    /// A process without arguments.
    public var circumstances: Circumstances { Circumstances(arguments: []) }

    /// Lines from the standard input, which is not a terminal.
    public func lineInput(_ completer: @escaping LineCompleter) -> any LineInput { PipedLines() }

    /// Appends text to the output.
    ///
    /// - Throws: `OutputError`.
    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Appends a line to the output.
    ///
    /// - Throws: `OutputError`.
    func writeLine(_ line: String) throws { try write(line + "\n") }
}

/// An error of an output that accepts no more bytes.
public enum OutputError: Error, Equatable, Sendable {
    /// The reader of a pipe has stopped reading, as `head` does; not a failure.
    case closed
    /// Any other error, e.g. a full disk.
    case failed(errno: Int32)
}
