internal import CLibBSON
internal import RealmLayout
internal import RealmReader

// The innermost loop of BSON exports. Everything that is not as most values are is left to the writer: what is here stays
// small enough to keep the place of the next byte in a register from one field to the next.
extension BSONSink {
    /// The most bytes that a value takes here, with the length before a text and the zero after it.
    private static var mostBytes: Int { 4 + longestText + 1 }
    /// Texts from this size on are left to the writer.
    private static var longestText: Int { 64 }
    /// The bits that ASCII does not have.
    private static var high: UInt64 { 0x8080_8080_8080_8080 }
    /// The most bytes of the type and name of an array's element.
    private static var longestIndex: Int { 24 }
    /// The texts that room is reserved for at once.
    private static var mostTexts: Int { 256 }
    /// The bytes of a document or array without elements.
    private static var emptyDocument: UInt32 { 5 }

    @inline(never)
    static func writeFields(
        _ writer: inout DocumentWriter<BSONSink>, _ fields: ObjectFields, _ row: Int, owner: ObjectKey, depth: Int
    ) throws(FormatError) {
        let room = room(writer, fields)
        var cursor = writer.sink.buffer.cursor(reserving: room)
        try storeFields(&writer, &cursor, room, fields, row, owner, depth)
        writer.sink.buffer.end(at: cursor)
    }

    @inline(never)
    static func writeElements(
        _ writer: inout DocumentWriter<BSONSink>, _ fields: ObjectFields, _ row: Int, _ keys: IntegerVector,
        _ elements: Range<Int>, from start: Int, depth: Int
    ) throws(FormatError) {
        let room = room(writer, fields) &+ longestIndex
        var cursor = writer.sink.buffer.cursor(reserving: room)
        var element = elements.lowerBound
        var row = row
        while element < elements.upperBound {
            cursor.store(writer.elementKey(start &+ element), .document)
            let mark = writer.sink.buffer.offset(of: cursor)
            cursor.store(emptyDocument)
            try storeFields(&writer, &cursor, room, fields, row, ObjectKey(keys[unchecked: element]), depth)
            if writer.isCanonical {
                writer.sink.buffer.end(at: cursor)
                writer.sink.objectKey(ObjectKey(keys[unchecked: element]))
                cursor = writer.sink.buffer.cursor(reserving: room)
            }
            cursor.store(UInt8(0))
            let size = writer.sink.buffer.offset(of: cursor) &- mark
            writer.sink.buffer.patch(UInt32(truncatingIfNeeded: size), at: mark)
            writer.sink.buffer.renew(&cursor, reserving: room)
            element &+= 1
            row &+= 1
        }
        writer.sink.buffer.end(at: cursor)
    }

    @inline(never)
    static func writeTexts(_ writer: inout DocumentWriter<BSONSink>, _ texts: ShortStrings, from start: Int) -> Int {
        let end = min(texts.count, start &+ mostTexts)
        var cursor = writer.sink.buffer.cursor(reserving: (end &- start) &* (longestIndex &+ mostBytes))
        var index = start
        while index < end, let text = texts.plainString(at: index),
            cursor.storeIfASCII(writer.elementKey(index), text)
        {
            index &+= 1
        }
        writer.sink.buffer.end(at: cursor)
        return index
    }

    /// What has to be reserved for the plain values of an object.
    @inline(__always)
    private static func room(_ writer: borrowing DocumentWriter<BSONSink>, _ fields: ObjectFields) -> Int {
        writer.tables[unchecked: fields.position].keyBytes &+ (fields.end &- fields.first) &* mostBytes
    }

    /// Stores the fields of an object: plain values here, the others by the writer.
    ///
    /// - Parameter room: what has been reserved for the plain values.
    @inline(__always)
    private static func storeFields(
        _ writer: inout DocumentWriter<BSONSink>, _ cursor: inout ByteCursor, _ room: Int, _ fields: ObjectFields,
        _ row: Int, _ owner: @autoclosure () -> ObjectKey, _ depth: Int
    ) throws(FormatError) {
        var index = fields.first
        while index < fields.end {
            if !store(writer, &cursor, fields, index, realmfile_opaque(row)) {
                writer.sink.buffer.end(at: cursor)
                try writer.writeRest(fields, index, row, owner: owner(), depth: depth)
                cursor = writer.sink.buffer.cursor(reserving: room)
            }
            index &+= 1
        }
    }

