internal import RealmCore
internal import RealmLayout
internal import RealmStorage

// Free space: bytes of former commits, which no rule keeps from being overwritten.
extension ContentSearch {
    /// The bytes searched at once.
    private static var windowBytes: Int { 1 << 20 }
    /// The bytes that windows have in common, so that a text at the edge of one is found in the next.
    private static var commonBytes: Int { 4096 }

    /// Searches the chunks of the list of free space, and what follows the end of the database.
    mutating func searchFreeSpace() {
        let file = snapshot.data.view
        outcome.freeBytes = 0
        var chunks: [Range<Int>] = []
        do throws(FormatError) {
            chunks = try snapshot.freeChunks()
        } catch {
            outcome.omissions.append(error)
        }
        let end = max(snapshot.logicalSize, FileHeader.size)
        if end < file.count { chunks.append(end..<file.count) }
        for chunk in chunks where !isStopped {
            outcome.freeBytes = (outcome.freeBytes ?? 0) + chunk.count
            search(chunk, of: file)
        }
    }

    private mutating func search(_ chunk: Range<Int>, of file: ByteView) {
        var start = chunk.lowerBound
        while start < chunk.upperBound, !isStopped {
            let end = min(start + Self.windowBytes, chunk.upperBound)
            let isLast = end == chunk.upperBound
            let next = isLast ? end : end - Self.commonBytes
            let reached = snapshot.reading { search(start..<end, in: chunk, before: next, file) }
            start = max(next, reached)
        }
    }

    /// Reports the matches in part of a chunk.
    ///
    /// - Parameter limit: the offset from which on matches are left to the next part.
    /// - Returns: the end of the last match.
    private mutating func search(
        _ window: Range<Int>, in chunk: Range<Int>, before limit: Int, _ file: ByteView
    ) -> Int {
        var start = window.lowerBound
        // Pages that were never written, or are not intact, hold nothing to find.
        if space.gate.isClosed, (try? space.gate.admit(window.lowerBound, window.count)) == nil {
            return searchPages(window, in: chunk, before: limit, file)
        }
        while start < window.upperBound, !isStopped {
            let bytes = file.slice(unchecked: start, count: window.upperBound - start)
            guard let found = pattern.text.firstMatch(in: bytes), start + found.lowerBound < limit else { break }
            let match = start + found.lowerBound..<start + found.upperBound
            let bytesOfWindow = file.slice(unchecked: window.lowerBound, count: window.count)
            let place = match.lowerBound - window.lowerBound..<match.upperBound - window.lowerBound
            add(
                .freeSpace, nil, Excerpt(textIn: bytesOfWindow, around: place, most: scope.mostBytes, isValue: false),
                at: match.lowerBound)
            // An expression can match no bytes.
            start = max(match.upperBound, match.lowerBound + 1)
        }
        return start
    }

    /// Searches page by page, where not all pages can be read.
    private mutating func searchPages(
        _ window: Range<Int>, in chunk: Range<Int>, before limit: Int, _ file: ByteView
    ) -> Int {
        guard window.count > Self.commonBytes else { return window.upperBound }
        var start = window.lowerBound
        while start < window.upperBound, !isStopped {
            let end = min((start / Self.commonBytes + 1) * Self.commonBytes, window.upperBound)
            start = max(end, search(start..<end, in: chunk, before: min(end, limit), file))
        }
        return start
    }
}

extension Snapshot {
    /// The chunks of the list of free space; none for a file without the list.
    ///
    /// - Throws: `badGroup` for a list of more bytes than the file, or of chunks outside of it, and errors from opening
    ///   nodes.
    fileprivate func freeChunks() throws(FormatError) -> [Range<Int>] {
        guard let topRef, try freeBytes() != nil else { return [] }
        let space = space.withoutOverlay
        return try reading { () throws(FormatError) in
            let list = try Record<GroupTopSlot>(at: topRef, in: space).freeList(in: space)
            var chunks: [Range<Int>] = []
            for index in 0..<list.count {
                guard let chunk = list.chunk(index, limit: logicalSize) else {
                    throw FormatError(
                        .badGroup, at: topRef.offset, "chunk \(index) of the free space is not in the file")
                }
                chunks.append(chunk)
            }
            return chunks
        }
    }
}
