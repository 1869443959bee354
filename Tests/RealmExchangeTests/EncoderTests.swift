import Expectations
import Foundation
import RealmLayout
import TestSupport
import Testing

import RealmExchange

/// Numbers, dates and text as the exporter writes them, compared with independent implementations.
@Suite struct EncoderTests {
    /// Returns the text that `body` appends.
    private func text(_ body: (inout ByteBuffer) -> Void) -> String {
        var buffer = ByteBuffer(capacity: 64)
        body(&buffer)
        return String(decoding: buffer.view().bytes, as: UTF8.self)
    }

    // MARK: Numbers

    @Test func `integers are spelled as by the system`() {
        var random = Seeded(1)
        var values: [Int64] = [.min, .min + 1, .max, .max - 1, 0, -1]
        var power: Int64 = 1
        for _ in 0...18 {
            values += [power - 1, power, power + 1, -power, 1 - power, power * 9]
            power = power &* 10
        }
        for bits in 0..<64 { values += (0..<200).map { _ in Int64(bitPattern: random.next() >> UInt64(bits)) } }
        for value in values { expectEqual(text { $0.append(decimal: value) }, String(value)) }
    }

    @Test func `eight digits are spelled at once`() {
        var random = Seeded(2)
        var values: [UInt32] = (0..<8).flatMap { exponent in
            let power = (0..<exponent).reduce(UInt32(1)) { product, _ in product * 10 }
            return [power - 1, power, power + 1, power * 2 - 1, power * 5, power * 9, power * 10 - 1]
        }
        values += (0..<10_000).map { $0 * 10_000 }
        values += (0..<10_000).map { $0 * 10_000 + 9999 }
        values += 0..<10_000
        values += (0..<50_000).map { _ in UInt32(random.next() % 100_000_000) }
        for value in values {
            let digits = ByteBuffer.eightDigits(value)
            var expected: UInt64 = 0
            var rest = value
            for lane in (0..<8).reversed() {
                expected |= UInt64(rest % 10) << UInt64(8 * lane)
                rest /= 10
            }
            guard digits == expected else {
                Issue.record("\(value): \(String(digits, radix: 16))")
                return
            }
        }
    }

    @Test func `doubles are read back unchanged`() throws {
        var random = Seeded(3)
        var values: [Double] = [
            0, -0.0, 1, -1, 0.1, 0.3, 1 / 3, .pi, 1e15, 1e16, 1e17, 1e21, 1e22, 1e23, 9_007_199_254_740_994,
            .leastNonzeroMagnitude,
            .leastNormalMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
            Double.leastNormalMagnitude.nextDown,
            999_999_999.9999, 1_000_000_000, 999_999_999.99995, 0.0001, 0.00001, 0.00005, 4.35, 2.675, 1.005, 8.5e-5,
        ]
        values += (0..<2000).map { Double($0) / 100 }
        values += (0..<2000).map { -Double($0) / 10_000 }
        for _ in 0..<3000 {
            values.append(Double(bitPattern: random.next()))
            values.append(Double(random.next() % 10_000_000_000_000) / 10_000)
            values.append(Double(random.next() % 10_000_000_000).squareRoot())
            let price = Double(random.next() % 100_000_000) / 100
            values += [price, price.nextUp, price.nextDown]
        }
        for value in values where value.isFinite {
            // Swift prints the shortest text that reads back as the same bits.
            let found = text { $0.append(double: value) }
            expectEqual(found, value.description)
            expectEqual(Double(found)?.bitPattern, value.bitPattern)
        }
    }

