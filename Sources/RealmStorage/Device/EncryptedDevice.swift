package import RealmLayout

/// An encrypted database that is changed in place: its data in memory, and the device with the encrypted pages (Spec 130, 220).
///
/// All data is decrypted at once and kept. What is written changes the memory; pages go to the device when it is waited for.
package final class EncryptedDevice: DatabaseDevice, @unchecked Sendable {
    /// Pages that are encrypted before they are written.
    private static let batchPages = 4096
    private static let halfEntry = PageGeometry.entrySize / 2

    package var path: String { device.path }
    /// Pages that hold zeros because nothing was written to them, or because they are damaged.
    package let pagesWithoutData: [Int]

    private let device: any DatabaseDevice
    private let memory: MemoryDevice
    private let sealer: PageSealer
    private let cipher: PageCipher
    // Only who writes uses what follows.
    /// The entries of all pages, as they are on the device.
    private var entries: [UInt8]
    /// Whether this process has written a page, so that its entry is known to be right.
    private var isSealed: [Bool]
    private var changed: Set<Int> = []

    /// Decrypts what lies on a device.
    ///
    /// - Parameter key: a key of which it is known that it is right: pages that fail are damaged.
    /// - Throws: `StorageError` when there is no memory.
    package init(_ device: any DatabaseDevice, key: EncryptionKey) throws {
        self.device = device
        guard let cipher = PageCipher(key) else { throw StorageError.withoutCipher }
        self.cipher = cipher
        sealer = try PageSealer(key)
        let pages = try EncryptedPages(device.map(device.size()), key: key)
        let count = pages.file.geometry.pageCount
        memory = try MemoryDevice([], named: device.path)
        try memory.grow(to: pages.view.count)
        (pagesWithoutData, entries) = (try Self.decrypt(pages, to: memory), [])
        isSealed = [Bool](repeating: false, count: count)
        entries.reserveCapacity(count * PageGeometry.entrySize)
        for page in 0..<count { entries += pages.file.entry(page).bytes }
    }

    /// Decrypts all pages.
    ///
    /// - Returns: those that have no data.
    private static func decrypt(_ pages: EncryptedPages, to memory: MemoryDevice) throws -> [Int] {
        var empty: [Int] = []
        func decrypt(_ range: Range<Int>) throws {
            var offset = range.lowerBound
            empty += try pages.forEachPart(of: range) { part in
                try memory.write(part, at: offset)
                offset += part.count
            }
        }
        let size = pages.view.count
        for start in stride(from: 0, to: size, by: PageGeometry.blockDataSize) {
            let range = start..<min(size, start + PageGeometry.blockDataSize)
            do {
                try decrypt(range)
            } catch let error as FormatError where error.code == .damagedPage {
                // Page by page, to find which.
                for start in stride(from: range.lowerBound, to: range.upperBound, by: PageGeometry.pageSize) {
                    do {
                        try decrypt(start..<start + PageGeometry.pageSize)
                    } catch let error as FormatError where error.code == .damagedPage {
                        empty.append(PageGeometry.page(ofData: start))
                    }
                }
            }
        }
        return empty
    }

    package func size() throws(StorageError) -> Int { try memory.size() }

    package func map(_ size: Int) throws(StorageError) -> ByteSource { try memory.map(size) }

    package func write(_ bytes: ByteView, at offset: Int) throws(StorageError) {
        guard bytes.count > 0 else { return }
        try memory.write(bytes, at: offset)
        for page in PageGeometry.page(ofData: offset)...PageGeometry.page(ofData: offset + bytes.count - 1) {
            changed.insert(page)
        }
    }

    package func grow(to size: Int) throws(StorageError) {
        let pages = (size + PageGeometry.pageSize - 1) / PageGeometry.pageSize
        try device.grow(to: PageGeometry.fileSize(forData: pages * PageGeometry.pageSize))
        try memory.grow(to: pages * PageGeometry.pageSize)
        guard pages > isSealed.count else { return }
        entries += [UInt8](repeating: 0, count: pages * PageGeometry.entrySize - entries.count)
        isSealed += [Bool](repeating: false, count: pages - isSealed.count)
    }

    package func synchronize() throws(StorageError) { try write(waiting: true) }

    package func flush() throws(StorageError) { try write(waiting: false) }

    /// Writes the pages that changed: their entries first, which tell of the old page as well as of the new one, and when these are
    /// on the disk the pages.
    private func write(waiting: Bool) throws(StorageError) {
        let pages = changed.sorted()
        changed.removeAll(keepingCapacity: true)
        for start in stride(from: 0, to: pages.count, by: Self.batchPages) {
            let batch = pages[start..<min(start + Self.batchPages, pages.count)]
            let encrypted = try seal(batch)
            try writeEntries(of: batch)
            if waiting { try device.synchronize() }
            try writePages(batch, encrypted)
        }
        if waiting { try device.synchronize() }
    }

    /// Encrypts pages and fills their entries.
    ///
    /// - Returns: the encrypted bytes, page by page.
    private func seal(_ pages: ArraySlice<Int>) throws(StorageError) -> [UInt8] {
        let data = try memory.map(memory.size())
        let source = try device.map(device.size())
        let file = EncryptedFile(source.view)
        var encrypted: [UInt8] = []
        encrypted.reserveCapacity(pages.count * PageGeometry.pageSize)
        for page in pages {
            let start = page * PageGeometry.entrySize
            let end = start + Self.halfEntry
            var counter = entries[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            // What is there is from the last write, or from the one before if that was interrupted.
            let isOfLast =
                isSealed[page]
                || EncryptedFile.state(file.entry(page), file.encrypted(page), cipher) != .interruptedRewrite
            if isOfLast {
                for index in start..<end { entries[index + Self.halfEntry] = entries[index] }
            }
            let plain = data.view.slice(unchecked: page * PageGeometry.pageSize, count: PageGeometry.pageSize)
            while true {
                counter = max(1, counter &+ 1)
                let (code, bytes) = try sealer.seal(page: plain, at: page * PageGeometry.pageSize, counter: counter)
                // With one code for both nobody could tell them apart.
                let codes = end + 4..<end + 4 + PageCipher.codeSize
                if code.bytes.elementsEqual(entries[codes]) { continue }
                entries.replaceSubrange(start..<start + 4, with: counter.littleEndianBytes)
                entries.replaceSubrange(start + 4..<start + 4 + PageCipher.codeSize, with: code.bytes)
                encrypted += bytes.bytes
                break
            }
            isSealed[page] = true
        }
        return encrypted
    }

    /// Writes the entries of pages, those of a block at once.
    private func writeEntries(of pages: ArraySlice<Int>) throws(StorageError) {
        var rest = pages
        while let first = rest.first {
            let mine = rest.prefix { $0 / PageGeometry.pagesInBlock == first / PageGeometry.pagesInBlock }
            rest = rest.dropFirst(mine.count)
            let range = first * PageGeometry.entrySize..<((mine.last ?? first) + 1) * PageGeometry.entrySize
            try ByteView.with(Array(entries[range])) { view throws(StorageError) in
                try device.write(view, at: PageGeometry.offset(ofEntryOfPage: first))
            }
        }
    }

    /// Writes encrypted pages, those that follow each other at once.
    private func writePages(_ pages: ArraySlice<Int>, _ encrypted: [UInt8]) throws(StorageError) {
        var written = pages.startIndex
        while written < pages.endIndex {
            let start = PageGeometry.offset(ofPage: pages[written])
            var end = written + 1
            while end < pages.endIndex,
                PageGeometry.offset(ofPage: pages[end]) == start + (end - written) * PageGeometry.pageSize
            {
                end += 1
            }
            let first = (written - pages.startIndex) * PageGeometry.pageSize
            let last = (end - pages.startIndex) * PageGeometry.pageSize
            try ByteView.with(Array(encrypted[first..<last])) { view throws(StorageError) in
                try device.write(view, at: start)
            }
            written = end
        }
    }
}
