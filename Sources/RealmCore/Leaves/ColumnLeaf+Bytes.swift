package import RealmLayout

// Elements as stored in the file, for comparison without interpretation.
extension ColumnLeaf {
    /// Bytes per element in a leaf whose elements are contiguous and self-contained; nil for other leaves.
    package var bytesPerElement: Int? {
        switch encoding {
        case .floats, .decimals32: 4
        case .doubles, .decimals64: 8
        case .decimals128: 16
        case .shortStrings where !isEnumerated: Int(truncatingIfNeeded: parameter)
        default: nil
        }
    }

    /// Whether `rawElement(at:)` returns the complete element, a number or a ref.
    package var hasRawElements: Bool {
        switch encoding {
        case .integers, .links, .collections, .backlinks: true
        default: false
        }
    }

    /// The bytes of an element; `count` is `bytesPerElement`.
    package func elementBytes(at index: Int, count: Int) -> ByteView {
        bytes.slice(unchecked: index &* count, count: count)
    }
}