    @Test func `decimals are spelled as by the oracle`() {
        var random = Seeded(4)
        var values: [(UInt64, UInt64)] = [
            (0x7C00_0000_0000_0000, 0), (0xFC00_0000_0000_0000, 0), (0x7E00_0000_0000_0001, 7),
            (0x7800_0000_0000_0000, 0), (0xF800_0000_0000_0000, 0), (0x0001_ED09_BEAD_87C0, 0x378D_8E63_FFFF_FFFF),
            (0x5FFF_ED09_BEAD_87C0, 0x378D_8E63_FFFF_FFFF), (0x0001_ED09_BEAD_87C0, 0x378D_8E64_0000_0000),
            (0x6C11_0000_0000_0000, 5), (0, 0), (0x8000_0000_0000_0000, 1), (0x5FFE_0000_0000_0000, 0),
        ]
        for exponent in UInt64(6176 - 40)...6216 {
            for low: UInt64 in [0, 1, 5, 9, 10, 99, 100, 12345, 1_000_000, 999_999_999_999_999, .max, 1 << 53] {
                values += [(exponent << 49, low), (exponent << 49 | 1 << 63, low), (exponent << 49 | 3, low)]
            }
        }
        for _ in 0..<5000 { values.append((random.next(), random.next())) }
        for _ in 0..<5000 {
            let digits = random.next() >> (random.next() % 64)
            values.append(((6176 - random.next() % 24) << 49, digits))
        }
        for (high, low) in values {
            let found = text { $0.append(decimal128: Decimal128Bits(high: high, low: low)) }
            expectEqual(found, decimalText(high: high, low: low))
        }
    }

    // MARK: Bytes

