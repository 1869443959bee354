internal import RealmCore
public import RealmLayout
public import RealmStorage

/// Diagnoses a file and determines what each recovery option would keep (Spec 150, 160, 190). Writes nothing.
///
/// ```swift
/// let checkup = try FileCheckup(ByteSource(path: "broken.realm"))
/// print(checkup.best?.way ?? "nothing can be done")
/// ```
public struct FileCheckup: Sendable {
    /// A recovery option for the content of a file.
    public enum Way: String, CaseIterable, Sendable {
        /// The selected commit, read without recovery.
        case asItIs
        /// The commit that the header's other slot refers to, extracted into a new file.
        case otherSlot
        /// The newest complete commit, extracted into a new file.
        case findRoot
        /// Everything readable, copied to a new file.
        case salvage
        /// Like `salvage`, but also from pages of an encrypted file that fail authentication.
        case salvageUnproven
    }

    /// The content that one option would keep.
    public struct Outcome: Sendable {
        /// The recovery option.
        public let way: Way
        /// The recovered commit; nil when there is none.
        public internal(set) var commit: UInt64?
        /// The root of that commit.
        public internal(set) var root: Ref?
        /// Number of readable objects.
        public internal(set) var objects = 0
        /// Number of objects that the commit should have; nil when unknown.
        public internal(set) var expected: Int?
        /// Number of readable objects of tables that are not classes, such as metadata.
        package internal(set) var otherObjects = 0
        /// Number of expected objects of tables that are not classes.
        package internal(set) var otherExpected: Int?
        /// Number of verification errors, or of damaged places.
        public internal(set) var errors = 0
        /// Whether nothing known is lost.
        public internal(set) var isLossless = false
        /// The error that makes the option unusable; nil when it is usable.
        public internal(set) var problem: FormatError?

        /// Whether the option is usable.
        public var isOpen: Bool { problem == nil }

        /// Sums up the objects of tables, by table name.
        fileprivate mutating func count(_ tables: [(name: String, objects: Int, expected: Int?)]) {
            func expected(_ tables: [(name: String, objects: Int, expected: Int?)]) -> Int? {
                tables.reduce(Int?(0)) { sum, table in sum.flatMap { sum in table.expected.map { sum + $0 } } }
            }
            let others = tables.filter { !TableName.isClass($0.name) }
            objects = tables.reduce(0) { $0 + $1.objects }
            otherObjects = others.reduce(0) { $0 + $1.objects }
            self.expected = expected(tables)
            otherExpected = expected(others)
        }
    }

    /// The error that prevents opening the selected commit; nil when it can be opened.
    public private(set) var problem: FormatError?
    /// The verifier's report; nil when nothing can be verified.
    public private(set) var verification: VerificationReport?
    /// The options that were tried: only the first if nothing is wrong; none if recovery requires another step first,
    /// such as removing foreign bytes before the file.
    public private(set) var outcomes: [Outcome] = []

    /// Whether nothing is wrong.
    public var isSound: Bool { problem == nil && verification?.isSound ?? false }

    /// The recommended option: the file itself if nothing is wrong, otherwise a complete commit if nothing is lost
    /// with it, otherwise the option that recovers most of the newest content. Nil if no option is usable.
    public var best: Outcome? {
        let open = outcomes.filter(\.isOpen)
        if let asItIs = open.first(where: { $0.way == .asItIs && $0.isLossless }) { return asItIs }
        if let whole = open.first(where: { $0.way == .findRoot && $0.isLossless }) { return whole }
        let salvaged = open.filter { $0.way == .salvage || $0.way == .salvageUnproven }.max { $0.objects < $1.objects }
        if let salvaged, salvaged.objects > 0 { return salvaged }
        return open.first { $0.way == .findRoot && $0.objects > 0 } ?? salvaged
    }

    /// Whether the recommended option brings back more than that of another version of the same file, or as much with
    /// fewer findings.
    package func isBetter(than other: FileCheckup) -> Bool {
        if isSound != other.isSound { return isSound }
        let (objects, others) = (best?.objects ?? -1, other.best?.objects ?? -1)
        return objects == others ? errors < other.errors : objects > others
    }

    /// Number of verification errors.
    private var errors: Int {
        verification.map { $0.isReadable ? $0.total(.error) + $0.total(.fatal) : .max } ?? .max
    }

