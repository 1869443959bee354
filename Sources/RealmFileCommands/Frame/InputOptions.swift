internal import ArgumentParser
internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Options for opening files.
struct AccessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Skip this many bytes before the Realm file (for disk images and containers).",
            valueName: "bytes"))
    var skip: ByteCount?

    @Flag(help: "Copy one commit first and read the copy. Use this when an app has the file open.")
    var copy = false

    @Flag(help: "Leave the access time of the file as it is (Linux, your own files).")
    var noAtime = false

    @Flag(
        help:
            "Take dates of files of the formats 2 to 4 as milliseconds, as Realm JavaScript before 0.13 wrote them, and not as seconds."
    )
    var jsDates = false

    @Option(
        help: ArgumentHelp(
            "The file with the key of an encrypted Realm file; - for standard input. It holds the 64 bytes, 128 hex "
                + "digits, base64, or a list of numbers as programs print it. Without it, the variable REALMFILE_KEY is "
                + "taken for files that are encrypted.",
            valueName: "path"), completion: .file())
    var keyFile: String?

    /// The environment variable that can contain a key.
    static let keyVariable = "REALMFILE_KEY"

    func validate() throws { try InputOptions.requirePath(keyFile, "--key-file") }

    /// The key that the user gave for the files; nil for none.
    func key(_ console: any Console) throws(CommandFailure) -> GivenKey? {
        do {
            return try InputOptions.key(keyFile, orIn: Self.keyVariable, console)
        } catch {
            guard keyFile == nil else { throw error }
            return GivenKey(ambient: error)
        }
    }
}

