package import RealmLayout
internal import RealmStorage

/// Objects to insert into or remove from a search index, with their values, in index order (Spec 80).
package struct IndexChanges {
    /// An object with one of its values.
    package struct Entry: RadixSortable {
        /// The first two chunks as a number that orders like them; `second` holds the next two.
        package let rank: UInt64
        fileprivate let second: UInt64
        package let object: Int64
        /// Byte count of the value, -1 for null. For a long value, -2 minus its index in `values`.
        fileprivate let size: Int32
        package let isAdded: Bool
    }

    /// Flips the signs of chunks, so that they compare as unsigned numbers.
    private static let signs: UInt64 = 0x8000_0000_8000_0000

    package private(set) var entries: [Entry] = []
    /// Values that are long, or of Mixed columns.
    private var values: [IndexKeyBytes] = []
    /// Whether different values may have the same bytes.
    private let isMixed: Bool

    package init(isMixed: Bool) { self.isMixed = isMixed }

    /// Reserves capacity for `count` entries.
    package mutating func reserve(_ count: Int) { entries.reserveCapacity(count) }

    package mutating func add(_ value: IndexKeyBytes, _ object: Int64, isAdded: Bool) {
        entries.append(entry(value, object, isAdded: isAdded))
    }

    /// Returns an entry without adding it to `entries`.
    package mutating func entry(_ value: IndexKeyBytes, _ object: Int64, isAdded: Bool) -> Entry {
        if !isMixed, let (size, low, high) = value.short {
            return Self.entry(size: size, low, high, object, isAdded: isAdded)
        }
        values.append(value)
        let rank = Self.word(value.chunk(0), value.chunk(1)) ^ Self.signs
        let second = Self.word(value.chunk(2), value.chunk(3)) ^ Self.signs
        return Entry(
            rank: rank, second: second, object: object, size: Int32(-1 - values.count), isAdded: isAdded)
    }

    private static func word(_ first: Int32, _ second: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: second))
    }

    @inline(__always)
    private static func entry(
        size: Int32, _ low: UInt64, _ high: UInt64, _ object: Int64, isAdded: Bool
    ) -> Entry {
        // The last byte is followed by an X.
        let end = UInt64(UInt8(ascii: "X")) &<< UInt64(truncatingIfNeeded: size &* 8)
        let rank = size >= 0 && size < 8 ? low | end : low
        let second = size >= 8 && size < 16 ? high | end : high
        return Entry(
            rank: rank.byteSwapped ^ signs, second: second.byteSwapped ^ signs, object: object, size: size,
            isAdded: isAdded)
    }

    /// Adds the values of a leaf that is neither Mixed nor a list, set or dictionary.
    ///
    /// - Parameters:
    ///   - rows: Rows of the leaf.
    ///   - cluster: The leaf's cluster, which has the object keys.
    /// - Throws: Errors of reading values.
    package mutating func add(
        _ leaf: ColumnLeaf, _ rows: Range<Int>, of cluster: Cluster, in space: NodeSpace
    ) throws(FormatError) {
        switch leaf.encoding {
        case .integers:
            for row in rows {
                let number = UInt64(bitPattern: leaf.int(at: row))
                entries.append(
                    Self.entry(size: 8, number, 0, cluster.key(unchecked: row).value, isAdded: true))
            }
        case .shortStrings, .mediumStrings, .bigStrings:
            for row in rows {
                let object = cluster.key(unchecked: row).value
                guard let view = try leaf.string(at: row, in: space) else {
                    entries.append(Self.entry(size: -1, 0, 0, object, isAdded: true))
                    continue
                }
                guard view.count <= IndexKeyBytes.inlineSize else {
                    add(IndexKeyBytes(.string(view)), object, isAdded: true)
                    continue
                }
                let (low, high) = IndexKeyBytes.words(of: view)
                entries.append(Self.entry(size: Int32(view.count), low, high, object, isAdded: true))
            }
        default:
            for row in rows {
                guard case .value(let value) = try leaf.scalar(at: row, in: space) else { continue }
                add(IndexKeyBytes(value), cluster.key(unchecked: row).value, isAdded: true)
            }
        }
    }

    // MARK: Order

    /// Sorts the entries by their chunks.
    package mutating func sort() { sort(&entries) }

    /// Sorts other entries in the same way.
    package func sort(_ entries: inout [Entry]) {
        if entries.count < Self.few {
            entries.sort { isBefore($0, $1) }
            return
        }
        let array = UnsharedArray<Entry>(capacity: entries.count)
        for entry in entries { array.append(entry) }
        radixSort(array)
        for index in array.indices { entries[index] = array[index] }
        var start = 0
        while start < entries.count {
            var end = start + 1
            var areSame = true
            let first = entries[start]
            while end < entries.count, entries[end].rank == first.rank {
                if entries[end].second != first.second || entries[end].size != first.size { areSame = false }
                end += 1
            }
            if !areSame || first.size < -1 { entries[start..<end].sort { isBefore($0, $1) } }
            start = end
        }
    }

    /// Minimum count for radix sort; fewer entries are sorted by comparing.
    private static let few = 64

    private func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        if left.second != right.second { return left.second < right.second }
        if left.size != right.size || left.size < -1 {
            for level in 4..<Self.levels {
                let chunks = (chunk(left, level), chunk(right, level))
                if chunks.0 != chunks.1 { return chunks.0 < chunks.1 }
            }
        }
        return left.object < right.object
    }

    /// Exceeds the number of chunks by which values are distinguished.
    private static let levels = 64

    /// Returns the chunk of a value on a level of the index.
    @inline(__always)
    package func chunk(_ entry: Entry, _ level: Int) -> Int32 {
        if level < 4 {
            let word = (level < 2 ? entry.rank : entry.second) ^ Self.signs
            return Int32(bitPattern: UInt32(truncatingIfNeeded: level & 1 == 0 ? word &>> 32 : word))
        }
        if entry.size < -1 { return values[Int(-2 - entry.size)].chunk(level) }
        return level == 4 && entry.size == IndexKeyBytes.inlineSize ? IndexChunk.end : 0
    }

    /// Whether two values have the same bytes, or are both null.
    @inline(__always)
    package func haveSameBytes(_ left: Entry, _ right: Entry) -> Bool {
        guard left.rank == right.rank, left.second == right.second else { return false }
        return left.size < -1 && right.size < -1
            ? value(left).hasSameBytes(as: value(right)) : left.size == right.size
    }

    /// Orders objects in a list whose values have all chunks in common: by bytes, then type, then key.
    package func precedesInList(_ left: Entry, _ right: Entry) -> Bool {
        if !haveSameBytes(left, right) { return value(left).orderOfBytes(value(right)) < 0 }
        if isMixed {
            let order = value(left).orderInList(value(right))
            if order != 0 { return order < 0 }
        }
        return left.object < right.object
    }

    /// Whether objects with these values are ordered by their keys alone.
    package func haveSamePlace(_ left: Entry, _ right: Entry) -> Bool {
        haveSameBytes(left, right) && (!isMixed || value(left).orderInList(value(right)) == 0)
    }

    /// Returns the number of chunks, not counting the end chunk that follows a full last one.
    package func chunkCount(_ entry: Entry) -> Int {
        entry.size < -1 ? value(entry).chunkCount : max(1, (Int(entry.size) + 3) / 4)
    }

    /// Returns the bytes of a value; nil for null.
    package func bytes(_ entry: Entry) -> [UInt8]? { value(entry).bytes }

    private func value(_ entry: Entry) -> IndexKeyBytes {
        if entry.size < -1 { return values[Int(-2 - entry.size)] }
        guard entry.size >= 0 else { return IndexKeyBytes(word: nil) }
        let words = ((entry.rank ^ Self.signs).byteSwapped, (entry.second ^ Self.signs).byteSwapped)
        let bytes = words.0.littleEndianBytes + words.1.littleEndianBytes
        return IndexKeyBytes(word: Array(bytes.prefix(Int(entry.size))))
    }
}
