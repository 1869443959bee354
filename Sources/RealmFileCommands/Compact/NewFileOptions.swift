internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmStorage

/// Options for the new database file that a command writes.
struct NewFileOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where to write the new file.", valueName: "file"), completion: .file())
    var out: String

    @Flag(help: "Replace a file that already exists, unless a process has it open.")
    var overwrite = false

    func validate() throws {
        try InputOptions.requirePath(out, "--out")
        if out == "-" { throw ValidationError("--out takes a path: the header is written last") }
    }

    /// Refuses to overwrite the input file.
    func check(against input: InputOptions) throws(CommandFailure) {
        try OutputFile.check(out, isNot: input, option: "--out")
    }

    /// Writes a new file from a snapshot and reports on it.
    ///
    /// - Parameter body: writes the file, and returns the links that it omitted.
    /// - Throws: `CommandFailure`, `OutputError`.
    func write(
        _ input: InputOptions, _ commit: CommitOptions, for command: some ConsoleCommand, on console: any Console,
        _ body: (Snapshot, NewFile) throws(WriteError) -> [OmittedLinks]
    ) throws -> ExitStatus {
        try check(against: input)
        let key = try input.key(console)
        let summary = try input.reading { bytes in
            let snapshot = try input.snapshot(commit, of: bytes, key)
            var file = NewFile(out)
            file.overwrite = overwrite
            file.key = !snapshot.isEncrypted ? nil : try key?.key
            file.permissions = OutputFile.permissions(ofFileAt: input.file) ?? file.permissions
            let leftOut: [OmittedLinks]
            do throws(WriteError) {
                leftOut = try body(snapshot, file)
            } catch {
                throw CommandFailure(error, input: input.name)
            }
            return try NewFileSummary(input.name, bytes, snapshot, file, leftOut)
        }
        let warning = summary.warning(
            Advice([.diagnose], of: command.arguments(of: input, isEncrypted: summary.isEncrypted)))
        let status: ExitStatus = warning == nil ? .success : .findings
        try command.tell(
            [input.reportName], status, cautions: summary.cautions, summary.members, text: summary.text, on: console)
        summary.cautions.show(input.name, on: console)
        guard let warning else { return status }
        try console.flush()
        console.message(warning)
        return status
    }
}

extension OutputFile {
    /// Refuses to overwrite the input file or a key file.
    ///
    /// - Parameter newKeyFile: the file with the key for the new file.
    static func check(
        _ path: String, isNot input: InputOptions, newKeyFile: String? = nil, option: String
    ) throws(CommandFailure) {
        if isSameFile(path, input.path) {
            throw CommandFailure("\(option) must not be the input file \(path.shownPath)", status: .usage)
        }
        for key in [input.keyFile, newKeyFile].compactMap(\.self) where isSameFile(path, key) {
            throw CommandFailure("\(option) must not be the key file \(path.shownPath)", status: .usage)
        }
    }
}

extension CommandFailure {
    /// Creates a failure from the error that prevented a new file from being written.
    init(_ error: WriteError, input: String) {
        switch error {
        case .source(let error): self.init(error, file: input)
        case .internalInconsistency: self.init("\(input): \(error.description.singleLine)")
        case .misfit(let misfit): self.init("\(input): \(misfit.description.singleLine)")
        case .storage(let error): self.init(error, file: error.path)
        }
    }
}
