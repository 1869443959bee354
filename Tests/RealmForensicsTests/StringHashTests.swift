import Expectations
import RealmLayout
import RealmStorage
import Testing

import RealmForensics

/// The hash of dictionary keys equals that of Realm Core's own function, for strings of `n` letters, of which letter
/// `i` is number (7 i + n) mod 26 of the alphabet.
struct StringHashTests {
    @Test(
        arguments: [
            (0, 0x9AE1_6A3B_2F90_404F),
            (1, 0x44A9_ACBE_7629_930D),
            (3, 0xDB49_C0AA_643A_9F9E),
            (4, 0x8C50_7061_113B_081B),
            (8, 0xCE66_AC53_69EC_F231),
            (9, 0xDB02_C41B_B84F_9C30),
            (12, 0xE3F9_8A1A_5789_66BD),
            (16, 0xFD5A_33DB_C533_A5B5),
            (17, 0xC8B3_A463_B1B2_B276),
            (25, 0x6A47_2544_26B9_9F7C),
            (32, 0xAF26_8496_2AAE_FA3D),
            (33, 0xE7B9_32BA_9FDC_7D72),
            (50, 0x85FD_2C88_13B9_8FC7),
            (64, 0xB7CB_B13D_5E96_C26D),
            (65, 0xBE47_0B87_1FFC_DC4A),
            (100, 0x3255_653C_E2E8_B5E8),
            (128, 0x809A_30BF_5B44_D400),
            (129, 0x69F0_0377_1188_972F),
            (200, 0x9D4C_3463_44FA_2331),
        ] as [(Int, UInt64)])
    func `the hash of a text matches Realm Core`(_ count: Int, _ hash: UInt64) {
        let source = ByteSource(bytes: (0..<count).map { UInt8(ascii: "a") + UInt8(($0 * 7 + count) % 26) })
        expectEqual(StringHash.of(source.view), hash)
        withExtendedLifetime(source) {}
    }
}
