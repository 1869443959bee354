package import RealmLayout

/// A kind of file that its beginning identifies, and that is no Realm file.
package enum ForeignFile: String, CaseIterable, Sendable {
    case sqlite, zip, gzip, xz, bzip2, zstd, sevenZip, tar, propertyList, html, xml, json

    /// Examines a file that does not begin like a Realm file.
    ///
    /// - Returns: nil for a file of another kind.
    package init?(_ bytes: ByteView) {
        if let known = Self.starts.first(where: { Self.has($0.start, at: $0.offset, bytes) }) {
            self = known.kind
        } else if let kind = Self.text(bytes) {
            self = kind
        } else {
            return nil
        }
    }

    /// The kind in words, for archives and compressed files with the advice.
    var name: String {
        switch self {
        case .sqlite: "an SQLite database"
        case .zip, .tar, .gzip, .xz, .bzip2, .zstd, .sevenZip: "\(kindInWords); unpack it first"
        default: kindInWords
        }
    }

    /// The kind in words.
    package var kindInWords: String {
        switch self {
        case .sqlite: "an SQLite database"
        case .zip: "a ZIP archive"
        case .gzip: "a gzip file"
        case .xz: "an xz file"
        case .bzip2: "a bzip2 file"
        case .zstd: "a Zstandard file"
        case .sevenZip: "a 7-Zip archive"
        case .tar: "a tar archive"
        case .propertyList: "a property list"
        case .html: "a web page (HTML)"
        case .xml: "an XML file"
        case .json: "a JSON file"
        }
    }

    /// Whether files of this kind hold other files, possibly as they are.
    package var isArchive: Bool {
        switch self {
        case .zip, .sevenZip, .tar: true
        default: false
        }
    }

    private static let starts: [(kind: ForeignFile, offset: Int, start: [UInt8])] = [
        (.sqlite, 0, Array("SQLite format 3".utf8)),
        (.zip, 0, [0x50, 0x4B, 0x03, 0x04]),
        // An archive without files.
        (.zip, 0, [0x50, 0x4B, 0x05, 0x06]),
        (.gzip, 0, [0x1F, 0x8B]),
        (.xz, 0, [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
        (.bzip2, 0, Array("BZh".utf8)),
        (.zstd, 0, [0x28, 0xB5, 0x2F, 0xFD]),
        (.sevenZip, 0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
        (.tar, 257, Array("ustar".utf8)),
        (.propertyList, 0, Array("bplist".utf8)),
    ]

    private static func has(_ start: [UInt8], at offset: Int, _ bytes: ByteView) -> Bool {
        bytes.slice(at: offset, count: start.count).map { $0.bytes == start } ?? false
    }

    /// Examines the beginning of a text.
    private static func text(_ bytes: ByteView) -> ForeignFile? {
        let length = min(bytes.count, longestBeginning)
        let start = bytes.slice(unchecked: 0, count: length).bytes
        let text = String(decoding: start.trimmingPrefix([0xEF, 0xBB, 0xBF]), as: UTF8.self).lowercased()
            .trimmingPrefix { $0.isWhitespace }
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") { return .html }
        if text.hasPrefix("<?xml") || text.hasPrefix("<!doctype plist") {
            return text.contains("<!doctype plist") || text.contains("<plist") ? .propertyList : .xml
        }
        if text.hasPrefix("{") { return .json }
        guard text.hasPrefix("["), let next = text.dropFirst().first(where: { !$0.isWhitespace }) else { return nil }
        return "{[\"]".contains(next) ? .json : nil
    }

    /// The number of bytes in which the kind of a text must show.
    private static var longestBeginning: Int { 1024 }
}
