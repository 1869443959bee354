internal import RealmLayout

/// The evidence that led to a possible root of a commit.
///
/// ```swift
/// print(try FileRepair(ByteSource(path: "broken.realm")).plan(.findRoot).candidates.map(\.origin))
/// ```
public enum RootOrigin: String, CaseIterable, Sendable {
    /// The slot that the header selects.
    case selectedSlot
    /// The other slot of the header.
    case otherSlot
    /// The lower bytes of the selected slot, or of any slot if the header lost its mnemonic: the remains of a slot
    /// whose upper bytes were overwritten.
    case maskedSlot
    /// The footer of the streaming form.
    case footer
    /// Found only by structure, in a scan of the whole file.
    case scan
}

extension RootOrigin {
    /// Returns the slot of the header that refers to the node, or did before part of it was lost; nil for none.
    func slot(of header: FileHeader) -> Int? {
        switch self {
        case .selectedSlot, .maskedSlot: header.selectedSlot
        case .otherSlot: 1 - header.selectedSlot
        case .footer, .scan: nil
        }
    }
}
