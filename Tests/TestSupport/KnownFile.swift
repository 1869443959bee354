package import Foundation

/// A `.realm` file whose content is known.
package struct KnownFile: Sendable, CustomStringConvertible {
    /// What tests are called by: folder and name, `current/links-stream`.
    package let name: String
    package let url: URL
    /// The typed dump that Realm Core made, for formats below 24 of an upgraded copy; nil for files without tables.
    package let dump: URL?

    package var description: String { name }

    /// The bytes of the file.
    package func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }

    /// The number in the format byte of the selected slot; nil when the file does not begin like a plain Realm file.
    package var format: Int? {
        guard let handle = try? FileHandle(forReadingFrom: url), let start = try? handle.read(upToCount: 24),
            start.count == 24, [UInt8](start[16..<20]) == Array("T-DB".utf8)
        else { return nil }
        return Int(start[20 + Int(start[23] & 1)])
    }

    /// Whether the file is of a format with clusters, or an empty file without a format, and not encrypted.
    package var isClustered: Bool { format.map { $0 == 0 || $0 >= 10 } ?? false }
}

extension KnownFile {
    package static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let fixtureFolder = packageRoot.appending(path: "Fixtures")
    private static let corpusFolder = packageRoot.appending(path: "../shared/corpus").standardizedFileURL

    /// Whether the large collection of files is here. It cannot be published, so that most machines do not have it.
    package static let hasCorpus = FileManager.default.fileExists(atPath: corpusFolder.path)
    /// What tests say that are skipped without it.
    package static let corpusComment =
        "needs the corpus of files in ../shared/corpus, which is not published"

    /// The files in `Fixtures/`.
    package static let fixtures = files(in: fixtureFolder, group: "Fixtures", dumpSuffix: ".jsonl")
    /// The files of the corpus that are of today's format.
    package static let current = corpusFiles("current", dumpSuffix: ".full.jsonl")
    /// The files of the corpus that older Realm Cores wrote from the same data.
    package static let old = corpusFiles("old", dumpSuffix: ".expected.full.jsonl")
    /// The files of the corpus that are of public Realm repositories.
    package static let upstream = corpusFiles("upstream", dumpSuffix: ".expected.full.jsonl")
    /// All files of the corpus.
    package static let corpus = current + old + upstream

    /// The fixture of that name.
    package static func fixture(_ name: String) throws -> KnownFile {
        guard let file = fixtures.first(where: { $0.name == "Fixtures/\(name)" }) else {
            throw TestSupportError("no fixture \(name)")
        }
        return file
    }

    private static func corpusFiles(_ folder: String, dumpSuffix: String) -> [KnownFile] {
        files(in: corpusFolder.appending(path: folder), group: folder, dumpSuffix: dumpSuffix)
    }

    private static func files(in folder: URL, group: String, dumpSuffix: String) -> [KnownFile] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".realm") }.sorted().map { fileName in
            let name = String(fileName.dropLast(".realm".count))
            let dump = [name + dumpSuffix, name + dumpSuffix + ".gz"].first { names.contains($0) }
            return KnownFile(
                name: "\(group)/\(name)", url: folder.appending(path: fileName),
                dump: dump.map { folder.appending(path: $0) })
        }
    }
}

/// A test's own input is not as it should be.
package struct TestSupportError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
