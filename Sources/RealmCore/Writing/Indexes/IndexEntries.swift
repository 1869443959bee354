package import RealmLayout
internal import RealmStorage

/// The entries of a search index: the values of a property, or their words, and the objects that have them (Spec 80).
///
/// When memory runs out, entries are sorted and spilled to disk, as often as needed, and merged at the end.
package final class IndexEntries {
    /// Number of common chunks beyond which objects with different values share a list.
    static let mostChunks = 51
    /// Chunks compare as signed numbers; flipping this bit orders them by their bytes.
    private static let signBit: UInt32 = 0x8000_0000

    /// Two chunks of zeros.
    private static let nullRank = UInt64(signBit) << 32 | UInt64(signBit)

    struct Entry: RadixSortable {
        /// The first two chunks.
        let rank: UInt64
        let object: Int64
        /// Offset of the remaining chunks, which are followed by the remaining bytes if there are more than
        /// `mostChunks`, and their byte count.
        private let place: UInt64
        /// Number of bits for the byte count, enough for any string.
        private static let countBits: UInt64 = 26

        /// - Parameters:
        ///   - tail: Offset of the remaining bytes.
        ///   - tailCount: Number of those bytes.
        @inline(__always)
        init(rank: UInt64, object: Int64, tail: Int, tailCount: Int) {
            self.rank = rank
            self.object = object
            place = UInt64(truncatingIfNeeded: tail) &<< Self.countBits | UInt64(truncatingIfNeeded: tailCount)
        }

        @inline(__always) var tail: Int { Int(truncatingIfNeeded: place &>> Self.countBits) }
        @inline(__always) var tailCount: Int { Int(truncatingIfNeeded: place & (1 &<< Self.countBits &- 1)) }
    }

    /// Whether each object can have any number of words, each indexed down to its end (Spec 80).
    let hasWords: Bool
    private let isFullText: Bool
    private let isMixed: Bool
    private let hasNumbers: Bool
    private let entries: UnsharedArray<Entry>
    let tails: UnsharedArray<UInt8>
    private let room: SpillRoom
    /// Sorted runs on disk.
    private var runs: [SpilledBytes] = []
    private var merge: IndexMerge?
    /// The second-last and the last entry reached by `advance`.
    private(set) var previous = Entry(rank: 0, object: 0, tail: 0, tailCount: 0)
    private(set) var current = Entry(rank: 0, object: 0, tail: 0, tailCount: 0)
    private var position = 0
    /// The words of the last object so far.
    private var words: Set<[UInt8]?> = []
    private var lastObject: Int64 = -1
    private var isAscending = true

    init(_ property: PropertyDefinition, _ kind: IndexKind, _ room: SpillRoom) {
        self.room = room
        entries = UnsharedArray(in: room.folder)
        tails = UnsharedArray(in: room.folder)
        isFullText = kind == .fullText
        hasWords = isFullText || property.collection != nil
        isMixed = property.type == .mixed
        hasNumbers = property.type == .int || property.type == .bool
    }

    /// Adds an element of a list of strings. Each word of an object is added once.
    package func add(word: [UInt8]?, of object: ObjectKey) throws(WriteError) {
        try spillIfLarge()
        if object.value != lastObject {
            words.removeAll(keepingCapacity: true)
            if object.value < lastObject { isAscending = false }
            lastObject = object.value
        }
        guard words.insert(word).inserted else { return }
        guard let word else { return add(nil as ByteView?, object.value) }
        ByteView.with(word) { add($0, object.value) }
    }

    /// Adds the values of a complete column.
    func add(_ column: LeafBuilder, _ keys: UnsharedArray<Int64>) throws(WriteError) {
        try spillIfLarge()
        guard !hasWords else { return addWords(column, keys) }
        switch column.type {
        case .int(nullable: false):
            for row in 0..<column.count { add(column.numbers[row], keys[row]) }
        case .int:
            for row in 0..<column.count { add(column.nulls[row] ? nil : column.numbers[row], keys[row]) }
        case .bool:
            for row in 0..<column.count {
                let number = column.numbers[row]
                add(number == NullPattern.bool ? nil : number, keys[row])
            }
        case .timestamp: addTimes(column, keys)
        case .mixed:
            for row in 0..<column.count {
                let key = column.mixedIndexKeys[row]
                guard let bytes = key.bytes else {
                    add(nil as ByteView?, keys[row], key)
                    continue
                }
                ByteView.with(bytes) { add($0, keys[row], key) }
            }
        case .string: addBytes(column, keys, terminator: 1)
        default: addBytes(column, keys, terminator: 0)
        }
    }

    private func addTimes(_ column: LeafBuilder, _ keys: UnsharedArray<Int64>) {
        for row in 0..<column.count {
            if !column.nulls[row],
                let time = Timestamp(seconds: column.numbers[row], nanoseconds: column.seconds[row])
            {
                add(time, keys[row])
            } else {
                add(nil as ByteView?, keys[row])
            }
        }
    }

    private func addBytes(_ column: LeafBuilder, _ keys: UnsharedArray<Int64>, terminator: Int) {
        let hasLongStrings = !column.longStrings.isEmpty
        var start = 0
        for row in 0..<column.count {
            let end = Int(column.ends[row])
            if column.nulls[row] {
                add(nil as ByteView?, keys[row])
            } else if hasLongStrings, let long = column.longStrings[row] {
                ByteView.with(long) { add($0, keys[row]) }
            } else {
                add(column.bytes.view(start..<(end - terminator)), keys[row])
            }
            start = end
        }
    }

    private func addWords(_ column: LeafBuilder, _ keys: UnsharedArray<Int64>) {
        // Elements of lists were added one by one.
        guard isFullText else { return }
        var start = 0
        for row in 0..<column.count {
            let end = Int(column.ends[row])
            defer { start = end }
            guard !column.nulls[row] else { continue }
            let found: Set<[UInt8]>
            if let long = column.longStrings[row] {
                found = ByteView.with(long) { FullTextWords.words(in: $0) }
            } else {
                found = FullTextWords.words(in: column.bytes.view(start..<(end - 1)))
            }
            for word in found { ByteView.with(word) { add($0, keys[row]) } }
        }
    }

    private func add(_ time: Timestamp, _ object: Int64) {
        let tail = tails.count
        append(chunk: UInt32(bitPattern: time.nanoseconds).byteSwapped ^ Self.signBit)
        append(chunk: UInt32(bitPattern: IndexChunk.end) ^ Self.signBit)
        entries.append(
            Entry(
                rank: UInt64(bitPattern: time.seconds).byteSwapped ^ Self.nullRank, object: object, tail: tail,
                tailCount: 8))
    }

    private func add(_ number: Int64?, _ object: Int64) {
        guard let number else {
            // The number 0 begins with the same two chunks; only its third chunk differs from that of null.
            let tail = tails.count
            append(chunk: Self.signBit)
            return entries.append(Entry(rank: Self.nullRank, object: object, tail: tail, tailCount: 4))
        }
        // The eight bytes of the number, lowest first, as two chunks. All numbers have that many.
        let swapped = UInt64(bitPattern: number).byteSwapped
        entries.append(
            Entry(
                rank: swapped ^ Self.nullRank, object: object, tail: 0,
                tailCount: 0))
    }

    /// - Parameter mixed: For Mixed values, determines the order among values with the same bytes.
    private func add(_ bytes: ByteView?, _ object: Int64, _ mixed: IndexKeyBytes? = nil) {
        let tail = tails.count
        let count = bytes.map { $0.count / 4 + 1 } ?? 1
        let first = UInt64(Self.chunk(bytes, 0)) &<< 32 | UInt64(Self.chunk(bytes, 1))
        for position in 2..<max(2, min(count, Self.mostChunks)) {
            append(chunk: Self.chunk(bytes, position) ^ Self.signBit)
        }
        if let bytes, count > Self.mostChunks,
            let rest = bytes.slice(at: Self.mostChunks * 4, count: bytes.count - Self.mostChunks * 4)
        {
            tails.append(rest)
        }
        if let mixed {
            for shift in stride(from: UInt128(120), through: 0, by: -8) {
                tails.append(UInt8(truncatingIfNeeded: mixed.fraction >> shift))
            }
            tails.append(mixed.rank)
        }
        entries.append(Entry(rank: first ^ Self.nullRank, object: object, tail: tail, tailCount: tails.count - tail))
    }

    private func append(chunk: UInt32) { tails.append(bigEndian: chunk) }

    /// Returns the chunk at a position as an unsigned number.
    @inline(__always)
    private static func chunk(_ bytes: ByteView?, _ position: Int) -> UInt32 {
        UInt32(bitPattern: IndexChunk.at(position, of: bytes))
    }
}

