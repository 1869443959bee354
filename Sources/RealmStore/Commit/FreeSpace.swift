internal import RealmCore
internal import RealmLayout

/// The bytes of a database that a commit may use, the bytes that older commits still need, and the end at which the
/// database grows (Spec 220).
///
/// There may be many chunks, and each commit begins by reading all of them. They stay in the order in which they are
/// read and written, and chunks of about the same size are linked in a list.
struct FreeSpace {
    /// A contiguous range of bytes.
    struct Chunk: Equatable {
        var start: Int
        var size: Int

        var end: Int { start + size }
    }

    /// Bytes that are free, or that an open snapshot of an older commit may still need.
    struct Entry: Equatable {
        var chunk: Chunk
        /// The commit that released them; 0 if nobody needs them.
        let version: Int64
    }

    /// The number of bytes from the start of the file that belong to the database.
    private(set) var logicalSize: Int
    /// All chunks by offset; used ones have size 0.
    private var entries: [Entry] = []
    private var sizes = SizeClasses()
    /// Nodes are placed only in whole units of this many bytes.
    private let unit: Int
    /// The entry that is being filled.
    private var open: Int?
    /// The rests that are left before the ends of sections.
    private var splits: [Chunk] = []

    /// Reads the free space of a database of `logicalSize` bytes.
    ///
    /// - Parameters:
    ///   - needed: the released space that is still needed.
    ///   - unit: the unit that a loss of power may leave neither old nor new.
    /// - Throws: `badGroup` for a list in which chunks overlap or lie outside the database.
    init(
        _ list: FreeList, logicalSize: Int, _ needed: PinnedSpace, unit: Int, at ref: Ref
    ) throws(FormatError) {
        var needed = needed
        self.logicalSize = logicalSize
        self.unit = unit
        entries.reserveCapacity(list.count + 1)
        var end = FileHeader.size
        let (positions, lengths, versions) = (list.positions, list.lengths, list.versions)
        let versionCount = versions?.count ?? 0
        // There may be thousands, which each commit visits.
        for index in 0..<list.count {
            let (start, size) = (Int(positions[unchecked: index]), Int(lengths[unchecked: index]))
            guard start >= end, size > 0, start < logicalSize, size <= logicalSize - start, (start | size) & 7 == 0
            else { throw Self.badEntry(index, ref) }
            end = start + size
            let chunk = Chunk(start: start, size: size)
            let version = index < versionCount ? versions?[unchecked: index] ?? 0 : 0
            if needed.isFree(releasedBy: version) {
                Self.append(chunk, version: 0, to: &entries)
            } else {
                needed.forEachPart(of: chunk, releasedBy: version) { Self.append($0, version: $1, to: &entries) }
            }
        }
        if unit > NodeHeader.size {
            entries = entries.flatMap { entry in
                entry.version == 0 ? cut(entry.chunk).map { Entry(chunk: $0, version: 0) } : [entry]
            }
        }
        sizes.reserve(entries.count + 1)
        for index in entries.indices.reversed() where entries[index].version == 0 && isWhole(entries[index].chunk) {
            sizes.add(index, size: entries[index].chunk.size)
        }
    }

    /// Appends a chunk after all others; adjacent chunks of the same version are merged.
    @inline(__always)
    private static func append(_ chunk: Chunk, version: Int64, to entries: inout [Entry]) {
        if let last = entries.last, last.version == version, last.chunk.end == chunk.start {
            entries[entries.count - 1].chunk.size += chunk.size
        } else {
            entries.append(Entry(chunk: chunk, version: version))
        }
    }

    private static func badEntry(_ index: Int, _ ref: Ref) -> FormatError {
        FormatError(
            .badGroup, at: ref.offset,
            "entry \(index) of the list of free space is not a chunk of its own inside of the database")
    }

    /// Divides a chunk into its whole units, and the parts before and after them, which share a unit with something
    /// else.
    private func cut(_ chunk: Chunk) -> [Chunk] {
        let start = (chunk.start + unit - 1) / unit * unit
        let end = chunk.end / unit * unit
        guard start < end else { return [chunk] }
        let parts = [(chunk.start, start), (start, end), (end, chunk.end)]
        return parts.filter { $0 < $1 }.map { Chunk(start: $0, size: $1 - $0) }
    }

    /// Whether a chunk consists of whole units.
    private func isWhole(_ chunk: Chunk) -> Bool {
        unit <= NodeHeader.size || chunk.start % unit == 0 && chunk.size % unit == 0
    }

    /// The maximum number of chunks.
    var count: Int { entries.count + splits.count }

