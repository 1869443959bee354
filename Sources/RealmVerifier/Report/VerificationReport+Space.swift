internal import RealmLayout

extension VerificationReport {
    /// How many parts of the file are neither used by the commit nor free, as no writer leaves them (Spec A07): what they
    /// belonged to may be missing. 0 when the list of free chunks is damaged, and does not tell.
    public var unownedRanges: Int {
        let list: [CheckIdentifier] = [
            .freeListShape, .freeEntryAlignment, .freeEntryRange, .freeListOrder, .freeOverlap,
        ]
        guard list.allSatisfy({ totalsByCheck[$0] == nil }) else { return 0 }
        return totalsByCheck[.leak] ?? 0
    }
}
