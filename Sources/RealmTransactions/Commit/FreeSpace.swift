internal import RealmLayout
internal import RealmWriter

/// The bytes of a database that a commit may use, those that older commits still need, and the end behind which it grows
/// (Spec 220).
struct FreeSpace {
    /// Bytes in a row.
    struct Chunk: Equatable {
        var start: Int
        var size: Int

        var end: Int { start + size }
    }

    /// Bytes that a commit released and that an open snapshot of an older one may still need.
    struct LockedChunk: Equatable {
        let chunk: Chunk
        /// The commit that released them.
        let version: Int64
    }

    /// The bytes from the start of the file that belong to the database.
    private(set) var logicalSize: Int
    /// What can be used, by size, then by offset.
    private var usable: [Chunk] = []
    private(set) var locked: [LockedChunk] = []
    /// The chunk that is being filled.
    private var open = Chunk(start: 0, size: 0)

    /// What a database of `logicalSize` bytes has.
    ///
    /// - Parameter oldest: the oldest commit that is still read.
    /// - Throws: `badGroup` for a list in which chunks overlap or lie outside of the database.
    init(_ list: FreeList, logicalSize: Int, oldest: UInt64, at ref: Ref) throws(FormatError) {
        self.logicalSize = logicalSize
        var end = FileHeader.size
        for index in 0..<list.count {
            guard let bytes = list.chunk(index, limit: logicalSize), bytes.lowerBound >= end,
                bytes.lowerBound % 8 == 0, bytes.count % 8 == 0
            else {
                throw FormatError(
                    .badGroup, at: ref.offset,
                    "entry \(index) of the list of free space is not a chunk of its own inside of the database")
            }
            let version = list.versions?.element(at: index) ?? 0
            let chunk = Chunk(start: bytes.lowerBound, size: bytes.count)
            if version > 0, UInt64(version) > oldest {
                locked.append(LockedChunk(chunk: chunk, version: version))
            } else if let last = usable.last, last.end == chunk.start {
                usable[usable.count - 1].size += chunk.size
            } else {
                usable.append(chunk)
            }
            end = bytes.upperBound
        }
        usable.sort { Self.precedes($0, $1) }
    }

    private static func precedes(_ left: Chunk, _ right: Chunk) -> Bool {
        left.size != right.size ? left.size < right.size : left.start < right.start
    }

    /// What is left of the usable bytes, by offset.
    var rest: [Chunk] {
        (open.size > 0 ? usable + [open] : usable).sorted { $0.start < $1.start }
    }

    /// Takes `size` bytes that do not cross the end of a section.
    ///
    /// - Parameter expected: how many bytes are going to be taken in all: those that follow lie behind these if there is room.
    /// - Returns: their offset.
    mutating func take(_ size: Int, expecting expected: Int) -> Int {
        if let offset = takeOpen(size) { return offset }
        putBack(open)
        open = Chunk(start: 0, size: 0)
        // A chunk of exactly that size, one for all that is to come, one that leaves a rest of use, or any.
        for (least, isExact) in [(size, true), (max(expected, size), false), (size * 2, false), (size, false)] {
            var index = firstIndex(ofSize: least)
            while index < usable.count, !isExact || usable[index].size == size {
                open = usable.remove(at: index)
                if let offset = takeOpen(size) { return offset }
                usable.insert(open, at: index)
                open = Chunk(start: 0, size: 0)
                index += 1
            }
        }
        grow(by: max(size, expected))
        return take(size, expecting: expected)
    }

    private mutating func takeOpen(_ size: Int) -> Int? {
        let section = NodeOutput.sectionSize
        let left = section - open.start % section
        if size <= left {
            guard size <= open.size else { return nil }
        } else {
            guard left + size <= open.size else { return nil }
            putBack(Chunk(start: open.start, size: left))
            open = Chunk(start: open.start + left, size: open.size - left)
        }
        let offset = open.start
        open = Chunk(start: offset + size, size: open.size - size)
        return offset
    }

    private mutating func putBack(_ chunk: Chunk) {
        guard chunk.size > 0 else { return }
        var index = firstIndex(ofSize: chunk.size)
        while index < usable.count, Self.precedes(usable[index], chunk) { index += 1 }
        usable.insert(chunk, at: index)
    }

    private func firstIndex(ofSize size: Int) -> Int {
        var (low, high) = (0, usable.count)
        while low < high {
            let middle = (low + high) / 2
            if usable[middle].size < size { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Databases are as large as whole pages of the systems that they are used on.
    private static let pageSize = 1 << 14
    /// Larger ones grow by as much, smaller ones to the double.
    private static let step = 1 << 20

    /// Makes the database larger by as much at least.
    private mutating func grow(by size: Int) {
        let section = NodeOutput.sectionSize
        // What would cross the end of a section comes behind it.
        let needed = logicalSize + size + (size < section ? size : section)
        let usual = logicalSize < Self.step ? logicalSize * 2 : logicalSize + Self.step
        let larger = (max(usual, needed) + Self.pageSize - 1) / Self.pageSize * Self.pageSize
        var chunk = Chunk(start: logicalSize, size: larger - logicalSize)
        if let index = usable.firstIndex(where: { $0.end == chunk.start }) {
            let last = usable.remove(at: index)
            chunk = Chunk(start: last.start, size: last.size + chunk.size)
        }
        logicalSize = larger
        putBack(chunk)
    }
}
