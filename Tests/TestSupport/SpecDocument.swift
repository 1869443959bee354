private import Foundation

/// The chapters of `Spec/`, as far as tests read them: tables after `<!-- table: NAME -->` and bytes after
/// `<!-- hex: FILE OFFSET -->`. Decrypted bytes of an encrypted file follow `<!-- plain: FILE OFFSET -->`, bytes that
/// tests write follow `<!-- written: NAME OFFSET -->`, and commits of tests to these follow
/// `<!-- committed: NAME OFFSET -->`.
package struct SpecDocument: Sendable {
    /// A marked table: header cells and rows of cells.
    package struct Table: Sendable {
        package let name: String
        package let columns: [String]
        package let rows: [[String]]
    }

    /// One line of annotated bytes.
    package struct HexLine: Sendable {
        package let chapter: String
        package let fixture: String
        package let offset: Int
        package let bytes: [UInt8]
    }

    package struct Malformed: Error, CustomStringConvertible {
        package let description: String
    }

    package let tables: [Table]
    package let hexLines: [HexLine]
    /// Like `hexLines`, for the decrypted bytes of encrypted files.
    package let plainLines: [HexLine]
    /// Like `hexLines`, for files that the tests write.
    package let writtenLines: [HexLine]
    /// Like `hexLines`, for commits that the tests make in a file.
    package let committedLines: [HexLine]

    /// Returns all chapters, read once.
    package static func load() throws -> SpecDocument {
        let folder = KnownFile.packageRoot.appending(path: "Spec")
        let chapters = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        var tables: [Table] = []
        var hexLines: [HexLine] = []
        var plainLines: [HexLine] = []
        var writtenLines: [HexLine] = []
        var committedLines: [HexLine] = []
        for chapter in chapters.sorted() {
            let text = try String(contentsOf: folder.appending(path: chapter), encoding: .utf8)
            let lines = text.components(separatedBy: "\n")
            for (number, line) in lines.enumerated() {
                let rest = lines[(number + 1)...]
                if let words = marker("table:", in: line) {
                    guard words.count == 1 else { throw Malformed(description: "\(chapter): \(line)") }
                    tables.append(try table(words[0], rest, chapter))
                } else if let words = marker("hex:", in: line) {
                    hexLines += try block(words, line, rest, chapter)
                } else if let words = marker("plain:", in: line) {
                    plainLines += try block(words, line, rest, chapter)
                } else if let words = marker("written:", in: line) {
                    writtenLines += try block(words, line, rest, chapter)
                } else if let words = marker("committed:", in: line) {
                    committedLines += try block(words, line, rest, chapter)
                }
            }
        }
        return SpecDocument(
            tables: tables, hexLines: hexLines, plainLines: plainLines, writtenLines: writtenLines,
            committedLines: committedLines)
    }

    private static func marker(_ kind: String, in line: String) -> [String]? {
        let words = line.split(separator: " ").map(String.init)
        guard words.count > 3, words[0] == "<!--", words[1] == kind, words.last == "-->" else { return nil }
        return Array(words[2..<(words.count - 1)])
    }

    /// Returns the cells of some columns of a table, row by row.
    package func rows(_ name: String, _ columns: [String]) throws -> [[String]] {
        guard let table = tables.first(where: { $0.name == name }) else {
            throw Malformed(description: "no table \(name)")
        }
        let indexes = try columns.map { column in
            guard let index = table.columns.firstIndex(of: column) else {
                throw Malformed(description: "\(name) has no column \(column)")
            }
            return index
        }
        return table.rows.map { row in indexes.map { row[$0] } }
    }

    private static func table(_ name: String, _ lines: ArraySlice<String>, _ chapter: String) throws -> Table {
        // A cell can contain `\|`.
        let rows = lines.prefix { $0.hasPrefix("|") }.map { line in
            line.replacingOccurrences(of: "\\|", with: "\u{1}").split(separator: "|", omittingEmptySubsequences: false)
                .dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
        }
        guard rows.count > 2, rows.allSatisfy({ $0.count == rows[0].count }) else {
            throw Malformed(description: "\(chapter): table \(name) has no rows, or rows of different length")
        }
        return Table(name: name, columns: rows[0], rows: Array(rows.dropFirst(2)))
    }

    private static func block(
        _ words: [String], _ marker: String, _ lines: ArraySlice<String>, _ chapter: String
    ) throws -> [HexLine] {
        guard words.count == 2, words[1].hasPrefix("0x"), let offset = Int(words[1].dropFirst(2), radix: 16)
        else { throw Malformed(description: "\(chapter): \(marker)") }
        let fixture = words[0]
        guard lines.first == "```text" else { throw Malformed(description: "\(chapter): no block after hex marker") }
        let result = try lines.dropFirst().prefix { $0 != "```" }.map { line in
            let parts = line.split(separator: "|", maxSplits: 1)[0].split(separator: ":", maxSplits: 1)
            let bytes = parts.last?.split(separator: " ").map { UInt8($0, radix: 16) } ?? []
            guard parts.count == 2, let at = Int(parts[0], radix: 16), !bytes.isEmpty, !bytes.contains(nil) else {
                throw Malformed(description: "\(chapter): \(line)")
            }
            return HexLine(chapter: chapter, fixture: fixture, offset: at, bytes: bytes.compactMap { $0 })
        }
        guard result.first?.offset == offset else {
            throw Malformed(description: "\(chapter): block of \(fixture) does not begin at its marker's offset")
        }
        return result
    }
}
