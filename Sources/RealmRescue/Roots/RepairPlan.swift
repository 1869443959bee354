package import RealmLayout
internal import RealmReader
internal import RealmVerifier

/// Which commit becomes a file of its own.
///
/// ```swift
/// print(try FileRepair(ByteSource(path: "broken.realm")).plan(.otherSlot).isComplete)
/// ```
public enum RepairMethod: Equatable, Sendable {
    /// The one that the header's other slot leads to, mostly the one before.
    case otherSlot
    /// The newest complete one that can be found, wherever in the file.
    case findRoot
    /// The one that somebody chose, wherever in the file.
    case found(CommitLocation)
}

/// What a repair found in a file, and what it would write.
///
/// ```swift
/// let plan = try FileRepair(ByteSource(path: "broken.realm")).plan(.findRoot)
/// for candidate in plan.candidates { print(candidate.commit, candidate.state, candidate.objectCount) }
/// print(plan.chosen?.commit ?? 0, plan.isComplete, plan.isLossless)
/// ```
public struct RepairPlan: Sendable {
    /// How the commit is looked for.
    public let method: RepairMethod
    /// What was searched.
    let data: DatabaseImage
    /// The bytes of the file, decrypted.
    package let fileSize: Int
    /// What is wrong with the header; nil when it begins like one.
    package let headerProblem: FormatError?
    /// Pages of an encrypted file that could not be decrypted; zeros are in their place.
    public let lostPages: Int
    /// The roots that were found, the best first; of very many the first ones.
    public let candidates: [RootCandidate]
    /// The number of all roots that were found.
    package let candidateTotal: Int
    /// The best root: an index of `candidates`; nil when none can be read.
    package let best: Int?
    /// The root that the new file's other slot leads to, the commit before the best one: an index of `candidates`; nil
    /// when it is not there or not complete.
    package let kept: Int?
    /// What is known of and not in the best commit.
    package let losses: RepairLosses

    /// The best root.
    public var chosen: RootCandidate? { best.map { candidates[$0] } }

    /// The root in the other slot, if it is of a later commit than the best one, which the header selects: it was written,
    /// and never became the current one (Spec R160.6), or the header is damaged. An index of `candidates`.
    package var unselected: Int? {
        guard let chosen, chosen.origin == .selectedSlot else { return nil }
        return candidates.firstIndex { $0.origin == .otherSlot && $0.commit > chosen.commit }
    }

    /// Bytes at the end of the best commit that the file does not have: nothing was in them, and the new file has zeros
    /// there.
    package var padding: Int { max(0, (chosen?.logicalSize ?? 0) - fileSize) }

    /// Whether the best commit cannot hold anything of later ones: it is the newest that is known, or the one before. What
    /// is older may have leaves that were written over by others of the same kind, which nothing tells.
    public var isCertain: Bool {
        guard let chosen else { return false }
        if losses.lostTopRef != nil, chosen.origin != .otherSlot { return false }
        guard let newest = losses.newest.map({ candidates[$0].commit }), newest > chosen.commit else { return true }
        return newest - chosen.commit == 1
    }

    /// Whether the best commit is complete, so that it can be given out without a word of warning about its content.
    public var isComplete: Bool { chosen?.state == .complete }

    /// Whether it also has everything that was seen of a later commit, and all of the file belongs to it.
    public var isLossless: Bool {
        isComplete && losses.isEmpty && lostPages == 0 && chosen?.report?.unownedRanges ?? 0 == 0
    }
}

/// What a repair does not bring back although it was seen.
package struct RepairLosses: Sendable {
    /// A table in two commits.
    package struct Table: Equatable, Sendable {
        /// The full name of the table.
        package let name: String
        /// Its objects in the newest commit; nil when their number cannot be read.
        package let newest: Int?
        /// Its objects in the commit that was chosen; nil when their number cannot be read.
        package let chosen: Int?
        /// Objects that only the newest commit has; nil when they could not be compared, as the others.
        package let lost: Int?
        /// Objects that have older values in the chosen commit.
        package let older: Int?
        /// Objects that the newest commit has no more.
        package let back: Int?

        package init(name: String, newest: Int?, chosen: Int?, lost: Int?, older: Int?, back: Int?) {
            self.name = name
            self.newest = newest
            self.chosen = chosen
            self.lost = lost
            self.older = older
            self.back = back
        }
    }

    /// The newest commit that was seen and is newer than the chosen one: an index of `RepairPlan.candidates`.
    package let newest: Int?
    /// What the header's selected slot holds, when no root could be found there: the last commit, and its number is not
    /// known.
    package let lostTopRef: UInt64?
    /// The tables that differ between the newest and the chosen commit.
    package let tables: [Table]
    /// What salvaging the newest commit would bring back (Spec R190.17); nil without one, and when nothing of it can be read.
    package let salvage: SalvageYield?

    /// Whether nothing that was seen is missing.
    package var isEmpty: Bool { newest == nil && lostTopRef == nil }
}
