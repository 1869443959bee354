package import Foundation

/// A `.realm` file whose content is known.
package struct KnownFile: Sendable, CustomStringConvertible {
    /// What tests are called by: folder and name, `current/links-stream`.
    package let name: String
    package let url: URL
    /// The typed dump that Realm Core made, for formats below 24 of an upgraded copy; nil for files without tables.
    package let dump: URL?
    /// The typed dump of a file of formats 2 to 9 that Realm Core 5 made: rows in their order, old types as they are. Where
    /// later versions lose values when they upgrade a file, this is the truth and `dump` is nil or not to be believed.
    package let legacyDump: URL?
    /// The key of an encrypted file, 128 hexadecimal digits.
    package let keyFile: URL?

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
    /// Whether the file is of the time before clusters, and not encrypted.
    package var isLegacy: Bool { format.map { (2...9).contains($0) } ?? false }

    /// Whether the file is of a format that was ever released, and not encrypted.
    package var isPlain: Bool { isClustered || isLegacy }

    /// The 64 bytes of the key of an encrypted file.
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

    /// Whether the large collection of files is here. It cannot be published, so that most machines do not have it.
    package static let hasCorpus = FileManager.default.fileExists(atPath: corpusFolder.path)
    /// What tests say that are skipped without it.
    package static let corpusComment =
        "needs the corpus of files in ../shared/corpus, which is not published"

    /// The files in `Fixtures/`: of formats 10 to 24, and plain.
    package static let fixtures = files(in: fixtureFolder, group: "Fixtures", dumpSuffix: ".jsonl")
    /// The files in `Fixtures/Legacy/`: of formats 2 to 9, and plain.
    package static let legacyFixtures = files(
        in: fixtureFolder.appending(path: "Legacy"), group: "Legacy", dumpSuffix: ".upgraded.jsonl")
    /// The files in `Fixtures/Encrypted/`, of any format. All have a key.
    package static let encryptedFixtures = files(
        in: fixtureFolder.appending(path: "Encrypted"), group: "Encrypted", dumpSuffix: ".jsonl")
    /// The files in `Fixtures/Interrupted/`: upgrades from format 9 that were left half done.
    package static let interruptedFixtures = files(
        in: fixtureFolder.appending(path: "Interrupted"), group: "Interrupted", dumpSuffix: ".jsonl")
    /// The files of the corpus that are of today's format.
    package static let current = corpusFiles("current", dumpSuffix: ".full.jsonl")
    /// The files of the corpus that older Realm Cores wrote from the same data.
    package static let old = corpusFiles("old", dumpSuffix: ".expected.full.jsonl")
    /// The files of the corpus that are of public Realm repositories.
    package static let upstream = corpusFiles("upstream", dumpSuffix: ".expected.full.jsonl")
    /// Files of public repositories that apps wrote, many of which several releases have changed. They hold what is not told.
    package static let real = corpusFiles("real", dumpSuffix: ".expected.full.jsonl")
    /// Whether those are here.
    package static let hasRealFiles = !real.isEmpty
    /// What tests say that are skipped without them.
    package static let realFilesComment = "needs the files of apps in ../shared/corpus/real, which are not published"
    /// All files of the corpus.
    package static let corpus = current + old + upstream

    /// The paths of all files that the corpus says it has, from its list of sums: what is read is compared with that, so that
    /// no file is left out unnoticed.
    package static func corpusListing() throws -> Set<String> {
        let sums = try String(contentsOf: corpusFolder.appending(path: "SHA256SUMS"), encoding: .utf8)
        let paths = sums.split(separator: "\n").compactMap { line -> String? in
            guard let path = line.split(separator: " ").last else { return nil }
            let name = path.hasPrefix("./") ? String(path.dropFirst(2)) : String(path)
            // Files that programs left behind have no dump to be compared with.
            return name.hasPrefix("real/") ? nil : name
        }
        guard !paths.isEmpty else { throw TestSupportError("the corpus lists no files") }
        return Set(paths)
    }

    /// The files for what takes long with each and depends on structure more than on values: those of today's format and the
    /// upstream ones, and a third of those that hold the same data in older formats. All of the corpus when the variable
    /// `REALMFILE_WHOLE_CORPUS` is 1.
    package static let corpusSample =
        ProcessInfo.processInfo.environment["REALMFILE_WHOLE_CORPUS"] == "1"
        ? corpus
        : current + upstream + old.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)

    /// The fixture of that name; with the folder for those that are not of formats 10 to 24: `Legacy/format-9-people`.
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

/// A test's own input is not as it should be.
package struct TestSupportError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
