internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Checks the pages of an encrypted file (E; Spec 130). Offsets are those of the decrypted data.
struct EncryptionChecks {
    /// The number of pages at the end that can contain the footer of the streaming form, or zeros before it.
    private static let tailPages = 17

    let source: ByteSource
    let pages: EncryptedPages
    let sink: FindingSink

    private var geometry: PageGeometry { pages.file.geometry }

    /// Checks the container, and admits the pages that are read as plain bytes.
    ///
    /// - Returns: false when nothing can be read.
    func run(level: VerificationLevel) -> Bool {
        if geometry.strayBytes != 0 || geometry.pageCount == 0 {
            sink.report(
                .containerShape, at: pages.view.count,
                "the encrypted file has \(source.count) bytes, not a multiple of 4096 of 8192 or more")
        }
        guard geometry.pageCount > 0 else { return false }
        let gate = PageAccess(pages, pins: true)
        do throws(FormatError) {
            try gate.admit(0, FileHeader.size)
        } catch {
            sink.report(.pageAuthentication, at: 0, "the first page cannot be read: \(error.detail)")
            return false
        }
        guard let header = FileHeader(pages.view), header.hasMnemonic else {
            sink.report(
                .decryptedHeader, at: 16, "the first page can be decrypted, but is not the header of a Realm file")
            return false
        }
        checkSpareEntries()
        if level == .quick {
            for page in max(0, geometry.pageCount - Self.tailPages)..<geometry.pageCount { _ = admit(page, gate) }
        } else {
            checkPages(gate)
        }
        return true
    }

    /// Decrypts a page; returns the error if it cannot be read.
    private func admit(_ page: Int, _ gate: PageAccess) -> FormatError? {
        do throws(FormatError) {
            try gate.admit(page * PageGeometry.pageSize, PageGeometry.pageSize)
            return nil
        } catch {
            return error
        }
    }

    private func checkPages(_ gate: PageAccess) {
        for page in 0..<geometry.pageCount {
            let offset = page * PageGeometry.pageSize
            // Pages that were never written are free space; node checks report any node in them.
            if !pages.file.isNeverWritten(page), let error = admit(page, gate), error.code == .damagedPage {
                sink.report(.pageAuthentication, as: .warning, at: offset, error.detail)
            }
            let (last, before) = pages.file.counters(page)
            if !EncryptedFile.canFollow(last, before) {
                sink.report(.writeCounters, at: offset, "page \(page) has the write counters \(last) and \(before)")
            }
        }
        // Pinned pages are decrypted only once, so each counts once.
        let interrupted = pages.interruptedRewriteCount
        if interrupted > 0 {
            sink.report(.interruptedPage, "\(interrupted) pages are what the write before the last left")
        }
    }

    /// Checks entries of the last table that belong to no page.
    private func checkSpareEntries() {
        let used = geometry.pageCount % PageGeometry.pagesInBlock
        guard used > 0 else { return }
        let table = geometry.pageCount / PageGeometry.pagesInBlock * PageGeometry.blockSize
        for offset in (table + used * PageGeometry.entrySize)..<(table + PageGeometry.pageSize)
        where source.view[offset] != 0 {
            sink.report(.spareEntries, "the table of pages has entries for pages that do not exist")
            return
        }
    }
}
