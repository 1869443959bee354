internal import RealmCore
internal import RealmLayout

// The row loops of BSON exports. The contents of column slots are copied here, with the output position kept in a
// register across fields. Values that are not of the usual kind are left to the writer.
extension BSONSink {
    /// Upper bound for the type, name and size of an array element together with its end.
    static var elementBytes: Int { 16 }

    static func writeRows(
        _ writer: inout DocumentWriter<BSONSink>, _ fields: ObjectFields, _ cluster: Cluster, _ rows: Range<Int>
    ) throws(FormatError) {
        let table = writer.tables[unchecked: fields.position]
        let hasObjectKeyIdentity = table.identity == .objectKey && !table.isEmbedded
        let hasObjectKey = writer.isCanonical && (table.isEmbedded || table.identity == .primaryKey)
        var block = writer.sink.blocks.top(fields, writer.plan)
        let room = block.room &+ writer.plan.idKey.count &+ elementBytes
        var start = rows.lowerBound
        while start < rows.upperBound {
            decode(&writer, &block, fields, start..<rows.upperBound)
            var cursor = writer.sink.buffer.cursor(reserving: room)
            var row = start
            while row < block.rows.upperBound {
                let key = cluster.key(unchecked: row)
                let mark = writer.sink.buffer.beginDocument(&cursor)
                if hasObjectKeyIdentity {
                    cursor.store(paddedKey: writer.plan.idKey, firstByte: Element.int64.rawValue)
                    cursor.store(UInt64(bitPattern: key.value))
                }
                cursor = try storeRow(&writer, cursor, block, fields, row, owner: key, depth: 1)
                if hasObjectKey { cursor = storeObjectKey(&writer, cursor, key, room) }
                let size = writer.sink.buffer.endDocument(&cursor, mark)
                writer.sink.buffer.renew(&cursor, reserving: room)
                try writer.check(size: size, fields.position, key)
                row &+= 1
            }
            writer.sink.buffer.end(at: cursor)
            start = block.rows.upperBound
        }
    }

