package import RealmFileCommands
package import RealmStorage
import Synchronization
package import TestSupport

/// A console that records the output of a command.
package final class TestConsole: Console {
    private let state = Mutex((output: [UInt8](), messages: [String]()))
    /// The number of bytes after which the output is closed; nil for never.
    private let capacity: Int?

    /// The texts of keys in the environment, by variable.
    private let environment: [String: String]

    /// The lines of input.
    package let lines: TestLines

    package func lineInput(_ completer: @escaping LineCompleter) -> any LineInput {
        lines.completer.withLock { $0 = completer }
        return lines
    }

    /// The width of the output's terminal; nil when it is not a terminal.
    package let outputWidth: Int?

    package init(
        capacity: Int? = nil, environmentKey: String? = nil, newKey: String? = nil, outputWidth: Int? = nil,
        errorOutputWidth: Int? = nil, input: [String] = [], isInteractive: Bool = false
    ) {
        self.capacity = capacity
        self.errorOutputWidth = errorOutputWidth
        lines = TestLines(input, isInteractive: isInteractive)
        self.outputWidth = outputWidth
        environment = ["REALMFILE_KEY": environmentKey, "REALMFILE_NEW_KEY": newKey].compactMapValues { $0 }
    }

    package func environmentKey(_ name: String) throws(KeyError) -> EncryptionKey? {
        guard let text = environment[name] else { return nil }
        return try EncryptionKey(text: text)
    }

    package var output: String { String(decoding: bytes, as: UTF8.self) }
    package var bytes: [UInt8] { state.withLock(\.output) }
    package var messages: [String] { state.withLock(\.messages) }
    /// The width of the error output's terminal; nil when it is not a terminal.
    package let errorOutputWidth: Int?
    private let drawn = Mutex<[String]>([])
    /// The texts that were drawn to show progress.
    package var drawings: [String] { drawn.withLock(\.self) }

    package func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            state.output += bytes
            if let capacity, state.output.count > capacity { throw OutputError.closed }
        }
    }

    package func flush() throws {}

    package func message(_ line: String) { state.withLock { $0.messages.append(line) } }

    package func progress(_ text: String) { drawn.withLock { $0.append(text) } }
}

/// Predefined lines of input.
package final class TestLines: LineInput {
    package let isInteractive: Bool
    private let rest: Mutex<[String]>
    /// The shell's completer.
    package let completer = Mutex<LineCompleter?>(nil)
    /// The remembered lines.
    package let remembered = Mutex<[String]>([])

    package init(_ lines: [String], isInteractive: Bool) {
        rest = Mutex(lines)
        self.isInteractive = isInteractive
    }

    package func next(prompt: String) -> EnteredLine {
        rest.withLock { $0.isEmpty ? .end : .line($0.removeFirst()) }
    }

    package func remember(_ line: String) { remembered.withLock { $0.append(line) } }
}

/// The result of a run of the tool.
package struct Run {
    package let status: ExitStatus
    package let output: String
    /// The raw output.
    package let bytes: [UInt8]
    package let messages: [String]

    /// Runs the tool with the arguments in this process.
    package init(_ arguments: String...) async { await self.init(arguments) }

    package init(
        _ arguments: [String], environmentKey: String? = nil, newKey: String? = nil, outputWidth: Int? = nil,
        input: [String] = []
    ) async {
        let console = TestConsole(
            environmentKey: environmentKey, newKey: newKey, outputWidth: outputWidth, input: input)
        status = await RealmFileCommand.run(arguments, on: console)
        output = console.output
        bytes = console.bytes
        messages = console.messages
    }

    /// The output as one JSON object.
    package func json() throws -> [JSON.Member] { try JSON(parsing: Array(output.utf8)).members() }
}

extension [JSON.Member] {
    /// Returns the text of a member.
    package func text(_ name: String) throws -> String { try self[required: name].string() }
    /// Returns the number in a member.
    package func number(_ name: String) throws -> Int { Int(try self[required: name].int()) }
    /// Returns the members of an object in a member.
    package func object(_ name: String) throws -> [JSON.Member] { try self[required: name].members() }
    /// Returns the objects of an array in a member.
    package func objects(_ name: String) throws -> [[JSON.Member]] {
        try self[required: name].elements().map { try $0.members() }
    }
}
