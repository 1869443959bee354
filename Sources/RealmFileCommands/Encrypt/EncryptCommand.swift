internal import ArgumentParser
internal import RealmCore
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

/// `realmfile encrypt`: writes the same data encrypted, or with another key.
struct EncryptCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt",
        abstract: "Writes an encrypted copy, or one with another key; the data stays as it is.",
        discussion: """
            The new key comes from --new-key-file or the variable REALMFILE_NEW_KEY; --key-file and REALMFILE_KEY are for \
            the key that FILE has, if it is encrypted. Nobody can read the new file without its key: keep it.

            Exit code 1: it was written, but pages that the database needs have no data, or the file was cut off.

            Make a key, encrypt a file with it, and change the key of another file:

              head -c 64 /dev/urandom > app.key
              realmfile encrypt app.realm --new-key-file app.key --out b.realm
              realmfile encrypt a.realm --key-file old.key --new-key-file app.key \\
                --out b.realm
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var output: NewFileOptions
    @OptionGroup var reporting: ReportOptions

    var realmFiles: [InputOptions] { [input] }

    @Option(
        help: ArgumentHelp(
            "The file with the key for the new file; - for standard input. It holds the 64 bytes, 128 hex digits, "
                + "base64, or a list of numbers. Without it, the variable REALMFILE_NEW_KEY is taken.",
            valueName: "path"), completion: .file())
    var newKeyFile: String?

    /// The environment variable that can contain the new key.
    static let newKeyVariable = "REALMFILE_NEW_KEY"

    func run(on console: any Console) async throws -> ExitStatus {
        guard let newKey = try InputOptions.key(newKeyFile, orIn: Self.newKeyVariable, console)?.key else {
            let hint = input.keyFile == nil ? "" : "; --key-file is for the key that the file has already"
            throw CommandFailure(
                "no key for the new file: give it with --new-key-file PATH, or in the variable "
                    + "\(Self.newKeyVariable)\(hint)", status: .usage)
        }
        try OutputFile.check(output.out, isNot: input, newKeyFile: newKeyFile, option: "--out")
        let key = try input.key(console)
        return try output.writeSameData(of: input, newKey: newKey, for: self, on: console) { bytes in
            let change = try open(bytes, key)
            if change.isEncrypted, let key = try key?.key, key.isSame(as: newKey) {
                throw CommandFailure(
                    "\(input.name): the new key is the one that the file has already", status: .usage)
            }
            return change
        }
    }

    private func open(_ bytes: ByteSource, _ key: GivenKey?) throws -> EncryptionChange {
        do {
            return try key.using { try EncryptionChange(bytes, key: $0) }
        } catch let error as FormatError where error.code == .notEncrypted {
            throw CommandFailure(
                "\(input.name): \(error.line); leave out --key-file: the key for the new file is that of --new-key-file"
            )
        }
    }
}