    /// All chunks by offset, including newly released ones; adjacent chunks of the same commit are merged.
    ///
    /// - Parameters:
    ///   - version: the commit that releases them.
    ///   - start: the start of a chunk whose first bytes will be used, so that it is not merged with a chunk before it.
    /// - Throws: `sharedNodes` if two overlap.
    func all(
        _ released: [Chunk], version: Int64, andFree other: Chunk, exceptBefore start: Int
    ) throws(FormatError) -> [Entry] {
        var added = released.map { Entry(chunk: $0, version: version) }
        added += splits.map { Entry(chunk: $0, version: 0) }
        added.append(Entry(chunk: other, version: 0))
        added.sort { $0.chunk.start < $1.chunk.start }
        var merged: [Entry] = []
        merged.reserveCapacity(entries.count + added.count)
        var last = Entry(chunk: Chunk(start: 0, size: 0), version: -1)
        var (next, own) = (0, 0)
        while true {
            let entry: Entry
            if next < added.count, own == entries.count || added[next].chunk.start < entries[own].chunk.start {
                entry = added[next]
                next += 1
            } else if own < entries.count {
                entry = entries[own]
                own += 1
                if entry.chunk.size == 0 { continue }
            } else {
                return merged
            }
            guard last.chunk.end <= entry.chunk.start else { throw Self.shared(entry.chunk.start) }
            if last.version == entry.version, last.chunk.end == entry.chunk.start, entry.chunk.start != start {
                last.chunk.size += entry.chunk.size
                merged[merged.count - 1] = last
            } else {
                last = entry
                merged.append(entry)
            }
        }
    }

    private static func shared(_ offset: Int) -> FormatError {
        FormatError(
            .sharedNodes, at: offset, "a node is used twice, or in the list of free space: the database is damaged")
    }

    // MARK: Taking

    /// Takes `size` bytes that do not cross the end of a section.
    ///
    /// - Parameter expected: the total number of bytes that will be taken; if there is no room, the database grows for
    ///   all of them.
    /// - Returns: their offset.
    mutating func take(_ size: Int, expecting expected: Int) -> Int {
        if let open, entries[open].chunk.size >= Self.large, let offset = takeOpen(size) { return offset }
        if let open { sizes.add(open, size: entries[open].chunk.size) }
        open = nil
        // Each node goes into the smallest chunk that fits, because nodes of one commit live for different times. If
        // they were all placed consecutively, the gaps between the surviving nodes would soon be too small for the next
        // commit, above all for its lists.
        for isExact in [true, false] {
            let found = sizes.take(size, isExact: isExact) { index in
                let chunk = entries[index].chunk
                return Self.hasRoom(chunk, for: size) ? chunk.size : 0
            }
            guard let found else { continue }
            open = found
            if let offset = takeOpen(size) { return offset }
        }
        grow(by: max(size, expected))
        return take(size, expecting: expected)
    }

    /// The bytes of a chunk before the end of a section that `size` bytes would cross; 0 if they do not cross one.
    private static func skipped(_ chunk: Chunk, _ size: Int) -> Int {
        let left = Limits.sectionSize - chunk.start % Limits.sectionSize
        return size <= left ? 0 : left
    }

    private static func hasRoom(_ chunk: Chunk, for size: Int) -> Bool {
        size <= chunk.size && skipped(chunk, size) + size <= chunk.size
    }

    private mutating func takeOpen(_ size: Int) -> Int? {
        guard let open, Self.hasRoom(entries[open].chunk, for: size) else { return nil }
        let chunk = entries[open].chunk
        let skipped = Self.skipped(chunk, size)
        if skipped > 0 { splits.append(Chunk(start: chunk.start, size: skipped)) }
        let offset = chunk.start + skipped
        entries[open].chunk = Chunk(start: offset + size, size: chunk.end - offset - size)
        return offset
    }

    // MARK: Growing

    /// The size of a database is a multiple of the page sizes of all systems on which it is used.
    private static let pageSize = 1 << 14
    /// Chunks of at least this size are filled consecutively, so that nodes are written together.
    private static let large = 1 << 17
    /// The growth of larger databases; smaller ones double in size.
    private static let step = 1 << 20

    /// Grows the database by at least `size` bytes.
    private mutating func grow(by size: Int) {
        let section = Limits.sectionSize
        // A node that would cross the end of a section is placed after it. The first bytes may share a unit that is in
        // use.
        let needed = logicalSize + unit + size + (size < section ? size : section)
        let usual = logicalSize < Self.step ? logicalSize * 2 : logicalSize + Self.step
        let larger = (max(usual, needed) + Self.pageSize - 1) / Self.pageSize * Self.pageSize
        var chunk = Chunk(start: logicalSize, size: larger - logicalSize)
        if let last = entries.last, last.version == 0, last.chunk.end == chunk.start {
            chunk = Chunk(start: last.chunk.start, size: last.chunk.size + chunk.size)
            // Its size class still contains it, now as an empty chunk.
            entries[entries.count - 1].chunk = Chunk(start: last.chunk.start, size: 0)
        }
        logicalSize = larger
        for part in cut(chunk) {
            entries.append(Entry(chunk: part, version: 0))
            if isWhole(part) { sizes.add(entries.count - 1, size: part.size) }
        }
    }
}
