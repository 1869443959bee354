import Expectations
import RealmCore
import RealmLayout
import TestSupport
import Testing

/// Encrypted files are distinguished from noise and from other files.
@Suite struct EncryptedFileTests {
    private func code(_ bytes: [UInt8]) -> FormatError.Code? {
        do throws(FormatError) {
            _ = try RealmDatabase(bytes: bytes)
            return nil
        } catch {
            return error.code
        }
    }

    static let encrypted = KnownFile.corpus.filter { $0.format == nil }

    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"))
    func `no encrypted file is missing`() {
        expectEqual(Self.encrypted.count, 8)
    }

    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"), arguments: encrypted)
    func `a real encrypted file is recognised`(_ file: KnownFile) throws {
        let bytes = try file.bytes()
        expectEqual(code(bytes), .encrypted)
        // Truncated, or with bytes added.
        expectEqual(code(Array(bytes[..<8192])), .encrypted)
        expectEqual(code(Array(bytes[..<5000])), .encrypted)
        expectEqual(code(bytes + [1, 2, 3]), .encrypted)
        // Less than the table of the first page cannot be distinguished from noise.
        expectEqual(code(Array(bytes[..<4000])), .notARealm)
    }

    /// Returns the first page of an encrypted file: for each of 64 pages, the counters and codes of its last two
    /// writes.
    private func table(_ entries: [(current: UInt32, previous: UInt32)]) -> [UInt8] {
        var page: [UInt8] = []
        for entry in entries {
            for counter in [entry.current, entry.previous] {
                page += (0..<4).map { UInt8(truncatingIfNeeded: counter >> UInt32(8 * $0)) }
                page += [UInt8](repeating: counter == 0 ? 0 : 0xC7, count: 28)
            }
        }
        return page + [UInt8](repeating: 0, count: 4096 - page.count) + [UInt8](repeating: 0xE5, count: 4096)
    }

    @Test func `counters show that a file is encrypted`() {
        expectEqual(code(table([(1, 0)])), .encrypted)
        expectEqual(code(table([(7, 6), (1, 0), (0, 0), (400, 399)])), .encrypted)
        // A counter is skipped when its code would equal the previous one.
        expectEqual(code(table([(9, 7)])), .encrypted)
        // A write that was interrupted and then repeated.
        expectEqual(code(table([(5, 5)])), .encrypted)
        // After 2^32 writes; 0 is skipped.
        expectEqual(code(table([(1, .max)])), .encrypted)
        // The first page has always been written.
        expectEqual(code(table([(0, 0), (1, 0)])), .zeroedHeader)
        expectEqual(code(table([(5, 50)])), .notARealm)
        expectEqual(code(table([(1, 0), (0, 3)])), .notARealm)
    }

    /// A small number followed by zeros is not a table of an encrypted file.
    @Test func `a small number and zeros are not a table of an encrypted file`() {
        var bytes = [UInt8](repeating: 0, count: 8192)
        bytes[0] = 1
        expectEqual(code(bytes), .notARealm)
    }
}
