package import RealmLayout
internal import Synchronization

extension EncryptedPages {
    /// How many neighbours of a failing page are checked, in each direction.
    private static let neighbourhood = 32
    /// The approximate number of blocks, and of pages in each, that are sampled to detect a wrong key.
    private static let sampledBlocks = 64
    private static let sampledPages = 8
    /// The number of failing pages for which this is cached.
    private static let remembered = 1024

    /// The error for a page without data, with the state of its neighbours.
    func failure(ofPage index: Int, _ state: PageState, _ cipher: PageCipher) -> FormatError {
        let offset = index * PageGeometry.pageSize
        let place = PageGeometry.offset(ofPage: index)
        let name = "page \(index), at 0x\(String(place, radix: 16)) in the encrypted file,"
        switch state {
        case .neverWritten:
            return FormatError(
                .unwrittenPage, at: offset,
                "\(name) is needed, but it was never written: \(neighbours(of: index, cipher))")
        case .zeroed:
            return FormatError(
                .unwrittenPage, at: offset,
                "\(name) is needed, but holds zeros that nobody encrypted: \(neighbours(of: index, cipher))")
        case .interruptedFirstWrite:
            return FormatError(
                .damagedPage, at: offset,
                "\(name) fails its authentication: the code of its only write does not match, so that this was interrupted "
                    + "or the page is damaged; \(neighbours(of: index, cipher))")
        case .written, .interruptedRewrite, .failing:
            return FormatError(
                .damagedPage, at: offset,
                "\(name) fails its authentication: neither the code of the last write nor that of the write before "
                    + "matches; \(neighbours(of: index, cipher))")
        }
    }

    /// Describes which neighbours of a page verify.
    private func neighbours(of index: Int, _ cipher: PageCipher) -> String {
        if let known = neighbourhoods.withLock({ $0[index] }) { return known }
        let found = verifyNeighbours(of: index, cipher)
        neighbourhoods.withLock { known in
            if known.count >= Self.remembered { known.removeAll() }
            known[index] = found
        }
        return found
    }

    private func verifyNeighbours(of index: Int, _ cipher: PageCipher) -> String {
        let pages = max(0, index - Self.neighbourhood)...min(file.geometry.pageCount - 1, index + Self.neighbourhood)
        var runs: [ClosedRange<Int>] = []
        for page in pages where page != index && state(ofPage: page, cipher).hasData {
            if let last = runs.last, last.upperBound + 1 == page {
                runs[runs.count - 1] = last.lowerBound...page
            } else {
                runs.append(page...page)
            }
        }
        guard !runs.isEmpty else { return "no other of the pages \(pages.lowerBound) to \(pages.upperBound) verifies" }
        let words = runs.prefix(4).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        let shown = runs.count > 4 ? words + ["others"] : words
        let list =
            shown.count == 1 ? shown[0] : shown.dropLast().joined(separator: ", ") + " and " + shown[shown.count - 1]
        let isSingle = runs.count == 1 && runs[0].count == 1
        return "around it, \(isSingle ? "page" : "pages") \(list) \(isSingle ? "verifies" : "verify")"
    }

    /// Records which pages of a range have no data; the first of them has failed.
    @inline(never)
    func noteWanted(_ range: ClosedRange<Int>, _ error: FormatError) {
        // Does not check codes: a crafted file could make pages fail again and again.
        let rest = range.dropFirst().filter { page in
            file.counters(page).last == 0 || file.encrypted(page).isZero
        }
        wanted.withLock { wanted in
            if error.code == .unwrittenPage { wanted.insert(range.lowerBound) }
            wanted.formUnion(rest)
        }
    }

    /// The requested pages that have no data.
    package var wantedWithoutData: Set<Int> { wanted.withLock(\.self) }

    /// The state of a page in the file.
    private func state(ofPage index: Int, _ cipher: PageCipher) -> PageState {
        EncryptedFile.state(file.entry(index), file.encrypted(index), cipher)
    }

    /// Whether the key appears to be wrong: the first pages of the file all fail, and so do the first pages of other
    /// blocks, which have entries of their own.
    package func isWrongKey() throws(FormatError) -> Bool {
        let count = file.geometry.pageCount
        let blocks = file.geometry.tableCount
        return try withCipher { cipher throws(FormatError) in
            func hasData(in pages: Range<Int>) -> Bool { pages.contains { state(ofPage: $0, cipher).hasData } }
            if hasData(in: 0..<min(count, Self.neighbourhood)) { return false }
            let step = max(1, blocks / Self.sampledBlocks)
            return !stride(from: step, to: blocks, by: step).contains { block in
                let first = block * PageGeometry.pagesInBlock
                return hasData(in: first..<min(count, first + Self.sampledPages))
            }
        }
    }

    /// Whether the first page was written only once.
    package var isFirstPageFirstWrite: Bool {
        file.geometry.pageCount > 0 && file.counters(0).before == 0
    }

    /// The number of pages that were never written, judging by the entries alone.
    package func countNeverWritten() -> Int {
        (0..<file.geometry.pageCount).count { file.isNeverWritten($0) }
    }

    /// Determines the states of all pages; reads the whole file.
    package func census() throws(FormatError) -> PageCensus {
        try withCipher { cipher throws(FormatError) in
            var census = PageCensus()
            for index in 0..<file.geometry.pageCount { census.add(index, state(ofPage: index, cipher)) }
            return census
        }
    }
}