    /// Stores a plain value.
    ///
    /// - Returns: false, with nothing stored, for a value that is not as most are.
    @inline(__always)
    private static func store(
        _ writer: borrowing DocumentWriter<BSONSink>, _ cursor: inout ByteCursor, _ fields: ObjectFields,
        _ index: Int, _ row: Int
    ) -> Bool {
        let key = fields.leaves[unchecked: index].key
        switch fields.leaves[unchecked: index].step {
        case .int:
            cursor.store(key, fields.leaves[unchecked: index].leaf.int(at: row))
        case .int8:
            cursor.store(key, fields.leaves[unchecked: index].leaf.int8(at: row))
        case .int16:
            cursor.store(key, fields.leaves[unchecked: index].leaf.int16(at: row))
        case .int32:
            cursor.store(key, fields.leaves[unchecked: index].leaf.int32(at: row))
        case .int64:
            cursor.store(key, fields.leaves[unchecked: index].leaf.int64(at: row))
        case .nullableInt:
            guard let value = fields.leaves[unchecked: index].leaf.nullableInt(at: row) else {
                return storeNull(writer, fields, index, &cursor)
            }
            cursor.store(key, value)
        case .bool:
            guard let value = fields.leaves[unchecked: index].leaf.bool(at: row) else {
                return storeNull(writer, fields, index, &cursor)
            }
            cursor.store(key, .bool)
            cursor.store(value ? UInt8(1) : 0)
        case .double:
            guard let bits = fields.leaves[unchecked: index].leaf.doubleBits(at: row) else {
                return storeNull(writer, fields, index, &cursor)
            }
            cursor.store(key, .double)
            cursor.store(bits)
        case .timestamp:
            guard let time = fields.leaves[unchecked: index].leaf.plainTimestamp(at: row), time.isWholeMilliseconds,
                let milliseconds = time.flooredMilliseconds
            else {
                return fields.leaves[unchecked: index].leaf.isNullTimestamp(at: row)
                    && storeNull(writer, fields, index, &cursor)
            }
            cursor.store(key, .date)
            cursor.store(UInt64(bitPattern: milliseconds))
        case .decimal128:
            guard let value = fields.leaves[unchecked: index].leaf.decimal(at: row) else {
                return storeNull(writer, fields, index, &cursor)
            }
            cursor.store(key, .decimal128)
            cursor.store(value.low)
            cursor.store(value.high)
        case .objectId:
            guard let bytes = fields.leaves[unchecked: index].leaf.fixedBytes(at: row, width: 12) else {
                return storeNull(writer, fields, index, &cursor)
            }
            cursor.store(key, .objectId)
            cursor.store(bytes.uint64(unchecked: 0))
            cursor.store(bytes.uint32(unchecked: 8))
        case .uuid:
            guard let bytes = fields.leaves[unchecked: index].leaf.fixedBytes(at: row, width: 16) else {
                return storeNull(writer, fields, index, &cursor)
            }
            cursor.store(key, .binary)
            cursor.store(UInt32(16))
            cursor.store(Subtype.uuid.rawValue)
            cursor.store(bytes.uint64(unchecked: 0))
            cursor.store(bytes.uint64(unchecked: 8))
        case .shortString8:
            let word = fields.leaves[unchecked: index].leaf.shortStringWord(0, at: row, width: 8)
            let unused = Int(truncatingIfNeeded: word &>> 56)
            guard unused < 8, word & high == 0 else {
                return unused == 8 && storeNull(writer, fields, index, &cursor)
            }
            cursor.begin(key, textOf: 7 &- unused)
            cursor.place(word, at: 0)
            cursor.endText(7 &- unused)
        case .shortString16:
            let first = fields.leaves[unchecked: index].leaf.shortStringWord(0, at: row, width: 16)
            let last = fields.leaves[unchecked: index].leaf.shortStringWord(1, at: row, width: 16)
            let unused = Int(truncatingIfNeeded: last &>> 56)
            guard unused < 16, (first | last) & high == 0 else {
                return unused == 16 && storeNull(writer, fields, index, &cursor)
            }
            cursor.begin(key, textOf: 15 &- unused)
            cursor.place(first, at: 0)
            cursor.place(last, at: 8)
            cursor.endText(15 &- unused)
        case .shortString32:
            let first = fields.leaves[unchecked: index].leaf.shortStringWord(0, at: row, width: 32)
            let second = fields.leaves[unchecked: index].leaf.shortStringWord(1, at: row, width: 32)
            let third = fields.leaves[unchecked: index].leaf.shortStringWord(2, at: row, width: 32)
            let last = fields.leaves[unchecked: index].leaf.shortStringWord(3, at: row, width: 32)
            let unused = Int(truncatingIfNeeded: last &>> 56)
            guard unused < 32, (first | second | third | last) & high == 0 else {
                return unused == 32 && storeNull(writer, fields, index, &cursor)
            }
            cursor.begin(key, textOf: 31 &- unused)
            cursor.place(first, at: 0)
            cursor.place(second, at: 8)
            cursor.place(third, at: 16)
            cursor.place(last, at: 24)
            cursor.endText(31 &- unused)
        case .shortString:
            guard let text = fields.leaves[unchecked: index].leaf.plainShortString(at: row) else {
                return fields.leaves[unchecked: index].leaf.isNullShortString(at: row)
                    && storeNull(writer, fields, index, &cursor)
            }
            guard text.count < longestText, cursor.storeIfASCII(key, text) else { return false }
        case .mediumString:
            guard let text = fields.leaves[unchecked: index].leaf.plainMediumString(at: row) else {
                return fields.leaves[unchecked: index].leaf.isNullMediumString(at: row)
                    && storeNull(writer, fields, index, &cursor)
            }
            guard text.count < longestText, cursor.storeIfASCII(key, text) else { return false }
        case .textLink:
            // Texts that are not known, and those that are long, have no bytes here.
            let text = writer.texts[unchecked: DocumentWriter<BSONSink>.textIndex(index, row)]
            guard text.count > 0, cursor.storeIfASCII(key, text) else { return false }
        case .integerLink:
            guard let target = fields.leaves[unchecked: index].leaf.link(at: row) else {
                return storeNull(writer, fields, index, &cursor)
            }
            let identity = writer.locator.integerIdentity(
                of: target, in: fields.leaves[unchecked: index].targetPosition)
            guard let identity else { return false }
            cursor.store(key, identity)
        case .list, .dictionary:
            guard fields.leaves[unchecked: index].leaf.rawElement(at: row) == 0 else { return false }
            cursor.store(key, fields.leaves[unchecked: index].step == .dictionary ? .document : .array)
            cursor.store(emptyDocument)
            cursor.store(UInt8(0))
        case .bigString, .link, .embedded, .other:
            return false
        }
        return true
    }

