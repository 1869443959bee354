internal import ArgumentParser
internal import RealmExchange
internal import RealmLayout
internal import RealmSystem

/// A verb of the command line that writes to a console.
protocol ConsoleCommand: AsyncParsableCommand {
    /// The options for its reports.
    var reporting: ReportOptions { get }
    /// The Realm files that it reads.
    var realmFiles: [InputOptions] { get }
    /// Its input files, as named on the command line.
    var reportedFiles: [String] { get }
    /// Whether it writes a separate report for each file.
    var hasSeveralReports: Bool { get }

    /// Returns the arguments for one of its files on a command line, with the options for this file; nil for standard
    /// input.
    func arguments(of input: InputOptions, isEncrypted: Bool) -> FileArguments?

    /// Runs the command.
    ///
    /// - Throws: `CommandFailure`, `OutputError`.
    func run(on console: any Console) async throws -> ExitStatus
}

// Code common to all verbs is compiled once, not specialised for each of them.
extension ConsoleCommand {
    var hasSeveralReports: Bool { false }
    var reportedFiles: [String] {
        @_semantics("optimize.sil.specialize.generic.never")
        get { realmFiles.map(\.reportName) }
    }

    func arguments(of input: InputOptions, isEncrypted: Bool) -> FileArguments? {
        FileArguments(input, isEncrypted: isEncrypted)
    }

    /// Runs the command on the standard output.
    @_semantics("optimize.sil.specialize.generic.never")
    mutating func run() async throws {
        let status = try await runReporting(on: StandardConsole())
        if status != .success { throw ExitCode(status.code) }
    }

    /// Runs the command; when it fails before it wrote a report, writes a report of the failure.
    @_semantics("optimize.sil.specialize.generic.never")
    func runReporting(on console: any Console) async throws -> ExitStatus {
        for input in realmFiles { input.noteAccessTime(on: console) }
        do {
            return try await run(on: console)
        } catch let error as OutputError {
            throw error
        } catch {
            let failure = advised(error, file: (reportedFiles.first ?? "").singleLine, on: console)
            guard reporting.json, !failure.isReported else { throw failure }
            try tell(reportedFiles, failure.status, failure: failure, on: console)
            throw failure
        }
    }

    /// Returns a failure with advice that fits the command line.
    @_semantics("optimize.sil.specialize.generic.never")
    func advised(_ error: any Error, file: String, on console: any Console) -> CommandFailure {
        let hasKey = (try? console.environmentKey(AccessOptions.keyVariable)) != nil
        var failure = CommandFailure(error, file: file)
        // The number of skipped bytes may be wrong.
        if case .format = failure.cause, let index = realmFiles.firstIndex(where: { $0.name == failure.file }),
            realmFiles[index].skip > 0
        {
            let option = index == 0 || hasSeveralReports ? "--skip" : "--other-skip"
            failure = failure.saying("\(option) \(realmFiles[index].skip) skipped what comes before")
        }
        return failure.advised { name in
            realmFiles.first { $0.name == name }.flatMap { arguments(of: $0, isEncrypted: hasKey) }
        }
    }

    /// Writes a report, as JSON or as text; no text in quiet mode.
    ///
    /// - Parameters:
    ///   - files: its subject, as named on the command line.
    ///   - status: the verb's exit status for these files.
    ///   - failure: the reason why the report is incomplete.
    ///   - isData: whether the text is the requested data itself, rather than a message about it.
    ///   - cautions: cautions about the data.
    ///   - members: the members of the verb.
    ///   - text: the report for people.
    func tell(
        _ files: [String], _ status: ExitStatus, failure: CommandFailure? = nil, isData: Bool = false,
        cautions: [Caution] = [], _ members: @autoclosure () -> [(String, JSONValue)] = [],
        text: @autoclosure () -> String = "",
        on console: any Console
    ) throws {
        if reporting.json {
            let report = Report(
                verb: Self.configuration.commandName ?? "", files: files, status: status,
                failure: failure.map { advised($0, file: $0.file ?? "", on: console) },
                members: members(), cautions: cautions)
            try console.write(report.text(isLine: hasSeveralReports))
        } else if isData || !reporting.quiet {
            try console.write(text())
        }
    }
}

/// A verb that reads a commit of the user's choice.
protocol CommitCommand: ConsoleCommand {
    /// The options that choose the commit.
    var commitOptions: CommitOptions { get }
}

extension CommitCommand {
    func arguments(of input: InputOptions, isEncrypted: Bool) -> FileArguments? {
        var arguments = FileArguments(input, isEncrypted: isEncrypted)
        arguments?.commit = commitOptions.arguments
        return arguments
    }
}

extension RealmFileCommand {
    /// Returns the message for an output that accepts no more bytes.
    static func outputFailure(_ code: Int32) -> String {
        "standard output: cannot write: \(unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)")"
    }
}
