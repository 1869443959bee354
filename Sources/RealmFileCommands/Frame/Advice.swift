internal import RealmCore
internal import RealmStorage
internal import RealmSystem

/// Advice to the user, in words and as command lines that can be pasted. All such advice is written here.
struct Advice: Equatable, Sendable {
    /// The advice in words, with command lines in backquotes.
    let text: String
    /// The command lines.
    let commands: [String]

    /// Creates advice from remedies for a file.
    ///
    /// - Returns: nil when there is no advice.
    init?(_ remedies: [Remedy], of file: FileArguments?) {
        let parts = remedies.map { Self.part($0, file) }
        guard !parts.isEmpty else { return nil }
        text = parts.map { part in part.command.map { "\(part.words): `\($0)`" } ?? part.words }.joined(separator: "; ")
        commands = parts.compactMap(\.command)
    }

    /// Creates advice from words and one command line.
    init(_ words: String, _ command: String) { self.init(words, [command]) }

    /// Creates advice from words and command lines, of which there may be none.
    init(_ words: String, _ commands: [String]) {
        let lines = commands.map { "`\($0)`" }.joined(separator: ", ")
        text = lines.isEmpty ? words : "\(words): \(lines)"
        self.commands = commands
    }

    private static func part(_ remedy: Remedy, _ file: FileArguments?) -> (words: String, command: String?) {
        switch remedy {
        case .getFileAgain: ("the copy or download was probably interrupted; copy the file again", nil)
        case .lookForBackup:
            ("look for another copy of the file, or for a backup beside it (NAME.vN.backup.realm)", nil)
        case .chooseOtherFile: ("is this the right file? Realm files are usually named default.realm", nil)
        case .unpack: ("see what is in it", file?.command("doctor"))
        case .giveKey: ("give its 64-byte key with --key-file PATH, or in the variable REALMFILE_KEY", nil)
        case .findRightKey:
            ("use the key that created this file; every installation may have its own", nil)
        case .checkFirstHalfOfKey:
            ("look at the first 32 of the key's 64 bytes: they are not those of this file", nil)
        case .leaveOutKey:
            ("leave out --key-file, or put the key into REALMFILE_KEY, which files that are not encrypted ignore", nil)
        case .useNewerRelease: ("the header is damaged, or a newer version of realmfile is needed", nil)
        case .readPrivateCopy:
            ("close the app that writes it and try again, or read a private copy with --copy", nil)
        case .writeCopy:
            ("write a copy, which is a local file", file?.command("upgrade", ["--out", "local.realm"]))
        case .readSelectedCommit: ("leave out --slot other", nil)
        case .readOtherCommit:
            ("read the other commit with --slot other", file?.command("info", ["--slot", "other"]))
        case .findRoot:
            ("list the commits that are left", file?.repair(["--find-root", "--dry-run"]))
        case .salvage(let unproven): ("see what can be brought back", file?.salvage(unproven: unproven))
        case .skip(let count):
            ("look at the file after the extra bytes", file?.command("doctor", ["--skip", String(count)]))
        case .verify: ("for a full check run", file?.command("verify", file?.commit.options ?? []))
        // The doctor looks for the newest content, not for that of a commit that the user chose.
        case .diagnose where file?.commit.isFound ?? false:
            ("see what can be brought back of it", file?.salvage(unproven: false))
        // The doctor advises a new file that is encrypted like the old one.
        case .diagnose where file?.decrypts ?? false:
            ("see what can be brought back", file?.repair(["--best", "--dry-run"]))
        case .diagnose: ("see what each recovery option would keep", file?.command("doctor"))
        case .lookAtSchema: ("list the properties", file?.command("schema", file?.commit.options ?? []))
        }
    }

    /// Creates advice about an error of the operating system.
    init?(_ error: StorageError) {
        let words: String
        switch error.code {
        case ENOENT: words = "check the path"
        case EISDIR where error.isWriting: words = "give the path of a file"
        case EISDIR: words = "give the .realm file itself, not its folder (nor the .management folder beside it)"
        case EACCES, EPERM: words = "check the permissions, or copy the file to a folder of your own"
        default: return nil
        }
        text = words
        commands = []
    }
}

