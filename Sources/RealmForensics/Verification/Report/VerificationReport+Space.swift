internal import RealmLayout

extension VerificationReport {
    /// The number of ranges of the file that are neither used by the commit nor free, which no writer leaves (Spec
    /// A07): the nodes that they belonged to may be missing. 0 when the free list is damaged and therefore
    /// inconclusive.
    public var unownedRanges: Int {
        let list: [CheckIdentifier] = [
            .freeListShape, .freeEntryAlignment, .freeEntryRange, .freeListOrder, .freeOverlap,
        ]
        guard list.allSatisfy({ totalsByCheck[$0] == nil }) else { return 0 }
        return totalsByCheck[.leak] ?? 0
    }
}
