internal import RealmFile
public import RealmForensics

/// The outcome of verifying a file at all levels.
public struct VerifyOutcome: Sendable {
    /// The report at the level `deep`.
    public let report: VerificationReport
    /// Violations: more findings than requested, levels or threads that contradict each other, a sound file that cannot
    /// be read or exported.
    public var violations: [String] = []
}

/// Verifies `bytes` at all levels. Returns for any bytes. A file that is found sound is read and exported, which must
/// succeed.
///
/// - Parameter combinations: the formats and profiles to export with.
public func verifyEverything(
    _ bytes: [UInt8], _ combinations: [ExportCombination] = ExportCombination.all
) -> VerifyOutcome {
    let maximum = 20
    let source = ByteSource(bytes: bytes)
    let reports = VerificationLevel.allCases.map {
        Verification(level: $0, maximumFindings: maximum).run(on: source)
    }
    var outcome = VerifyOutcome(report: reports[reports.count - 1])
    if Verification(level: .deep, maximumFindings: maximum, jobs: 3).run(on: source) != outcome.report {
        outcome.violations.append("several threads say something else than one")
    }
    for (report, level) in zip(reports, VerificationLevel.allCases) {
        if report.findings.count > maximum || report.findings.count > report.total {
            outcome.violations.append("\(level): \(report.findings.count) of \(report.total) findings")
        }
        if report.totals.reduce(0, +) != report.totalsByCheck.values.reduce(0, +) {
            outcome.violations.append("\(level): the totals differ")
        }
    }
    for (less, more) in zip(reports, reports.dropFirst()) {
        if less.isReadable != more.isReadable || less.slots.map(\.commit) != more.slots.map(\.commit) {
            outcome.violations.append("\(less.level) and \(more.level) disagree on the slots")
        }
        if !less.isSound, more.isSound { outcome.violations.append("\(more.level) finds less than \(less.level)") }
    }
    guard outcome.report.isSound else { return outcome }
    do throws(FormatError) {
        let snapshot = try RealmDatabase(source: source).snapshot()
        outcome.violations += errorsOfReading(snapshot).map { "sound, but: \($0)" }
        outcome.violations += errorsOfExporting(snapshot, combinations, size: bytes.count).map { "sound, but: \($0)" }
    } catch {
        outcome.violations.append("sound, but: \(error)")
    }
    return outcome
}

/// Returns the errors of reading all values and backlinks of a commit.
func errorsOfReading(_ snapshot: Snapshot) -> [FormatError] {
    var errors = snapshot.damage
    for table in snapshot.tables {
        for start in [table.objects, table.tombstones] {
            var objects = start
            do throws(FormatError) {
                while let object = try objects.next() {
                    _ = try object.values()
                    for incoming in table.schema.incoming { _ = try object.backlinks(incoming) }
                }
            } catch {
                errors.append(error)
            }
        }
    }
    return errors
}
