internal import RealmCore
package import RealmLayout
internal import RealmStorage

/// A chunk of the list of free space.
package struct FreeChunk: Equatable, Sendable {
    /// Its bytes in the file.
    package let range: Range<Int>
    /// The commit that freed it; 0 when that no longer matters.
    package let freedBy: Int64
}

/// Text in bytes of unknown purpose.
package struct FoundText: Equatable, Sendable {
    /// The offset of its first byte in the file.
    package let offset: Int
    package let text: String
}

extension NodeInspector {
    /// Returns the free chunks in the order of the file. Chunks that overlap others, or lie outside of the database,
    /// are left out.
    ///
    /// - Throws: Errors of opening the list.
    package func freeChunks() throws(FormatError) -> [FreeChunk] {
        guard let top = snapshot.topRef else { return [] }
        let (space, limit) = (snapshot.fileSpace, snapshot.logicalSize)
        return try snapshot.reading { () throws(FormatError) in
            let list = try Record<GroupTopSlot>(at: top, in: space).freeList(in: space)
            var chunks: [FreeChunk] = []
            var end = FileHeader.size
            for index in 0..<list.count {
                guard let range = list.chunk(index, limit: limit), range.lowerBound >= end else {
                    // Arrays of width 0 claim millions of chunks in eight bytes.
                    if list.positions.width == 0 || list.lengths.width == 0 { break }
                    continue
                }
                end = range.upperBound
                chunks.append(FreeChunk(range: range, freedBy: list.versions?.element(at: index) ?? 0))
            }
            return chunks
        }
    }

    /// Returns bytes of the database, as far as they are in the file: up to its end, or in an encrypted file up to a
    /// page that was never written, as free pages may be.
    ///
    /// - Throws: Errors of other pages of an encrypted file.
    package func bytes(in range: Range<Int>) throws(FormatError) -> [UInt8] {
        let space = snapshot.fileSpace
        let range = range.clamped(to: 0..<snapshot.data.view.count)
        return try snapshot.reading { () throws(FormatError) in
            var end = space.gate.isClosed ? range.lowerBound : range.upperBound
            while end < range.upperBound {
                let next = min(range.upperBound, Self.endOfPage(end))
                do throws(FormatError) {
                    try space.gate.admit(end, next - end)
                } catch {
                    guard error.code == .unwrittenPage else { throw error }
                    break
                }
                end = next
            }
            return snapshot.data.view.slice(at: range.lowerBound, count: end - range.lowerBound)?.bytes ?? []
        }
    }

    private static func endOfPage(_ offset: Int) -> Int { (offset | (PageGeometry.pageSize - 1)) + 1 }

    /// Calls `body` with the texts in a range of bytes: four characters or more, in UTF-8, without control characters.
    /// Long ones come in parts. Headers of nodes, which begin with AAAA, are no texts.
    ///
    /// - Throws: Errors of pages of an encrypted file, and those of `body`.
    package func forEachText(in range: Range<Int>, _ body: (FoundText) throws -> Void) throws {
        let range = range.clamped(to: 0..<snapshot.data.view.count)
        var finder = TextFinder(offset: range.lowerBound)
        var start = range.lowerBound
        while start < range.upperBound {
            var piece = try bytes(in: start..<min(range.upperBound, start + Self.windowSize))
            if start + piece.count < min(range.upperBound, start + Self.windowSize) {
                // A page that was never written separates texts.
                let end = min(range.upperBound, Self.endOfPage(start + piece.count))
                piece += [UInt8](repeating: 0, count: end - start - piece.count)
            }
            start += piece.count
            for text in finder.texts(in: piece, isLast: start == range.upperBound) { try body(text) }
        }
    }

    private static var windowSize: Int { 1 << 16 }
}

/// Finds texts in bytes that come in pieces.
private struct TextFinder {
    /// The offset in the file of the first byte in `bytes`.
    private var offset: Int
    /// Bytes of a text that may go on.
    private var bytes: [UInt8] = []
    private static let fewestCharacters = 4
    private static let mostBytes = 4096
    private static let longestScalar = 4

    init(offset: Int) { self.offset = offset }

    /// Returns the texts that end in the next bytes.
    mutating func texts(in more: [UInt8], isLast: Bool) -> [FoundText] {
        bytes += more
        var texts: [FoundText] = []
        var (start, index, characters) = (0, 0, 0)
        func end() {
            if characters >= Self.fewestCharacters {
                texts.append(
                    FoundText(offset: offset + start, text: String(decoding: bytes[start..<index], as: UTF8.self)))
            }
        }
        // The end of a scalar, and of a text, may be in the next piece.
        while index < bytes.count, isLast || index + NodeHeader.size <= bytes.count {
            if isHeader(at: index) {
                end()
                index += NodeHeader.size
                (start, characters) = (index, 0)
                continue
            }
            let length = Self.scalarLength(bytes[index..<min(bytes.count, index + Self.longestScalar)])
            if length > 0, index - start < Self.mostBytes {
                index += length
                characters += 1
                continue
            }
            end()
            if length == 0 { index += 1 }
            (start, characters) = (index, 0)
        }
        if isLast { end() }
        bytes.removeFirst(start)
        offset += start
        return texts
    }

    /// Whether a node may begin there.
    private func isHeader(at index: Int) -> Bool {
        (offset + index) % NodeHeader.size == 0 && index + NodeHeader.size <= bytes.count
            && bytes[index..<index + 4].allSatisfy { $0 == UInt8(ascii: "A") }
    }

    /// Returns the number of bytes of the printable character that they begin with; 0 for anything else.
    private static func scalarLength(_ bytes: ArraySlice<UInt8>) -> Int {
        guard let first = bytes.first else { return 0 }
        if first < 0x80 { return first >= 0x20 && first != 0x7F || first == 0x09 ? 1 : 0 }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard bytes.count >= length, let text = String(validating: bytes.prefix(length), as: UTF8.self),
            let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1
        else { return 0 }
        switch scalar.properties.generalCategory {
        case .control, .unassigned, .privateUse, .surrogate: return 0
        default: return length
        }
    }
}
