internal import ArgumentParser
internal import RealmCore
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

/// `realmfile decrypt`: writes the same data as a plain file.
struct DecryptCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "decrypt",
        abstract: "Writes a plain copy of an encrypted file; the data stays as it is.",
        discussion: """
            Each page is authenticated; nothing is written when one fails. The new file can be read by those who could \
            read the old one, but without its key. Exit code 1: it was written, but pages that the database needs have no \
            data, or the file was cut off.

              realmfile decrypt app.realm --key-file app.key --out plain.realm
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var output: NewFileOptions
    @OptionGroup var reporting: ReportOptions

    var realmFiles: [InputOptions] { [input] }

    func arguments(of input: InputOptions, isEncrypted: Bool) -> FileArguments? {
        var arguments = FileArguments(input, isEncrypted: isEncrypted)
        arguments?.decrypts = true
        return arguments
    }

    func run(on console: any Console) async throws -> ExitStatus {
        let key = try input.key(console)
        return try output.writeSameData(of: input, newKey: nil, for: self, on: console) { bytes in
            do {
                let change = try EncryptionChange(bytes, key: try key?.key)
                if change.isEncrypted { return change }
            } catch let error as FormatError where error.code == .notEncrypted {
                // Reported below.
            }
            throw CommandFailure("\(input.name): the file is not encrypted: there is nothing to decrypt")
        }
    }
}
