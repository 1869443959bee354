import Expectations
import RealmLayout
import Testing

/// Bit fields in numbers of the file.
@Suite struct NumberTests {
    /// Column keys made by Realm Core, from notes on real files.
    @Test func `column keys of real files have the correct parts`() {
        let regionalOffices = ColumnKey(3_356_229_633)
        expectEqual(regionalOffices.index.number, 1)
        expectEqual(regionalOffices.typeNumber, ColumnType.link.rawValue)
        expectEqual(regionalOffices.attributes, .list)
        expectEqual(regionalOffices.tag, 3)
        let mixed = ColumnKey(2_483_421_187)
        expect((mixed.index.number, mixed.typeNumber, mixed.tag) == (3, ColumnType.mixed.rawValue, 2))
        expectEqual(mixed.attributes, [.nullable, .dictionary])
        expectEqual(ColumnKey(0).tag, 0)
        let widest = ColumnKey(0x3FFF_FFFF_FFFF_FFFF)
        expect((widest.index.number, widest.typeNumber, widest.tag) == (0xFFFF, 63, .max))
        expectEqual(widest.attributes.rawValue, 0xFF)
    }

    @Test func `keys have the correct parts`() {
        expectEqual(TableKey(0x0007_0003).slot, 3)
        expect(ObjectKey(-2).isUnresolved)
        expect(!ObjectKey.null.isUnresolved)
        expect(!ObjectKey(0).isUnresolved)
        expectEqual(Ref(24).description, "0x18")
    }

    @Test func `timestamps have the correct parts`() {
        expect(Timestamp(seconds: 0, nanoseconds: 999_999_999) != nil)
        expect(Timestamp(seconds: .min, nanoseconds: -999_999_999) != nil)
        expectEqual(Timestamp(seconds: 0, nanoseconds: 1_000_000_000), nil)
        expectEqual(Timestamp(seconds: 0, nanoseconds: .min), nil)
        // The same time, in the only form allowed in files.
        let times: [(Int64, Int64, Int64, Int32)] = [
            (-1, 5_000_015, 0, -994_999_985), (1, -1, 0, 999_999_999), (-7, 1, -6, -999_999_999),
            (.min, 1, .min + 1, -999_999_999), (.max, -1, .max - 1, 999_999_999), (0, -1, 0, -1), (-1, 0, -1, 0),
            (1, 0, 1, 0), (-1, -1, -1, -1), (2, 3, 2, 3),
        ]
        for (seconds, nanoseconds, wholeSeconds, rest) in times {
            let time = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
            expect(time?.seconds == wholeSeconds && time?.nanoseconds == rest, "\(seconds) \(nanoseconds)")
        }
    }

    /// Headers as in files: the checksum, flags, and the big-endian count.
    @Test func `headers of nodes are read as in files`() {
        func header(_ flags: UInt8, _ count: (UInt8, UInt8, UInt8), checksum: String = "AAAA") -> NodeHeader {
            let bytes = Array(checksum.utf8) + [flags, count.0, count.1, count.2]
            return NodeHeader(word: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
        let refs = header(0x45, (0, 1, 2))
        expect((refs.isInner, refs.hasRefs, refs.isContext) == (false, true, false))
        expect((refs.width, refs.widthType, refs.count, refs.payloadSize) == (16, .bits, 258, 516))
        expect(refs.hasDummyChecksum)
        let inner = header(0xE7, (1, 0, 0), checksum: "ABAA")
        expect((inner.isInner, inner.hasRefs, inner.isContext, inner.width) == (true, true, true, 64))
        expect((inner.count, inner.hasDummyChecksum) == (65536, false))
        // Seven elements of two bits take two bytes; of two bytes fourteen; as plain bytes seven.
        expectEqual(header(0x02, (0, 0, 7)).payloadSize, 2)
        expectEqual(header(0x0A, (0, 0, 7)).payloadSize, 14)
        expectEqual(header(0x12, (0, 0, 7)).payloadSize, 7)
        expectEqual(header(0x1A, (0, 0, 7)).payloadSize, nil)
        expectEqual(header(0x00, (0xFF, 0xFF, 0xFF)).payloadSize, 0)
    }
}

/// Equality of errors depends on the parts that scripts can rely on.
@Suite struct FormatErrorTests {
    @Test func `errors with the same code and place are equal`() {
        let error = FormatError(.badRef, at: 24, "some words").at(table: "class_Dog", objectKey: ObjectKey(3))
        expectEqual(error, FormatError(.badRef, at: 24, "other words").at(table: "class_Dog", objectKey: ObjectKey(3)))
        expect(error != FormatError(.badRef, at: 32, "some words").at(table: "class_Dog", objectKey: ObjectKey(3)))
        expect(error != FormatError(.badRef, at: 24, "some words").at(table: "class_Cat", objectKey: ObjectKey(3)))
        expectEqual(error.description, "Dog (object 3): some words (at offset 0x18)")
        // The first known context stays.
        expect(error.at(table: "class_Cat", property: "name").description.hasPrefix("Dog.name (object 3): "))
    }
}
