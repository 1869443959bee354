internal import RealmLayout
internal import RealmReader

// Lists, sets and dictionaries of values in BSON.
extension BSONSink {
    /// Stores a list or set of short texts.
    @inline(never)
    static func storeTextList(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ column: SlabView<BSONColumn>,
        _ slot: BSONSlot
    ) -> ByteCursor {
        let list = slot.load(BSONTextList.self)
        let (count, width) = (Int(truncatingIfNeeded: list.count), Int(truncatingIfNeeded: list.width))
        var cursor = start
        writer.sink.buffer.renew(
            &cursor, reserving: column.first.room &+ count &* (elementBytes &+ BSONBlock.mostBytes))
        cursor.store(paddedKey: column.first.key)
        let mark = writer.sink.buffer.beginDocument(&cursor)
        let bytes = writer.space.bytes.slice(unchecked: list.offset, count: count &* width)
        var offset = 0
        var index = 0
        while index < count {
            let unused = Int(truncatingIfNeeded: bytes.byte(unchecked: offset &+ width &- 1))
            let key = writer.indexKeys[unchecked: index]
            cursor.place(key.vector(unchecked: 0), at: 0)
            cursor.place(Element.string.rawValue, at: 0)
            cursor.advance(key.count)
            let length = (width &- 1 &- unused) & (ShortStrings.longestCopied &- 1)
            cursor.store(text: bytes.slice(unchecked: offset, count: length))
            offset &+= width
            index &+= 1
        }
        writer.sink.buffer.endDocument(&cursor, mark)
        return cursor
    }

    /// Stores a dictionary with strings as keys.
    @inline(never)
    static func storeDictionary(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ column: SlabView<BSONColumn>,
        _ slot: BSONSlot, _ depth: Int
    ) throws(FormatError) -> ByteCursor {
        let root = slot.load(Ref.self)
        guard let dictionary = PlainDictionary(at: root, in: writer.space),
            writer.budget.canSpend(2 &* dictionary.count, bytes: dictionary.size)
        else { return try storeCollection(&writer, start, column, slot, depth) }
        var cursor = start
        cursor.store(paddedKey: column.first.key)
        let mark = writer.sink.buffer.beginDocument(&cursor)
        var index = 0
        while index < dictionary.count {
            guard let name = writer.dictionaryKeys.prepared(dictionary.keys, at: index) else { break }
            writer.sink.buffer.renew(&cursor, reserving: name.count &+ BSONBlock.mostBytes &+ elementBytes)
            let value = dictionary.value(at: index)
            if !store(value, name, &cursor) {
                guard let end = storeText(value, name, cursor) else { break }
                cursor = end
            }
            index &+= 1
        }
        if index < dictionary.count {
            writer.sink.buffer.end(at: cursor)
            try writer.writeEntries(root, from: index, Int(truncatingIfNeeded: column.first.number), depth: depth)
            cursor = writer.sink.buffer.cursor(reserving: elementBytes)
        }
        writer.sink.buffer.endDocument(&cursor, mark)
        writer.sink.buffer.renew(&cursor, reserving: column.first.room)
        return cursor
    }

    /// Stores a plain value of a dictionary.
    ///
    /// - Returns: false, with nothing stored, when it is none.
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

    /// Stores a short text that is not all ASCII; nil for any other value, and for what is no text.
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
        _ writer: inout DocumentWriter<BSONSink>, _ cursor: ByteCursor, _ column: SlabView<BSONColumn>,
        _ slot: BSONSlot, _ depth: Int
    ) throws(FormatError) -> ByteCursor {
        writer.sink.buffer.end(at: cursor)
        try writer.writeCollection(
            Int(truncatingIfNeeded: column.first.number), slot.load(Ref.self), depth: depth)
        return writer.sink.buffer.cursor(reserving: column.first.room)
    }
}
