internal import RealmCore
internal import RealmLayout

// Dictionaries of formats 21 and 22: entries stored under the hashes of their keys (K08; Spec 40).
extension LeafChecks {
    /// Compares the places of entries with the hashes of their keys, which are in the leaf at `ref`.
    ///
    /// - Parameter root: the root of the dictionary.
    func checkEntryHashes(_ view: ClusterView, _ ref: Ref, in root: Ref) {
        guard let keys = scope.leaf(ref, as: .string) else { return }
        for row in 0..<min(view.count, keys.count) {
            let place = view.key(row).value
            guard let hash = hash(row, keys).map({ Int64($0 & UInt64(Int64.max)) }), place != hash else { continue }
            if place < 0 {
                // A collision: the place of the hash was taken, and must still be.
                var finder = ObjectFinder(scope, root: root, shift: ClusterWalk.usualShift)
                guard case .missing = finder.find(ObjectKey(hash)) else { continue }
                fail(.entryHash, ref, row, "the entry is not under the hash of its key, which no other entry has")
            } else if place >> 32 > 0 {
                // Places of 32 bits use another hash, from 32-bit machines.
                fail(.entryHash, ref, row, "the entry is not under the hash of its key")
            }
        }
    }

    private func hash(_ row: Int, _ keys: ColumnLeaf) -> UInt64? {
        do throws(FormatError) {
            return try keys.string(at: row, in: scope.space).map { StringHash.of($0) }
        } catch {
            return nil
        }
    }
}
