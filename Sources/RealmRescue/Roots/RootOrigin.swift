internal import RealmLayout

/// What led to a node that may be the root of a commit.
///
/// ```swift
/// print(try FileRepair(ByteSource(path: "broken.realm")).plan(.findRoot).candidates.map(\.origin))
/// ```
public enum RootOrigin: String, CaseIterable, Sendable {
    /// The slot that the header selects.
    case selectedSlot
    /// The other slot of the header.
    case otherSlot
    /// The lower bytes of the selected slot, or of any slot of a header that begins with something else: what stood
    /// there before its upper bytes were overwritten.
    case maskedSlot
    /// The footer of the streaming form.
    case footer
    /// Nothing but its looks: all places of the file were looked at.
    case scan
}

extension RootOrigin {
    /// The slot of the header that leads to the node, or led there before a part of it was lost; nil for none.
    func slot(of header: FileHeader) -> Int? {
        switch self {
        case .selectedSlot, .maskedSlot: header.selectedSlot
        case .otherSlot: 1 - header.selectedSlot
        case .footer, .scan: nil
        }
    }
}
