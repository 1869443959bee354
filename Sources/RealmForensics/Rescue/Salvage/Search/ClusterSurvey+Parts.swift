internal import RealmCore
internal import RealmLayout

// The results of a survey: parts of the tree, and gaps.
extension ClusterSurvey {
    /// An unreadable part of the tree.
    struct Gap {
        /// The position of the part, or of the node that should refer to it.
        let ref: Ref
        /// Offset added to the keys of its objects; nil when unknown.
        let base: UInt64?
        /// Exclusive upper bound of the keys before that offset; nil when unknown.
        let limit: UInt64?
        /// Number of levels below it: 0 for a cluster; nil for the root.
        let height: Int?
        /// Whether the ref to it is lost. The part itself may be intact elsewhere.
        let isWayLost: Bool
        let error: FormatError

        /// The possible range of its objects' keys, as unsigned numbers; nil when unknown.
        var keys: ClosedRange<UInt64>? {
            guard let base else { return nil }
            let (last, overflows) = base.addingReportingOverflow((limit ?? .max) - 1)
            return base...(overflows || limit == nil ? max(base, UInt64(Int64.max)) : last)
        }
    }

    /// Objects whose keys are unknown.
    struct Keyless {
        let cluster: SalvagedCluster
        let reason: String
        let bytes: Range<Int>
    }

    /// The content of a tree.
    enum Content {
        case objects
        case tombstones
        /// Entries of a dictionary of formats before 23. Their keys may be any numbers.
        case entries
    }

    struct Place {
        /// Offset added to the keys below; nil when unknown.
        let base: UInt64?
        let limit: UInt64?
        /// Number of levels below it; nil for the root.
        let height: Int?
        /// Whether the offset list of an ancestor is lost.
        let isGuessed: Bool
    }

    struct Info {
        let slots: RecordSlots<ClusterInnerSlot>
        let offsets: IntegerVector?
        let depth: Int
        /// Whether the offset list is lost and replaced with the offsets that Realm assigns.
        let isGuessed: Bool
    }

    /// Element counts of leaves, with the number of leaves that have each count.
    struct LeafCount {
        var counts: [Int: Int] = [:]
        /// The most frequent count; the highest one in case of a tie.
        var count: Int { counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0 }
        /// Whether a stated count is plausible: some leaf has it, or fewer than two leaves agree on another.
        func hasStated(_ stated: Int) -> Bool { counts[stated] != nil || counts[count] ?? 0 < 2 }
    }
}
