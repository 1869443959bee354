internal import RealmLayout

/// Writes the data of a new database, encrypted or not, with the file header last.
struct PageWriter {
    private let file: PendingFile
    private let sealer: PageSealer?
    /// The data of page 0 of an encrypted file, kept until the header is known.
    private var firstPage: [UInt8] = []

    /// Writes into `file`; encrypted by `sealer`, or unencrypted if it is nil.
    init(_ file: PendingFile, _ sealer: PageSealer?) {
        self.file = file
        self.sealer = sealer
    }

    /// Whether data may be written in pieces of any size.
    var takesAnySize: Bool { sealer == nil }

    /// The size of the data must be a multiple of this.
    var sizeUnit: Int { sealer == nil ? PageGeometry.pageSize : PageGeometry.dataUnit }

    /// The same for an unencrypted file that need not end with a page.
    var leastSizeUnit: Int { sealer == nil ? 8 : sizeUnit }

    /// The size of a file with `size` bytes of data, a multiple of `sizeUnit`.
    ///
    /// When the last block is full, Realm Core expects the page of entries of the next block.
    func fileSize(forData size: Int) -> Int {
        guard sealer != nil else { return size }
        return PageGeometry.fileSize(forData: size)
            + (size % PageGeometry.blockDataSize == 0 ? PageGeometry.pageSize : 0)
    }

    /// Writes data at its offset. An encrypted file takes whole pages, as many as it seals at a time, except for the
    /// last ones.
    ///
    /// - Throws: `StorageError`.
    mutating func write(_ data: ByteView, at offset: Int) throws(StorageError) {
        guard let sealer, data.count > 0 else { return try file.write(data, at: offset) }
        let sealed = try sealer.seal(data, at: offset)
        guard offset == 0 else { return try file.write(sealed, at: PageGeometry.fileSize(forData: offset)) }
        firstPage = data.slice(unchecked: 0, count: PageGeometry.pageSize).bytes
        // Everything but page 0 and its entry.
        let page = PageGeometry.offset(ofPage: 0)..<PageGeometry.offset(ofPage: 1)
        try file.write(sealed.part(PageGeometry.entrySize..<page.lowerBound), at: PageGeometry.entrySize)
        try file.write(sealed.part(page.upperBound..<sealed.count), at: page.upperBound)
    }

    /// Writes the header, after all data.
    ///
    /// - Parameter size: the bytes of data, at least a page.
    /// - Throws: `StorageError`.
    mutating func complete(header: [UInt8], size: Int) throws(StorageError) {
        guard let sealer else {
            return try ByteView.with(header) { header throws(StorageError) in try file.write(header, at: 0) }
        }
        firstPage.replaceSubrange(..<header.count, with: header)
        try ByteView.with(firstPage) { data throws(StorageError) in
            let sealed = try sealer.seal(data, at: 0)
            let page = PageGeometry.offset(ofPage: 0)
            try file.write(sealed.part(0..<PageGeometry.entrySize), at: 0)
            try file.write(sealed.part(page..<page + PageGeometry.pageSize), at: page)
        }
        let end = PageGeometry.fileSize(forData: size)
        let table = [UInt8](repeating: 0, count: fileSize(forData: size) - end)
        try ByteView.with(table) { table throws(StorageError) in try file.write(table, at: end) }
    }
}

extension ByteView {
    /// The bytes of a range within the view.
    fileprivate func part(_ range: Range<Int>) -> ByteView { slice(unchecked: range.lowerBound, count: range.count) }
}
