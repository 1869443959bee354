internal import RealmWriter
public import RealmLayout
internal import RealmReader
public import RealmStorage
public import RealmVerifier

/// What is wrong with a file, and what each recovery option would keep (Spec 150, 160, 190). Writes nothing.
///
/// ```swift
/// let checkup = try FileCheckup(ByteSource(path: "broken.realm"))
/// print(checkup.best?.way ?? "nothing can be done")
/// ```
public struct FileCheckup: Sendable {
    /// A way to the content of a file.
    public enum Way: String, CaseIterable, Sendable {
        /// Reading the selected commit.
        case asItIs
        /// The commit that the header's other slot leads to, as a file of its own.
        case otherSlot
        /// The newest commit that is whole, as a file of its own.
        case findRoot
        /// All that can be read, in a new file.
        case salvage
        /// The same, also from pages of an encrypted file that fail their authentication.
        case salvageUnproven
    }

    /// What a way would keep.
    public struct Outcome: Sendable {
        /// The way.
        public let way: Way
        /// The commit that it leads to; nil when it leads to none.
        public internal(set) var commit: UInt64?
        /// The root of that commit.
        public internal(set) var root: Ref?
        /// Objects that can be read.
        public internal(set) var objects = 0
        /// Objects that there should be in that commit; nil when it does not say.
        public internal(set) var expected: Int?
        /// Those of the objects that are of tables that are no classes, such as metadata.
        package internal(set) var otherObjects = 0
        /// Those of the expected objects that are.
        package internal(set) var otherExpected: Int?
        /// What is wrong with it: errors of the verifier, or places with damage.
        public internal(set) var errors = 0
        /// Whether nothing that was seen is lost.
        public internal(set) var isLossless = false
        /// Why the way is closed; nil when it is open.
        public internal(set) var problem: FormatError?

        /// Whether there is a commit at its end.
        public var isOpen: Bool { problem == nil }

        /// Counts objects of tables, by their names.
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

    /// What keeps the selected commit from being opened; nil when it can be.
    public private(set) var problem: FormatError?
    /// What the verifier says; nil when there is nothing to verify.
    public private(set) var verification: VerificationReport?
    /// The ways that were tried: only the first where nothing is wrong, none where they all begin with something else, such
    /// as taking away foreign bytes in front of the file.
    public private(set) var outcomes: [Outcome] = []

    /// Whether nothing is wrong.
    public var isSound: Bool { problem == nil && verification?.isSound ?? false }

    /// The way to take: reading where nothing is wrong; otherwise a commit that is whole, if nothing is lost with it, or else
    /// what brings back most of the newest content; nil where all ways are closed.
    public var best: Outcome? {
        let open = outcomes.filter(\.isOpen)
        if let asItIs = open.first(where: { $0.way == .asItIs && $0.isLossless }) { return asItIs }
        if let whole = open.first(where: { $0.way == .findRoot && $0.isLossless }) { return whole }
        let salvaged = open.filter { $0.way == .salvage || $0.way == .salvageUnproven }.max { $0.objects < $1.objects }
        if let salvaged, salvaged.objects > 0 { return salvaged }
        return open.first { $0.way == .findRoot && $0.objects > 0 } ?? salvaged
    }

    /// Tries all ways.
    ///
    /// - Parameters:
    ///   - source: the bytes of the file.
    ///   - key: its key, if it is encrypted.
    ///   - jobs: how many threads verify.
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

    /// What no way leads back from, as long as that is so.
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

    /// The error of `body` about the file; nil for none.
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

    /// Reading the selected commit.
    private var asItIs: Outcome {
        var outcome = Outcome(way: .asItIs)
        outcome.problem = problem
        guard problem == nil, let verification else { return outcome }
        let slot = verification.slots.first(where: \.isSelected)
        outcome.commit = slot?.commit
        // Of the streaming form the root is in the footer.
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
        // Its root does not say how many there were.
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
