import Expectations
import RealmLayout
import Testing

/// The text of bytes equals that of the standard library, or is nil where it has none.
struct ViewTextTests {
    private static let pieces: [[UInt8]] = [
        [], [0x41], [0x00], [0x7F], [0x80], [0xC3, 0xA9], [0xC3], [0xE2, 0x82, 0xAC], [0xE2, 0x82], [0xED, 0xA0, 0x80],
        [0xF0, 0x9F, 0x98, 0x80], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0x80], [0xFF],
    ]

    @Test(arguments: [0, 1, 3, 7, 8, 11, 14, 15, 16, 17, 31, 62, 63, 64, 100])
    func `characters at every offset are validated as UTF-8`(_ before: Int) {
        for piece in Self.pieces {
            for after in [0, 1, 9, 70] {
                let bytes = Array(repeating: 0x61, count: before) + piece + Array(repeating: 0x62, count: after)
                let expected = String(validating: bytes, as: UTF8.self)
                let text = ByteView.with(bytes) { $0.string }
                expectEqual(text.map { Array($0.utf8) }, expected.map { Array($0.utf8) }, "\(bytes)")
            }
        }
    }
}
