package import RealmCore
internal import RealmLayout
public import RealmStorage

/// Checks a whole file and reports all findings (Spec 150). It never writes, and never stops at the first finding.
///
/// ```swift
/// let report = Verification(level: .standard).run(on: try ByteSource(path: "kennel.realm"))
/// for finding in report.findings { print(finding.check.rawValue, finding.message) }
/// ```
///
/// Order of the checks, from the outside to the inside:
///
/// 1. `HeaderChecks` checks the 24 bytes at the start and finds the two commits that they lead to.
/// 2. For each commit, `GroupRoot` opens the root. `GroupChecks`, `SchemaChecks`, `SpecChecks` and `OppositeChecks` read
///    tables and columns into models for the later steps, and `SpaceChecks` reads the free list. The level `quick` ends
///    here.
/// 3. `CommitSweep` and `NodeSweep` visit every node of the commits, whatever its purpose, and record in a `NodeMap` which
///    bytes belong to nodes. If they find any irregularity, `OwnedNodeWalk` repeats the walk: it reports each unsound node
///    once, and all later steps skip it. `SpaceChecks` then determines which bytes are leaked, and which are both free
///    and in use.
/// 4. `ContentChecks` visits the objects of each table, a few clusters at a time, with `LeafChecks` for each leaf
///    encoding. It adds up checksums of links and backlinks; only columns whose sums differ are compared link by link
///    (`LinkChecks`). `KeyChecks` finds equal primary keys by their hashes.
/// 5. The level `deep` adds `IndexChecks` and `HistoryChecks`, and step 4 for the other commit.
/// 6. `SlotComparison` determines what going back to the other commit would undo.
///
/// Threads: `Workers` process parts of the trees of both commits in step 3, pieces of tables in steps 4 and 6, and
/// whole tables for keys. Each piece has a sink of its own, and the sinks are merged in the order of the pieces. In
/// step 3, threads share one map and only detect whether there is anything to report; a single thread then reports it.
///
/// Memory: at most six bits for every 8 bytes of the file, 32 pieces for each thread, and a constant amount. Work: step
/// 3 visits each node once or twice, and each later step visits each sound node once; elements that occupy no bytes are
/// counted against a budget. A `FindingSink` keeps the worst findings and counts the rest.
public struct Verification: Sendable {
    /// The extent of the checks.
    public var level: VerificationLevel
    /// Maximum number of findings to keep, the worst first; all are counted.
    public var maximumFindings: Int
    /// The path of the file, for checking the files beside it; nil if there is no file, or its surroundings do not
    /// matter.
    public var path: String?
    /// The number of concurrent threads; it does not affect the report.
    public var jobs: Int
    /// Whether it stops when the caller's task is cancelled; the report is then meaningless.
    package var isCancellable = false
    /// Receives the number of checked objects as the verification advances.
    package var tally: ObjectTally?

    /// Creates a verification.
    public init(
        level: VerificationLevel = .standard, maximumFindings: Int = 100, path: String? = nil, jobs: Int = 1
    ) {
        self.level = level
        self.maximumFindings = maximumFindings
        self.path = path
        self.jobs = jobs
    }

    var workers: Workers { Workers(jobs, isCancellable: isCancellable) }

    /// Checks a file that is not encrypted.
    public func run(on source: ByteSource) -> VerificationReport {
        withExtendedLifetime(source) { FileVerifier(.whatever(source), self).report() }
    }

    /// Checks an encrypted file. Decrypts all of its pages into memory; offsets in findings are those of the decrypted
    /// data.
    ///
    /// - Throws: `StorageError` when memory for the pages is not available; `FormatError` when the file is not
    ///   encrypted, or not with this key.
    public func run(on source: ByteSource, key: EncryptionKey) throws -> VerificationReport {
        do {
            _ = try RealmDatabase(source: source, key: key)
        } catch let error as FormatError {
            // The report covers damage.
            let damage: Set<FormatError.Code> = [
                .damagedPage, .unwrittenPage, .wrongCipherKey, .truncated, .zeroedFile, .zeroedHeader,
            ]
            guard damage.contains(error.code) else { throw error }
        }
        let verifier = try FileVerifier(source, self, key: key)
        return withExtendedLifetime(verifier) { verifier.report() }
    }
}
