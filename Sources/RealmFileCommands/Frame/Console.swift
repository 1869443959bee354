public import RealmStorage

/// Where a command writes: data and reports to the output, messages to the error output.
///
/// Commands know nothing else of the process they run in, so that tests can run them without one.
public protocol Console: Sendable {
    /// Appends bytes to the output.
    ///
    /// - Throws: `OutputError`.
    func write(_ bytes: [UInt8]) throws

    /// Writes out what is still in a buffer.
    ///
    /// - Throws: `OutputError`.
    func flush() throws

    /// Writes a line of text to the error output. What cannot be written there is lost.
    func message(_ line: String)

    /// Writes text to the error output as it is, without a line break: to draw over what is there.
    func progress(_ text: String)

    /// The key in a variable of the environment; nil when there is no such variable.
    ///
    /// - Throws: `KeyError` when its value is no key.
    func environmentKey(_ name: String) throws(KeyError) -> EncryptionKey?

    /// Whether the error output is a terminal, where progress can be shown.
    var isErrorOutputTerminal: Bool { get }

    /// How many columns the terminal has that the output goes to; nil when it goes elsewhere.
    var outputWidth: Int? { get }

    /// What a user enters.
    func lineInput(_ completer: @escaping LineCompleter) -> any LineInput
}

extension Console {
    /// Not to a terminal.
    public var outputWidth: Int? { nil }

    /// The standard input, which is no terminal.
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

/// The output took no more bytes.
public enum OutputError: Error, Equatable, Sendable {
    /// The reader of a pipe has seen enough, as `head` does: not a failure.
    case closed
    /// Anything else, e.g. a full disk.
    case failed(errno: Int32)
}
