package import RealmLayout

// Elements as they are in the file, for comparing without telling what they mean.
extension ColumnLeaf {
    /// How many bytes each element has in a leaf whose elements lie one after the other and need nothing else; nil for
    /// other leaves.
    package var bytesPerElement: Int? {
        switch encoding {
        case .floats, .decimals32: 4
        case .doubles, .decimals64: 8
        case .decimals128: 16
        case .shortStrings where !isEnumerated: Int(truncatingIfNeeded: parameter)
        default: nil
        }
    }

    /// Whether an element is a number or a ref that `rawElement(at:)` gives as a whole.
    package var hasRawElements: Bool {
        switch encoding {
        case .integers, .links, .collections, .backlinks: true
        default: false
        }
    }

    /// The bytes of an element of such a leaf.
    package func elementBytes(at index: Int, count: Int) -> ByteView {
        bytes.slice(unchecked: index &* count, count: count)
    }
}
