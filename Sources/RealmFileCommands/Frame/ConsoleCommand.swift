internal import ArgumentParser

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A verb of the command line that writes to a console.
protocol ConsoleCommand: AsyncParsableCommand {
    /// Does the work.
    ///
    /// - Throws: `CommandFailure`, `OutputError`.
    func run(on console: any Console) async throws -> ExitStatus
}

extension ConsoleCommand {
    /// Does the work on the standard output.
    mutating func run() async throws {
        let status = try await run(on: StandardConsole())
        if status != .success { throw ExitCode(status.code) }
    }
}

extension RealmFileCommand {
    /// Words for an output that takes no more bytes.
    static func outputFailure(_ code: Int32) -> String {
        "standard output: cannot write: \(unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)")"
    }
}
