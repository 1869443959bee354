internal import RealmCore
package import RealmLayout

/// Selects the commit to extract into a new file.
///
/// ```swift
/// print(try FileRepair(ByteSource(path: "broken.realm")).plan(.otherSlot).isComplete)
/// ```
public enum RepairMethod: Equatable, Sendable {
    /// The commit that the header's other slot refers to, usually the previous one.
    case otherSlot
    /// The newest complete commit anywhere in the file.
    case findRoot
    /// A commit chosen by the caller, anywhere in the file.
    case found(CommitLocation)
}

/// The findings of a repair, and the commit it would write.
///
/// ```swift
/// let plan = try FileRepair(ByteSource(path: "broken.realm")).plan(.findRoot)
/// for candidate in plan.candidates { print(candidate.commit, candidate.state, candidate.objectCount) }
/// print(plan.chosen?.commit ?? 0, plan.isComplete, plan.isLossless)
/// ```
public struct RepairPlan: Sendable {
    /// The method of finding the commit.
    public let method: RepairMethod
    /// The searched data.
    let data: DatabaseImage
    /// Size of the file in bytes, decrypted.
    package let fileSize: Int
    /// The problem with the header; nil when it begins like one.
    package let headerProblem: FormatError?
    /// Number of pages of an encrypted file that could not be decrypted and were replaced with zeros.
    public let lostPages: Int
    /// The roots that were found, best first, up to a limit.
    public let candidates: [RootCandidate]
    /// Total number of roots that were found.
    package let candidateTotal: Int
    /// The best root, as an index of `candidates`; nil when none is readable.
    package let best: Int?
    /// The root of the commit before the best one, which the new file's other slot will hold, as an index of
    /// `candidates`; nil when it is missing or incomplete.
    package let kept: Int?
    /// Known content that the best commit lacks.
    package let losses: RepairLosses

    /// The best root.
    public var chosen: RootCandidate? { best.map { candidates[$0] } }

    /// The root in the other slot, if its commit is later than the best one, which the header selects. Such a commit
    /// was written but never became current (Spec R160.6), or the header is damaged. An index of `candidates`.
    package var unselected: Int? {
        guard let chosen, chosen.origin == .selectedSlot else { return nil }
        return candidates.firstIndex { $0.origin == .otherSlot && $0.commit > chosen.commit }
    }

    /// Number of bytes of the best commit beyond the end of the file. They held nothing, and the new file has zeros
    /// there.
    package var padding: Int { max(0, (chosen?.logicalSize ?? 0) - fileSize) }

    /// Whether the best commit cannot contain parts of later ones, being the newest known commit or the one before it.
    /// In older commits, leaves may have been overwritten by others of the same kind, which cannot be detected.
    public var isCertain: Bool {
        guard let chosen else { return false }
        if losses.lostTopRef != nil, chosen.origin != .otherSlot { return false }
        guard let newest = losses.newest.map({ candidates[$0].commit }), newest > chosen.commit else { return true }
        return newest - chosen.commit == 1
    }

    /// Whether the best commit is complete, so that its content needs no warning.
    public var isComplete: Bool { chosen?.state == .complete }

    /// Whether, in addition, nothing seen of later commits is missing, and the whole file belongs to the commit.
    public var isLossless: Bool {
        isComplete && losses.isEmpty && lostPages == 0 && chosen?.report?.unownedRanges ?? 0 == 0
    }
}

/// Content that was seen but that the repair does not recover.
package struct RepairLosses: Sendable {
    /// A table compared between two commits.
    package struct Table: Equatable, Sendable {
        /// The full name of the table.
        package let name: String
        /// Number of objects in the newest commit; nil when it cannot be read.
        package let newest: Int?
        /// Number of objects in the chosen commit; nil when it cannot be read.
        package let chosen: Int?
        /// Number of objects only in the newest commit; nil, like the following counts, when they could not be
        /// compared.
        package let lost: Int?
        /// Number of objects with older values in the chosen commit.
        package let older: Int?
        /// Number of objects that the newest commit no longer has.
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

    /// The newest commit that was seen, if newer than the chosen one, as an index of `RepairPlan.candidates`.
    package let newest: Int?
    /// The content of the header's selected slot if no root was found there. The last commit is then lost, and its
    /// number unknown.
    package let lostTopRef: UInt64?
    /// The tables that differ between the newest and the chosen commit.
    package let tables: [Table]
    /// Content that salvaging the newest commit would recover (Spec R190.17); nil without such a commit, or when none
    /// of it is readable.
    package let salvage: SalvageYield?

    /// Whether nothing that was seen is missing.
    package var isEmpty: Bool { newest == nil && lostTopRef == nil }
}
