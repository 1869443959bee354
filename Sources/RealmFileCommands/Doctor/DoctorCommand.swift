internal import ArgumentParser
internal import RealmCore
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

/// `realmfile doctor`: reports what is wrong, what each recovery option would keep, and the one command to run.
struct DoctorCommand: FilesCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Says what a file is, what is wrong with it, what each recovery option would keep, and what to run.",
        discussion: """
            Reads all of the file and tries every recovery option without writing anything: the commit in the header's other \
            slot, the newest commit that is whole wherever in the file, and salvage. Also for encrypted files (with their \
            key), folders, backups, and files in something else: ZIP, tar, gzip, base64, hexadecimal digits, text mode \
            (CR LF), extra bytes before the Realm file.
            Exit codes: 0 nothing is wrong; 1 something is wrong, and a command helps; 2 nothing recoverable was found.
            """)

    @OptionGroup var input: FilesOptions
    @OptionGroup var reporting: ReportOptions
    @OptionGroup var packed: PackedOptions

    @Option(help: ArgumentHelp("Threads that check (default: all processors).", valueName: "n"))
    var jobs: Int?

    func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 1024") }
    }

    func run(_ input: InputOptions, _ key: GivenKey?, on console: any Console) throws -> ExitStatus {
        let line = ElapsedLine("examining \(input.name)", on: console, isQuiet: reporting.quiet)
        let report = try line.during { try self.report(input, key) }
        try tell([input.reportName], report.status, report.members, text: report.text, on: console)
        if reporting.quiet, !reporting.json, let summary = report.summary {
            console.message("realmfile: \(input.name): \(summary)")
        }
        return report.status
    }

    private func report(_ input: InputOptions, _ key: GivenKey?) throws -> DoctorReport {
        var report = DoctorReport(name: input.name, arguments: arguments(of: input, isEncrypted: key != nil))
        report.arguments?.entry = packed.entry
        if input.file != "-", Folder.exists(input.file) {
            (report.folder, report.unsearched) = try FileContext.databases(in: input.file)
            return report
        }
        if let database = FileContext.lockedDatabase(of: input.file),
            try Folder.hasRegularFile(database) || input.reading({ FileContext.isNoDatabase($0) })
        {
            report.lockedFile = database
            return report
        }
        try input.reading { bytes in
            report.size = bytes.count
            report.backups = input.file == "-" ? [] : FileContext.backups(of: input.file)
            do {
                let unpacked = try Unpacker(arguments: report.arguments, entry: packed.entry).unpack(bytes)
                report.layers = unpacked.layers
                try examine(unpacked, key, &report)
            } catch let error as UnpackFailure {
                if case .storage(let error) = error.cause { throw error }
                if error.isUsage { throw CommandFailure(error, of: input, report.arguments, verb: "doctor") }
                (report.layers, report.unpackFailure) = (error.layers, error)
            }
        }
        return report
    }

    /// Examines the innermost file.
    private func examine(_ unpacked: UnpackedFile, _ key: GivenKey?, _ report: inout DoctorReport) throws {
        do {
            let examined = try ExaminedFile(unpacked, key, jobs: jobs ?? Processors.count)
            (report.layers, report.checkup) = (examined.file.layers, examined.checkup)
            if examined.checkup.isSound { report.refusal = key.refusal(of: examined.file.bytes) }
        } catch let error as FormatError where [.encrypted, .notEncrypted].contains(error.code) {
            report.problem = error
        }
        if report.foundProblem?.code == .notARealm { report.foreign = ForeignFile(unpacked.bytes.view) }
    }
}

extension GivenKey? {
    /// The format of a file that current SDKs refuse; nil for other files.
    func refusal(of bytes: ByteSource) -> (format: UInt8, by: String)? {
        guard let version = (try? RealmDatabase.open(bytes, self).snapshot(toleratingDamage: true))?.version,
            version.isLegacy, let refusedBy = version.origin?.refusedBy
        else { return nil }
        return (version.number, refusedBy)
    }
}