    /// Stores a property that is null where nulls are kept.
    ///
    /// - Returns: false for a document's identity, which is left to the writer.
    @inline(__always)
    private static func storeNull(
        _ writer: borrowing DocumentWriter<BSONSink>, _ fields: ObjectFields, _ index: Int,
        _ cursor: inout ByteCursor
    ) -> Bool {
        guard !fields.leaves[unchecked: index].isIdentity else { return false }
        if writer.keepsNulls { cursor.store(fields.leaves[unchecked: index].key, .null) }
        return true
    }
}

extension ByteCursor {
    /// Stores the type and name of a value.
    @inline(__always)
    fileprivate mutating func store(_ key: ByteView, _ element: BSONSink.Element) {
        store(paddedKey: key, firstByte: element.rawValue)
    }

    /// Stores a whole integer.
    @inline(__always)
    fileprivate mutating func store(_ key: ByteView, _ value: Int64) {
        store(key, .int64)
        store(UInt64(bitPattern: value))
    }

    /// Stores what comes before a text of `length` bytes.
    @inline(__always)
    fileprivate mutating func begin(_ key: ByteView, textOf length: Int) {
        store(key, .string)
        store(UInt32(truncatingIfNeeded: length &+ 1))
    }

    /// Steps over a text that was placed, and stores the zero after it.
    @inline(__always)
    fileprivate mutating func endText(_ length: Int) {
        advance(length)
        store(UInt8(0))
    }

    /// Stores a whole text when it is ASCII.
    ///
    /// - Returns: false, with nothing stored, when it is not.
    @inline(__always)
    fileprivate mutating func storeIfASCII(_ key: ByteView, _ text: ByteView) -> Bool {
        let start = self
        begin(key, textOf: text.count)
        guard storeIfASCII(text) else {
            self = start
            return false
        }
        store(UInt8(0))
        return true
    }
}
