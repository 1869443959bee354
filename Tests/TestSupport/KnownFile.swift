package import Foundation

/// A `.realm` file with known content.
package struct KnownFile: Sendable, CustomStringConvertible {
    /// The name in tests, from folder and file: `current/links-stream`.
    package let name: String
    package let url: URL
    /// The typed dump made by Realm Core, for formats below 24 from an upgraded copy; nil for files without tables.
    package let dump: URL?
    /// The typed dump of a file of formats 2 to 9 made by Realm Core 5: rows in order, old types unchanged. If later
    /// versions lose values in an upgrade, this one is correct, and `dump` is nil or unreliable.
    package let legacyDump: URL?
    /// The key of an encrypted file, 128 hexadecimal digits.
    package let keyFile: URL?

    package var description: String { name }

    /// Returns the bytes of the file.
    package func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }

    /// The number in the format byte of the selected slot; nil when the file does not begin like a plain Realm file.
    package var format: Int? {
        guard let handle = try? FileHandle(forReadingFrom: url), let start = try? handle.read(upToCount: 24),
            start.count == 24, [UInt8](start[16..<20]) == Array("T-DB".utf8)
        else { return nil }
        return Int(start[20 + Int(start[23] & 1)])
    }

    /// Whether the file is in a format with clusters, or an empty file without a format, and not encrypted.
    package var isClustered: Bool { format.map { $0 == 0 || $0 >= 10 } ?? false }
    /// Whether the file is in a format without clusters, and not encrypted.
    package var isLegacy: Bool { format.map { (2...9).contains($0) } ?? false }

    /// Whether the file is in a released format, and not encrypted.
    package var isPlain: Bool { isClustered || isLegacy }

    /// Returns the 64 bytes of the key of an encrypted file.
    package func key() throws -> [UInt8] {
        guard let keyFile else { throw TestSupportError("\(name) has no key") }
        let digits = try Data(contentsOf: keyFile).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 128 else { throw TestSupportError("\(name): a key of \(digits.count) digits") }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

extension KnownFile {
    package static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let fixtureFolder = packageRoot.appending(path: "Fixtures")
    private static let corpusFolder = packageRoot.appending(path: "../shared/corpus").standardizedFileURL

    /// Whether the large corpus of files is available. It cannot be published, so that most machines do not have it.
    package static let hasCorpus = FileManager.default.fileExists(atPath: corpusFolder.path)
    /// The comment of tests that are skipped without it.
    package static let corpusComment =
        "needs the corpus of files in ../shared/corpus, which is not published"

    /// The files in `Fixtures/`, in formats 10 to 24, not encrypted.
    package static let fixtures = files(in: fixtureFolder, group: "Fixtures", dumpSuffix: ".jsonl")
    /// The files in `Fixtures/Legacy/`, in formats 2 to 9, not encrypted.
    package static let legacyFixtures = files(
        in: fixtureFolder.appending(path: "Legacy"), group: "Legacy", dumpSuffix: ".upgraded.jsonl")
    /// The files in `Fixtures/Encrypted/`, in any format. All have a key.
    package static let encryptedFixtures = files(
        in: fixtureFolder.appending(path: "Encrypted"), group: "Encrypted", dumpSuffix: ".jsonl")
    /// The files in `Fixtures/Interrupted/`, from interrupted upgrades of format 9.
    package static let interruptedFixtures = files(
        in: fixtureFolder.appending(path: "Interrupted"), group: "Interrupted", dumpSuffix: ".jsonl")
    /// The files of the corpus in the current format.
    package static let current = corpusFiles("current", dumpSuffix: ".full.jsonl")
    /// The files of the corpus that older Realm Cores wrote from the same data.
    package static let old = corpusFiles("old", dumpSuffix: ".expected.full.jsonl")
    /// The files of the corpus from public Realm repositories.
    package static let upstream = corpusFiles("upstream", dumpSuffix: ".expected.full.jsonl")
    /// Files from public repositories that apps wrote, many of them changed by several releases. Their content is
    /// unknown.
    package static let real = corpusFiles("real", dumpSuffix: ".expected.full.jsonl")
    /// Whether these are available.
    package static let hasRealFiles = !real.isEmpty
    /// The comment of tests that are skipped without them.
    package static let realFilesComment = "needs the files of apps in ../shared/corpus/real, which are not published"
    /// All files of the corpus.
    package static let corpus = current + old + upstream

    /// Returns the paths of all files in the corpus's list of checksums. The files that are read are compared with it,
    /// so that no file is missing unnoticed.
    package static func corpusListing() throws -> Set<String> {
        let sums = try String(contentsOf: corpusFolder.appending(path: "SHA256SUMS"), encoding: .utf8)
        let paths = sums.split(separator: "\n").compactMap { line -> String? in
            guard let path = line.split(separator: " ").last else { return nil }
            let name = path.hasPrefix("./") ? String(path.dropFirst(2)) : String(path)
            // Files written by apps have no dump for comparison.
            return name.hasPrefix("real/") ? nil : name
        }
        guard !paths.isEmpty else { throw TestSupportError("the corpus lists no files") }
        return Set(paths)
    }

    /// The files for slow tests that depend on structure more than on values: those of the current format, the upstream
    /// ones, and a third of those with the same data in older formats. The whole corpus when the variable
    /// `REALMFILE_WHOLE_CORPUS` is 1.
    package static let corpusSample =
        ProcessInfo.processInfo.environment["REALMFILE_WHOLE_CORPUS"] == "1"
        ? corpus
        : current + upstream + old.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)

    /// Returns the fixture with the name, which includes the folder except for formats 10 to 24:
    /// `Legacy/format-9-people`.
    package static func fixture(_ name: String) throws -> KnownFile {
        let names = ["Fixtures/\(name)", name]
        let all = fixtures + legacyFixtures + encryptedFixtures + interruptedFixtures
        guard let file = all.first(where: { names.contains($0.name) }) else {
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
            func beside(_ suffixes: String...) -> URL? {
                suffixes.first { names.contains(name + $0) }.map { folder.appending(path: name + $0) }
            }
            return KnownFile(
                name: "\(group)/\(name)", url: folder.appending(path: fileName),
                dump: beside(dumpSuffix, dumpSuffix + ".gz"),
                legacyDump: beside(".core5.jsonl", ".core5.jsonl.gz"),
                keyFile: beside(".key.hex"))
        }
    }
}

/// An error in a test's own input.
package struct TestSupportError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
