internal import RealmLayout
internal import RealmStorage

/// The databases in a tar archive in memory (POSIX ustar and pax, and GNU's long names).
struct TarArchive {
    /// The maximum number of files to look at.
    private static let mostFiles = 100_000
    private static let blockSize = 512

    /// The files that look like databases, and where their bytes are.
    private(set) var databases: [ArchiveEntry] = []
    /// The offset of each of them, and the number of its bytes that are there.
    private var places: [(start: Int, count: Int)] = []
    /// The number of files that were looked at.
    private(set) var fileCount = 0
    /// Whether there are files that were not looked at: too many of them, or the archive is damaged.
    private(set) var isIncomplete = false

    private let source: ByteSource

    init(_ source: ByteSource) {
        self.source = source
        let archive = source.view
        var offset = 0
        var longName: [UInt8]?
        while let header = archive.slice(at: offset, count: Self.blockSize), !header.isZero {
            guard fileCount < Self.mostFiles, let size = Self.number(header, at: 124, digits: 12) else {
                isIncomplete = true
                return
            }
            let start = offset + Self.blockSize
            let kept = min(size, archive.count - start)
            let content = archive.slice(unchecked: start, count: kept)
            switch header[156] {
            case UInt8(ascii: "L"): longName = Self.text(content, at: 0, count: min(kept, ArchiveEntry.mostNameBytes))
            case UInt8(ascii: "x"): longName = Self.path(inPax: content) ?? longName
            case UInt8(ascii: "0"), 0:
                fileCount += 1
                add(longName ?? Self.name(header), content, size, start)
                longName = nil
            default: longName = nil
            }
            let (blocks, overflow) = size.addingReportingOverflow(Self.blockSize - 1)
            guard !overflow, blocks / Self.blockSize * Self.blockSize <= archive.count - start else {
                isIncomplete = true
                return
            }
            offset = start + blocks / Self.blockSize * Self.blockSize
        }
    }

    private mutating func add(_ name: [UInt8], _ content: ByteView, _ size: Int, _ start: Int) {
        var entry = ArchiveEntry(name: NativePath.text(name), size: size, packedSize: size)
        guard entry.isNamedRealm || FileHeader(content)?.hasMnemonic ?? false else { return }
        if content.count == 0, size > 0 { entry.obstacle = "is not there: the archive ends before it" }
        entry.place = places.count
        databases.append(entry)
        places.append((start, content.count))
    }

    /// The bytes of a file, and the reason why they are not all; see `Archive`.
    func content(of entry: ArchiveEntry) throws(StorageError) -> (bytes: ByteSource, problem: String?) {
        let (start, count) = places[entry.place]
        let bytes = try ByteSource(source.view.slice(unchecked: start, count: count), paddedTo: count)
        return (bytes, count < entry.size ? "the archive ends in it" : nil)
    }

    private static func name(_ header: ByteView) -> [UInt8] {
        let name = text(header, at: 0, count: 100)
        let folder = text(header, at: 345, count: 155)
        let isPosix = header[257 + 5] == 0
        return isPosix && !folder.isEmpty ? folder + [UInt8(ascii: "/")] + name : name
    }

    /// The bytes of a field up to the first zero.
    private static func text(_ bytes: ByteView, at offset: Int, count: Int) -> [UInt8] {
        Array(bytes.slice(at: offset, count: count)?.bytes.prefix { $0 != 0 } ?? [])
    }

    /// A number in octal digits, or in binary for large ones; nil if it is neither.
    private static func number(_ header: ByteView, at offset: Int, digits: Int) -> Int? {
        guard let field = header.slice(at: offset, count: digits)?.bytes, let first = field.first else { return nil }
        if first == 0x80 {
            guard field.dropFirst().dropLast(7).allSatisfy({ $0 == 0 }) else { return nil }
            return field.suffix(7).reduce(0) { $0 << 8 | Int($1) }
        }
        let octal = field.drop { $0 == 0x20 }.prefix { (0x30...0x37).contains($0) }
        return octal.isEmpty ? nil : Int(String(decoding: octal, as: UTF8.self), radix: 8)
    }

    /// The path in a pax header, whose lines are `LENGTH path=…`.
    private static func path(inPax content: ByteView) -> [UInt8]? {
        let bytes = content.slice(unchecked: 0, count: min(content.count, 1 << 16)).bytes
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let space = line.firstIndex(of: 0x20) else { continue }
            let record = line[line.index(after: space)...]
            if record.starts(with: "path=".utf8) {
                return Array(record.dropFirst(5).prefix(ArchiveEntry.mostNameBytes))
            }
        }
        return nil
    }
}
