internal import ArgumentParser
internal import RealmExchange
internal import RealmLayout
internal import RealmSystem

/// A verb of the command line that writes to a console.
protocol ConsoleCommand: AsyncParsableCommand {
    /// How it tells what it found.
    var reporting: ReportOptions { get }
    /// The Realm files that it reads.
    var realmFiles: [InputOptions] { get }
    /// What it reads, as it was named on the command line.
    var reportedFiles: [String] { get }
    /// Whether it tells of each file in a report of its own.
    var hasSeveralReports: Bool { get }

    /// How a command line names one of its files, with what was asked of this one; nil for standard input.
    func arguments(of input: InputOptions, isEncrypted: Bool) -> FileArguments?

    /// Does the work.
    ///
    /// - Throws: `CommandFailure`, `OutputError`.
    func run(on console: any Console) async throws -> ExitStatus
}

// What is the same for all verbs is compiled once, not for each of them.
extension ConsoleCommand {
    var hasSeveralReports: Bool { false }
    var reportedFiles: [String] {
        @_semantics("optimize.sil.specialize.generic.never")
        get { realmFiles.map(\.reportName) }
    }

    func arguments(of input: InputOptions, isEncrypted: Bool) -> FileArguments? {
        FileArguments(input, isEncrypted: isEncrypted)
    }

    /// Does the work on the standard output.
    @_semantics("optimize.sil.specialize.generic.never")
    mutating func run() async throws {
        let status = try await runReporting(on: StandardConsole())
        if status != .success { throw ExitCode(status.code) }
    }

    /// Does the work; when it fails before a report was written, there is one of the failure.
    @_semantics("optimize.sil.specialize.generic.never")
    func runReporting(on console: any Console) async throws -> ExitStatus {
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

    /// A failure with advice that fits the command line.
    @_semantics("optimize.sil.specialize.generic.never")
    func advised(_ error: any Error, file: String, on console: any Console) -> CommandFailure {
        let hasKey = (try? console.environmentKey(AccessOptions.keyVariable)) != nil
        var failure = CommandFailure(error, file: file)
        // What is wrong may be the number.
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

    /// Writes a report: as JSON, or as text unless it is to be quiet.
    ///
    /// - Parameters:
    ///   - files: what it is about, as it was named on the command line.
    ///   - status: how the verb ends on account of these files.
    ///   - failure: why there is no more to tell.
    ///   - isData: whether the text is what was asked for, rather than words about it.
    ///   - cautions: what has to be known of the data.
    ///   - members: those of the verb.
    ///   - text: for people.
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

/// A verb that reads a commit that its user can choose.
protocol CommitCommand: ConsoleCommand {
    /// Which one.
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
    /// Words for an output that takes no more bytes.
    static func outputFailure(_ code: Int32) -> String {
        "standard output: cannot write: \(unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)")"
    }
}
