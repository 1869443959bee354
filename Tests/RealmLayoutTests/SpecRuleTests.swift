import Expectations
import Foundation
import TestSupport
import Testing

/// The form of the Spec: its rules, their evidence marks, and its links.
struct SpecRuleTests {
    /// Chapters by file name, including `README.md`.
    let chapters: [String: String]

    init() throws {
        let folder = KnownFile.packageRoot.appending(path: "Spec")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        chapters = try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
            })
    }

    /// A rule's number begins with that of its chapter, and the rules of a chapter are numbered without gaps.
    @Test func `rules are in order of their numbers`() throws {
        for (name, text) in chapters {
            let rules = text.matches(of: /\*\*R([0-9]+)\.([0-9]+)\*\*/)
                .filter { name != "README.md" || $0.1 != "20" }
            guard let chapter = name.split(separator: "-").first.flatMap({ Int($0) }) else {
                expect(rules.isEmpty, "\(name)")
                continue
            }
            expectEqual(rules.map { "\($0.1).\($0.2)" }, rules.indices.map { "\(chapter).\($0 + 1)" }, "\(name)")
        }
    }

    /// Every rule named in the Spec or the code exists.
    @Test func `all rules that are mentioned exist`() throws {
        let rules = Set(chapters.values.flatMap { $0.matches(of: /\*\*(R[0-9]+\.[0-9]+)\*\*/).map { String($0.1) } })
        expect(rules.count > 150)
        var texts = chapters
        for folder in ["Sources", "Tests"] {
            let root = KnownFile.packageRoot.appending(path: folder)
            let files = try #require(FileManager.default.enumerator(atPath: root.path)).compactMap { $0 as? String }
            for file in files where file.hasSuffix(".swift") {
                texts[file] = try String(contentsOf: root.appending(path: file), encoding: .utf8)
            }
        }
        for (name, text) in texts {
            for match in text.matches(of: /\bR[1-9][0-9]+\.[0-9]+\b/) {
                expect(rules.contains(String(match.0)), "\(name): \(match.0)")
            }
        }
    }

    /// The contents on the first page name every chapter.
    @Test func `the contents list every chapter`() throws {
        let first = try #require(chapters["README.md"])
        for name in chapters.keys where name != "README.md" { expect(first.contains("](\(name))"), "\(name)") }
    }

    /// Only marks that the first page explains are used.
    @Test func `all marks in use are explained on the first page`() {
        for (name, text) in chapters {
            let marks = Set(text.matches(of: /\*\*\[([^\]]*)\]\*\*/).map { String($0.1) })
            expect(marks.subtracting(["C", "S"]).isEmpty, "\(name)")
        }
    }

    /// UTF-8 is defined once.
    @Test func `UTF-8 is defined once`() {
        let defining = chapters.filter { $0.value.contains("RFC 3629") }.map(\.key)
        expectEqual(defining, ["README.md"])
    }

    /// Links between chapters refer to existing chapters and headings.
    @Test func `links between chapters have targets`() throws {
        let anchors = chapters.mapValues { text in
            Set(text.components(separatedBy: "\n").filter { $0.hasPrefix("#") }.map { Self.anchor(of: $0) })
        }
        var count = 0
        for (name, text) in chapters {
            for match in text.matches(of: /\]\(([0-9A-Za-z-]*\.md)?(#[^)]*)?\)/) {
                let target = match.1.map(String.init) ?? name
                let found = try #require(anchors[target], "\(name): \(match.0)")
                if let anchor = match.2 { expect(found.contains(String(anchor.dropFirst())), "\(name): \(match.0)") }
                count += 1
            }
        }
        expect(count > 100)
    }

    /// Returns the anchor of a heading: lower case, without punctuation, words joined by hyphens.
    private static func anchor(of heading: String) -> String {
        let text = heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
        return String(text.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" })
            .replacingOccurrences(of: " ", with: "-")
    }
}
