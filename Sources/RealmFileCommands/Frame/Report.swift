internal import RealmExchange
internal import RealmLayout
internal import RealmStorage

/// What a verb tells scripts: the members that every report begins with, then those of the verb (Spec 200). The only
/// place where reports become text.
struct Report {
    /// The version of the form of all reports.
    static let version = 2

    /// The name of the verb.
    let verb: String
    /// What was read, as it was named on the command line; one file, unless the verb compares or joins several.
    let files: [String]
    /// What the process ends with on account of these files.
    let status: ExitStatus
    /// Why there is no more to tell; nil when everything was read.
    let failure: CommandFailure?
    /// The members of the verb.
    let members: [(String, JSONValue)]
    /// What has to be known of the data, if there is anything.
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
    /// - Parameter isLine: whether it is one of several, a line each.
    func text(isLine: Bool) -> String { (isLine ? json.compact : json.pretty) + "\n" }
}

extension ExitStatus {
    /// The status as reports write it.
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
    /// The failure as reports write it.
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
    /// The advice in a report.
    var json: JSONValue { .object(present: members) }

    /// The advice in an error of a report.
    fileprivate var members: [(String, JSONValue?)] {
        [
            ("advice", .string(text)),
            ("commands", commands.isEmpty ? nil : .array(commands.map { .string($0) })),
        ]
    }
}

extension FormatError {
    /// The error as reports write it.
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
