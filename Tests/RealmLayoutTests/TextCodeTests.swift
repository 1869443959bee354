import Expectations
import RealmLayout
import Testing

/// Text forms of bytes and days.
@Suite struct TextCodeTests {
    /// The examples of RFC 4648, section 10.
    @Test(
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] as [(String, String)])
    func `base64 matches RFC 4648`(_ plain: String, _ text: String) {
        expectEqual(Base64.text(Array(plain.utf8)), text)
        expectEqual(Base64.bytes(text.utf8), Array(plain.utf8))
        // Also without padding.
        expectEqual(Base64.bytes(text.utf8.filter { $0 != UInt8(ascii: "=") }), Array(plain.utf8))
    }

    @Test(arguments: ["Z", "Zg=", "Zg===", "Zm9v=", "Zm9vYg==A", "Zm 9v", "Zm-_", "=", "Zm9vY"])
    func `invalid base64 is refused`(_ text: String) {
        expectEqual(Base64.bytes(text.utf8), nil)
    }

    @Test func `hexadecimal is read and written`() {
        expectEqual(Hexadecimal.text([0x00, 0x9F, 0xA0, 0xFF]), "009fa0ff")
        expectEqual(Hexadecimal.bytes("009FA0ff".utf8), [0x00, 0x9F, 0xA0, 0xFF])
        for text in ["0", "0g", "0x", "é0"] { expectEqual(Hexadecimal.bytes(text.utf8), nil) }
        let uuid = "3b241101-e2bb-4255-8caf-4136c566a962"
        let bytes: [UInt8] = [
            0x3B, 0x24, 0x11, 0x01, 0xE2, 0xBB, 0x42, 0x55, 0x8C, 0xAF, 0x41, 0x36, 0xC5, 0x66, 0xA9, 0x62,
        ]
        expectEqual(Hexadecimal.uuidText(bytes), uuid)
        expectEqual(Hexadecimal.uuidBytes(uuid.utf8), bytes)
        expectEqual(Hexadecimal.uuidBytes("3b241101e-2bb-4255-8caf-4136c566a962".utf8), nil)
        expectEqual(Hexadecimal.uuidBytes(uuid.dropLast().utf8), nil)
    }

    /// Days according to GNU `date -u -d @…`; 1900 was not a leap year, 2000 was.
    @Test(
        arguments: [
            (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2000, 3, 1, 11_017), (1900, 3, 1, -25_508),
            (1900, 2, 28, -25_509), (2020, 9, 13, 18_518), (1, 1, 1, -719_162), (9999, 12, 31, 2_932_896),
        ] as [(Int64, Int, Int, Int64)])
    func `days match the calendar`(_ year: Int64, _ month: Int, _ day: Int, _ days: Int64) {
        expectEqual(CivilDate.daysSince1970(year, Int64(month), Int64(day)), days)
        let date = CivilDate(daysSince1970: days)
        expect((date.year, date.month, date.day) == (year, month, day))
    }
}
