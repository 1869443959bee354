internal import RealmLayout

// Page 0 is written with every commit, and it is encrypted as a whole: of a write that was cut off in the middle neither code
// fits. All of it but the header stays as it is, so that a copy elsewhere and the header, which is in the first sector, tell what
// the page was or was to be (Spec 220).
extension EncryptedPages {
    /// What stands in the copy in place of the header.
    private static let mark = Array("RealmFile copy of page 0".utf8)

    /// Page 0 of which only some sectors were written.
    struct TornPage {
        /// What the page that its first sector is of held.
        let data: [UInt8]
        /// That page, encrypted.
        let encrypted: [UInt8]
    }

    /// The page for the copy: the last one of the file.
    var pageForCopy: Int { file.geometry.pageCount - 1 }

    /// The copy of a page 0.
    static func copy(ofFirstPage data: ByteView) -> [UInt8] { mark + data.bytes[mark.count...] }

    /// The copy of page 0 in the file; nil when there is none.
    func copyOfFirstPage(_ cipher: PageCipher) throws(FormatError) -> [UInt8]? {
        let page = pageForCopy
        guard page > 0, EncryptedFile.state(file.entry(page), file.encrypted(page), cipher).hasData,
            let buffer = try? PageMemory(pageCount: 1, path: "an encrypted file")
        else { return nil }
        try decrypt(page, to: buffer.page(0), cipher)
        let bytes = buffer.view.bytes
        return bytes.starts(with: Self.mark) ? bytes : nil
    }

    /// What page 0 held, or was to hold, when a loss of power left some of its sectors old and others new.
    ///
    /// - Returns: nil when nothing proves what that was.
    func tornFirstPage(_ cipher: PageCipher) throws(FormatError) -> TornPage? {
        guard let copy = try copyOfFirstPage(cipher), let sealer = try? PageSealer(key),
            let buffer = try? PageMemory(pageCount: 1, path: "an encrypted file")
        else { return nil }
        let half = PageGeometry.entrySize / 2
        let counters = file.counters(0)
        for (counter, code) in [(counters.last, 4), (counters.before, half + 4)] where counter != 0 {
            let (entry, _) = cipher.copy(entry: file.entry(0), page: file.encrypted(0))
            try decryptCopy(of: 0, to: buffer.page(0), counter: counter, cipher)
            let data = buffer.view.slice(unchecked: 0, count: FileHeader.size).bytes + copy[FileHeader.size...]
            let encrypted = ByteView.with(data) { view -> [UInt8]? in
                guard let sealed = try? sealer.seal(page: view, at: 0, counter: counter) else { return nil }
                let isProven = unsafe SystemCrypto.areEqual(sealed.code.base, entry.base + code, PageCipher.codeSize)
                return isProven ? sealed.page.bytes : nil
            }
            if let encrypted { return TornPage(data: data, encrypted: encrypted) }
        }
        return nil
    }
}
