import Expectations
import RealmCore
import RealmLayout
import TestSupport
import Testing

/// Unreadable files are identified and explained.
@Suite struct DiagnosisTests {
    /// Returns the error of opening the current snapshot.
    private func failure(_ bytes: [UInt8]) throws -> FormatError {
        try #require(throws: FormatError.self) { try RealmDatabase(bytes: bytes).snapshot() }
    }

    private func kennel() throws -> [UInt8] { try KnownFile.fixture("kennel").bytes() }
    private func stream() throws -> [UInt8] { try KnownFile.fixture("links-stream").bytes() }

    @Test func `files that are empty or too short are reported`() throws {
        try expectEqual(failure([]).code, .emptyFile)
        for count in [1, 8, 23] { try expectEqual(failure(Array(kennel()[..<count])).code, .tooShort) }
    }

    @Test func `a file of zeros is reported`() throws {
        for count in [24, 4096, 10_000] {
            try expectEqual(failure([UInt8](repeating: 0, count: count)).code, .zeroedFile)
        }
        var bytes = try kennel()
        bytes.replaceSubrange(..<24, with: [UInt8](repeating: 0, count: 24))
        let error = try failure(bytes)
        expectEqual(error.code, .zeroedHeader)
        expect(error.detail.contains("nodes of a Realm file follow"))
    }

    /// A page with a repeating pattern is not a table of page codes, although its counters would fit.
    @Test(arguments: [[0xFF], [0x55, 0xAA], Array("{\"a\": 1}\n 0123456789 0123456789 \n".utf8.prefix(32))])
    func `a page with a repeating pattern is not a table of page codes`(_ period: [UInt8]) throws {
        let page = (0..<4096).map { period[$0 % period.count] }
        var bytes = try KnownFile.fixture("links-stream").bytes()
        bytes.replaceSubrange(..<4096, with: page)
        try expectEqual(failure(bytes).code, .overwrittenHeader)
        try expectEqual(failure(page + page).code, .notARealm)
    }

    @Test func `an overwritten header is reported`() throws {
        var bytes = try kennel()
        bytes.replaceSubrange(..<24, with: Array("somebody else's bytes...".utf8))
        try expectEqual(failure(bytes).code, .overwrittenHeader)
        bytes.replaceSubrange(..<16, with: Array("SQLite format 3\0".utf8))
        let error = try failure(bytes)
        expectEqual(error.code, .overwrittenHeader)
        expect(error.detail.contains("SQLite"))
    }

    @Test(
        arguments: [
            ("SQLite format 3\0", "SQLite"), ("PK\u{3}\u{4}", "ZIP"), ("<?xml version=\"1.0\"?>", "XML"),
            ("{\"a\": 1}", "JSON"), ("bplist00", "property list"), ("Just some text, long enough.", "it is text"),
        ] as [(String, String)])
    func `a file of another kind is reported`(_ start: String, _ name: String) throws {
        let error = try failure(Array(start.utf8) + [UInt8](repeating: 0x20, count: 8192 - start.utf8.count))
        expectEqual(error.code, .notARealm)
        expect(error.detail.contains(name))
    }

    @Test func `a compressed file is reported`() throws {
        let error = try failure([0x1F, 0x8B, 8, 0] + [UInt8](repeating: 0x55, count: 60))
        expectEqual(error.code, .notARealm)
        expect(error.detail.contains("gzip"))
    }

    @Test func `noise is reported`() throws {
        var generator = Seeded(7)
        for size in [24, 100, 4096, 8192, 1 << 16] {
            let bytes = (0..<size).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            try expectEqual(failure(bytes).code, .notARealm)
        }
    }

    @Test(arguments: [0, 1, 12, 19, 25, 99, 255])
    func `an unknown format is reported`(_ format: UInt8) throws {
        var bytes = try kennel()
        bytes[20] = format
        let error = try failure(bytes)
        expectEqual(error.code, .unknownFormat)
        expectEqual(error.offset, 20)
        expect(error.detail.contains(" \(format);"))
    }

    /// The format byte does not turn a file of a current format into one of an older format.
    @Test(arguments: UInt8(2)...9)
    func `a current file is not read as an older one because of its format byte`(_ format: UInt8) throws {
        var bytes = try kennel()
        bytes[20] = format
        let error = try failure(bytes)
        expectEqual(error.code, .badGroup)
        expect(error.detail.hasSuffix("of format \(format)"))
    }

    // Truncation

    /// Wherever a file is truncated, the missing end is reported, not damage to the content.
    @Test func `a missing end is reported wherever a file is truncated`() throws {
        let bytes = try kennel()
        let size = try RealmDatabase(bytes: bytes).snapshot().logicalSize
        for count in stride(from: 24, to: size, by: 8) {
            try expectEqual(failure(Array(bytes[..<count])).code, .truncated, "the first \(count) bytes")
        }
        // Bytes after the logical size are not part of the database.
        try expectEqual(RealmDatabase(bytes: Array(bytes[..<size])).snapshot().classes.count, 4)
    }

    @Test func `a truncated file in streaming form is reported`() throws {
        let bytes = try stream()
        for count in stride(from: 24, to: bytes.count, by: 8) {
            try expectEqual(failure(Array(bytes[..<count])).code, .truncated, "the first \(count) bytes")
        }
        try expectEqual(failure(bytes + [0, 0, 0, 0, 0, 0, 0, 0]).code, .truncated)
    }

    @Test func `a dangling ref of the top is reported`() throws {
        var bytes = try kennel()
        let slot = Int(bytes[23] & 1)
        func failure(topRef: UInt64) throws -> FormatError {
            for index in 0..<8 { bytes[slot * 8 + index] = UInt8(truncatingIfNeeded: topRef >> UInt64(8 * index)) }
            return try self.failure(bytes)
        }
        try expectEqual(failure(topRef: UInt64(bytes.count)).code, .truncated)
        // A possible offset can mean a truncated file; for other numbers, the slot is wrong.
        try expectEqual(failure(topRef: 16 << 30).code, .truncated)
        for number in [(16 << 30) + 8, 1 << 63, 8, 1001] as [UInt64] {
            try expectEqual(failure(topRef: number).code, .overwrittenHeader, "\(number)")
        }
        try expectEqual(failure(topRef: 1001).offset, slot * 8)
    }

    @Test func `a damaged group is reported`() throws {
        func group(_ slots: (inout HandmadeFile) -> [Int]) throws -> FormatError {
            var file = HandmadeFile()
            let slots = slots(&file)
            let top = file.writer.refs(slots)
            return try failure(file.writer.file(top: top, format: 24))
        }
        let size = NodeWriter.tagged(64)
        try expectEqual(group { _ in [0, 0] }.code, .badGroup)
        try expectEqual(group { _ in [0, 0, size, 0] }.code, .badGroup)
        try expectEqual(group { _ in [0, 0, 0] }.code, .badGroup)
        try expectEqual(group { _ in [0, 0, 64] }.code, .unexpectedNode)
        try expectEqual(group { _ in [0, 0, NodeWriter.tagged(16)] }.code, .badGroup)
        try expectEqual(group { _ in [0, 0, NodeWriter.tagged(1 << 60)] }.code, .truncated)
    }
}
