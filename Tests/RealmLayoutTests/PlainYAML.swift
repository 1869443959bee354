import TestSupport

/// The subset of YAML that `Spec/realm.ksy` uses: maps and lists by indentation, plain and quoted scalars, lists in
/// brackets as text, and text after `|`.
indirect enum PlainYAML: Equatable {
    case scalar(String)
    case list([PlainYAML])
    case map([Member])

    struct Member: Equatable {
        let key: String
        let value: PlainYAML
    }

    /// Parses a document.
    ///
    /// - Throws: when a line is indented wrongly, has none of these forms, or repeats a key.
    init(parsing text: String) throws {
        var lines: [Line] = []
        for (number, line) in text.components(separatedBy: "\n").enumerated() where !line.isEmpty {
            let indent = line.prefix { $0 == " " }.count
            guard indent % 2 == 0, indent < line.count, !line.contains("\t"), line.last != " " else {
                throw TestSupportError("line \(number + 1): \(line)")
            }
            lines.append(Line(number: number + 1, indent: indent, text: String(line.dropFirst(indent))))
        }
        var rest = lines[...]
        self = try Self.block(&rest, indent: 0)
        if let line = rest.first { throw TestSupportError("line \(line.number) belongs to nothing") }
    }

    subscript(_ key: String) -> PlainYAML? { members.first { $0.key == key }?.value }

    var members: [Member] { if case .map(let members) = self { members } else { [] } }
    var elements: [PlainYAML] { if case .list(let elements) = self { elements } else { [] } }
    var text: String? { if case .scalar(let text) = self { text } else { nil } }

    private struct Line {
        let number: Int
        var indent: Int
        var text: String
    }

    private static func block(_ lines: inout ArraySlice<Line>, indent: Int) throws -> PlainYAML {
        guard let first = lines.first, first.indent == indent else {
            throw TestSupportError("nothing before line \(lines.first?.number ?? 0)")
        }
        return first.text.hasPrefix("- ") ? try list(&lines, indent: indent) : try map(&lines, indent: indent)
    }

    private static func list(_ lines: inout ArraySlice<Line>, indent: Int) throws -> PlainYAML {
        var elements: [PlainYAML] = []
        while let line = lines.first, line.indent == indent, line.text.hasPrefix("- ") {
            // The map of an element begins on the line of its hyphen.
            lines[lines.startIndex] = Line(
                number: line.number, indent: indent + 2, text: String(line.text.dropFirst(2)))
            elements.append(try map(&lines, indent: indent + 2))
        }
        return .list(elements)
    }

    private static func map(_ lines: inout ArraySlice<Line>, indent: Int) throws -> PlainYAML {
        var members: [Member] = []
        while let line = lines.first, line.indent == indent, !line.text.hasPrefix("- ") {
            lines.removeFirst()
            guard let colon = line.text.firstIndex(of: ":") else {
                throw TestSupportError("line \(line.number): no key")
            }
            let key = String(line.text[..<colon])
            let rest = line.text[line.text.index(after: colon)...]
            guard !key.isEmpty, !members.contains(where: { $0.key == key }), rest.isEmpty || rest.first == " " else {
                throw TestSupportError("line \(line.number): \(key)")
            }
            let value: PlainYAML =
                switch rest.dropFirst() {
                case "": try block(&lines, indent: indent + 2)
                case "|": .scalar(text(&lines, below: indent))
                default: .scalar(try plain(String(rest.dropFirst()), line.number))
                }
            members.append(Member(key: key, value: value))
        }
        return .map(members)
    }

    private static func text(_ lines: inout ArraySlice<Line>, below indent: Int) -> String {
        let text = lines.prefix { $0.indent > indent }
        lines = lines.dropFirst(text.count)
        return text.map(\.text).joined(separator: "\n")
    }

    /// Parses a scalar on one line. An unquoted one must not contain anything that has another meaning in YAML.
    private static func plain(_ text: String, _ number: Int) throws -> String {
        if text.count > 1, text.hasPrefix("'"), text.hasSuffix("'") {
            let inner = text.dropFirst().dropLast()
            guard !inner.contains("'") else { throw TestSupportError("line \(number): a quote in quotes") }
            return String(inner)
        }
        let first = text.first ?? " "
        guard !text.contains(": "), !text.contains(" #"), !"'\"{}&*!|>%@`,?-#".contains(first) else {
            throw TestSupportError("line \(number): \(text) needs quotes")
        }
        return text
    }
}
