internal import ArgumentParser
internal import RealmStorage

/// The files that a command reads, one after another.
struct FilesOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The Realm files; - for standard input.", valueName: "file"), completion: .file())
    var files: [String]

    @OptionGroup var access: AccessOptions

    func validate() throws {
        if files.contains("") { throw ValidationError("the name of the file is empty") }
        if files.filter({ $0 == "-" }).count > 1 { throw ValidationError("standard input can be read only once") }
    }

    /// Each file as the input of a command.
    var inputs: [InputOptions] { files.map { InputOptions(file: $0, access) } }
}

/// A verb that reports on each of its files separately.
protocol FilesCommand: ConsoleCommand {
    /// The files.
    var input: FilesOptions { get }
    /// Whether an empty line separates the reports of two files.
    var separatesReports: Bool { get }

    /// Checks what concerns all files, before the first.
    ///
    /// - Throws: `CommandFailure`.
    func prepare() throws

    /// Reports on one file.
    ///
    /// - Throws: `CommandFailure`, `OutputError`.
    func run(_ input: InputOptions, _ key: GivenKey?, on console: any Console) throws -> ExitStatus
}

extension FilesCommand {
    var realmFiles: [InputOptions] { input.inputs }
    var hasSeveralReports: Bool { input.files.count > 1 }

    /// Runs the command on each file in turn, even if one of them cannot be read.
    ///
    /// - Returns: the worst exit status among them.
    @_semantics("optimize.sil.specialize.generic.never")
    func run(on console: any Console) async throws -> ExitStatus {
        try prepare()
        // A key file may be a pipe.
        let key = try input.access.key(console)
        var worst = ExitStatus.success
        for (index, file) in input.inputs.enumerated() {
            if index > 0, !reporting.json, !reporting.quiet, separatesReports { try console.writeLine("") }
            var status: ExitStatus
            do {
                status = try run(file, key, on: console)
            } catch let error as OutputError {
                throw error
            } catch  where hasSeveralReports {
                let failure = advised(error, file: file.name, on: console)
                if reporting.json, !failure.isReported {
                    try tell([file.reportName], failure.status, failure: failure, on: console)
                }
                try console.flush()
                console.message("realmfile: \(failure)")
                status = failure.status
            }
            if status.code > worst.code { worst = status }
        }
        return worst
    }

    var separatesReports: Bool { true }

    func prepare() throws {}
}
