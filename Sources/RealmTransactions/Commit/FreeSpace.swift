internal import RealmLayout
internal import RealmWriter

/// The bytes of a database that a commit may use, those that older commits still need, and the end behind which it grows
/// (Spec 220).
///
/// There may be many chunks, and each commit begins with reading all of them: they stay in the order in which they are read and
/// written, and what has about one size is one list.
struct FreeSpace {
    /// Bytes in a row.
    struct Chunk: Equatable {
        var start: Int
        var size: Int

        var end: Int { start + size }
    }

    /// Free bytes, or such that an open snapshot of an older commit may still need.
    struct Entry: Equatable {
        var chunk: Chunk
        /// The commit that released them; 0 where nobody needs them.
        let version: Int64
    }

    /// The bytes from the start of the file that belong to the database.
    private(set) var logicalSize: Int
    /// All chunks by offset; used ones have no bytes.
    private var entries: [Entry] = []
    private var sizes = SizeClasses()
    /// Nodes go into whole units of as many bytes only.
    private let unit: Int
    /// The entry that is being filled.
    private var open: Int?
    /// What stays behind in front of the ends of sections.
    private var splits: [Chunk] = []

    /// What a database of `logicalSize` bytes has.
    ///
    /// - Parameters:
    ///   - needed: what somebody needs of it.
    ///   - unit: what the device may leave neither old nor new.
    /// - Throws: `badGroup` for a list in which chunks overlap or lie outside of the database.
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
        // There may be thousands, which each commit goes through.
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

    /// Adds what comes behind all others; chunks of one version that touch are one.
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

    /// The whole units in a chunk, and what is before and behind them, which shares a unit with something else.
    private func cut(_ chunk: Chunk) -> [Chunk] {
        let start = (chunk.start + unit - 1) / unit * unit
        let end = chunk.end / unit * unit
        guard start < end else { return [chunk] }
        let parts = [(chunk.start, start), (start, end), (end, chunk.end)]
        return parts.filter { $0 < $1 }.map { Chunk(start: $0, size: $1 - $0) }
    }

    /// Whether a chunk consists of units.
    private func isWhole(_ chunk: Chunk) -> Bool {
        unit <= NodeHeader.size || chunk.start % unit == 0 && chunk.size % unit == 0
    }

    /// The number of chunks at most.
    var count: Int { entries.count + splits.count }

    /// All chunks by offset, with others that are released; those of one commit that touch are one.
    ///
    /// - Parameters:
    ///   - version: the commit that releases them.
    ///   - start: where a chunk begins whose first bytes are going to be used, so that it touches nothing before it.
    /// - Throws: `sharedNodes` where two overlap.
    func all(
        _ released: [Chunk], version: Int64, andFree other: Chunk, exceptBefore start: Int
    ) throws(WriteError) -> [Entry] {
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

    private static func shared(_ offset: Int) -> WriteError {
        .source(
            FormatError(
                .sharedNodes, at: offset,
                "a node is used twice, or in the list of free space: the database is damaged"))
    }

    // MARK: Taking

    /// Takes `size` bytes that do not cross the end of a section.
    ///
    /// - Parameter expected: how many bytes are going to be taken in all: where there is no room, the database grows for all of them.
    /// - Returns: their offset.
    mutating func take(_ size: Int, expecting expected: Int) -> Int {
        if let open, entries[open].chunk.size >= Self.large, let offset = takeOpen(size) { return offset }
        if let open { sizes.add(open, size: entries[open].chunk.size) }
        open = nil
        // The smallest chunk, for each node: those of one commit stay for different times. If all of them went behind each other, what
        // lies between nodes that stay would soon be too small for the next commit, and above all for its lists.
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

    /// The bytes of a chunk in front of the end of a section that `size` bytes must not cross; 0 where they do not.
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

    /// Databases are as large as whole pages of the systems that they are used on.
    private static let pageSize = 1 << 14
    /// Chunks in which nodes lie behind each other, so that they are written together.
    private static let large = 1 << 17
    /// Larger ones grow by as much, smaller ones to the double.
    private static let step = 1 << 20

    /// Makes the database larger by as much at least.
    private mutating func grow(by size: Int) {
        let section = Limits.sectionSize
        // What would cross the end of a section comes behind it; the first bytes may be of a unit that is in use.
        let needed = logicalSize + unit + size + (size < section ? size : section)
        let usual = logicalSize < Self.step ? logicalSize * 2 : logicalSize + Self.step
        let larger = (max(usual, needed) + Self.pageSize - 1) / Self.pageSize * Self.pageSize
        var chunk = Chunk(start: logicalSize, size: larger - logicalSize)
        if let last = entries.last, last.version == 0, last.chunk.end == chunk.start {
            chunk = Chunk(start: last.chunk.start, size: last.chunk.size + chunk.size)
            // Its size class has it still, as a chunk without bytes.
            entries[entries.count - 1].chunk = Chunk(start: last.chunk.start, size: 0)
        }
        logicalSize = larger
        for part in cut(chunk) {
            entries.append(Entry(chunk: part, version: 0))
            if isWhole(part) { sizes.add(entries.count - 1, size: part.size) }
        }
    }
}
