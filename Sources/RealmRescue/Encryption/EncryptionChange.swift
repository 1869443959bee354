internal import RealmLayout
internal import RealmReader
public import RealmStorage
internal import RealmVerifier
public import RealmWriter

/// A database with the data that it has, but encrypted, plain, or encrypted with another key (Spec 130).
///
/// ```swift
/// let change = try EncryptionChange(ByteSource(path: "plain.realm"))
/// let report = try change.write(to: NewFile("encrypted.realm", key: EncryptionKey(bytes: key)))
/// print(report.isComplete)
/// ```
///
/// Every byte of the data stays what and where it is: both commits, free space, history, in any format. Only the end
/// differs: zeros fill the last page, in streaming form those before the footer.
public struct EncryptionChange: Sendable {
    /// Bytes of data that the file has.
    public let dataSize: Int
    /// Whether it is encrypted now.
    public var isEncrypted: Bool { data.pages != nil }
    /// Bytes after the last whole page of an encrypted file, which are no data; 0 in a file as it was written.
    public var strayBytes: Int { data.pages?.file.geometry.strayBytes ?? 0 }

    private let data: DatabaseImage
    private let header: FileHeader
    private let mark: CommitMark?

    /// Opens a file.
    ///
    /// - Parameter key: the key that it is encrypted with; nil for a plain one.
    /// - Throws: `FormatError` when it is no Realm file or the key does not fit, `StorageError`.
    public init(_ source: ByteSource, key: EncryptionKey? = nil) throws {
        mark = try CommitMark.now(of: source)
        (data, header) = try DatabaseImage.forCopying(source, key)
        dataSize = data.view.count
    }

    /// Writes the data to a temporary file beside `path`, which has its name after `commit` only.
    ///
    /// - Parameters:
    ///   - key: the key to encrypt with; nil for a plain file.
    ///   - replacing: whether a file that is there may be replaced.
    ///   - permissions: what the new file may be used for at most: those of the old one, so that no more users can read it.
    /// - Throws: `StorageError`: also when there is a file that may not be replaced, or a process has it open;
    ///   `FormatError`: `damagedPage`, `truncated` for a file in streaming form without its end, `fileChanged` when another
    ///   process changed the file meanwhile.
    package func prepare(
        path: String, key: EncryptionKey?, replacing: Bool = false, permissions: UInt32 = 0o666
    ) throws -> PreparedEncryption {
        let end = try endOfCopy()
        let output = try DatabaseOutput(path: path, overwrite: replacing, key: key, permissions: permissions)
        var start: [UInt8] = []
        _ = try data.forEachPart(of: 0..<FileHeader.size) { start = $0.bytes }
        var empty = try data.forEachPart(of: FileHeader.size..<end) { try output.append($0) }
        if end < dataSize {
            // The footer has to end the last page.
            let size = output.position + dataSize - end
            let unit = output.sizeUnit
            try output.append([UInt8](repeating: 0, count: (unit - size % unit) % unit))
            empty += try data.forEachPart(of: end..<dataSize) { try output.append($0) }
        }
        // A page is in two parts where the footer begins in its middle.
        empty = Set(empty).sorted()
        let missing = MissingParts(of: data, header, withoutData: empty)
        try mark?.check(data.source)
        let report = EncryptionReport(
            oldSize: data.source.count, newSize: output.finishedSize, dataSize: dataSize, wasEncrypted: isEncrypted,
            isEncrypted: key != nil, emptyPages: empty.count, lostPages: missing.pages,
            doubtfulPages: missing.doubtfulPages, isCutOff: missing.isCutOff, strayBytes: strayBytes)
        return PreparedEncryption(report: report, output: output, header: start)
    }

    /// Writes the data to a new file, encrypted with the key of that; plain where it has none.
    ///
    /// - Throws: `StorageError`: also when there is a file that may not be replaced, or a process has it open;
    ///   `FormatError`: `damagedPage`, `truncated` for a file in streaming form without its end, `fileChanged` when another
    ///   process changed the file meanwhile.
    public func write(to file: NewFile) throws -> EncryptionReport {
        let prepared = try prepare(
            path: file.path, key: file.key, replacing: file.overwrite, permissions: file.permissions)
        try prepared.commit()
        return prepared.report
    }

    /// Where the bytes end that follow the header: before the footer of a file in streaming form.
    private func endOfCopy() throws -> Int {
        guard header.isStreaming else { return dataSize }
        let footer = dataSize - FileHeader.footerSize
        var cookie: UInt64 = 0
        if footer >= FileHeader.size {
            _ = try data.forEachPart(of: footer..<dataSize) { cookie = $0.uint64(unchecked: 8) }
        }
        guard cookie == FileHeader.footerCookie else {
            throw FormatError.missingFooter(at: footer)
        }
        return footer
    }
}

/// A file with another encryption that is written, but does not have its name yet. Without `commit` it vanishes.
package struct PreparedEncryption {
    /// What was written.
    package let report: EncryptionReport
    let output: DatabaseOutput
    let header: [UInt8]

    /// Completes the file and gives it its name, when all of it is on the disk.
    ///
    /// - Throws: `StorageError`; the file is gone then.
    package func commit() throws(StorageError) { try output.finish(header: header) }
}

/// What a change of encryption did.
///
/// ```swift
/// let report = try EncryptionChange(ByteSource(path: "plain.realm")).write(to: NewFile("new.realm"))
/// print(report.isComplete, report.newSize)
/// ```
public struct EncryptionReport: Equatable, Sendable {
    /// Bytes of the old file.
    public let oldSize: Int
    /// Bytes of the new file.
    public let newSize: Int
    /// Bytes of data in the old file.
    public let dataSize: Int
    /// Whether the old file is encrypted.
    public let wasEncrypted: Bool
    /// Whether the new file is.
    public let isEncrypted: Bool
    /// Pages of the old file without data, most of them free space: zeros in the new one.
    public let emptyPages: Int
    /// Those of them, by their numbers, that the database needs: the current commit, or the other one. What was in them is
    /// lost.
    public let lostPages: [Int]
    /// Those of them of which it is not known whether they are needed, because what may lead there is lost.
    public let doubtfulPages: [Int]
    /// Whether the current commit reaches beyond the end of the old file.
    public let isCutOff: Bool
    /// Bytes after the last whole page of the old file, which belong to nothing.
    public let strayBytes: Int

    /// Whether all that the old file should have is in the new one.
    public var isComplete: Bool { lostPages.isEmpty && doubtfulPages.isEmpty && !isCutOff && strayBytes == 0 }
}