    /// Stores the fields of an object that is in a block.
    ///
    /// - Parameters:
    ///   - row: The row in the cluster.
    ///   - cursor: A cursor with the block's `room` reserved.
    /// - Returns: The next position.
    @inline(__always)
    static func storeRow(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ block: BSONBlock, _ fields: ObjectFields,
        _ row: Int, owner: ObjectKey, depth: Int
    ) throws(FormatError) -> ByteCursor {
        var cursor = start
        let number = row &- block.rows.lowerBound
        let slots = block.slots.row(number)
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: number)
        let keepsNulls = writer.keepsNulls
        var index = 0
        do throws(FormatError) {
            while index < block.columnCount {
                if block.columns[unchecked: index].copied & bit != 0 {
                    storeSlot(&cursor, block.columns.advanced(by: index), slots)
                } else if block.columns[unchecked: index].absent & bit != 0 {
                    storeAbsent(
                        keepsNulls, &cursor, block.columns[unchecked: index].key, block.columns[unchecked: index].kind)
                } else if block.columns[unchecked: index].prepared & bit != 0 {
                    cursor = try storeOther(
                        &writer, cursor, block.columns.advanced(by: index),
                        slots.slot(at: block.columns[unchecked: index].offset), fields, index, row: row, owner,
                        depth: depth)
                } else {
                    cursor = try storeRest(&writer, cursor, block.room, fields, index, row: row, owner, depth: depth)
                }
                index &+= 1
            }
        } catch {
            throw writer.located(error, fields, field: fields.first &+ index, owner)
        }
        return cursor
    }

    /// Stores a value whose slot has its bytes or locates its text.
    ///
    /// - Parameter row: The slots of all columns.
    @inline(__always)
    private static func storeSlot(_ cursor: inout ByteCursor, _ column: UncheckedSpan<BSONColumn>, _ row: BSONSlot) {
        let key = column.first.key
        let slot = row.slot(at: column.first.offset)
        cursor.place(paddedKey: key)
        if column.first.isText {
            cursor.advance(key.count)
            cursor.store(text: slot.load(ByteView.self))
        } else {
            cursor.place(slot.load(SIMD16<UInt8>.self), at: key.count)
            cursor.advance(Int(truncatingIfNeeded: column.first.size))
        }
    }

    /// Stores the fields of an object whose values are all in slots or absent.
    ///
    /// - Parameters:
    ///   - cursor: A cursor with the block's `room` reserved.
    ///   - row: The row in the block.
    @inline(__always)
    static func storePlainRow(
        _ cursor: inout ByteCursor, _ block: UncheckedSpan<BSONBlock>, _ row: Int, keepsNulls: Bool
    ) {
        let (columns, count) = (block.first.columns, block.first.columnCount)
        let slots = block.first.slots.row(row)
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: row)
        var index = 0
        while index < count {
            if columns[unchecked: index].copied & bit != 0 {
                storeSlot(&cursor, columns.advanced(by: index), slots)
            } else {
                storeAbsent(keepsNulls, &cursor, columns[unchecked: index].key, columns[unchecked: index].kind)
            }
            index &+= 1
        }
    }

    /// Stores a value that is not copied from its slot.
    @inline(__always)
    private static func storeOther(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ column: UncheckedSpan<BSONColumn>,
        _ slot: BSONSlot, _ fields: ObjectFields, _ index: Int, row: Int, _ owner: ObjectKey, depth: Int
    ) throws(FormatError) -> ByteCursor {
        var cursor = start
        switch column.first.kind {
        case .embeddedList:
            if let end = storeNextElements(&writer, cursor, column, slot, depth) { return end }
            let keys = slot.load(IntegerVector.self)
            guard writer.budget.trySpend(keys.count, bytes: NodeHeader.size &+ keys.paddedSize) else { break }
            return try storeEmbeddedList(&writer, cursor, column, slot, depth)
        case .textList:
            let stored = storeTextList(&writer, cursor, column, slot)
            if stored.isStored { return stored.next }
            cursor = stored.next
        case .text:
            let text = slot.load(ByteView.self)
            guard writer.budget.trySpend(0, bytes: text.count) else { break }
            return storeLongText(&writer, cursor, column, text)
        case .embedded:
            if let end = storeNextObject(&writer, cursor, column, slot, depth) { return end }
            return try storeEmbedded(&writer, cursor, column, slot, owner, depth)
        case .textDictionary:
            let stored = storePlainDictionary(&writer, cursor, column, slot)
            if stored.isStored { return stored.next }
            return try storeCollection(&writer, stored.next, column, slot, depth)
        default:
            return try storeCollection(&writer, cursor, column, slot, depth)
        }
        // The writer finds the problem with a text, and reports where the budget was exhausted.
        return try storeRest(&writer, cursor, column.first.room, fields, index, row: row, owner, depth: depth)
    }

    /// Stores a text of any length.
    @inline(never)
    private static func storeLongText(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ column: UncheckedSpan<BSONColumn>,
        _ text: ByteView
    ) -> ByteCursor {
        var cursor = start
        writer.sink.buffer.renew(&cursor, reserving: column.first.key.count &+ text.count &+ elementBytes)
        cursor.store(paddedKey: column.first.key)
        cursor.store(UInt32(truncatingIfNeeded: text.count &+ 1))
        cursor.store(text)
        cursor.store(UInt8(0))
        writer.sink.buffer.renew(&cursor, reserving: column.first.room)
        return cursor
    }

    /// Leaves a value to the writer.
    @inline(never)
    private static func storeRest(
        _ writer: inout DocumentWriter<BSONSink>, _ cursor: ByteCursor, _ room: Int, _ fields: ObjectFields,
        _ index: Int, row: Int, _ owner: ObjectKey, depth: Int
    ) throws(FormatError) -> ByteCursor {
        writer.sink.buffer.end(at: cursor)
        try writer.write(fields.leaves, fields.first &+ index, row: row, owner: owner, depth: depth)
        return writer.sink.buffer.cursor(reserving: room)
    }

    /// Stores null if nulls are kept, or an empty collection.
    @inline(__always)
    private static func storeAbsent(
        _ keepsNulls: Bool, _ cursor: inout ByteCursor, _ key: ByteView, _ kind: BSONColumn.Kind
    ) {
        if kind.isCollection {
            cursor.store(paddedKey: key)
            cursor.store(BSONBlock.emptyDocument)
            cursor.store(UInt8(0))
        } else if keepsNulls {
            cursor.store(paddedKey: key, firstByte: Element.null.rawValue)
            if kind.hasPrefix { cursor.advance(-BSONColumn.uuidPrefix.count) }
        }
    }

    /// Stores the object key of a document of the canonical profile.
    @inline(never)
    static func storeObjectKey(
        _ writer: inout DocumentWriter<BSONSink>, _ cursor: ByteCursor, _ key: ObjectKey, _ room: Int
    ) -> ByteCursor {
        writer.sink.buffer.end(at: cursor)
        writer.sink.objectKey(key)
        return writer.sink.buffer.cursor(reserving: room)
    }
}

extension ByteCursor {
    /// Stores the length of a text of less than 64 bytes, the text in steps of sixteen bytes, and the terminating zero.
    @inline(__always)
    mutating func store(text: ByteView) {
        let length = text.count
        store(UInt32(truncatingIfNeeded: length &+ 1))
        place(text.vector(unchecked: 0), at: 0)
        if length > 16 {
            place(text.vector(unchecked: 16), at: 16)
            if length > 32 {
                place(text.vector(unchecked: 32), at: 32)
                place(text.vector(unchecked: 48), at: 48)
            }
        }
        place(UInt8(0), at: length)
        advance(length &+ 1)
    }
}

extension ByteBuffer {
    /// Leaves room for the size of a document or array that begins at a cursor.
    ///
    /// - Returns: The offset of the size field.
    @inline(__always)
    func beginDocument(_ cursor: inout ByteCursor) -> Int {
        let mark = offset(of: cursor)
        cursor.store(UInt32(0))
        return mark
    }

    /// Ends a document or array.
    ///
    /// - Returns: Its size in bytes. The lower 32 bits are stored.
    @inline(__always)
    @discardableResult
    mutating func endDocument(_ cursor: inout ByteCursor, _ mark: Int) -> Int {
        cursor.store(UInt8(0))
        let size = offset(of: cursor) &- mark
        patch(UInt32(truncatingIfNeeded: size), at: mark)
        return size
    }
}
