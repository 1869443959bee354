public import RealmExchange
public import RealmFile

/// The outcome of exporting everything in a file.
public struct ExportOutcome: Sendable {
    /// The numbers written, with all combinations of options. `classes` includes tables that are not classes.
    public var (classes, documents, bytes) = (0, 0, 0)
    /// The first errors, in order.
    public var errors: [FormatError] = []
    /// Whether the export ended because the documents exceed `limit` bytes.
    public var isCutOff = false
    /// Violations: output beyond the bound, documents that are not well-formed, errors of another kind.
    public var violations: [String] = []
}

/// A format with a profile.
public struct ExportCombination: Sendable, CustomStringConvertible {
    /// The options for the exporter, except classes.
    public let options: ExportOptions

    /// The text for messages.
    public var description: String {
        "\(options.format) \(options.profile)\(options.isJSONArray ? " array" : "")\(options.keepsNulls ? " nulls" : "")"
    }

    /// All combinations with different output. The canonical profile has no CSV.
    public static let all: [ExportCombination] = {
        var combinations: [ExportCombination] = []
        for format in ExportOptions.Format.allCases {
            for profile in ExportOptions.Profile.allCases where !format.isTable || profile == .mongo {
                var options = ExportOptions()
                (options.format, options.profile) = (format, profile)
                options.includesSystemTables = true
                options.isJSONArray = format == .json && profile == .mongo
                options.extendedJSONForm = format == .ejson && profile == .mongo ? .relaxed : .canonical
                options.keepsNulls = format == .bson
                combinations.append(ExportCombination(options: options))
            }
        }
        return combinations
    }()

    /// Returns one combination, selected by a hash of the input: runs of the fuzzer are short, and failures are
    /// reproducible.
    public static func chosen(by bytes: [UInt8]) -> [ExportCombination] {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return [all[Int(truncatingIfNeeded: hash >> 33) % all.count]]
    }
}

/// Returns the maximum number of bytes for the export of one class from a file of `size` bytes.
///
/// Intact files are smaller than their documents, because each document repeats the names of properties. A column of
/// 256 zeros takes two bytes for a ref and eight for a node. In documents, each of its values takes 63 bytes for the
/// name (six times that, if everything needs escapes) and some 30 for the value: ten thousand times as much. A file
/// cannot exceed this by much, since the reader allows at most 128 elements for each byte, with up to 100 bytes each.
/// Long values may also be repeated, as in enumerated columns and in primary keys of link targets; the exporter charges
/// these to a separate budget of 1024 times the file. All this is proportional to the file, which is the point: an
/// error would grow with its square.
public func exportBound(ofFileWith size: Int) -> Int { size * (32 << 10) + (1 << 20) }

/// Exports everything in `bytes` through the public interface. For any bytes, this returns an outcome without
/// `violations`.
///
/// - Parameters:
///   - combinations: the formats and profiles to export with.
///   - limit: the bytes of documents after which no further class is exported; by default twice the bound for one. Each
///     export ends in bounded work, but many tables may share their content.
public func exportEverything(
    _ bytes: [UInt8], _ combinations: [ExportCombination] = ExportCombination.all, limit: Int? = nil
) -> ExportOutcome {
    var run = ExportRun(bound: exportBound(ofFileWith: bytes.count), limit: limit)
    do throws(FormatError) {
        let database = try RealmDatabase(bytes: bytes)
        for selection in [SnapshotSelection.current, .otherSlot] {
            let snapshot: Snapshot
            do { snapshot = try database.snapshot(selection, toleratingDamage: true) } catch {
                run.note(error)
                continue
            }
            for combination in combinations { run.export(snapshot, combination) }
        }
    } catch {
        run.note(error)
    }
    return run.outcome
}

/// Returns the errors and violations of exporting all classes of a commit.
func errorsOfExporting(_ snapshot: Snapshot, _ combinations: [ExportCombination], size: Int) -> [String] {
    var run = ExportRun(bound: exportBound(ofFileWith: size), limit: nil)
    for combination in combinations { run.export(snapshot, combination) }
    return run.outcome.errors.map(\.description) + run.outcome.violations
}

private struct ExportRun {
    private static let keptErrors = 20

    let bound: Int
    let limit: Int
    var outcome = ExportOutcome()

    init(bound: Int, limit: Int?) {
        self.bound = bound
        self.limit = limit ?? 2 * bound
    }

    mutating func note(_ error: FormatError) {
        if outcome.errors.count < Self.keptErrors { outcome.errors.append(error) }
    }

    mutating func export(_ snapshot: Snapshot, _ combination: ExportCombination) {
        let exporter = Exporter(snapshot, combination.options)
        for table in snapshot.tables {
            // Embedded objects are in the documents of their owners.
            if table.schema.kind == .embedded { continue }
            guard outcome.bytes <= limit else {
                outcome.isCutOff = true
                return
            }
            export(table, exporter, combination)
        }
    }

    private mutating func export(_ table: Table, _ exporter: Exporter, _ combination: ExportCombination) {
        outcome.classes += 1
        let name = table.schema.tableName
        do {
            let (bytes, report) = try runHere { try await exporter.documents(ofClass: name) }
            for error in report.damage { note(error) }
            outcome.bytes += bytes.count
            outcome.documents += report.objects
            let isWhole = report.collections.count == 1
            if let fault = fault(in: bytes, report, isWhole, combination) {
                outcome.violations.append("\(name) as \(combination): \(fault)")
            }
        } catch let error as FormatError {
            note(error)
        } catch is StorageError {
        } catch {
            outcome.violations.append("\(name) as \(combination): \(error)")
        }
    }

    private func fault(
        in bytes: [UInt8], _ report: ExportReport, _ isWhole: Bool, _ combination: ExportCombination
    ) -> String? {
        if bytes.count > bound { return "\(bytes.count) bytes, more than \(bound)" }
        let documents: Int?
        switch combination.options.format {
        case .bson: documents = DocumentCount.bson(bytes)
        case .csv: documents = DocumentCount.table(bytes, separator: UInt8(ascii: ",")).map { $0 - 1 }
        case .tsv: documents = DocumentCount.table(bytes, separator: 0x09).map { $0 - 1 }
        case .ejson, .json: documents = DocumentCount.lines(bytes, isArray: combination.options.isJSONArray)
        }
        guard let documents else {
            // Output before damage is unterminated, except for the bracket that closes an array.
            return isWhole || !combination.options.isJSONArray ? "not well-formed" : nil
        }
        guard isWhole else { return nil }
        if report.bytes != bytes.count, combination.options.format == .bson {
            return "\(bytes.count) bytes, the report says \(report.bytes)"
        }
        return documents == report.objects ? nil : "\(documents) documents, the report says \(report.objects)"
    }
}