// The order of entries.
extension IndexEntries {
    /// Sorts by value, then by object key. Call `advance` afterwards.
    func sort() throws(WriteError) {
        sortEntries()
        guard !runs.isEmpty else { return }
        try spill()
        do throws(StorageError) {
            let merge = IndexMerge(runs)
            try merge.begin(self)
            self.merge = merge
        } catch {
            throw .storage(error)
        }
    }

    /// Advances `current` to the next entry, and sets `previous` to the one before, even at the end.
    ///
    /// - Returns: False at the end.
    @inline(__always)
    func advance() throws(WriteError) -> Bool {
        previous = current
        if let merge { return try advance(merge) }
        guard position < entries.count else { return false }
        current = entries[position]
        position &+= 1
        return true
    }

    private func advance(_ merge: IndexMerge) throws(WriteError) -> Bool {
        do throws(StorageError) {
            // Tails accumulate; packing them from time to time keeps only those in use.
            if tails.count > merge.mostTails { merge.pack(tails, &previous) }
            guard let next = try merge.next(self) else { return false }
            current = next
            return true
        } catch {
            throw .storage(error)
        }
    }

    private func spillIfLarge() throws(WriteError) {
        guard entries.count * MemoryLayout<Entry>.stride + tails.count > room.bytesOfIndex else { return }
        sortEntries()
        try spill()
    }

