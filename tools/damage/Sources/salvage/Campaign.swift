import ArgumentParser
import Foundation
import RealmFile
import RealmForensics

/// Zeroes each page of files, one at a time, salvages the rest, and counts the recovered objects.
@main
struct Campaign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage",
        abstract: "Zeroes each 4 KiB page of Realm files, one at a time, and counts what a salvage brings back.",
        discussion: "The files must be intact. A run with the same files gives the same table.")

    @Argument(help: "Realm files, plain, of formats 10 to 24.")
    var files: [String]

    @Flag(help: "List the pages after which something is missing or wrong that does not touch them.")
    var list = false

    @Option(help: "Zero this page only; may be given several times.")
    var page: [Int] = []

    /// Numbers of objects, for all pages together.
    struct Totals {
        var pages = 0
        /// Pages after whose loss nothing could be recovered.
        var refused = 0
        /// Objects with no part in the page.
        var untouched = 0
        var untouchedSame = 0
        /// Untouched objects that came back with other values, or not at all.
        var untouchedChanged = 0
        var untouchedLost = 0
        /// Lost objects found in a `lost_and_found` class with all their values.
        var elsewhere = 0
        var touched = 0
        var touchedSame = 0
        /// Objects recovered with other values that were not reported.
        var silent = 0
        /// New files with errors.
        var unsound = 0

        mutating func add(_ other: Totals) {
            pages += other.pages
            refused += other.refused
            untouched += other.untouched
            untouchedSame += other.untouchedSame
            untouchedChanged += other.untouchedChanged
            untouchedLost += other.untouchedLost
            elsewhere += other.elsewhere
            touched += other.touched
            touchedSame += other.touchedSame
            silent += other.silent
            unsound += other.internalInconsistency
        }
    }

    private static let pageSize = 4096

    func run() throws {
        var all = Totals()
        let columns = [
            "file", "pages", "refused", "objects that do not touch the page", "unchanged", "%", "changed", "lost",
            "of these in lost_and_found", "objects that touch it", "unchanged", "wrong without a word", "unsound",
        ]
        printLine("| " + columns.joined(separator: " | ") + " |")
        printLine("|---" + String(repeating: "|---:", count: columns.count - 1) + "|")
        let folder = FileManager.default.temporaryDirectory.appending(path: "realmfile-salvage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for path in files {
            let totals = try run(path, folder.appending(path: "new.realm").path)
            printRow(URL(filePath: path).deletingPathExtension().lastPathComponent, totals)
            all.add(totals)
        }
        printRow("all", all)
        if all.silent > 0 || all.internalInconsistency > 0 || all.untouchedSame * 100 < all.untouched * 99 {
            throw ExitCode(1)
        }
    }

    private func printRow(_ name: String, _ totals: Totals) {
        let percent = totals.untouched == 0 ? 100 : Double(totals.untouchedSame) * 100 / Double(totals.untouched)
        let cells = [
            name, "\(totals.pages)", "\(totals.refused)", "\(totals.untouched)", "\(totals.untouchedSame)",
            String(format: "%.2f", percent), "\(totals.untouchedChanged)", "\(totals.untouchedLost)",
            "\(totals.elsewhere)",
            "\(totals.touched)", "\(totals.touchedSame)", "\(totals.silent)", "\(totals.internalInconsistency)",
        ]
        printLine("| " + cells.joined(separator: " | ") + " |")
    }

    /// Writes a line immediately, because a run takes minutes.
    private func printLine(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    private func run(_ path: String, _ output: String) throws -> Totals {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let original = try Objects(RealmDatabase(bytes: bytes).snapshot())
        let pages = ObjectPages(bytes, pageSize: Self.pageSize)
        var totals = Totals()
        for page in 0..<(bytes.count / Self.pageSize) where self.page.isEmpty || self.page.contains(page) {
            let range = (page * Self.pageSize)..<((page + 1) * Self.pageSize)
            var damaged = bytes
            damaged.replaceSubrange(range, with: [UInt8](repeating: 0, count: Self.pageSize))
            guard damaged != bytes else { continue }
            let result = try judge(damaged, original, pages.objects(in: page), output)
            if list, result.untouchedSame < result.untouched || result.silent > 0 || result.internalInconsistency > 0 {
                printLine(
                    "  page \(page), \(pages.names(in: page)): \(result.untouchedChanged) changed, \(result.untouchedLost) lost, "
                        + "\(result.elsewhere) of them elsewhere, "
                        + "\(result.silent) silent, \(result.internalInconsistency) unsound, \(result.refused) refused")
            }
            totals.add(result)
        }
        return totals
    }

    private func judge(
        _ damaged: [UInt8], _ original: Objects, _ touched: Set<Objects.Identity>, _ output: String
    ) throws -> Totals {
        var totals = Totals(pages: 1)
        var file = NewFile(output)
        file.overwrite = true
        var found: Objects?
        var report: SalvageReport?
        do {
            let result = try Salvage(ByteSource(bytes: damaged)).write(to: file)
            report = result.report
            found = try Objects(RealmDatabase(path: output).snapshot(toleratingDamage: true))
        } catch WriteError.internalInconsistency {
            totals.internalInconsistency = 1
        } catch {
            totals.refused = 1
        }
        let elsewhere = found.map { LostAndFound(original, $0) }
        let words = report.map { Words($0) }
        for (identity, values) in original.values {
            let isTouched = touched.contains(identity)
            let new = found?.values[identity]
            let isSame = new == values
            if isTouched {
                totals.touched += 1
                if isSame { totals.touchedSame += 1 }
            } else {
                totals.untouched += 1
                if isSame {
                    totals.untouchedSame += 1
                } else if new == nil {
                    totals.untouchedLost += 1
                    if elsewhere?.has(identity, values) ?? false { totals.elsewhere += 1 }
                } else {
                    totals.untouchedChanged += 1
                }
            }
            guard !isSame, let words else { continue }
            if !words.speak(of: identity, before: values, after: new, original) { totals.silent += 1 }
        }
        return totals
    }
}
