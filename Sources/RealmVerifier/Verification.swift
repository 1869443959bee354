internal import RealmLayout
package import RealmReader
public import RealmStorage

/// Checks a whole file and says all that is wrong with it (Spec 150). Never writes, never stops at the first finding.
///
/// ```swift
/// let report = Verification(level: .standard).run(on: try ByteSource(path: "kennel.realm"))
/// for finding in report.findings { print(finding.check.rawValue, finding.message) }
/// ```
///
/// How it works, from the outside to the inside:
///
/// 1. `HeaderChecks` looks at the 24 bytes at the start and finds the two commits that they lead to.
/// 2. For each commit `GroupRoot` opens the root, `GroupChecks`, `SchemaChecks`, `SpecChecks` and `OppositeChecks` read
///    the tables and columns into models that later steps use, and `SpaceChecks` reads the list of free chunks. This
///    is all that the level `quick` does.
/// 3. `CommitSweep` and `NodeSweep` visit every node of the commits, whatever it is for, and note in a `NodeMap` which
///    bytes belong to nodes. Where they meet anything that is not as it should be, `OwnedNodeWalk` goes the same way once more:
///    what is not sound is reported here, once, and skipped by all that follows. `SpaceChecks` then knows what is leaked
///    and what is both free and in use.
/// 4. `ContentChecks` goes through the objects of each table, a few clusters at a time, with `LeafChecks` for each
///    encoding of leaves. Links and backlinks are summed up on the way; only columns whose sums differ are compared one by
///    one (`LinkChecks`). `KeyChecks` looks for equal primary keys by their hashes.
/// 5. The level `deep` adds `IndexChecks` and `HistoryChecks`, and step 4 for the other commit.
/// 6. `SlotComparison` says what going back to the other commit would mean.
///
/// Threads: parts of the trees of both commits in step 3, pieces of tables in the steps 4 and 6 and whole tables for keys
/// are worked on by `Workers`. What a piece finds goes to a sink of its own, and these are put together in the order of the
/// pieces; in step 3 threads share one map, and only whether there is anything to say, which one thread then does.
///
/// Memory: six bits for every 8 bytes of the file at most, 32 pieces for each thread, and what is constant. Work: each
/// node is visited once or twice by step 3 and, where it is sound, once by each later step; elements of no bytes are
/// counted against a budget. Findings go to a `FindingSink`, which keeps the worst of them and counts the rest.
public struct Verification: Sendable {
    /// How much to look at.
    public var level: VerificationLevel
    /// How many findings to keep, the worst first; all are counted.
    public var maximumFindings: Int
    /// The path of the file, to look also at what is beside it; nil for bytes that are nowhere, or do not matter there.
    public var path: String?
    /// Threads that work at the same time; the report is the same for every number.
    public var jobs: Int
    /// Whether it ends when the task of the caller is cancelled; the report then says nothing.
    package var isCancellable = false
    /// Hears how many objects more were checked.
    package var tally: ObjectTally?

    /// Makes a verification.
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

    /// Checks an encrypted file. All of its pages are decrypted into memory; offsets in findings are those of the data.
    ///
    /// - Throws: `StorageError` when there is no room for the pages; `FormatError` when the file is not encrypted, or not
    ///   with this key.
    public func run(on source: ByteSource, key: EncryptionKey) throws -> VerificationReport {
        do {
            _ = try RealmDatabase(source: source, key: key)
        } catch let error as FormatError {
            // Damage is what the report is for.
            let damage: Set<FormatError.Code> = [
                .damagedPage, .unwrittenPage, .wrongCipherKey, .truncated, .zeroedFile, .zeroedHeader,
            ]
            guard damage.contains(error.code) else { throw error }
        }
        let verifier = try FileVerifier(source, self, key: key)
        return withExtendedLifetime(verifier) { verifier.report() }
    }
}
