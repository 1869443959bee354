internal import RealmLayout

// Page 0 is written with every commit and encrypted as a whole: if a write is cut off in the middle, neither code
// matches. Everything in it but the header stays the same. A copy elsewhere, together with the header, which is in the
// first sector, therefore shows what the page was or was meant to be (Spec 220).
extension EncryptedPages {
    /// Replaces the header in the copy.
    private static let mark = Array("RealmFile copy of page 0".utf8)

    /// Page 0 after an incomplete write.
    struct TornPage {
        /// The data of the page that the first sector belongs to.
        let data: [UInt8]
        /// The same page, encrypted.
        let encrypted: [UInt8]
    }

    /// The page for the copy: the last one of the file.
    var pageForCopy: Int { file.geometry.pageCount - 1 }

    /// The copy of a page 0: a mark in place of the header, then the rest of the page.
    static func copy(ofFirstPage data: ByteView) -> [UInt8] { mark + data.bytes[mark.count...] }

    /// The copy of page 0 in the file; nil if there is none.
    func copyOfFirstPage(_ cipher: PageCipher) throws(FormatError) -> [UInt8]? {
        let page = pageForCopy
        guard page > 0, EncryptedFile.state(file.entry(page), file.encrypted(page), cipher).hasData,
            let buffer = try? PageMemory(pageCount: 1, path: "an encrypted file")
        else { return nil }
        try decrypt(page, to: buffer.page(0), cipher)
        let bytes = buffer.view.bytes
        return bytes.starts(with: Self.mark) ? bytes : nil
    }

    /// Reconstructs page 0 after a loss of power left some of its sectors old and others new.
    ///
    /// - Returns: nil if no authentication code confirms the result.
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
