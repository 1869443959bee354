internal import RealmLayout
internal import RealmReader

// Dictionaries of formats 21 and 22: entries under the hashes of their keys (K08; Spec 40).
extension LeafChecks {
    /// Compares the places of entries with the hashes of their keys, which are in the leaf at `ref`.
    func checkEntryHashes(_ view: ClusterView, _ ref: Ref) {
        guard let keys = scope.leaf(ref, as: .string) else { return }
        for row in 0..<min(view.count, keys.count) {
            let place = view.key(row).value
            // Those below 0 were taken already; those of 32 bits are of another hash, of machines of 32 bits.
            guard place >> 32 > 0, let hash = hash(row, keys), place != Int64(hash & UInt64(Int64.max)) else {
                continue
            }
            fail(.entryHash, ref, row, "the entry is not under the hash of its key")
        }
    }

    private func hash(_ row: Int, _ keys: ColumnLeaf) -> UInt64? {
        do throws(FormatError) {
            return try keys.string(at: row, in: scope.space).flatMap { StringHash.of($0) }
        } catch {
            return nil
        }
    }
}

/// The hash that formats 21 and 22 have of strings, as far as files prove it: CityHash64 of libc++ (Spec 40).
enum StringHash {
    private static let k2: UInt64 = 0x9AE1_6A3B_2F90_404F
    private static let k3: UInt64 = 0xC949_D7C7_509E_6557
    private static let factor: UInt64 = 0x9DDF_EA08_EB38_2D69

    /// The hash of 1 to 8 bytes; nil for others.
    static func of(_ bytes: ByteView) -> UInt64? {
        let count = bytes.count
        switch count {
        case 1...3:
            let y = UInt64(bytes[0]) + UInt64(bytes[count / 2]) << 8
            let z = UInt64(count) + UInt64(bytes[count - 1]) << 2
            return spread(y &* k2 ^ z &* k3) &* k2
        case 4...8:
            // The shift is one of 32 bits there.
            let start = UInt64(count) + UInt64(bytes.uint32(unchecked: 0) << 3)
            let end = UInt64(bytes.uint32(unchecked: count - 4))
            let first = spread((start ^ end) &* factor)
            return spread((end ^ first) &* factor) &* factor
        default:
            return nil
        }
    }

    private static func spread(_ value: UInt64) -> UInt64 { value ^ value >> 47 }
}
