public import RealmCore
internal import RealmLayout
public import RealmStorage

/// Copies a database unchanged while encrypting it, decrypting it, or changing its key (Spec 130).
///
/// ```swift
/// let change = try EncryptionChange(ByteSource(path: "plain.realm"))
/// let report = try change.write(to: NewFile("encrypted.realm", key: EncryptionKey(bytes: key)))
/// print(report.isComplete)
/// ```
///
/// Every byte of the data keeps its value and position: both commits, free space and history, in any format. Only the
/// end differs: zeros fill the last page; in streaming form they precede the footer.
public struct EncryptionChange: Sendable {
    /// Number of data bytes in the file.
    public let dataSize: Int
    /// Whether the file is encrypted.
    public var isEncrypted: Bool { data.pages != nil }
    /// Number of bytes after the last whole page of an encrypted file, which hold no data; 0 in an intact file.
    public var strayBytes: Int { data.pages?.file.geometry.strayBytes ?? 0 }

    private let data: DatabaseImage
    private let header: FileHeader
    private let mark: CommitMark?

    /// Opens a file.
    ///
    /// - Parameter key: The current encryption key; nil for a plain file.
    /// - Throws: `FormatError` when the file is not a Realm file or the key is wrong; `StorageError`.
    public init(_ source: ByteSource, key: EncryptionKey? = nil) throws {
        mark = try CommitMark.now(of: source)
        (data, header) = try DatabaseImage.forCopying(source, key)
        dataSize = data.view.count
    }

    /// Writes the data to a temporary file beside `path`. The file gets its final name in `commit`.
    ///
    /// - Parameters:
    ///   - key: The key to encrypt with; nil for a plain file.
    ///   - replacing: Whether an existing file may be replaced.
    ///   - permissions: Upper bound of the new file's permissions. Pass those of the old file to keep its set of
    ///     readers.
    /// - Throws: `StorageError`, also when a file exists that may not be replaced, or a process has it open;
    ///   `FormatError`: `damagedPage`, `truncated` for a file in streaming form without its end, `fileChanged` when
    ///   another process changed the file meanwhile.
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
        // A page is read in two parts when the footer begins inside it.
        empty = Set(empty).sorted()
        let missing = MissingParts(of: data, header, withoutData: empty)
        try mark?.check(data.source)
        let report = EncryptionReport(
            oldSize: data.source.count, newSize: output.finishedSize, dataSize: dataSize, wasEncrypted: isEncrypted,
            isEncrypted: key != nil, emptyPages: empty.count, lostPages: missing.pages,
            doubtfulPages: missing.doubtfulPages, isCutOff: missing.isCutOff, strayBytes: strayBytes)
        return PreparedEncryption(report: report, output: output, header: start)
    }

    /// Writes the data to a new file, encrypted with the key of `file`, or plain if it has none.
    ///
    /// - Throws: `StorageError`, also when a file exists that may not be replaced, or a process has it open;
    ///   `FormatError`: `damagedPage`, `truncated` for a file in streaming form without its end, `fileChanged` when
    ///   another process changed the file meanwhile.
    public func write(to file: NewFile) throws -> EncryptionReport {
        let prepared = try prepare(
            path: file.path, key: file.key, replacing: file.overwrite, permissions: file.permissions)
        try prepared.commit()
        return prepared.report
    }

    /// Returns the end of the data after the header; in streaming form it precedes the footer.
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

/// A file written with changed encryption but not yet named. It is deleted unless `commit` is called.
package struct PreparedEncryption {
    /// Description of the written file.
    package let report: EncryptionReport
    let output: DatabaseOutput
    let header: [UInt8]

    /// Flushes the file to disk and gives it its final name.
    ///
    /// - Throws: `StorageError`; the file is then deleted.
    package func commit() throws(StorageError) { try output.finish(header: header) }
}

/// The result of a change of encryption.
///
/// ```swift
/// let report = try EncryptionChange(ByteSource(path: "plain.realm")).write(to: NewFile("new.realm"))
/// print(report.isComplete, report.newSize)
/// ```
public struct EncryptionReport: Equatable, Sendable {
    /// Size of the old file in bytes.
    public let oldSize: Int
    /// Size of the new file in bytes.
    public let newSize: Int
    /// Number of data bytes in the old file.
    public let dataSize: Int
    /// Whether the old file is encrypted.
    public let wasEncrypted: Bool
    /// Whether the new file is encrypted.
    public let isEncrypted: Bool
    /// Number of pages of the old file without data, mostly free space. They are zeros in the new file.
    public let emptyPages: Int
    /// Numbers of the empty pages that the current or the other commit needs. Their content is lost.
    public let lostPages: [Int]
    /// Numbers of the empty pages that may be needed: the nodes that could refer to them are lost.
    public let doubtfulPages: [Int]
    /// Whether the current commit extends beyond the end of the old file.
    public let isCutOff: Bool
    /// Number of bytes after the last whole page of the old file, which hold no data.
    public let strayBytes: Int

    /// Whether the new file has everything that the old file should have.
    public var isComplete: Bool { lostPages.isEmpty && doubtfulPages.isEmpty && !isCutOff && strayBytes == 0 }
}