/// The file that a command reads.
struct InputOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The Realm file; - for standard input.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var access: AccessOptions

    func validate() throws {
        if file.isEmpty { throw ValidationError("the name of the file is empty") }
    }

    var copy: Bool { access.copy }
    /// The number of bytes before the Realm file.
    var skip: Int { access.skip?.value ?? 0 }
    var keyFile: String? { access.keyFile }

    /// The maximum number of attempts at a short read while another process commits.
    private static let attempts = 20

    /// The file's name for messages.
    var name: String { reportName.singleLine }

    /// The file's name for reports, as given on the command line.
    var reportName: String { file == "-" ? "standard input" : NativePath.shown(file) }

    /// The file's path, also for standard input.
    var path: String { Self.path(of: file) }

    /// Returns the path for a file argument.
    static func path(of file: String) -> String { file == "-" ? "/dev/stdin" : file }

    /// Refuses an option with an empty path, as from an unset variable.
    static func requirePath(_ path: String?, _ option: String) throws {
        if path?.isEmpty ?? false { throw ValidationError("\(option) needs a path, and got none") }
    }

    /// The name without folders and extension, for naming a database.
    var baseName: String {
        guard file != "-" else { return "realm" }
        let path = NativePath.shown(file)
        let last = path.split(separator: "/").last.map(String.init) ?? path
        let base = last.hasSuffix(".realm") ? String(last.dropLast(6)) : last
        return base.isEmpty ? "realm" : base
    }

    /// Maps the file or a copy of it into memory, or reads standard input.
    private func bytes() throws(CommandFailure) -> ByteSource {
        do {
            if file == "-" { return try skipping(ByteSource.standardInput()) }
            let opened = try OpenedFile(path: file, keepsAccessTime: access.noAtime)
            return try skipping(copy ? ByteSource.privateCopy(of: opened) : ByteSource(opened))
        } catch {
            throw CommandFailure(error, file: name)
        }
    }

    /// Returns the source without the bytes before the Realm file, as an unnamed copy on disk.
    private func skipping(_ source: ByteSource) throws -> ByteSource {
        guard skip > 0 else { return source }
        guard let rest = source.view.slice(at: skip, count: source.count - skip) else {
            throw CommandFailure("\(name): --skip \(skip): the file has only \(source.count) bytes", status: .usage)
        }
        return try withExtendedLifetime(source) { try ByteSource(rest, paddedTo: rest.count) }
    }

    /// Reads from the file as of one commit; repeats when another process commits meanwhile.
    ///
    /// - Throws: the error of `body` when the file did not change, otherwise a `CommandFailure`.
    func reading<Value>(_ body: (ByteSource) throws -> Value) throws -> Value {
        var attempt = 1
        while true {
            let bytes = try bytes()
            do {
                let mark = try CommitMark.now(of: bytes)
                // An error is meaningless if the file changed during the read.
                let result = Result { try body(bytes) }
                try mark?.check(bytes)
                return try result.get()
            } catch let error as FormatError where error.code == .fileChanged {
                guard attempt < Self.attempts, file != "-" else { throw CommandFailure(error, file: name) }
                attempt += 1
            }
        }
    }

    /// The key that the user gave for the file; nil for none.
    func key(_ console: any Console) throws(CommandFailure) -> GivenKey? { try access.key(console) }

    /// Whether a path that leads to no file has the form of a key, perhaps of one with too many or too few characters.
    private static func isKey(_ path: String) -> Bool {
        do throws(KeyError) {
            _ = try EncryptionKey(text: path)
            return true
        } catch {
            return switch error.kind {
            case .digits(let count): count >= 32
            case .base64(let bytes): (48...80).contains(bytes) && !path.hasPrefix("/")
            case .numbers(let count): count > 8
            case .abbreviated: true
            case .empty, .hexDump, .escapes, .bytes, .tooLong, .pem, .realmFile: false
            }
        }
    }

    /// Refuses a command line that would read standard input twice: as a file and as a key.
    static func checkStandardInput(_ arguments: [String]) throws(CommandFailure) {
        let keyOptions: Set<String> = ["--key-file", "--new-key-file", "--other-key-file"]
        var (keys, files) = (0, 0)
        for (index, argument) in arguments.enumerated() {
            if keyOptions.contains(where: { argument == "\($0)=-" }) { keys += 1 }
            guard argument == "-", index > 0 else { continue }
            if keyOptions.contains(arguments[index - 1]) {
                keys += 1
            } else if !["--out", "--archive"].contains(arguments[index - 1]) {
                files += 1
            }
        }
        guard keys > 1 || keys == 1 && files > 0 else { return }
        throw CommandFailure("standard input can be read only once: as a file or as a key", status: .usage)
    }

    /// The key from a file, or else from an environment variable; nil for none. It is read once: a key file may be a
    /// pipe.
    static func key(
        _ keyFile: String?, orIn variable: String, _ console: any Console
    ) throws(CommandFailure) -> GivenKey? {
        let place = keyFile.map { $0 == "-" ? "standard input" : $0.shownPath } ?? "the variable \(variable)"
        do {
            if let keyFile {
                return GivenKey(key: try EncryptionKey(contentsOfFile: path(of: keyFile)), isAmbient: false)
            }
            return try console.environmentKey(variable).map { GivenKey(key: $0, isAmbient: true) }
        } catch let error as KeyError {
            throw CommandFailure("\(place): \(error)", status: .usage)
        } catch let error as StorageError where isKey(error.path) {
            // The message must not repeat it.
            throw CommandFailure(
                "the path of a key file has the form of a key itself: write the key into a file, and give the path of that "
                    + "(- for standard input), or put it into the variable \(variable)", status: .usage)
        } catch {
            throw CommandFailure(error, file: place)
        }
    }

    /// Opens the file with the given bytes.
    func database(_ bytes: ByteSource, _ key: GivenKey?) throws(CommandFailure) -> RealmDatabase {
        do {
            let database = try RealmDatabase.open(bytes, key)
            return access.jsDates ? database.withMillisecondDates : database
        } catch {
            throw CommandFailure(error, file: name)
        }
    }
}

extension InputOptions {
    /// Reports that the access time of the file will change, although the user wants to keep it.
    func noteAccessTime(on console: any Console) {
        guard access.noAtime, file != "-", !OpenedFile.canKeepAccessTime(file) else { return }
        console.message(
            "realmfile: \(name): --no-atime: the system keeps access times only for a file's owner, and on Linux; reading "
                + "may change it")
    }

    /// Creates options in code rather than from a command line.
    init(file: String, _ access: AccessOptions) {
        self.init()
        self.file = file
        self.access = access
    }
}
