/// The list of free chunks: three parallel arrays in the group's top node (Spec 70).
package struct FreeList: Sendable {
    /// Where the chunks begin, in bytes; they ascend.
    package let positions: IntegerVector
    /// The bytes of the chunks.
    package let lengths: IntegerVector
    /// The commits that freed the chunks; nil where the list has none, as in files of before the first shared commit.
    package let versions: IntegerVector?

    package init(positions: IntegerVector, lengths: IntegerVector, versions: IntegerVector?) {
        self.positions = positions
        self.lengths = lengths
        self.versions = versions
    }

    /// The entries that have a position and a length.
    package var count: Int { min(positions.count, lengths.count) }

    /// The bytes of a chunk, whose index must be below `count`; nil when they do not lie in a database of `limit` bytes.
    package func chunk(_ index: Int, limit: Int) -> Range<Int>? {
        let position = positions[unchecked: index]
        let length = lengths[unchecked: index]
        guard position >= 0, length > 0, position < Int64(limit), length <= Int64(limit) - position else { return nil }
        return Int(position)..<Int(position + length)
    }

    /// The first chunk that has the byte at `offset`, with the commit that freed it, 0 where the list does not say.
    package func chunk(containing offset: Int, limit: Int) -> (bytes: Range<Int>, freedBy: Int64)? {
        for index in 0..<count {
            guard let chunk = chunk(index, limit: limit), chunk.contains(offset) else { continue }
            return (chunk, versions?.element(at: index) ?? 0)
        }
        return nil
    }

    /// The bytes of all chunks together; nil when they are more than a database of `limit` bytes has.
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
