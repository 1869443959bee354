import Expectations
import RealmLayout
import Testing

import RealmExchange

/// Reading documents in place gives the same result as libbson, for any bytes.
@Suite struct BSONPlaceTests {
    /// The result of one way of reading, up to the first error.
    private struct Reading: Equatable {
        var elements: [[UInt8]] = []
        /// The ends of the elements.
        var places: [Int] = []
        var failure: DocumentError?
    }

    private let cursor = BSONCursor()

    private func read(
        _ bytes: [UInt8], _ next: (inout BSONPlace) throws(DocumentError) -> BSONElement?
    ) -> Reading {
        ByteView.with(bytes) { document in
            var reading = Reading()
            do throws(DocumentError) {
                var place = try cursor.begin(0, document)
                while let element = try next(&place) {
                    let isBinary = element.isOf(.binary)
                    reading.elements.append(
                        [element.code, isBinary ? element.subtype : 0] + element.key.bytes + [0] + element.value.bytes)
                    reading.places.append(place.offset)
                }
            } catch {
                reading.failure = error
            }
            return reading
        }
    }

    /// Compares the elements as the importer reads them, with and without expected names, with those of libbson alone.
    private func check(_ bytes: [UInt8], _ names: [BSONName], sourceLocation: SourceLocation = #_sourceLocation) {
        let expected = read(bytes) { place throws(DocumentError) in try cursor.checkedElement(&place) }
        let found = read(bytes) { place throws(DocumentError) in try cursor.next(&place) }
        expectEqual(found, expected, "\(bytes)", sourceLocation: sourceLocation)
        var number = 0
        let named = read(bytes) { place throws(DocumentError) in
            if number < names.count, let element = place.plainElement(named: names[number]) {
                number += 1
                return element
            }
            return try cursor.next(&place)
        }
        expectEqual(named, expected, "\(bytes)", sourceLocation: sourceLocation)
    }

