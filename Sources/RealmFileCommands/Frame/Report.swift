internal import RealmExchange
internal import RealmLayout
internal import RealmStorage

/// The report of a verb for scripts: the members common to all reports, then those of the verb (Spec 200). This is the
/// only place where reports become text.
struct Report {
    /// The version of the format of all reports.
    static let version = 2

    /// The name of the verb.
    let verb: String
    /// The input files, as named on the command line; one file, unless the verb compares or joins several.
    let files: [String]
    /// The exit status of the process for these files.
    let status: ExitStatus
    /// The reason why there are no members; nil when everything was read.
    let failure: CommandFailure?
    /// The members of the verb.
    let members: [(String, JSONValue)]
    /// Cautions about the data, if there are any.
    var cautions: [Caution] = []

    /// The report as one object.
    var json: JSONValue {
        var envelope: [(String, JSONValue)] = [
            ("tool", .string("realmfile \(RealmFileCommand.version)")),
            ("reportVersion", JSONValue(Self.version)),
            ("verb", .string(verb)),
            ("file", .string(files.first ?? "")),
        ]
        if files.count > 1 { envelope.append(("files", .array(files.map { .string($0) }))) }
        envelope += [
            ("exit", JSONValue(status.code)), ("status", .string(status.word)), ("error", failure?.json ?? .null),
        ]
        let last = cautions.isEmpty ? [] : [("cautions", JSONValue.array(cautions.map(\.json)))]
        return .object(envelope + members + last)
    }

    /// The report as it is written.
    ///
    /// - Parameter isLine: whether it is one of several reports, one on each line.
    func text(isLine: Bool) -> String { (isLine ? json.compact : json.pretty) + "\n" }
}

extension ExitStatus {
    /// The status, as written in reports.
    var word: String {
        switch self {
        case .success: "fine"
        case .findings: "findings"
        case .unreadable: "unreadable"
        case .usage: "usage"
        case .closedPipe: "closedPipe"
        }
    }
}

extension JSONValue {
    /// A byte offset in a Realm file, or a ref: `"0x1050"`.
    static func offset(_ offset: some BinaryInteger) -> JSONValue { .string(hexadecimal(offset)) }

    /// A range of bytes in a Realm file.
    static func bytes(_ range: Range<Int>) -> JSONValue {
        .object([("from", .offset(range.lowerBound)), ("to", .offset(range.upperBound))])
    }
}

extension CommandFailure {
    /// The failure, as written in reports.
    var json: JSONValue {
        let members: [(String, JSONValue?)] =
            switch cause {
            case .format(let error): error.members
            case .system(let error): [("code", "system"), ("message", .string(error.description))]
            case .other: [("code", status == .usage ? "usage" : "refused"), ("message", .string(message))]
            }
        return .object(present: members + (advice?.members ?? []))
    }
}

extension Advice {
    /// The advice, as a value in a report.
    var json: JSONValue { .object(present: members) }

    /// The advice, as members of an error in a report.
    fileprivate var members: [(String, JSONValue?)] {
        [
            ("advice", .string(text)),
            ("commands", commands.isEmpty ? nil : .array(commands.map { .string($0) })),
        ]
    }
}

extension FormatError {
    /// The error, as written in reports.
    var json: JSONValue { .object(present: members) }

    fileprivate var members: [(String, JSONValue?)] {
        [
            ("code", .string(code.rawValue)),
            ("message", .string(description)),
            ("offset", offset.map { .offset($0) }),
            ("table", table.map { .string($0) }),
            ("property", property.map { .string($0) }),
            ("objectKey", objectKey.map { .int($0.value) }),
        ]
    }
}
