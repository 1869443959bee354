internal import RealmCore
internal import RealmLayout

// Lists, sets and dictionaries of values in BSON.
extension BSONSink {
    /// Stores a list or set of short texts.
    ///
    /// - Returns: The next position, and whether the list was stored; false if a text is null or damaged.
    @inline(never)
    static func storeTextList(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ column: UncheckedSpan<BSONColumn>,
        _ slot: BSONSlot
    ) -> (next: ByteCursor, isStored: Bool) {
        let list = slot.load(BSONTextList.self)
        let (count, width) = (Int(truncatingIfNeeded: list.count), Int(truncatingIfNeeded: list.width))
        var start = start
        writer.sink.buffer.renew(
            &start, reserving: column.first.room &+ count &* (elementBytes &+ BSONBlock.mostBytes))
        var cursor = start
        cursor.store(paddedKey: column.first.key)
        let mark = writer.sink.buffer.beginDocument(&cursor)
        let bytes = writer.space.bytes.slice(unchecked: list.offset, count: count &* width)
        var offset = 0
        var index = 0
        while index < count {
            let unused = Int(truncatingIfNeeded: bytes.byte(unchecked: offset &+ width &- 1))
            guard unused < width else { return (start, false) }
            let key = writer.indexKeys[unchecked: index]
            cursor.place(key.vector(unchecked: 0), at: 0)
            cursor.place(Element.string.rawValue, at: 0)
            cursor.advance(key.count)
            cursor.store(text: bytes.slice(unchecked: offset, count: width &- 1 &- unused))
            offset &+= width
            index &+= 1
        }
        guard writer.budget.trySpend(count, bytes: NodeHeader.size &+ list.paddedSize) else { return (start, false) }
        writer.sink.buffer.endDocument(&cursor, mark)
        return (cursor, true)
    }

    /// Stores a small dictionary with known keys and plain values.
    ///
    /// - Returns: The next position, and whether the dictionary was stored; false for any other dictionary.
    @inline(never)
    static func storePlainDictionary(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ column: UncheckedSpan<BSONColumn>,
        _ slot: BSONSlot
    ) -> (next: ByteCursor, isStored: Bool) {
        guard let dictionary = PlainDictionary(at: slot.load(Ref.self), in: writer.space),
            dictionary.keys.count <= BSONBlock.mostElements
        else { return (start, false) }
        let count = dictionary.keys.count
        var start = start
        writer.sink.buffer.renew(
            &start,
            reserving: column.first.room &+ elementBytes
                &+ count &* (DictionaryKeyMemo.mostBytes &+ BSONBlock.mostBytes))
        var cursor = start
        cursor.store(paddedKey: column.first.key)
        let mark = writer.sink.buffer.beginDocument(&cursor)
        var index = 0
        while index < count {
            guard let name = writer.dictionaryKeys.prepared(dictionary.keys, at: index) else { return (start, false) }
            let value = dictionary.value(at: index)
            if !store(value, name, &cursor) {
                guard let end = storeText(value, name, cursor) else { return (start, false) }
                cursor = end
            }
            index &+= 1
        }
        guard writer.budget.trySpend(2 &* count, bytes: dictionary.size) else { return (start, false) }
        writer.sink.buffer.endDocument(&cursor, mark)
        return (cursor, true)
    }

    /// Stores a scalar value of a dictionary.
    ///
    /// - Returns: False, with nothing stored, for any other value.
    @inline(__always)
    private static func store(_ value: MixedValue?, _ key: ByteView, _ cursor: inout ByteCursor) -> Bool {
        switch value {
        case .int(let value):
            cursor.store(paddedKey: key, firstByte: Element.int64.rawValue)
            cursor.store(UInt64(bitPattern: value))
        case .double(let bits):
            cursor.store(paddedKey: key, firstByte: Element.double.rawValue)
            cursor.store(bits)
        case .bool(let value):
            cursor.store(paddedKey: key, firstByte: Element.bool.rawValue)
            cursor.store(value ? UInt8(1) : 0)
        case .string(let text):
            guard text.isASCII else { return false }
            cursor.store(paddedKey: key, firstByte: Element.string.rawValue)
            cursor.store(text: text)
        case .null:
            cursor.store(paddedKey: key, firstByte: Element.null.rawValue)
        default:
            return false
        }
        return true
    }

    /// Stores a short text that is not all ASCII. Returns nil for other values and for invalid UTF-8.
    @inline(never)
    private static func storeText(_ value: MixedValue?, _ key: ByteView, _ start: ByteCursor) -> ByteCursor? {
        guard case .string(let text) = value, text.isValidUTF8 else { return nil }
        var cursor = start
        cursor.store(paddedKey: key, firstByte: Element.string.rawValue)
        cursor.store(text: text)
        return cursor
    }

    /// Leaves a collection to the writer.
    @inline(never)
    static func storeCollection(
        _ writer: inout DocumentWriter<BSONSink>, _ cursor: ByteCursor, _ column: UncheckedSpan<BSONColumn>,
        _ slot: BSONSlot, _ depth: Int
    ) throws(FormatError) -> ByteCursor {
        writer.sink.buffer.end(at: cursor)
        try writer.writeCollection(
            Int(truncatingIfNeeded: column.first.number), slot.load(Ref.self), depth: depth)
        return writer.sink.buffer.cursor(reserving: column.first.room)
    }
}
