internal import RealmLayout
internal import RealmReader

// What a survey says of a tree: its parts, and what is lost of them.
extension ClusterSurvey {
    /// A part of the tree that cannot be read.
    struct Gap {
        /// Where it is, or where it should be named.
        let ref: Ref
        /// What is to be added to the keys of its objects; nil where that is not known.
        let base: UInt64?
        /// What the keys are below before that; nil where it is not known.
        let limit: UInt64?
        /// The levels below it: 0 for a cluster; nil for the root.
        let height: Int?
        /// Whether what led to it is lost: it may be elsewhere, and intact.
        let isWayLost: Bool
        let error: FormatError

        /// The keys that its objects had, as numbers without a sign; nil where they are not known.
        var keys: ClosedRange<UInt64>? {
            guard let base else { return nil }
            let (last, overflows) = base.addingReportingOverflow((limit ?? .max) - 1)
            return base...(overflows || limit == nil ? max(base, UInt64(Int64.max)) : last)
        }
    }

    /// Objects whose keys are not known.
    struct Keyless {
        let cluster: SalvagedCluster
        let reason: String
        let bytes: Range<Int>
    }

    /// What the tree holds.
    enum Content {
        case objects
        case tombstones
        /// Entries of a dictionary of a format before 23, whose keys may be any numbers.
        case entries
    }

    struct Place {
        /// What to add to the keys below; nil when it is not known.
        let base: UInt64?
        let limit: UInt64?
        /// The levels below it; nil for the root.
        let height: Int?
        /// Whether the list of offsets of a node above is lost.
        let isGuessed: Bool
    }

    struct Info {
        let slots: RecordSlots<ClusterInnerSlot>
        let offsets: IntegerVector?
        let depth: Int
        /// Whether the list of offsets is lost, and they are those that Realm gives.
        let isGuessed: Bool
    }

    /// How many elements leaves have, and how many leaves have as many.
    struct LeafCount {
        var counts: [Int: Int] = [:]
        /// What most leaves have; the higher of two that as many have.
        var count: Int { counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0 }
        /// Whether a count can stand: a leaf has it too, or fewer than two agree on another.
        func hasStated(_ stated: Int) -> Bool { counts[stated] != nil || counts[count] ?? 0 < 2 }
    }
}
