internal import RealmLayout

extension DatabaseImage {
    /// The error for an empty selected slot when the other slot is in use, a state that no writer leaves (Spec H04).
    func emptySlotDamage(_ slot: Int) -> FormatError? {
        guard let header = FileHeader(view), slot == header.selectedSlot, let other = header.topRefBesideEmptySlot
        else {
            return nil
        }
        return FormatError(
            .noCommit, at: slot * 8,
            "the selected slot is empty, but the other one leads to 0x\(String(other, radix: 16)): the header is damaged"
        )
    }
}
