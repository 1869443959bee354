internal import RealmLayout
internal import RealmSystem

// Support for a file that this process changes in place.
extension EncryptedPages {
    /// Whether there is address space for a file of `size` bytes.
    func hasRoom(forFileOf size: Int) -> Bool { size <= source.count }

    /// Records that the file has grown.
    func noteFileSize(_ size: Int) { file.noteSize(size) }

    /// Replaces the content of a page that nobody reads yet.
    ///
    /// - Parameter isKept: whether to keep the new content even if the old one was not present.
    func replace(_ index: Int, with data: ByteView, isKept: Bool) {
        withBusyPage(index) { page, word in
            guard word.isPresent || isKept else { return memory.set(index, word) }
            page.fill(data)
            guard !word.isPresent else { return memory.set(index, word) }
            present(index, pins: false)
        }
        if store.isFull { dropUnused() }
    }

    /// The data of page 0; nil if it is not present.
    var firstPage: [UInt8]? { memory.word(0).isPresent ? memory.page(0).view.bytes : nil }

    /// Replaces the header, if page 0 is present. Nobody else reads it there.
    func replace(header: ByteView) {
        withBusyPage(0) { page, word in
            if word.isPresent { page.fill(header) }
            memory.set(0, word)
        }
    }

    /// Calls `body` with a page, which no other thread fills or empties meanwhile, and its word, which `body` must set
    /// again.
    private func withBusyPage(_ index: Int, _ body: (PageMemory.Page, PageWord) -> Void) {
        while true {
            let word = memory.word(index)
            if word != .busy, memory.exchange(index, word, for: .busy) { return body(memory.page(index), word) }
            sched_yield()
        }
    }
}
