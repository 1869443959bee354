package import RealmLayout

// Values of the usual types without a `Value` wrapper, for callers that read one property after another. Returns nil
// when the fast path does not apply: for null, for a value that is of another type or damaged, and while the property
// is not opened. `StoredObject.value(at:)` distinguishes these.
//
// The row must exist in the cluster.
extension OpenedCluster {
    /// An integer.
    package func int(ofProperty index: PropertyIndex, inRow row: Int) -> Int64? {
        opened.quick(index) { leaf in
            switch leaf.encoding {
            case .integers: leaf.int(at: row)
            case .nullableIntegers: leaf.nullableInt(at: row)
            default: nil
            }
        }
    }

    /// A truth value.
    package func bool(ofProperty index: PropertyIndex, inRow row: Int) -> Bool? {
        opened.quick(index) { $0.encoding == .bools ? $0.bool(at: row) : nil }
    }

    /// A float.
    package func float(ofProperty index: PropertyIndex, inRow row: Int) -> Float? {
        opened.quick(index) { leaf in
            leaf.encoding == .floats ? leaf.floatBits(at: row).map { Float(bitPattern: $0) } : nil
        }
    }

    /// A double.
    package func double(ofProperty index: PropertyIndex, inRow row: Int) -> Double? {
        opened.quick(index) { leaf in
            leaf.encoding == .doubles ? leaf.doubleBits(at: row).map { Double(bitPattern: $0) } : nil
        }
    }

    /// A string.
    package func string(ofProperty index: PropertyIndex, inRow row: Int) -> String? {
        opened.quick(index) { leaf in
            switch leaf.encoding {
            case .shortStrings, .mediumStrings, .bigStrings: (try? leaf.string(at: row, in: space))?.string
            default: nil
            }
        }
    }

    /// A timestamp.
    package func timestamp(ofProperty index: PropertyIndex, inRow row: Int) -> Timestamp? {
        opened.quick(index) { $0.encoding == .timestamps ? $0.plainTimestamp(at: row) : nil }
    }
}
