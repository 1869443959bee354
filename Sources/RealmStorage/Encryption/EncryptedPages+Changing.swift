internal import RealmLayout
internal import RealmSystem

// Pages of a file that this process changes in place.
extension EncryptedPages {
    /// Whether there are addresses for a file of `size` bytes.
    func hasRoom(forFileOf size: Int) -> Bool { size <= source.count }

    /// Notes that the file has more bytes now.
    func noteFileSize(_ size: Int) { file.noteSize(size) }

    /// Notes what a page holds now, which nobody reads yet.
    ///
    /// - Parameter isKept: whether to keep it also where what it held before was not.
    func replace(_ index: Int, with data: ByteView, isKept: Bool) {
        withBusyPage(index) { page, word in
            guard word.isPresent || isKept else { return memory.set(index, word) }
            page.fill(data)
            guard !word.isPresent else { return memory.set(index, word) }
            present(index, pins: false)
        }
        if store.isFull { dropUnused() }
    }

    /// The data of page 0, if that is there.
    var firstPage: [UInt8]? { memory.word(0).isPresent ? memory.page(0).view.bytes : nil }

    /// Replaces the header, if page 0 is there: nobody else reads it there.
    func replace(header: ByteView) {
        withBusyPage(0) { page, word in
            if word.isPresent { page.fill(header) }
            memory.set(0, word)
        }
    }

    /// Calls `body` with a page that nobody else fills or empties meanwhile, and its word, which `body` sets again.
    private func withBusyPage(_ index: Int, _ body: (PageMemory.Page, PageWord) -> Void) {
        while true {
            let word = memory.word(index)
            if word != .busy, memory.exchange(index, word, for: .busy) { return body(memory.page(index), word) }
            sched_yield()
        }
    }
}