    /// Moves the sorted entries to disk.
    private func spill() throws(WriteError) {
        do throws(StorageError) {
            let run = SpilledBytes(room.file)
            for entry in entries {
                try run.append(IndexMerge.Head(entry))
                try run.append(tails.view(entry.tail..<(entry.tail + entry.tailCount)))
            }
            try run.end()
            runs.append(run)
        } catch {
            throw .storage(error)
        }
        entries.removeAll()
        tails.removeAll()
        isAscending = true
    }

    private func sortEntries() {
        if !isAscending {
            let keys = UnsharedArray<ObjectOrderEntry>(in: room.folder)
            for entry in entries { keys.append(ObjectOrderEntry(entry: entry)) }
            radixSort(keys)
            for index in 0..<keys.count { entries[index] = keys[index].entry }
        }
        radixSort(entries)
        var start = 0
        while start < entries.count {
            var end = start + 1
            while end < entries.count, entries[end].rank == entries[start].rank { end += 1 }
            if end - start > 1 { sortTails(start..<end) }
            start = end
        }
    }

    /// An entry ordered by object.
    private struct ObjectOrderEntry: RadixSortable {
        let entry: Entry
        var rank: UInt64 { UInt64(bitPattern: entry.object) }
    }

    /// Whether `left` precedes `right`. The tails of both must be in `tails`.
    func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        let order = compare(left, right)
        return order == 0 ? left.object < right.object : order < 0
    }

    private func sortTails(_ range: Range<Int>) {
        let isSorted = range.dropLast().allSatisfy { compare(entries[$0], entries[$0 + 1]) <= 0 }
        guard !isSorted else { return }
        let sorted = entries[range].enumerated().sorted { left, right in
            let order = compare(left.element, right.element)
            return order < 0 || order == 0 && left.offset < right.offset
        }
        for (index, entry) in sorted.enumerated() { entries[range.lowerBound + index] = entry.element }
    }

    /// Number of bytes at the end of a tail for the fraction and rank of a Mixed.
    private var rankBytes: Int { isMixed ? 17 : 0 }

    /// Number of bytes of chunks after the first two.
    private func chunkBytes(_ entry: Entry) -> Int {
        min(entry.tailCount - rankBytes, (Self.mostChunks - 2) * 4)
    }

    /// Returns a chunk in its stored form.
    func chunk(_ entry: Entry, _ position: Int) -> Int32 {
        if position < 2 {
            let bits = UInt32(truncatingIfNeeded: position == 0 ? entry.rank >> 32 : entry.rank)
            return Int32(bitPattern: bits ^ Self.signBit)
        }
        let offset = (position - 2) * 4
        guard offset < chunkBytes(entry) else {
            // Numbers all have two chunks; their third is not kept.
            return hasNumbers && position == 2 ? IndexChunk.end : 0
        }
        let start = entry.tail + offset
        let bits = tails.view(start..<start + 4).uint32(unchecked: 0).byteSwapped
        return Int32(bitPattern: bits ^ Self.signBit)
    }

    /// Returns the number of chunks, without those that are 0 because the value has ended.
    func chunkCount(_ entry: Entry) -> Int { max(2, 2 + chunkBytes(entry) / 4) }

    /// Returns the number of common leading chunks of two values; nil when all significant chunks are equal.
    @inline(__always)
    func commonChunks(_ left: Entry, _ right: Entry) -> Int? {
        if left.rank != right.rank { return left.rank &>> 32 == right.rank &>> 32 ? 1 : 0 }
        return left.tailCount | right.tailCount == 0 ? nil : commonChunks(ofTails: left, right)
    }

    @inline(never)
    private func commonChunks(ofTails left: Entry, _ right: Entry) -> Int? {
        for position in 2..<max(chunkCount(left), chunkCount(right), 3)
        where chunk(left, position) != chunk(right, position) {
            return position
        }
        return nil
    }

    /// Whether two values with all chunks in common have equal bytes; their types may differ.
    @inline(__always)
    func haveSameBytes(_ left: Entry, _ right: Entry) -> Bool {
        left.tailCount | right.tailCount == 0 || haveSameTails(left, right)
    }

    @inline(never)
    private func haveSameTails(_ left: Entry, _ right: Entry) -> Bool {
        tails[(left.tail + chunkBytes(left))..<(left.tail + left.tailCount - rankBytes)].elementsEqual(
            tails[(right.tail + chunkBytes(right))..<(right.tail + right.tailCount - rankBytes)])
    }

    /// Returns a negative number when `left` precedes.
    private func compare(_ left: Entry, _ right: Entry) -> Int {
        if let common = commonChunks(left, right) {
            return chunk(left, common) < chunk(right, common) ? -1 : 1
        }
        if left.tailCount | right.tailCount == 0 { return 0 }
        // The remaining bytes of long values, or the rank of Mixed ones.
        let leftTail = tails[(left.tail + chunkBytes(left))..<(left.tail + left.tailCount)]
        let rightTail = tails[(right.tail + chunkBytes(right))..<(right.tail + right.tailCount)]
        if isMixed {
            let ranks = (leftTail.last ?? 0, rightTail.last ?? 0)
            if ranks.0 != ranks.1 { return ranks.0 < ranks.1 ? -1 : 1 }
        }
        if leftTail.elementsEqual(rightTail) { return 0 }
        return leftTail.lexicographicallyPrecedes(rightTail) ? -1 : 1
    }

    /// Returns the number of chunks of a word: one for each four bytes begun.
    func wordChunkCount(_ entry: Entry) -> Int {
        var count = chunkCount(entry)
        while count > 1, chunk(entry, count - 1) == 0 { count -= 1 }
        // The end chunk is needed only where a longer word continues.
        return count > 1 && chunk(entry, count - 1) == IndexChunk.end ? count - 1 : count
    }
}
