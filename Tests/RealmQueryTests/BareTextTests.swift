import Expectations
import Foundation
import RealmQuery
import Testing

/// Texts without their accents, compared with CoreFoundation, which Realm's Swift SDK uses for `[d]` and `[cd]`.
@Suite struct BareTextTests {
    private static func options(_ folding: TextFolding) -> NSString.CompareOptions {
        folding.contains(.case) ? [.diacriticInsensitive, .caseInsensitive] : .diacriticInsensitive
    }

    private static func areEqual(_ text: String, _ other: String, _ folding: TextFolding) -> Bool {
        NSString(string: text).compare(other, options: options(folding)) == .orderedSame
    }

    private static func bare(_ text: String, _ folding: TextFolding) -> BareText { BareText(Array(text.utf8), folding) }

    /// Marks from later versions of Unicode than CoreFoundation's tables, and spacing vowels of scripts whose marks are
    /// significant; forms of Cyrillic letters in old prints that it confuses with other letters.
    private static func isDisputed(_ scalar: Unicode.Scalar) -> Bool {
        if 0x1C80...0x1C88 ~= scalar.value { return true }
        guard let age = scalar.properties.age, age.major <= 15 else { return true }
        return [.nonspacingMark, .spacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
            && scalar.value > 0x0590
    }

    @Test(arguments: [TextFolding.diacritics, [.case, .diacritics]])
    func `each character is equal to the same ones as in CoreFoundation`(folding: TextFolding) {
        var compared = 0
        for value in UInt32(1)..<0xFFFF {
            guard let scalar = Unicode.Scalar(value), !Self.isDisputed(scalar) else { continue }
            let text = "x\(scalar)"
            let bare = Self.bare(text, folding)
            var others: Set<String> = [
                text.folding(options: Self.options(folding), locale: nil), text.decomposedStringWithCanonicalMapping,
                "x", "X\(scalar)", text.lowercased(), text.uppercased(),
            ]
            others.insert(
                String(text.decomposedStringWithCanonicalMapping.unicodeScalars.prefix(2).map(Character.init)))
            for other in others {
                // Letters whose upper case is newer than those tables.
                guard other.unicodeScalars.allSatisfy({ $0.properties.age?.major ?? 99 <= 15 }) else { continue }
                let expected = Self.areEqual(text, other, folding)
                expectEqual(
                    (bare == Self.bare(other, folding)), expected, "\(value) and \(other.unicodeScalars.map(\.value))"
                )
                compared += 1
            }
        }
        expect(compared > 190_000)
    }

    @Test(arguments: [TextFolding.diacritics, [.case, .diacritics]], 0..<4)
    func `beginnings, ends and parts are found as by CoreFoundation`(folding: TextFolding, seed: Int) {
        // Without letters that expand to two, and marks of Kana: in longer texts it treats "sИ" as equal to "ß" and
        // "かä" to "が".
        let letters = [
            "e", "é", "E", "É", "e\u{301}", "a", "ä", "Å", "o", "ø", "s", "n\u{303}", "ñ", "и", "й", "И", "ώ", "ω", "Ω",
            "강", "아", "か", "漢", "1", " ", "ı", "i", "İ", "ſ", "ẛ", "ç", "c",
        ]
        var random = SystemRandomNumberGenerator()
        func text(_ count: Int) -> String {
            (0..<count).map { _ in letters.randomElement(using: &random) ?? "e" }.joined()
        }
        let options = Self.options(folding)
        for _ in 0..<20_000 {
            let (text, sought) = (text(Int.random(in: 0...6)), text(Int.random(in: 1...2)))
            let (bareText, bareSought) = (Self.bare(text, folding), Self.bare(sought, folding))
            let whole = NSString(string: text)
            func finds(_ more: NSString.CompareOptions) -> Bool {
                whole.range(of: sought, options: options.union(more)).location != NSNotFound
            }
            expectEqual(bareText.contains(bareSought), finds([]), "'\(text)' contains '\(sought)'")
            expectEqual(bareText.begins(with: bareSought), finds(.anchored), "'\(text)' begins with '\(sought)'")
            // Searching backwards, it also fails in texts of several scripts.
            if text.unicodeScalars.allSatisfy({ $0.value < 0x510 }) {
                expectEqual(
                    bareText.ends(with: bareSought), finds([.anchored, .backwards]), "'\(text)' ends with '\(sought)'"
                )
            }
            expectEqual((bareText == bareSought), Self.areEqual(text, sought, folding), "'\(text)' is '\(sought)'")
        }
    }

    @Test(
        arguments: [
            ("Café", "cafe", [.case, .diacritics], true), ("Café", "cafe", .diacritics, false),
            ("Café", "Cafe", .diacritics, true), ("STRASSE", "straße", [.case, .diacritics], true),
            ("Søren", "Soren", [.case, .diacritics], false), ("Ёлка", "елка", [.case, .diacritics], true),
            ("がく", "かく", [.case, .diacritics], false), ("ß", "s", [.case, .diacritics], false),
            ("강", "강", .diacritics, true),
        ] as [(String, String, TextFolding, Bool)])
    func `words are equal or not`(_ text: String, _ other: String, _ folding: TextFolding, _ isEqual: Bool) {
        expectEqual((Self.bare(text, folding) == Self.bare(other, folding)), isEqual)
        expectEqual(Self.areEqual(text, other, folding), isEqual, "CoreFoundation")
    }
}