    /// Tries all options.
    ///
    /// - Parameters:
    ///   - source: The bytes of the file.
    ///   - key: Its key, if it is encrypted.
    ///   - jobs: Number of verification threads.
    /// - Throws: `StorageError` when there is no room; `fileChanged`.
    public init(_ source: ByteSource, key: EncryptionKey? = nil, jobs: Int = 1) throws {
        problem = try Self.problem { _ = try Self.open(source, key).snapshot(toleratingDamage: true) }
        if let problem, Self.hopeless.contains(problem.code) { return }
        verification = try? Self.verify(source, key, jobs)
        outcomes.append(asItIs)
        guard !isSound else { return }
        outcomes.append(try outcome(.otherSlot) { try Self.repaired(source, key, .otherSlot, &$0) })
        outcomes.append(try outcome(.findRoot) { try Self.repaired(source, key, .findRoot, &$0) })
        outcomes.append(try outcome(.salvage) { try Self.salvaged(source, key, unproven: false, &$0) })
        if key != nil {
            let more = try outcome(.salvageUnproven) { try Self.salvaged(source, key, unproven: true, &$0) }
            if more.objects > outcomes[outcomes.count - 1].objects { outcomes.append(more) }
        }
    }

    /// Errors that must be resolved before any option can work.
    private static let hopeless: Set<FormatError.Code> = [
        .emptyFile, .tooShort, .zeroedFile, .notARealm, .bytesInFront, .encrypted, .wrongKey, .wrongCipherKey,
        .notEncrypted,
    ]

    private static func open(_ source: ByteSource, _ key: EncryptionKey?) throws -> RealmDatabase {
        try key.map { try RealmDatabase(source: source, key: $0) } ?? RealmDatabase(source: source)
    }

    private static func verify(
        _ source: ByteSource, _ key: EncryptionKey?, _ jobs: Int
    ) throws -> VerificationReport {
        let verification = Verification(level: .standard, maximumFindings: 20, jobs: jobs)
        return try key.map { try verification.run(on: source, key: $0) } ?? verification.run(on: source)
    }

    /// Returns the error of `body` about the file; nil for none.
    private static func problem(_ body: () throws -> Void) throws -> FormatError? {
        do {
            try body()
            return nil
        } catch let error as FormatError where error.code != .fileChanged {
            return error
        } catch WriteError.source(let error) where error.code != .fileChanged {
            return error
        } catch WriteError.internalInconsistency(let what) {
            return FormatError(.noCommit, "the new file would not be sound: \(what)")
        }
    }

    private func outcome(_ way: Way, _ body: (inout Outcome) throws -> Void) throws -> Outcome {
        var outcome = Outcome(way: way)
        outcome.problem = try Self.problem { try body(&outcome) }
        return outcome
    }

    /// The outcome of reading the selected commit.
    private var asItIs: Outcome {
        var outcome = Outcome(way: .asItIs)
        outcome.problem = problem
        guard problem == nil, let verification else { return outcome }
        let slot = verification.slots.first(where: \.isSelected)
        outcome.commit = slot?.commit
        // The slot of a file in streaming form does not hold the root; the footer does.
        outcome.root = slot.flatMap { Int(exactly: $0.topRef) }.flatMap { $0 < verification.fileSize ? Ref($0) : nil }
        outcome.count(verification.tables.map { ($0.name, $0.readable, $0.objects) })
        outcome.errors = verification.total(.error) + verification.total(.fatal)
        outcome.isLossless = verification.isSound
        return outcome
    }

    private static func repaired(
        _ source: ByteSource, _ key: EncryptionKey?, _ method: RepairMethod, _ outcome: inout Outcome
    ) throws {
        let repair = try key.map { try FileRepair(source, key: $0) } ?? FileRepair(source)
        let plan = try repair.plan(method)
        guard let chosen = plan.chosen else { throw FormatError(.noCommit, "no commit was found that can be read") }
        outcome.commit = chosen.commit
        outcome.root = chosen.ref
        outcome.count(chosen.tables.map { ($0.name, $0.objects ?? 0, nil) })
        // The root does not record the number of objects.
        (outcome.expected, outcome.otherExpected) = (nil, nil)
        outcome.errors = (chosen.report?.total(.error) ?? 0) + (chosen.report?.total(.fatal) ?? 0)
        outcome.isLossless = plan.isLossless
        guard plan.isComplete else {
            throw FormatError(.noCommit, "commit \(chosen.commit) is the best there is, and it is not complete")
        }
    }

    private static func salvaged(
        _ source: ByteSource, _ key: EncryptionKey?, unproven: Bool, _ outcome: inout Outcome
    ) throws {
        let salvage = try key.map { try Salvage(source, key: $0, unproven: unproven) } ?? Salvage(source)
        let report = try salvage.rehearse()
        outcome.commit = report.root == nil ? nil : report.commit
        outcome.root = report.root
        outcome.count(report.tables.map { ($0.name, $0.objects, $0.expected) })
        outcome.errors = report.incidentTotal
        outcome.isLossless = report.isLossless
    }
}
