internal import RealmLayout

extension DatabaseImage {
    /// What is wrong when the selected slot leads to nothing, but the other one to data: no writer leaves a file so (Spec H04).
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
