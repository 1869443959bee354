internal import RealmLayout
internal import RealmReader

/// A list or set of texts with a single leaf, all of which are ASCII.
struct BSONTextList: BitwiseCopyable {
    /// Where in the file the first one begins.
    let offset: Int
    let count: UInt32
    /// Bytes a text.
    let width: UInt32

    /// Bytes of all texts with the padding behind them.
    var paddedSize: Int { (Int(count) &* Int(width) &+ 7) & ~7 }

    /// The list at a root; nil when it is left to the writer.
    @inline(__always)
    init?(at root: Ref, in space: NodeSpace) {
        // Texts of no bytes are all null.
        guard let texts = space.plainShortStrings(at: root), texts.count <= BSONBlock.mostElements,
            texts.width > 0 || texts.count == 0, texts.canCopy(in: space), texts.areASCII
        else { return nil }
        offset = root.offset &+ NodeHeader.size
        count = UInt32(truncatingIfNeeded: texts.count)
        width = UInt32(truncatingIfNeeded: texts.width)
    }
}
