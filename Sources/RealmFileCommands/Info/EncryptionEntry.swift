internal import RealmCore
internal import RealmExchange
internal import RealmLayout
internal import RealmStorage

/// The part of `info` about a file's encryption.
struct EncryptionEntry {
    let dataSize: Int
    let pageCount: Int
    let strayBytes: Int
    /// Nil for large files, whose tables span many pages.
    let neverWritten: Int?
    /// The states of all pages, if requested.
    let census: PageCensus?

    /// The number of pages up to which entries are counted without a request: one gigabyte of data.
    private static let countedPages = 1 << 18

    init(_ encryption: Encryption, dataSize: Int, checksPages: Bool) {
        self.dataSize = dataSize
        pageCount = encryption.pageCount
        strayBytes = encryption.strayBytes
        neverWritten = pageCount <= Self.countedPages || checksPages ? encryption.neverWrittenCount() : nil
        census = checksPages ? try? encryption.census() : nil
    }

    /// Whether any written page fails authentication.
    var hasFailures: Bool { failures > 0 }

    /// The number of written pages that fail authentication; 0 unless the pages were checked.
    var failures: Int { census.map { $0.failing + $0.begun } ?? 0 }

    /// Lines for people.
    func describe(_ lines: inout TextLines) {
        lines.add("encryption", "AES-256, HMAC-SHA-224; \(counted(pageCount, "page")) of 4096 bytes")
        lines.add("data", InfoReport.bytes(dataSize))
        if let neverWritten { lines.add("never written", counted(neverWritten, "page")) }
        if strayBytes > 0 {
            lines.add("stray bytes", "\(strayBytes) after the last whole page: cut off, or something was added")
        }
        guard let census else { return }
        lines.add("pages checked", "\(census.written) as written last, \(census.interrupted) as written before that")
        let first = census.withoutData.map { String($0) }.joined(separator: ", ")
        let bad = census.failing + census.begun
        lines.add("pages failing", bad == 0 ? "none" : "\(bad): \(first)\(bad > census.withoutData.count ? ", …" : "")")
    }

    /// The entry in the report.
    var json: JSONValue {
        .object(present: [
            ("dataSize", JSONValue(dataSize)),
            ("pages", JSONValue(pageCount)),
            ("strayBytes", JSONValue(strayBytes)),
            ("neverWritten", neverWritten.map { JSONValue($0) } ?? .null),
            (
                "census",
                census.map {
                    .object([
                        ("written", JSONValue($0.written)), ("interrupted", JSONValue($0.interrupted)),
                        ("begun", JSONValue($0.begun)), ("empty", JSONValue($0.empty)),
                        ("failing", JSONValue($0.failing)),
                        ("withoutData", .array($0.withoutData.map { JSONValue($0) })),
                    ])
                }
            ),
        ])
    }
}
