import Expectations
import RealmCore
import TestSupport
import Testing

import RealmStorage

/// The Spec's chapter on encryption agrees with the code.
@Suite struct EncryptionSpecTests {
    private let spec: SpecDocument

    init() throws { spec = try SpecDocument.load() }

    @Test func `sizes match the code`() throws {
        let sizes = [
            ["pageSize", "\(PageGeometry.pageSize)"], ["pagesInBlock", "\(PageGeometry.pagesInBlock)"],
            ["entrySize", "\(PageGeometry.entrySize)"], ["blockSize", "\(PageGeometry.blockSize)"],
        ]
        try expectEqual(spec.rows("encryption-sizes", ["size", "value"]), sizes)
    }

    /// Two halves, each with a counter and a code.
    @Test func `an entry has two halves, each with a counter and a code`() throws {
        let half = PageGeometry.entrySize / 2
        expectEqual(4 + PageCipher.codeSize, half)
        try expectEqual(
            spec.rows("encryption-entry", ["offset", "size", "field"]),
            [
                ["0", "4", "counter"], ["4", "\(PageCipher.codeSize)", "code"],
                ["\(half)", "4", "previousCounter"], ["\(half + 4)", "\(PageCipher.codeSize)", "previousCode"],
            ])
    }

    /// The formulas of the chapter, over several blocks.
    @Test func `the formulas of the chapter match the code`() {
        for page in 0..<300 {
            expectEqual(PageGeometry.offset(ofPage: page), (page + page / 64 + 1) * 4096)
            expectEqual(PageGeometry.offset(ofEntryOfPage: page), page / 64 * 266_240 + page % 64 * 64)
            let offset = page * 4096 + 17
            expectEqual(PageGeometry.offset(ofPage: page) + 17, offset + (offset / 262_144 + 1) * 4096)
            expectEqual(PageGeometry(fileSize: page * 4096).pageCount, page - (page + 64) / 65)
        }
    }

    /// The decrypted bytes printed in the chapter result from the key in the fixtures.
    @Test func `the decrypted bytes in the chapter match the fixtures`() throws {
        expect(spec.plainLines.count > 6)
        var data: [String: [UInt8]] = [:]
        for line in spec.plainLines {
            if data[line.fixture] == nil {
                let file = try KnownFile.fixture(String(line.fixture.dropLast(".realm".count)))
                let source = try ByteSource(path: file.url.path)
                let pages = try DatabaseImage.decrypted(source, EncryptionKey(bytes: try file.key()))
                data[line.fixture] = withExtendedLifetime(pages) { pages.view.bytes }
            }
            let bytes = try #require(data[line.fixture])
            let end = line.offset + line.bytes.count
            try #require(end <= bytes.count)
            expectEqual(Array(bytes[line.offset..<end]), line.bytes, "\(line.fixture) at \(line.offset)")
        }
    }

    /// The data of the file that this project encrypted equals the plain file.
    @Test func `data encrypted by this project equals the plain file`() throws {
        let file = try KnownFile.fixture("Encrypted/format-9-people")
        let pages = try DatabaseImage.decrypted(
            ByteSource(path: file.url.path), EncryptionKey(bytes: try file.key()))
        let plain = try KnownFile.fixture("Legacy/format-9-people").bytes()
        expectEqual(withExtendedLifetime(pages) { pages.view.bytes }, plain)
    }
}
