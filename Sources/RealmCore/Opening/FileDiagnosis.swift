internal import RealmLayout
internal import RealmStorage

/// Identifies a file that does not begin like a Realm file (Spec 10).
struct FileDiagnosis {
    let bytes: ByteView

    init(_ bytes: ByteView) { self.bytes = bytes }

    /// The header of a Realm file.
    ///
    /// - Throws: `emptyFile`, `tooShort`, `zeroedFile`, `zeroedHeader`, `encrypted`, `overwrittenHeader`, `bytesInFront`,
    ///   `notARealm`.
    func header() throws(FormatError) -> FileHeader {
        guard bytes.count > 0 else { throw FormatError(.emptyFile, "the file is empty (0 bytes)") }
        guard let header = FileHeader(bytes) else {
            throw FormatError(
                .tooShort,
                "\(bytes.count) \(bytes.count == 1 ? "byte is" : "bytes are") too short for a Realm file, whose header alone has 24"
            )
        }
        guard !header.hasMnemonic else { return header }
        if let form = TextForm(bytes), form != .lineEnds, foreignName == nil || form == .lfsPointer {
            throw FormatError(.notARealm, at: 0, "not a Realm file: it is \(form.words)")
        }
        // Files in archives may be stored as they are.
        if let foreign = ForeignFile(bytes), foreign.isArchive {
            throw FormatError(.notARealm, at: 0, "not a Realm file: it begins like \(foreign.name)")
        }
        if !looksEncrypted, let count = bytesInFront {
            throw FormatError(
                .bytesInFront, at: count,
                "a Realm file begins at byte \(count) (\("0x" + String(count, radix: 16))), after bytes of something else"
            )
        }
        throw explanation()
    }

    /// Whether the file begins like a Realm file that is not encrypted.
    var isPlain: Bool { FileHeader(bytes)?.hasMnemonic ?? false }

    /// Whether the file begins like a Realm file, or contains nodes of one.
    var holdsDatabase: Bool { isPlain || hasNodes }

    private func explanation() -> FormatError {
        if bytes.slice(unchecked: 0, count: FileHeader.size).isZero {
            return bytes.isZero
                ? FormatError(.zeroedFile, at: 0, "the file consists of zeros only: its content is lost")
                : FormatError(
                    .zeroedHeader, at: 0,
                    "the header is overwritten with zeros\(hasNodes ? ", but nodes of a Realm file follow" : "")")
        }
        if looksEncrypted, !hasNodes {
            return FormatError(
                .encrypted, at: 0, "the file is encrypted (or is random data)")
        }
        if hasNodes {
            return FormatError(
                .overwrittenHeader, at: 0,
                "the header is overwritten with foreign bytes\(foreignName.map { " (\($0))" } ?? ""), "
                    + "but nodes of a Realm file follow")
        }
        let found = foreignName.map { "it begins like \($0)" } ?? "bytes 16 to 19 are not T-DB"
        return FormatError(.notARealm, at: foreignName == nil ? 16 : 0, "not a Realm file: \(found)")
    }

    /// Whether there are node headers early in the file; four of them are no coincidence.
    private var hasNodes: Bool {
        var found = 0
        var offset = FileHeader.size
        while offset + 8 <= min(bytes.count, 1 << 20), found < 4 {
            if bytes.uint32(unchecked: offset) == NodeHeader.dummyChecksum { found += 1 }
            offset += 8
        }
        return found == 4
    }

    /// Whether the first page is a table of write counters and message authentication codes: each entry has the counter
    /// and code of a page's last write and of the one before. The rest of the file may be cut off.
    var looksEncrypted: Bool {
        // The file's first data page is always written.
        guard bytes.count >= PageGeometry.pageSize, bytes.uint32(unchecked: 0) != 0 else { return false }
        for offset in stride(from: 0, to: PageGeometry.pageSize, by: PageGeometry.entrySize) {
            let before = offset + PageGeometry.entrySize / 2
            let current = bytes.uint32(unchecked: offset)
            let previous = bytes.uint32(unchecked: before)
            guard hasCode(at: offset, ifAndOnlyIf: current != 0), hasCode(at: before, ifAndOnlyIf: previous != 0)
            else { return false }
            guard EncryptedFile.canFollow(current, previous) else { return false }
            // No two pages have the same counter and code, so a page with repetitions is not a table.
            let next = offset + PageGeometry.entrySize
            guard current == 0 || next == PageGeometry.pageSize || !isSame(offset, next) else { return false }
        }
        return true
    }

    /// Whether counter and code are the same at two offsets.
    private func isSame(_ first: Int, _ second: Int) -> Bool {
        (0...7).allSatisfy { bytes.uint32(unchecked: first + 4 * $0) == bytes.uint32(unchecked: second + 4 * $0) }
    }

    /// Whether the 28 bytes after the counter at `offset` are nonzero exactly when they are expected to be.
    private func hasCode(at offset: Int, ifAndOnlyIf isExpected: Bool) -> Bool {
        let isThere = (1...7).contains { bytes.uint32(unchecked: offset + 4 * $0) != 0 }
        return isThere == isExpected
    }

    /// The kind of file that its beginning identifies, in words.
    var foreignName: String? { ForeignFile(bytes)?.name }
}