    @Test func `base64 and hexadecimal match the oracle`() {
        var random = Seeded(5)
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            ByteView.with(bytes) { view in
                expectEqual(text { $0.append(base64: view) }, Data(bytes).base64EncodedString())
                expectEqual(text { $0.append(hexadecimal: view) }, hexed(bytes))
            }
        }
        let bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let uuid = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        expectEqual(ByteView.with(bytes) { view in text { $0.append(uuid: view) } }, uuid.uuidString.lowercased())
    }

    // MARK: Dates

    @Test func `dates are spelled as by Foundation`() throws {
        var random = Seeded(6)
        let style = Date.ISO8601FormatStyle()
        // From the year 1583 on: earlier dates are Julian in Foundation.
        for _ in 0..<2000 {
            let seconds = Int64(random.next() % 265_000_000_000) - 12_200_000_000
            let expected = style.format(Date(timeIntervalSince1970: Double(seconds)))
            try expectEqual(iso(seconds, 0), expected)
        }
    }

    @Test func `dates of all years match the oracle`() throws {
        var random = Seeded(7)
        var seconds: [Int64] = [
            0, -1, 1, .min, .min + 1, .max, 951_782_399, 951_782_400, 951_868_800, -62_167_219_200, -62_167_219_201,
            253_402_300_799, 253_402_300_800,
        ]
        for bits in 0..<64 { seconds += (0..<20).map { _ in Int64(bitPattern: random.next()) >> Int64(bits) } }
        for second in seconds {
            let sign: Int32 = second < 0 ? -1 : 1
            for nanosecond: Int32 in [0, 1, 999_999_999, 1000, 999_999_000, 1_000_000, 500_000_000] {
                try expectEqual(iso(second, sign * nanosecond), isoText("\(second) \(sign * nanosecond)"))
            }
        }
    }

    @Test func `dates of some years match fixed texts`() throws {
        try expectEqual(iso(0, 0), "1970-01-01T00:00:00Z")
        try expectEqual(iso(-1, -1), "1969-12-31T23:59:58.999999999Z")
        try expectEqual(iso(951_782_400, 120_000_000), "2000-02-29T00:00:00.120Z")
        try expectEqual(iso(253_402_300_799, 999_999_999), "9999-12-31T23:59:59.999999999Z")
        try expectEqual(iso(253_402_300_800, 0), "+010000-01-01T00:00:00Z")
        try expectEqual(iso(-62_167_219_200, 0), "0000-01-01T00:00:00Z")
        try expectEqual(iso(-62_167_219_201, 0), "-000001-12-31T23:59:59Z")
        try expectEqual(iso(.max, 0), "+292277026596-12-04T15:30:07Z")
        try expectEqual(iso(.min, -999_999_999), "-292277022657-01-27T08:29:51.000000001Z")
    }

    private func iso(_ seconds: Int64, _ nanoseconds: Int32) throws -> String {
        let time = try #require(Timestamp(seconds: seconds, nanoseconds: Int64(nanoseconds)))
        return text { $0.append(iso8601: time) }
    }

    @Test func `milliseconds are rounded down`() throws {
        for (seconds, nanoseconds, expected) in [
            (0, 0, 0), (0, 1, 0), (0, -1, -1), (-1, -500_000, -1001), (-1, -1_000_000, -1001), (1, 999_999, 1000),
            (9_223_372_036_854_775, 807_999_999, Int64.max), (-9_223_372_036_854_775, -808_000_000, Int64.min),
        ] as [(Int64, Int64, Int64)] {
            let time = try #require(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
            expectEqual(time.flooredMilliseconds, expected)
        }
        for (seconds, nanoseconds) in [
            (9_223_372_036_854_775, 808_000_000), (-9_223_372_036_854_775, -808_000_001), (.max, 0), (.min, -1),
        ] as [(Int64, Int64)] {
            try expectEqual(#require(Timestamp(seconds: seconds, nanoseconds: nanoseconds)).flooredMilliseconds, nil)
        }
    }

    // MARK: Text

    @Test func `every byte in a JSON string is escaped if necessary`() throws {
        for byte in UInt8.min...UInt8.max {
            // At every position in a word, and after one.
            for place in 0..<17 {
                var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 17)
                bytes[place] = byte
                try check(bytes)
            }
            try check([byte])
        }
    }

    @Test func `special bytes are escaped in JSON strings of all lengths`() throws {
        for count in 0..<50 {
            try check([UInt8](repeating: UInt8(ascii: "z"), count: count))
            for place in 0..<count {
                for special: [UInt8] in [[0x22], [0x5C], [0x1F], [0xC3, 0xA9], [0x80]] {
                    var bytes = [UInt8](repeating: UInt8(ascii: "z"), count: count)
                    bytes.replaceSubrange(place..<(place + 1), with: special)
                    try check(bytes)
                }
            }
        }
    }

    @Test func `random text in a JSON string is read back`() throws {
        var random = Seeded(8)
        let pieces = [
            "\"", "\\", "\n", "\u{0}", "\u{1F}", "\u{7F}", "é", "東", "🐕", "\u{2028}", "abc", "        ", "\u{10FFFF}",
        ]
        .map { Array($0.utf8) }
        for _ in 0..<3000 {
            var bytes: [UInt8] = []
            for _ in 0..<(random.next() % 12) { bytes += pieces[Int(random.next() % UInt64(pieces.count))] }
            if random.next() % 3 == 0, !bytes.isEmpty {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            try check(bytes)
        }
    }

    /// Checks that json-c reads the bytes back, with U+FFFD for invalid UTF-8.
    private func check(_ bytes: [UInt8]) throws {
        var buffer = ByteBuffer(capacity: 16)
        let isValid = ByteView.with(bytes) { buffer.append(jsonString: $0) }
        expectEqual(isValid, (String(validating: bytes, as: UTF8.self) != nil))
        let found = try PlainJSON(parsing: buffer.view().bytes)
        expectEqual(found, .string(Array(String(decoding: bytes, as: UTF8.self).utf8)))
    }

    @Test func `well-formed and malformed UTF-8 are distinguished`() {
        var random = Seeded(9)
        // Bytes near the bounds of lead and trail bytes.
        let bytes: [UInt8] = [
            0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
            0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF, 0x61,
        ]
        for first in bytes {
            for second in bytes {
                for third in bytes {
                    for fourth in bytes { checkValidity([first, second, third, fourth]) }
                }
            }
        }
        // Pairs of three-byte characters, which are validated together, and invalid variants of them.
        let leads: [UInt8] = [0x61, 0xC2, 0xE0, 0xE1, 0xED, 0xEF, 0xF0]
        let seconds: [UInt8] = [0x7F, 0x80, 0x9F, 0xA0, 0xBF, 0xC0]
        let thirds: [UInt8] = [0x80, 0xBF, 0xC0]
        var characters: [[UInt8]] = []
        for lead in leads {
            for second in seconds {
                for third in thirds { characters.append([lead, second, third]) }
            }
        }
        for first in characters {
            for second in characters { checkValidity(first + second + [0x61, 0x61]) }
        }
        // Runs of ASCII of every length before a character, complete or not.
        for count in 0..<50 {
            for end in [[], [0x80], [0xC2], [0xC2, 0x80], [0xE1, 0x80], [0xE1, 0x80, 0x80]] as [[UInt8]] {
                checkValidity([UInt8](repeating: 0x61, count: count) + end)
                checkValidity([UInt8](repeating: 0x61, count: count) + end + [UInt8](repeating: 0x61, count: 20))
            }
        }
        for _ in 0..<20_000 {
            checkValidity((0..<(random.next() % 24)).map { _ in bytes[Int(random.next() % UInt64(bytes.count))] })
        }
    }

    /// Long texts are validated sixteen bytes at a time: characters and parts of them are at every position.
    @Test func `well-formed UTF-8 is recognised in long texts too`() {
        var random = Seeded(10)
        func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        let good: [[UInt8]] = [
            [0x61], [0x61, 0x62, 0x63, 0x64, 0x65], [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xE1, 0x80, 0x80],
            [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80],
            [0xF3, 0x80, 0x80, 0x80],
            [0xF4, 0x8F, 0xBF, 0xBF],
        ]
        let bad: [[UInt8]] = [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xDF, 0xC0], [0xE0, 0x9F, 0xBF], [0xE1, 0x80],
            [0xED, 0xA0, 0x80], [0xEF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0x80], [0xF1, 0x80],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        ]
        for _ in 0..<30_000 {
            var text: [UInt8] = []
            let length = 60 + below(100)
            while text.count < length { text += good[below(below(4) == 0 ? 2 : good.count)] }
            checkValidity(text)
            var cut = text
            cut.removeLast(below(4))
            checkValidity(cut)
            let place = below(text.count)
            checkValidity(text[..<place] + bad[below(bad.count)] + text[place...])
            text[place] = UInt8(truncatingIfNeeded: random.next())
            checkValidity(text)
        }
        // Each of them, at each position in sixteen bytes and at the end.
        for part in good + bad {
            for place in 0..<100 {
                let text = [UInt8](repeating: 0x61, count: place) + part
                checkValidity(text)
                checkValidity(text + [UInt8](repeating: 0x61, count: 100 - place))
            }
        }
    }

    private func checkValidity(_ bytes: [UInt8]) {
        let isValid = ByteView.with(bytes) { $0.isValidUTF8 }
        guard isValid == (String(validating: bytes, as: UTF8.self) != nil) else {
            Issue.record("\(bytes): \(isValid)")
            return
        }
        let isASCII = ByteView.with(bytes) { $0.isASCII }
        if isASCII != bytes.allSatisfy({ $0 < 0x80 }) { Issue.record("\(bytes): \(isASCII)") }
    }

    // MARK: Names of files

    @Test func `names of files are valid in file systems`() {
        for (name, expected) in [
            ("Person", "Person"), ("a/b", "a%2Fb"), ("..", "%2E."), (".hidden", "%2Ehidden"), ("a.b", "a.b"),
            ("50%", "50%25"), ("", "%"), ("new\nline", "new%0Aline"), ("Straße 🐕", "Straße 🐕"), ("nul\0", "nul%00"),
        ] { expectEqual(CollectionFileName(name).text, expected) }
        let long = String(repeating: "é", count: 150)
        let names = [long, long + "a", long + "b"].map { CollectionFileName($0).text }
        expectEqual(Set(names).count, 3)
        expect(names.allSatisfy { $0.utf8.count <= 200 && $0.hasPrefix("é") })
    }

    // MARK: Checksum

    @Test func `the checksum matches the oracle`() {
        var random = Seeded(11)
        // The check value of CRC-64/XZ.
        var crc = CRC64()
        ByteView.with(Array("123456789".utf8)) { crc.update($0) }
        expectEqual(crc.value, 0x995D_C9BB_DF19_39FA)
        for length in 0..<64 {
            let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            var whole = CRC64()
            ByteView.with(bytes) { whole.update($0) }
            expectEqual(whole.value, crc64(bytes))
            var parts = CRC64()
            for byte in bytes { ByteView.with([byte]) { parts.update($0) } }
            expectEqual(parts.value, whole.value)
        }
    }
}
