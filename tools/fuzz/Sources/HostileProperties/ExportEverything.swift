public import RealmExchange
public import RealmFile

/// What came of exporting all that a file holds.
public struct ExportOutcome: Sendable {
    /// How many what were written, with all combinations of options. `classes` counts tables that are none too.
    public var (classes, documents, bytes) = (0, 0, 0)
    /// The first errors, in the order in which they came.
    public var errors: [FormatError] = []
    /// Whether exporting ended because the file makes more documents than `limit` bytes.
    public var isCutOff = false
    /// What must never be: output beyond the bound, documents that are not well-formed, errors of another kind.
    public var violations: [String] = []
}

/// A format with a profile.
public struct ExportCombination: Sendable, CustomStringConvertible {
    /// What is handed to the exporter, but for classes.
    public let options: ExportOptions

    /// Spelled for messages.
    public var description: String {
        "\(options.format) \(options.profile)\(options.isJSONArray ? " array" : "")\(options.keepsNulls ? " nulls" : "")"
    }

    /// All that differ in what is written. The canonical profile has no CSV.
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

    /// One of them, by a hash of the input: so each run of the fuzzer is short, and an input that failed fails again.
    public static func chosen(by bytes: [UInt8]) -> [ExportCombination] {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return [all[Int(truncatingIfNeeded: hash >> 33) % all.count]]
    }
}

/// The most bytes that the export of one class may make of a file of `size` bytes.
///
/// An honest file is smaller than its documents, because each document repeats the names of properties: a column of 256
/// zeros takes two bytes for a ref and eight for a node, its values in documents 63 bytes for the name (six times that,
/// when all of them need escapes) and some 30 for the value each: ten thousand times as much. A file cannot do much
/// better, since the reader lets no byte stand for more than 128 elements, with up to 100 bytes each. Long values may
/// repeat as well, as those of enumerated columns and the primary keys that links become do; the exporter pays for these
/// out of a budget of its own, 1024 times the file. All this is proportional to the file, and that is what matters:
/// what would go wrong here grows with its square.
public func exportBound(ofFileWith size: Int) -> Int { size * (32 << 10) + (1 << 20) }

/// Exports everything in `bytes` by way of the public interface: whatever the bytes are, this returns, and the outcome
/// has no `violations`.
///
/// - Parameters:
///   - combinations: the formats and profiles to export with.
///   - limit: the bytes of documents after which no further class is exported; by default twice the bound for one.
///     Each export ends in bounded work, but many tables may share what they hold.
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

/// The errors and violations that come of exporting all classes of a commit.
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
            // What precedes damage has no end, but for the bracket that closes an array.
            return isWhole || !combination.options.isJSONArray ? "not well-formed" : nil
        }
        guard isWhole else { return nil }
        if report.bytes != bytes.count, combination.options.format == .bson {
            return "\(bytes.count) bytes, the report says \(report.bytes)"
        }
        return documents == report.objects ? nil : "\(documents) documents, the report says \(report.objects)"
    }
}
