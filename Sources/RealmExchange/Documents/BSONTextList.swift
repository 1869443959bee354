internal import RealmCore
internal import RealmLayout

/// A list or set of ASCII texts with a single leaf.
struct BSONTextList: BitwiseCopyable {
    /// The file offset of the first text.
    let offset: Int
    let count: UInt32
    /// Bytes per text.
    let width: UInt32

    /// Size of all texts including the padding that follows them.
    var paddedSize: Int { (Int(count) &* Int(width) &+ 7) & ~7 }

    /// Opens the list at a root. Returns nil if the writer has to handle it.
    @inline(__always)
    init?(at root: Ref, in space: NodeSpace) {
        // A width of 0 means that all texts are null.
        guard let texts = space.plainShortStrings(at: root), texts.count <= BSONBlock.mostElements,
            texts.width > 0 || texts.count == 0, texts.canCopy(in: space), texts.areASCII
        else { return nil }
        offset = root.offset &+ NodeHeader.size
        count = UInt32(truncatingIfNeeded: texts.count)
        width = UInt32(truncatingIfNeeded: texts.width)
    }
}
