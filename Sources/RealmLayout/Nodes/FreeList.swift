/// The list of free chunks: three parallel arrays in the group's top node (Spec 70).
package struct FreeList: Sendable {
    /// The offsets of the chunks in bytes, ascending.
    package let positions: IntegerVector
    /// The lengths of the chunks in bytes.
    package let lengths: IntegerVector
    /// The commits that freed the chunks; nil when the list has none, as in files without a shared commit.
    package let versions: IntegerVector?

    package init(positions: IntegerVector, lengths: IntegerVector, versions: IntegerVector?) {
        self.positions = positions
        self.lengths = lengths
        self.versions = versions
    }

    /// The number of entries that have both a position and a length.
    package var count: Int { min(positions.count, lengths.count) }

    /// The byte range of a chunk, whose index must be below `count`; nil when it is not inside a database of `limit`
    /// bytes.
    package func chunk(_ index: Int, limit: Int) -> Range<Int>? {
        let position = positions[unchecked: index]
        let length = lengths[unchecked: index]
        guard position >= 0, length > 0, position < Int64(limit), length <= Int64(limit) - position else { return nil }
        return Int(position)..<Int(position + length)
    }

    /// The first chunk that contains the byte at `offset`, and the commit that freed it, or 0 when unknown.
    package func chunk(containing offset: Int, limit: Int) -> (bytes: Range<Int>, freedBy: Int64)? {
        for index in 0..<count {
            guard let chunk = chunk(index, limit: limit), chunk.contains(offset) else { continue }
            return (chunk, versions?.element(at: index) ?? 0)
        }
        return nil
    }

    /// The total size of all chunks in bytes; nil when it exceeds a database of `limit` bytes.
    package func byteCount(limit: Int) -> Int? {
        var total = 0
        for index in 0..<lengths.count {
            let length = lengths[unchecked: index]
            guard length >= 0, length <= Int64(limit - total) else { return nil }
            total += Int(length)
        }
        return total
    }
}
