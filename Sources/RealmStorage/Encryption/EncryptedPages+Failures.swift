package import RealmLayout
internal import Synchronization

extension EncryptedPages {
    /// How far from a page that fails its neighbours are looked at, in both directions.
    private static let neighbourhood = 32
    /// For how many failing pages this is remembered.
    private static let remembered = 1024

    /// Why a page has no data, with what is around it.
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

    /// Which of the pages around one verify, in words.
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

    /// Remembers which pages of a range, of which the first failed, have no data.
    @inline(never)
    func noteWanted(_ range: ClosedRange<Int>, _ error: FormatError) {
        // Without a look at codes: a file may be made so that pages fail again and again.
        let rest = range.dropFirst().filter { page in
            file.counters(page).last == 0 || file.encrypted(page).isZero
        }
        wanted.withLock { wanted in
            if error.code == .unwrittenPage { wanted.insert(range.lowerBound) }
            wanted.formUnion(rest)
        }
    }

    /// The pages without data that somebody asked for.
    package var wantedWithoutData: Set<Int> { wanted.withLock(\.self) }

    /// The state of a page in the file.
    private func state(ofPage index: Int, _ cipher: PageCipher) -> PageState {
        EncryptedFile.state(file.entry(index), file.encrypted(index), cipher)
    }

    /// Whether the key is not that of the file: the first page fails, and so do all that were written around it.
    package func isWrongKey() throws(FormatError) -> Bool {
        try withCipher { cipher throws(FormatError) in
            (0..<min(file.geometry.pageCount, Self.neighbourhood)).allSatisfy { !state(ofPage: $0, cipher).hasData }
        }
    }

    /// Whether the first page was written but once.
    package var isFirstPageFirstWrite: Bool {
        file.geometry.pageCount > 0 && file.counters(0).before == 0
    }

    /// How many pages were never written, by the tables alone.
    package func countNeverWritten() -> Int {
        (0..<file.geometry.pageCount).count { file.isNeverWritten($0) }
    }

    /// The states of all pages: reads the whole file.
    package func census() throws(FormatError) -> PageCensus {
        try withCipher { cipher throws(FormatError) in
            var census = PageCensus()
            for index in 0..<file.geometry.pageCount { census.add(index, state(ofPage: index, cipher)) }
            return census
        }
    }
}
