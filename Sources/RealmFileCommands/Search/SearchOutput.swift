internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

/// Prints the matches in one file, one on each line.
final class SearchOutput: SearchSink {
    private let console: any Console
    private let file: InputOptions
    private let namesFile: Bool
    private let isJSON: Bool
    private let limit: Int?
    private var failure: (any Error)?
    /// The number of matches printed.
    private(set) var count = 0
    /// Whether the limit ended the search.
    private(set) var isLimited = false

    /// The bytes of a long text to print on a line, and in a report.
    static let mostBytes = 160
    static let mostBytesInReports = 4096

    init(on console: any Console, file: InputOptions, namesFile: Bool, isJSON: Bool, limit: Int?) {
        self.console = console
        self.file = file
        self.namesFile = namesFile
        self.isJSON = isJSON
        self.limit = limit
    }

    func add(_ match: SearchMatch) -> Bool {
        guard limit.map({ count < $0 }) ?? true else {
            isLimited = true
            return false
        }
        count += 1
        do {
            let line = isJSON ? match.json(ofFile: file.reportName).compact : match.line.singleLine
            try console.writeLine(namesFile && !isJSON ? "\(file.name): \(line)" : line)
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// Ends the output.
    ///
    /// - Throws: the error that ended it earlier.
    func finish() throws {
        if let failure { throw failure }
    }
}

extension SearchMatch {
    /// The match for people.
    fileprivate var line: String {
        let shown =
            isText ? "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" : text
        let end = offset.map { "  \(hexadecimal($0))" } ?? ""
        switch place {
        case .object(let object, let path, let part):
            return "\(object.words)  \(path)  \(part == .key ? "key " : "")\(shown)\(end)"
        case .className: return "class \(text)"
        case .propertyName(let className): return "property \(className).\(text)"
        case .freeSpace: return "free space  \(shown)\(end)"
        }
    }

    /// The match, as a line for scripts (Spec 200).
    fileprivate func json(ofFile file: String) -> JSONValue {
        var members: [(String, JSONValue)] = [("file", .string(file)), ("match", .string(place.word))]
        switch place {
        case .object(let object, let path, let part):
            members += [
                ("class", .string(object.className)), ("primaryKey", object.primaryKey?.reported ?? .null),
                ("objectKey", .int(object.key.value)), ("path", .string(path)), ("isKey", .bool(part == .key)),
                ("type", type.map { .string($0.rawValue) } ?? .null),
            ]
        case .propertyName(let className): members.append(("class", .string(className)))
        case .className, .freeSpace: break
        }
        members += [
            ("text", .string(text)), ("isPart", .bool(isPart)), ("offset", offset.map { .offset($0) } ?? .null),
        ]
        return .object(members)
    }
}

extension SearchMatch.Place {
    fileprivate var word: String {
        switch self {
        case .object: "value"
        case .className: "class"
        case .propertyName: "property"
        case .freeSpace: "free"
        }
    }
}

extension SearchedObject {
    /// Class and key.
    fileprivate var words: String {
        guard let primaryKey else { return "\(className) object \(key)" }
        return "\(className) \(ValueText.short(primaryKey))"
    }
}

extension Value {
    /// A primary key in a report: numbers as numbers, everything else as its text.
    fileprivate var reported: JSONValue {
        switch self {
        case .null: .null
        case .int(let number): JSONValue(number)
        case .string(let text): .string(text)
        default: .string(ValueText.short(self))
        }
    }
}
