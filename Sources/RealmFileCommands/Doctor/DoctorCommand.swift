internal import ArgumentParser
internal import RealmLayout
internal import RealmReader
internal import RealmRescue
internal import RealmStorage
internal import RealmWriter

/// `realmfile doctor`: what is wrong, what each way back would keep, and the one command to run.
struct DoctorCommand: FilesCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Says what a file is, what is wrong with it, what each way back would keep, and what to run.",
        discussion: """
            Reads all of the file and tries every way back without writing anything: the commit in the header's other \
            slot, the newest commit that is whole wherever in the file, and salvage. Also for encrypted files (with their \
            key), archives, backups, folders, and files with foreign bytes in front.
            Exit codes: 0 nothing is wrong; 1 something is wrong, and a command helps; 2 nothing can be done with this file.
            """)

    @OptionGroup var input: FilesOptions
    @OptionGroup var reporting: ReportOptions

    @Option(help: ArgumentHelp("Threads that check; all processors unless given.", valueName: "n"))
    var jobs: Int?

    func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 1024") }
    }

    func run(_ input: InputOptions, _ key: GivenKey?, on console: any Console) throws -> ExitStatus {
        let report = try report(input, key)
        try tell([input.name], report.status, report.members, text: report.text, on: console)
        return report.status
    }

    private func report(_ input: InputOptions, _ key: GivenKey?) throws -> DoctorReport {
        var report = DoctorReport(name: input.name, arguments: arguments(of: input, isEncrypted: key != nil))
        if input.file != "-", Folder.exists(input.file) {
            report.folder = try Surroundings.databases(in: input.file)
            return report
        }
        if input.file.hasSuffix(".lock"), Folder.hasRegularFile(String(input.file.dropLast(5))) {
            report.lockedFile = String(input.file.dropLast(5))
            return report
        }
        try input.reading { bytes in
            report.size = bytes.count
            report.backups = input.file == "-" ? [] : Surroundings.backups(of: input.file)
            do {
                report.checkup = try key.using { key in
                    let checkup = try FileCheckup(bytes, key: key, jobs: jobs ?? Processors.count)
                    // A key of the environment is for files that are encrypted.
                    if let problem = checkup.problem,
                        problem.code == .notEncrypted || key == nil && problem.code == .encrypted
                    {
                        throw problem
                    }
                    return checkup
                }
            } catch let error as FormatError where [.encrypted, .notEncrypted].contains(error.code) {
                report.problem = error
            }
            if let problem = report.foundProblem, problem.code == .bytesInFront { report.prefix = problem.offset }
            if report.prefix == nil { report.packing = Packing(bytes) }
        }
        return report
    }
}

/// What lies around a file.
enum Surroundings {
    /// Names of a folder's files that may be databases.
    static func databases(in folder: String) throws -> [String] {
        try Folder.names(folder).filter { $0.hasSuffix(".realm") }
            .map { folder.hasSuffix("/") ? folder + $0 : "\(folder)/\($0)" }.filter { Folder.hasRegularFile($0) }
    }

    /// The backups that SDKs made of a file before upgrades: `NAME.vN.backup.realm`.
    static func backups(of file: String) -> [String] {
        let end = file.lastIndex(of: "/").map { file.index(after: $0) } ?? file.startIndex
        let (folder, name) = (file[..<end], file[end...])
        let stem = name.hasSuffix(".realm") ? name.dropLast(6) : name
        let names = (try? Folder.names(folder.isEmpty ? "." : String(folder))) ?? []
        return names.filter { $0.hasPrefix("\(stem).v") && $0.hasSuffix(".backup.realm") && $0 != name }.map {
            folder + $0
        }
    }
}

/// How a file is packed.
enum Packing: String {
    case zip
    case gzip
    case xz

    init?(_ bytes: ByteSource) {
        let starts: [(Packing, [UInt8])] = [
            (.zip, [0x50, 0x4B, 0x03, 0x04]), (.gzip, [0x1F, 0x8B]), (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
        ]
        let found = starts.first { entry in
            bytes.count >= entry.1.count && entry.1.indices.allSatisfy { bytes.view[$0] == entry.1[$0] }
        }
        guard let found else { return nil }
        self = found.0
    }

    /// What unpacks a file and keeps it.
    func command(_ path: String) -> String {
        let file = FileArguments.quoted(FileArguments.argument(path))
        return switch self {
        case .zip: "unzip \(file)"
        case .gzip: "gunzip --keep \(file)"
        case .xz: "unxz --keep \(file)"
        }
    }
}