/// The arguments for a file on a command line: its path as the user gave it, and the options needed to open it.
struct FileArguments: Equatable, Sendable {
    private(set) var path: String
    let keyFile: String?
    private(set) var copies: Bool
    /// The number of foreign bytes to skip before the file.
    private(set) var skipped: Int?
    /// Whether dates of old formats are milliseconds.
    let hasMillisecondDates: Bool
    /// Whether a key is known, either given or from the environment.
    let isEncrypted: Bool
    /// The commit to read.
    var commit = CommitArguments.current
    /// The file format, if `repair` was given one.
    var format: UInt8?
    /// Whether an encrypted file is to become a plain one.
    var decrypts = false
    /// The file in an archive.
    var entry: String?

    /// Returns nil for standard input, which cannot be read again.
    init?(_ input: InputOptions, isEncrypted: Bool) {
        guard input.file != "-" else { return nil }
        path = input.file
        keyFile = input.keyFile
        copies = input.copy
        hasMillisecondDates = input.access.jsDates
        skipped = input.skip > 0 ? input.skip : nil
        self.isEncrypted = isEncrypted || input.keyFile != nil
    }

    /// Returns the arguments for a new file of the same content.
    func with(path: String) -> FileArguments {
        var other = self
        (other.path, other.skipped, other.entry, other.copies) = (path, nil, nil, false)
        return other
    }

    /// Returns a command line for the file.
    func command(_ verb: String, _ options: [String] = []) -> String {
        let key = keyFile.map { ["--key-file", $0] } ?? []
        let skip = skipped.map { ["--skip", String($0)] } ?? []
        let entry = entry.map { $0.hasPrefix("-") ? ["--entry=\($0)"] : ["--entry", $0] } ?? []
        let words =
            ["realmfile", verb, Self.argument(path)] + key + skip + entry + (copies ? ["--copy"] : [])
            + (hasMillisecondDates ? ["--js-dates"] : []) + options
        return words.map(Self.quoted).joined(separator: " ")
    }

    /// Returns the arguments for a file of the archive.
    func with(entry: String) -> FileArguments {
        var other = self
        other.entry = entry
        return other
    }

    /// Returns a command line that salvages a commit found in the file, or else the newest content: the user may have
    /// requested the other slot only because the selected one cannot be read.
    func salvage(unproven: Bool) -> String {
        let pages = unproven && isEncrypted ? ["--unauthenticated"] : []
        return repair(["--salvage"] + (commit.isFound ? commit.options : []) + pages + ["--dry-run"])
    }

    /// Returns a command line that makes a new file.
    func repair(_ options: [String]) -> String {
        let format = format.map { ["--format", String($0)] } ?? []
        return command("repair", options + format + (decrypts ? ["--decrypt"] : []))
    }

    /// Returns a path that the parser does not mistake for an option.
    static func argument(_ path: String) -> String { path.hasPrefix("-") ? "./\(path)" : path }

    /// Returns a word with escapes for bytes that are not text and for control characters.
    private static func escaped(_ word: String) -> String {
        let plain = word.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        var text = ""
        for scalar in plain.unicodeScalars {
            if scalar.value < 0x20 {
                text += "\\x" + String(scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return "$'\(NativePath.shown(text))'"
    }

    /// Returns a word quoted for a shell.
    static func quoted(_ word: String) -> String {
        if NativePath.hasOtherBytes(word) || word.unicodeScalars.contains(where: { $0.value < 0x20 }) {
            return escaped(word)
        }
        let plain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_./=:,+@%".utf8.contains(byte)
            }
        }
        return plain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
}

extension Remedy {
    /// Whether it is one of the ways that doctor and `repair --best` try themselves.
    var isRescue: Bool {
        switch self {
        case .findRoot, .salvage, .readOtherCommit, .diagnose: true
        default: false
        }
    }
}
