import Expectations
import HostileProperties
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// Unauthenticated pages: the recoverable content when their entries are lost or they are damaged.
@Suite struct UnprovenPagesTests {
    /// Returns a page of bytes that differ from those of other pages.
    private static func page(_ index: Int) -> [UInt8] {
        (0..<4096).map { UInt8(truncatingIfNeeded: ($0 &+ 1) &* ($0 ^ index &* 40503) >> 3) }
    }

    private func open(_ file: [UInt8]) throws -> EncryptedPages {
        try EncryptedPages(ByteSource(bytes: file), key: EncryptionKey(bytes: PageEncryptor.plainKey), limit: .max)
    }

    /// Returns the content of a page.
    private func read(_ index: Int, of pages: EncryptedPages) throws -> [UInt8] {
        try PageAccess(pages, pins: true).admit(index * 4096, 4096)
        return pages.view.slice(unchecked: index * 4096, count: 4096).bytes
    }

    private static func node(_ index: Int) -> [UInt8] { [0x41, 0x41, 0x41, 0x41] + page(index).dropFirst(4) }

    /// Without an entry, a page's counter is one with which it begins with a node, or that of the nearest page with a
    /// known one.
    @Test func `a page without its entry is read with a counter that fits`() throws {
        let counters: [UInt32] = [3, 1, 700, 9, 5, 5, 2]
        let plain = counters.indices.map { [2, 4].contains($0) ? Self.node($0) : Self.page($0) }
        let forms = counters.map { PageEncryptor.Form.written($0, before: $0 - 1) }
        var file = PageEncryptor(
            key: PageEncryptor.plainKey, Dictionary(uniqueKeysWithValues: zip(counters.indices, forms))
        ).encrypt(plain.flatMap(\.self))
        // The entry of page 6 is kept.
        for index in 0..<6 * 64 { file[index] = 0 }
        let pages = try open(file)
        pages.admitAll { _ in }
        expectEqual(pages.withoutProof, [0, 1, 2, 3, 4, 5])
        try pages.bringUnproven(pages.withoutProof)
        expect(pages.withoutProof.isEmpty)
        let taken: [UInt32] = [700, 700, 700, 700, 5, 5, 2]
        for (index, page) in plain.enumerated() {
            let found = try read(index, of: pages)
            let error = counters[index] ^ taken[index]
            let start = page.prefix(4).enumerated().map { $1 ^ UInt8(truncatingIfNeeded: error >> (8 * $0)) }
            expect(found.elementsEqual(start + page.dropFirst(4)), "page \(index)")
        }
    }

    /// A byte of a page is changed, or its last write did not reach its entry.
    @Test func `the unchanged part of a page that fails is read`() throws {
        let plain = [Self.page(0), Self.page(1), Self.node(2), Self.page(3)]
        func encrypted(_ form: PageEncryptor.Form) -> [UInt8] {
            PageEncryptor(key: PageEncryptor.plainKey, [1: .written(8, before: 7), 2: form]).encrypt(
                plain.flatMap(\.self))
        }
        var file = encrypted(.written(5, before: 4))
        file.replaceSubrange(3 * 4096..<4 * 4096, with: encrypted(.written(6, before: 5))[3 * 4096..<4 * 4096])
        file[2 * 4096 + 100] ^= 0x40
        let pages = try open(file)
        pages.admitAll { _ in }
        expectEqual(pages.withoutProof, [1, 2])
        try pages.bringUnproven([1, 2])
        try expectEqual(read(2, of: pages), plain[2])
        // In page 1, the block of the changed byte is noise, and one bit of the next block differs.
        let found = try read(1, of: pages)
        let differences = found.indices.filter { found[$0] != plain[1][$0] }
        expect(differences.allSatisfy { (96..<112).contains($0) || $0 == 116 })
        expect(differences.count > 8 && found[116] == plain[1][116] ^ 0x40)
    }

    /// Zeros were never encrypted.
    @Test func `pages of zeros were never encrypted`() throws {
        let pages = try open(
            PageEncryptor(key: PageEncryptor.plainKey, [1: .neverWritten, 2: .zeroed(3, before: 2)])
                .encrypt((0..<4).flatMap(Self.page)))
        pages.admitAll { _ in }
        expect(pages.withoutProof.isEmpty)
    }
}
