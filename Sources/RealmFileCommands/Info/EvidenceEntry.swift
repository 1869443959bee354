internal import RealmExchange
internal import RealmLayout
internal import RealmStorage

/// The part of `info` that identifies a file and the report about it, for evidence.
struct EvidenceEntry {
    /// The digest of all bytes of the file as they are.
    let digest: [UInt8]
    let size: Int
    /// Nil for standard input.
    let facts: FileFacts?
    /// Whether reading leaves the access time as it is.
    let keepsAccessTime: Bool
    let circumstances: Circumstances

    /// Lines for people.
    func describe(_ lines: inout TextLines) {
        lines.add("SHA-256", Hexadecimal.text(digest))
        lines.add("bytes", "\(size)")
        if let facts {
            lines.add("modified", Self.text(facts.modified))
            lines.add("status changed", Self.text(facts.changed))
            lines.add(
                "accessed",
                Self.text(facts.accessed) + (keepsAccessTime ? ", which stays" : ", before this report"))
            lines.add(
                "inode",
                "\(facts.inode) on device \(facts.device), owner \(facts.owner), mode \(String(facts.mode, radix: 8))")
        }
        lines.add("tool", "realmfile \(RealmFileCommand.version)")
        lines.add("command", circumstances.commandLine.singleLine)
        lines.add("host", circumstances.moment.host.singleLine)
        lines.add("time", Self.text(circumstances.moment.time))
    }

    private static func text(_ time: Timestamp?) -> String { time?.text ?? "unknown" }

    /// The entry in the report.
    var json: JSONValue {
        func json(_ time: Timestamp?) -> JSONValue { JSONValue(time?.text) }
        return .object([
            ("sha256", .string(Hexadecimal.text(digest))),
            ("size", JSONValue(size)),
            ("modified", json(facts?.modified)),
            ("statusChanged", json(facts?.changed)),
            ("accessed", json(facts?.accessed)),
            ("keepsAccessTime", .bool(keepsAccessTime)),
            ("inode", facts.map { JSONValue($0.inode) } ?? .null),
            ("device", facts.map { JSONValue($0.device) } ?? .null),
            ("owner", facts.map { JSONValue($0.owner) } ?? .null),
            ("mode", facts.map { .string(String($0.mode, radix: 8)) } ?? .null),
            ("command", .string(circumstances.commandLine)),
            ("arguments", .array(circumstances.arguments.map { .string(NativePath.shown($0)) })),
            ("host", .string(circumstances.moment.host)),
            ("time", json(circumstances.moment.time)),
        ])
    }
}

extension EvidenceEntry {
    /// Computes the digest of a file.
    ///
    /// - Parameter facts: the facts before the file was opened.
    /// - Throws: `StorageError` if it cannot be computed.
    init(
        _ input: InputOptions, _ bytes: ByteSource, facts: FileFacts?, on console: any Console
    ) throws(StorageError) {
        let message = try MessageDigest(.sha256)
        // Without the part that --skip leaves out, which belongs to the file.
        let whole =
            input.skip > 0 ? try ByteSource(path: input.path, keepsAccessTime: input.access.noAtime) : bytes
        withExtendedLifetime(whole) { message.update(whole.view) }
        digest = try message.finish()
        size = whole.count
        self.facts = facts
        keepsAccessTime =
            input.access.noAtime && facts != nil && OpenedFile.canKeepAccessTime(input.path)
        circumstances = console.circumstances
    }
}

/// The command line, the host and the time of a report.
public struct Circumstances: Equatable, Sendable {
    /// The arguments of the process; the first is the name of the program.
    package let arguments: [String]
    let moment: Moment

    /// Describes a process with these arguments, now and on this host.
    package init(arguments: [String]) {
        self.arguments = arguments
        moment = Moment.now()
    }

    /// The arguments as a command line for a shell.
    package var commandLine: String { arguments.map(FileArguments.quoted).joined(separator: " ") }
}
