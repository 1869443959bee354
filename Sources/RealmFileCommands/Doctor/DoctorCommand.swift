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
            key), archives, backups, folders, and files with extra bytes before the Realm file.
            Exit codes: 0 nothing is wrong; 1 something is wrong, and a command helps; 2 nothing recoverable was found.
            """)

    @OptionGroup var input: FilesOptions
    @OptionGroup var reporting: ReportOptions

    @Option(help: ArgumentHelp("Threads that check (default: all processors).", valueName: "n"))
    var jobs: Int?

    func validate() throws {
        if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 1024") }
    }

    func run(_ input: InputOptions, _ key: GivenKey?, on console: any Console) throws -> ExitStatus {
        let report = try report(input, key)
        try tell([input.reportName], report.status, report.members, text: report.text, on: console)
        if reporting.quiet, !reporting.json, let summary = report.summary {
            console.message("realmfile: \(input.name): \(summary)")
        }
        return report.status
    }

    private func report(_ input: InputOptions, _ key: GivenKey?) throws -> DoctorReport {
        var report = DoctorReport(name: input.name, arguments: arguments(of: input, isEncrypted: key != nil))
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
                report.checkup = try key.using { key in
                    let checkup = try FileCheckup(bytes, key: key, jobs: jobs ?? Processors.count)
                    // A key from the environment applies to encrypted files only.
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
            if report.prefix == nil, report.checkup?.isSound != true { report.packing = Packing(bytes) }
            if report.checkup?.isSound ?? false { report.refusal = key.refusal(of: bytes) }
        }
        return report
    }
}

extension GivenKey? {
    /// The format of a file that current SDKs refuse; nil for other files.
    fileprivate func refusal(of bytes: ByteSource) -> (format: UInt8, by: String)? {
        guard let version = (try? RealmDatabase.open(bytes, self).snapshot(toleratingDamage: true))?.version,
            version.isLegacy, let refusedBy = version.origin?.refusedBy
        else { return nil }
        return (version.number, refusedBy)
    }
}

/// The surroundings of a file in its folder.
enum FileContext {
    /// The maximum depth of nested folders to search: an app's data has its databases two or three levels deep.
    private static let depth = 6
    /// The maximum number of names to look at.
    private static let most = 100_000

    /// The files in a folder and its subfolders that may be databases.
    ///
    /// - Returns: the files, and the parts of the folder that were not searched.
    /// - Throws: `StorageError` when the folder itself cannot be read.
    static func databases(in folder: String) throws(StorageError) -> (files: [String], unsearched: Unsearched) {
        var (files, unsearched, seen): ([String], Unsearched, Int) = ([], Unsearched(), 0)
        var waiting = [(path: folder, depth: 0)]
        while let (path, depth) = waiting.popLast() {
            let names: [String]
            do throws(StorageError) {
                names = try Folder.names(path)
            } catch {
                guard depth > 0 else { throw error }
                unsearched.errors.append(error)
                continue
            }
            for name in names {
                let inner = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
                seen += 1
                guard seen <= most else {
                    unsearched.isBeyondLimits = true
                    return (files.inOrder(), unsearched)
                }
                if name.hasSuffix(".realm"), Folder.hasRegularFile(inner) { files.append(inner) }
                guard Folder.exists(inner), !OutputFile.isLink(inner), !name.hasSuffix(".management") else { continue }
                if depth + 1 < Self.depth {
                    waiting.append((inner, depth + 1))
                } else {
                    unsearched.isBeyondLimits = true
                }
            }
        }
        return (files.inOrder(), unsearched)
    }

    /// The parts of a folder that were not searched.
    struct Unsearched {
        /// Errors of folders that could not be read.
        var errors: [StorageError] = []
        /// Whether there were folders nested too deeply, or too many names.
        var isBeyondLimits = false

        var isEmpty: Bool { errors.isEmpty && !isBeyondLimits }
    }

    /// The database to which a lock file may belong: from its name, `NAME.realm.lock`, or because the database is in
    /// the same folder. Nil for other files, such as the lock files of package managers.
    static func lockedDatabase(of file: String) -> String? {
        guard file.hasSuffix(".lock") else { return nil }
        let database = String(file.dropLast(5))
        if database.hasSuffix(".realm") { return database }
        guard Folder.hasRegularFile(database), let bytes = try? ByteSource(path: database) else { return nil }
        return isNoDatabase(bytes) ? nil : database
    }

    /// Whether a file has no sign of being a database.
    static func isNoDatabase(_ bytes: ByteSource) -> Bool {
        guard let problem = DatabaseImage.headerProblem(bytes) else { return false }
        return [.notARealm, .tooShort, .emptyFile, .zeroedFile, .zeroedHeader].contains(problem.code)
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

/// The way a file is packed, or was changed in transit.
enum Packing {
    case zip
    case gzip
    case xz
    case text(TextForm)
    /// Base64 with white space other than line feeds, or in the alphabet for URLs.
    case looseBase64

    init?(_ bytes: ByteSource) {
        let starts: [(Packing, [UInt8])] = [
            (.zip, [0x50, 0x4B, 0x03, 0x04]), (.gzip, [0x1F, 0x8B]), (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
        ]
        let found = starts.first { entry in
            bytes.count >= entry.1.count && entry.1.indices.allSatisfy { bytes.view[$0] == entry.1[$0] }
        }
        if let found {
            self = found.0
        } else if let form = TextForm(bytes.view), form != .text {
            self = form == .base64 && Self.isLoose(bytes.view) ? .looseBase64 : .text(form)
        } else {
            return nil
        }
    }

    /// Whether the base64 contains anything that common tools do not accept.
    private static func isLoose(_ bytes: ByteView) -> Bool {
        (0..<bytes.count).contains { offset in
            let byte = bytes.byte(unchecked: offset)
            return byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte <= 0x20 && byte != 0x0A
        }
    }

    /// The kind of text; nil for an archive.
    var form: TextForm? {
        switch self {
        case .text(let form): form
        case .looseBase64: .base64
        case .zip, .gzip, .xz: nil
        }
    }

    /// The kind as one word for scripts.
    var kind: String {
        switch self {
        case .zip: "zip"
        case .gzip: "gzip"
        case .xz: "xz"
        case .text(let form): form.rawValue
        case .looseBase64: TextForm.base64.rawValue
        }
    }

    /// The purpose of the command, in words.
    var advice: String {
        switch form {
        case nil: "unpack it first"
        case .base64, .hexadecimal: "decode it first"
        case .lfsPointer: "fetch the file"
        default: "undo that first"
        }
    }

    /// The command that unpacks a file and keeps the original; nil where there is none.
    func command(_ arguments: FileArguments) -> String? {
        let file = FileArguments.quoted(FileArguments.argument(arguments.path))
        let out = FileArguments.quoted(FileArguments.argument(arguments.newPath("decoded")))
        return switch self {
        case .zip: "unzip \(file)"
        case .gzip: "gunzip --keep \(file)"
        case .xz: "unxz --keep \(file)"
        case .text(.base64): "base64 -d <\(file) >\(out)"
        case .looseBase64: "tr -d '[:space:]' <\(file) | tr -- '-_' '+/' | base64 -d >\(out)"
        case .text(.hexadecimal): "xxd -r -p <\(file) >\(out)"
        case .text(.lineEnds): "perl -pe 's/\\r\\n/\\n/' <\(file) >\(out)"
        case .text(.utf8): "iconv -f UTF-8 -t ISO-8859-1 <\(file) >\(out)"
        case .text(.lfsPointer): Self.gitCommand(arguments.path)
        case .text(.replaced), .text(.text): nil
        }
    }

    /// The command that fetches all Git LFS files of the repository that contains a file. A command for one file would
    /// need its path from the root of the repository.
    private static func gitCommand(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "git lfs pull" }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return "git -C \(FileArguments.quoted(FileArguments.argument(folder))) lfs pull"
    }
}