    /// Elements of every type, with names of many lengths.
    private static let fields: [(name: String, type: UInt8, value: [UInt8])] = [
        ("d", 0x01, [0, 0, 0, 0, 0, 0, 0xF0, 0x3F]), ("text", 0x02, [3, 0, 0, 0, 0x61, 0x62, 0]),
        ("empty78", 0x02, [1, 0, 0, 0, 0]), ("document", 0x03, [5, 0, 0, 0, 0]),
        ("array9012", 0x04, [12, 0, 0, 0, 0x10, 0x30, 0, 7, 0, 0, 0, 0]),
        ("binary", 0x05, [2, 0, 0, 0, 0x80, 9, 8]), ("binary of old form", 0x05, [5, 0, 0, 0, 2, 1, 0, 0, 0, 7]),
        ("undefined", 0x06, []), ("", 0x07, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), ("truth", 0x08, [1]),
        ("a name of sixteen", 0x09, [1, 0, 0, 0, 0, 0, 0, 0]), ("null", 0x0A, []),
        ("expression", 0x0B, [0x61, 0, 0x69, 0]),
        ("pointer", 0x0C, [2, 0, 0, 0, 0x63, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
        ("code", 0x0D, [2, 0, 0, 0, 0x63, 0]), ("symbol", 0x0E, [2, 0, 0, 0, 0x63, 0]),
        ("scope", 0x0F, [15, 0, 0, 0, 2, 0, 0, 0, 0x63, 0, 5, 0, 0, 0, 0]), ("i", 0x10, [1, 2, 3, 4]),
        ("timestamp", 0x11, [1, 0, 0, 0, 0, 0, 0, 0]), ("long", 0x12, [1, 2, 3, 4, 5, 6, 7, 8]),
        ("decimal", 0x13, [UInt8](repeating: 1, count: 16)), ("least", 0xFF, []), ("greatest", 0x7F, []),
        ("z", 0x08, [0]),
    ]

    private static func document(_ fields: [(name: String, type: UInt8, value: [UInt8])]) -> [UInt8] {
        var body: [UInt8] = []
        for field in fields { body += [field.type] + Array(field.name.utf8) + [0] + field.value }
        body.append(0)
        return (0..<4).map { UInt8(truncatingIfNeeded: (body.count + 4) >> (8 * $0)) } + body
    }

    private static func names(_ fields: [(name: String, type: UInt8, value: [UInt8])]) -> (KeyTable, [BSONName]) {
        let table = KeyTable()
        return (table, fields.map { BSONName($0.name, in: table) })
    }

    @Test func `every type is found`() {
        let (table, names) = Self.names(Self.fields)
        let bytes = Self.document(Self.fields)
        let all = read(bytes) { place throws(DocumentError) in try cursor.next(&place) }
        expectEqual(all.elements.count, Self.fields.count)
        expectEqual(all.elements[1], [0x02, 0] + Array("text".utf8) + [0, 0x61, 0x62])
        expectEqual(all.elements[5], [0x05, 0x80] + Array("binary".utf8) + [0, 9, 8])
        expectEqual(all.failure, nil)
        check(bytes, names)
        for field in Self.fields { check(Self.document([field]), names) }
        withExtendedLifetime(table) {}
    }

    /// Every byte changed to every value, in documents of two elements at a time.
    @Test func `libbson finds the same after any change of a byte`() {
        let (table, names) = Self.names(Self.fields)
        for index in Self.fields.indices {
            let pair = [Self.fields[index], Self.fields[(index + 7) % Self.fields.count]]
            let bytes = Self.document(pair)
            for offset in bytes.indices {
                for value in UInt8.min ... .max where value != bytes[offset] {
                    var changed = bytes
                    changed[offset] = value
                    check(changed, [names[index], names[(index + 7) % Self.fields.count]])
                }
            }
        }
        withExtendedLifetime(table) {}
    }

    /// Truncated documents with the correct length at the start.
    @Test func `documents that end too early are reported as damaged`() {
        let (table, names) = Self.names(Self.fields)
        for index in Self.fields.indices {
            let bytes = Self.document([Self.fields[index]])
            for count in 5..<bytes.count {
                var short = Array(bytes.prefix(count - 1)) + [0]
                short[0] = UInt8(count)
                check(short, [names[index]])
            }
        }
        withExtendedLifetime(table) {}
    }

    /// A name that contains a zero is never found.
    @Test func `a name that contains a zero is never found`() {
        let table = KeyTable()
        let bytes = Self.document([("a", 0x08, [1]), ("b", 0x12, [1, 2, 3, 4, 5, 6, 7, 8])])
        ByteView.with(bytes) { document in
            var place = BSONPlace(document)
            expectEqual(place?.plainElement(named: BSONName("a\0\u{1}\u{12}b", in: table))?.code, nil)
            expectEqual(place?.plainElement(named: BSONName("a", in: table))?.bool, true)
        }
    }

    /// The object key is found at the end only, and only as exports write it.
    @Test func `the object key is found only at the end`() {
        let content: [UInt8] =
            [18, 0, 0, 0, 0x12] + Array("key".utf8) + [0, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0]
        let fields: [(name: String, type: UInt8, value: [UInt8])] = [("a", 0x08, [1]), ("$realm", 0x03, content)]
        let bytes = Self.document(fields)
        ByteView.with(bytes) { document in
            var place = BSONPlace(document)
            expectEqual(place?.objectKeyAtEnd(), nil)
            expectEqual(place?.plainElement()?.bool, true)
            expectEqual(place?.objectKeyAtEnd(), ObjectKey(-2))
            expectEqual(place?.isAtEnd, true)
            expectEqual(BSONPlace.objectKey(atEndOf: document), ObjectKey(-2))
        }
        // The document has the flag, then `$realm`, whose value has the key before two zeros.
        for offset in 8..<bytes.count - 1 {
            var changed = bytes
            changed[offset] ^= 0x40
            let isKey = offset >= bytes.count - 10 && offset < bytes.count - 2
            ByteView.with(changed) { expectEqual((BSONPlace.objectKey(atEndOf: $0) != nil), isKey) }
        }
        ByteView.with(Self.document(fields.reversed())) { document in
            var place = BSONPlace(document)
            expectEqual(place?.objectKeyAtEnd(), nil)
        }
    }
}
