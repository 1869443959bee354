package import RealmLayout

/// An encrypted database that is changed in place. Readers decrypt pages where they need them (`EncryptedPages`); the
/// writer encrypts whole pages and writes each once per commit (Spec 130, 220).
///
/// Offsets and sizes are those of the plain data. Except for page 0, no page that is written holds data of the last
/// commit.
package final class EncryptedDevice: DatabaseDevice, @unchecked Sendable {
    package var path: String { device.path }
    package let placementUnit = PageGeometry.pageSize

    private let device: any DatabaseDevice
    private let key: EncryptionKey
    private let sealer: PageSealer
    private let cipher: PageCipher
    // Only the writer uses the properties below.
    private var current: EncryptedPages
    /// Pages that are only partly filled so far.
    private var begun: [Int: BegunPage] = [:]
    /// The page of the copy of page 0; nil before it is determined.
    private var copyPage: Int?
    /// Whether the last page is free for that copy.
    private var hasRoomForCopy = false

    private struct BegunPage {
        var bytes = [UInt8](repeating: 0, count: PageGeometry.pageSize)
        var count = 0
    }

    /// Opens the database on a device.
    ///
    /// - Parameter key: the key; verified when page 0 is first read.
    /// - Throws: `StorageError` if there is no memory, or the system lacks an algorithm.
    package init(_ device: any DatabaseDevice, key: EncryptionKey) throws(StorageError) {
        self.device = device
        self.key = key
        guard let cipher = PageCipher(key) else { throw .withoutCipher }
        self.cipher = cipher
        sealer = try PageSealer(key)
        let size = try device.size()
        current = try EncryptedPages(device.mapWithRoom(size), size: size, key: key)
    }

    package var pages: EncryptedPages? { current }

    package var hasItsName: Bool { device.hasItsName }

    /// The size of the data, without the room for the copy of page 0.
    package func size() throws(StorageError) -> Int { max(0, current.file.geometry.dataSize - PageGeometry.dataUnit) }

    /// The encrypted file.
    package func map(_ size: Int) throws(StorageError) -> ByteSource { current.source }

    package func synchronize() throws(StorageError) { try device.synchronize() }

    package func order() throws(StorageError) { try device.order() }

    package func begin(_ size: Int) {
        begun = [:]
        hasRoomForCopy = size <= current.file.geometry.dataSize - PageGeometry.dataUnit
    }

    package func grow(to size: Int) throws(StorageError) {
        let size = (size + PageGeometry.pageSize - 1) / PageGeometry.pageSize * PageGeometry.pageSize
        let fileSize = PageGeometry.fileSize(forData: size + PageGeometry.dataUnit)
        if fileSize > current.file.geometry.fileSize {
            // While the copy is still the last page.
            try mendFirstPage()
            try device.grow(to: fileSize)
            if current.hasRoom(forFileOf: fileSize) {
                current.noteFileSize(fileSize)
            } else {
                current = try EncryptedPages(device.mapWithRoom(fileSize), size: fileSize, key: key)
                do throws(FormatError) {
                    // Pinned, because the writer changes it.
                    try current.admit(0, FileHeader.size, pins: true)
                } catch {
                    throw .unreadable(path)
                }
            }
        }
        hasRoomForCopy = true
    }

    // MARK: Writing

    package func write(_ bytes: ByteView, at offset: Int) throws(StorageError) {
        let limit = try size()
        guard offset >= PageGeometry.pageSize, offset <= limit, bytes.count <= limit - offset else {
            throw .withoutRoom(path)
        }
        var done = 0
        while done < bytes.count {
            let (page, start) = (offset + done).quotientAndRemainder(dividingBy: PageGeometry.pageSize)
            let left = bytes.count - done
            let whole = left - left % PageGeometry.pageSize
            if start == 0, whole > 0 {
                try write(bytes.slice(unchecked: done, count: whole), from: page, isKept: false)
                done += whole
                continue
            }
            let count = min(left, PageGeometry.pageSize - start)
            var part = begun.removeValue(forKey: page) ?? BegunPage()
            part.bytes.replaceSubrange(
                start..<start + count, with: bytes.slice(unchecked: done, count: count).bytes)
            part.count += count
            if part.count < PageGeometry.pageSize { begun[page] = part } else { try write(part.bytes, to: page) }
            done += count
        }
    }

    private func write(_ data: [UInt8], to page: Int) throws(StorageError) {
        try ByteView.with(data) { data throws(StorageError) in try write(data, from: page, isKept: true) }
    }

    /// Encrypts and writes whole pages; the entries of a block before its pages.
    ///
    /// - Parameter isKept: whether the pages are likely to be read soon.
    private func write(_ data: ByteView, from first: Int, isKept: Bool) throws(StorageError) {
        let count = data.count / PageGeometry.pageSize
        var done = 0
        while done < count {
            let page = first + done
            let inBlock = min(count - done, PageGeometry.pagesInBlock - page % PageGeometry.pagesInBlock)
            let part = data.slice(unchecked: done * PageGeometry.pageSize, count: inBlock * PageGeometry.pageSize)
            let sealed = try sealer.seal(
                again: part, at: page * PageGeometry.pageSize, entries: current.file.entries(page..<page + inBlock))
            try device.write(sealed.entries, at: PageGeometry.offset(ofEntryOfPage: page))
            try device.write(sealed.pages, at: PageGeometry.offset(ofPage: page))
            for index in 0..<inBlock {
                let plain = part.slice(unchecked: index * PageGeometry.pageSize, count: PageGeometry.pageSize)
                current.replace(page + index, with: plain, isKept: isKept)
            }
            done += inBlock
        }
    }

    package func finish() throws(StorageError) {
        for (page, part) in begun.sorted(by: { $0.key < $1.key }) { try write(part.bytes, to: page) }
        begun = [:]
    }

    // MARK: The header

    /// Page 0 is written once, after an entry that also describes the previous page, and after that entry and
    /// everything else are on the disk.
    package func select(_ change: HeaderChange, waiting how: SelectionWait) throws(StorageError) {
        try mendFirstPage()
        guard var first = current.firstPage else { throw .unreadable(path) }
        try writeCopy(of: first)
        change.fillSlot(of: &first)
        change.selectSlot(of: &first)
        let state = EncryptedFile.state(current.file.entry(0), current.file.encrypted(0), cipher)
        try ByteView.with(first) { data throws(StorageError) in
            let sealed = try sealer.seal(
                again: data, at: 0, entries: current.file.entries(0..<1), keepsBefore: state == .interruptedRewrite)
            try device.write(sealed.entries, at: PageGeometry.offset(ofEntryOfPage: 0))
            try device.wait(for: how)
            try device.write(sealed.pages, at: PageGeometry.offset(ofPage: 0))
            // The next entry will describe this page and the next one, but no longer the previous one.
            try device.wait(for: how)
            current.replace(header: data.slice(unchecked: 0, count: FileHeader.size))
        }
    }

    /// Repairs page 0 on the disk, if a loss of power tore it.
    private func mendFirstPage() throws(StorageError) {
        guard !EncryptedFile.state(current.file.entry(0), current.file.encrypted(0), cipher).hasData,
            let torn = try? current.tornFirstPage(cipher)
        else { return }
        try ByteView.with(torn.encrypted) { page throws(StorageError) in
            try device.write(page, at: PageGeometry.offset(ofPage: 0))
        }
        try device.synchronize()
    }

    /// Writes the copy of page 0, if it is not up to date.
    private func writeCopy(of first: [UInt8]) throws(StorageError) {
        guard hasRoomForCopy else { return }
        let page = current.pageForCopy
        guard copyPage != page else { return }
        let copy = ByteView.with(first) { EncryptedPages.copy(ofFirstPage: $0) }
        if (try? current.copyOfFirstPage(cipher)) != copy { try write(copy, to: page) }
        copyPage = page
    }
}
