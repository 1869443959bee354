internal import RealmCore
internal import RealmLayout

// Embedded objects in BSON. They are read from blocks of their class, which are decoded in the order of the owners.
extension BSONSink {
    static func writeFields(
        _ writer: inout DocumentWriter<BSONSink>, _ place: ObjectLocator.Place, _ position: TablePosition,
        owner: ObjectKey,
        depth: Int
    ) throws(FormatError) {
        if try storeFields(&writer, place, position, owner: owner, depth: depth) { return }
        let fields = writer.locator.fields(at: place, of: position)
        try writer.writeFields(fields, place.row, owner: owner, depth: depth)
    }

    /// Stores the fields of an object from the block of its class. This is a separate function so that its stack frame
    /// is gone when the fallback runs: objects may be nested many levels deep within their own class.
    ///
    /// - Returns: False if there is no block for the object.
    @inline(never)
    private static func storeFields(
        _ writer: inout DocumentWriter<BSONSink>, _ place: ObjectLocator.Place, _ position: TablePosition,
        owner: ObjectKey,
        depth: Int
    ) throws(FormatError) -> Bool {
        guard prepare(&writer, place, position) else { return false }
        var cursor = writer.sink.buffer.cursor(reserving: writer.sink.blocks.embedded[unchecked: position].room)
        cursor = try storeFields(&writer, cursor, position, row: place.row, owner, depth: depth)
        writer.sink.buffer.end(at: cursor)
        return true
    }

    // MARK: Blocks

    /// Returns the index in an embedded class's block of the next `count` objects, or nil if they are not the expected
    /// ones.
    ///
    /// - Parameter areThese: Compares a run of the block's keys with the keys of the objects.
    @inline(__always)
    private static func nextSlot(
        count: Int, _ writer: borrowing DocumentWriter<BSONSink>, _ block: UncheckedSpan<BSONBlock>,
        _ areThese: (UncheckedSpan<Int64>) -> Bool
    ) -> Int? {
        let first = block.first.next
        guard count <= block.first.foundRows &- first, areThese(block.first.keys.advanced(by: first)),
            writer.locator.isCurrent(block.first.mark)
        else { return nil }
        return first
    }

    /// Like `nextSlot`, and reports whether the slots alone suffice to write the objects.
    @inline(__always)
    private static func nextSlots(
        count: Int, _ writer: borrowing DocumentWriter<BSONSink>, _ position: TablePosition,
        _ areThese: (UncheckedSpan<Int64>) -> Bool
    ) -> (first: Int, arePlain: Bool)? {
        guard writer.sink.blocks.areMade, count > 0 else { return nil }
        let block = writer.sink.blocks.embedded.advanced(to: position)
        guard let first = nextSlot(count: count, writer, block, areThese) else { return nil }
        let bits: UInt64 = UInt64.max &>> UInt64(truncatingIfNeeded: BSONBlock.mostRows &- count)
        if !writer.isCanonical, ~(block.first.plain &>> UInt64(truncatingIfNeeded: first)) & bits == 0 {
            return (first, true)
        }
        return writer.locator.isCurrent(block.first.mark, at: block.first.place) ? (first, false) : nil
    }

    /// Like `nextSlots`, for the objects of a list.
    @inline(__always)
    private static func nextSlots(
        of keys: IntegerVector, _ writer: borrowing DocumentWriter<BSONSink>, _ position: TablePosition
    ) -> (first: Int, arePlain: Bool)? {
        nextSlots(count: keys.count, writer, position) { next in
            keys.isEqual { next[unchecked: $0] }
        }
    }

    /// Handles a list that runs past the end of the block: decodes a new block that begins with the list.
    @inline(never)
    private static func renewedSlots(
        of keys: IntegerVector, _ writer: inout DocumentWriter<BSONSink>, _ position: TablePosition
    ) -> (first: Int, arePlain: Bool)? {
        guard writer.sink.blocks.areMade, keys.count > 0, keys.count <= BSONBlock.mostRows else { return nil }
        let block = writer.sink.blocks.embedded.advanced(to: position)
        guard !block.first.isInUse, keys.count > block.first.count &- block.first.next,
            let place = try? writer.locator.place(ofNext: ObjectKey(keys[unchecked: 0]), in: position)
        else { return nil }
        decode(&writer, place, position)
        return nextSlots(of: keys, writer, position)
    }

    /// Decodes a block of embedded objects beginning at a place, unless the current block already contains it.
    ///
    /// - Returns: False if the block of the class is in use, because the object is inside another of the same class.
    @inline(__always)
    private static func prepare(
        _ writer: inout DocumentWriter<BSONSink>, _ place: ObjectLocator.Place, _ position: TablePosition
    ) -> Bool {
        if writer.sink.blocks.areMade {
            let blocks = writer.sink.blocks.embedded
            if blocks[unchecked: position].isInUse { return false }
            if blocks[unchecked: position].rows.contains(place.row),
                writer.locator.mark(of: place) == blocks[unchecked: position].mark
            {
                return true
            }
        }
        decode(&writer, place, position)
        return true
    }

    @inline(never)
    private static func decode(
        _ writer: inout DocumentWriter<BSONSink>, _ place: ObjectLocator.Place, _ position: TablePosition
    ) {
        let fields = writer.locator.fields(at: place, of: position)
        writer.sink.blocks.make(fields, writer.plan)
        var block = writer.sink.blocks.embedded[unchecked: position]
        let mark = writer.locator.mark(of: place)
        let cluster = writer.locator.cluster(at: place)
        // Objects are mostly in the order of their owners. If they are not, the window stays small, so the number of
        // rows decoded in vain never greatly exceeds the number written.
        let isNext =
            block.mark == mark
            ? place.row == block.rows.lowerBound &+ block.next : block.isLast && place.row == 0
        if !isNext {
            block.window = BSONBlock.firstWindow
        } else if 2 &* block.next >= block.count {
            block.window = min(block.window &* 2, BSONBlock.mostRows)
        }
        block.mark = mark
        block.place = place
        block.next = 0
        // The leaves must not be evicted in favour of those of link targets.
        writer.locator.retain(place)
        decode(&writer, &block, fields, place.row..<min(place.row &+ block.window, cluster.count))
        writer.locator.release(place)
        block.isLast = block.rows.upperBound == cluster.count && block.count > 0
        var (last, wrongKeys): (Int64, Int) = (.min, 0)
        cluster.forEachKey(unchecked: block.rows) { [keys = block.keys] row, key in
            wrongKeys &+= key.value <= last ? 1 : 0
            last = key.value
            keys[unchecked: row &- place.row] = key.value
        }
        block.areKeysAscending = wrongKeys == 0
        block.isInUse = false
        writer.sink.blocks.embedded[unchecked: position] = block
    }

    /// Stores the fields of an object that is in the block of its embedded class.
    @inline(__always)
    private static func storeFields(
        _ writer: inout DocumentWriter<BSONSink>, _ cursor: ByteCursor, _ position: TablePosition, row: Int,
        _ owner: ObjectKey,
        depth: Int
    ) throws(FormatError) -> ByteCursor {
        let block = writer.sink.blocks.embedded[unchecked: position]
        writer.sink.blocks.embedded[unchecked: position].isInUse = true
        writer.locator.retain(block.place)
        let fields = writer.locator.fields(at: block.place, of: position)
        let end = try storeRow(&writer, cursor, block, fields, row, owner: owner, depth: depth)
        writer.locator.release(block.place)
        writer.sink.blocks.embedded[unchecked: position].next = row &+ 1 &- block.rows.lowerBound
        writer.sink.blocks.embedded[unchecked: position].isInUse = false
        return end
    }

    // MARK: To-one

    /// Stores a to-one embedded object.
    @inline(never)
    static func storeEmbedded(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ column: UncheckedSpan<BSONColumn>,
        _ slot: BSONSlot, _ owner: ObjectKey, _ depth: Int
    ) throws(FormatError) -> ByteCursor {
        let object = slot.load(ObjectKey.self)
        let position = column.first.target
        guard depth < Limits.embeddingDepth,
            let slots = nextSlots(count: 1, writer, position, { $0.first == object.value })
        else {
            writer.sink.buffer.end(at: start)
            try writer.writeEmbedded(object, Int(truncatingIfNeeded: column.first.number), owner, depth: depth)
            return writer.sink.buffer.cursor(reserving: column.first.room)
        }
        try writer.budget.spend(writer.sink.blocks.embedded[unchecked: position].columnCount &+ 1, at: Ref(0))
        var cursor = start
        cursor.store(paddedKey: column.first.key)
        let mark = writer.sink.buffer.beginDocument(&cursor)
        writer.sink.buffer.renew(&cursor, reserving: writer.sink.blocks.embedded[unchecked: position].room)
        let row = writer.sink.blocks.embedded[unchecked: position].rows.lowerBound &+ slots.first
        cursor = try storeFields(&writer, cursor, position, row: row, object, depth: depth &+ 1)
        if writer.isCanonical { cursor = storeObjectKey(&writer, cursor, object, elementBytes) }
        writer.sink.buffer.endDocument(&cursor, mark)
        writer.sink.buffer.renew(&cursor, reserving: column.first.room)
        return cursor
    }

    /// Stores the next object of a block if all its values are in slots or absent.
    ///
    /// - Returns: The next position, or nil, with nothing stored, for any other object.
    @inline(never)
    static func storeNextObject(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ column: UncheckedSpan<BSONColumn>,
        _ slot: BSONSlot, _ depth: Int
    ) -> ByteCursor? {
        guard writer.sink.blocks.areMade, !writer.isCanonical, depth < Limits.embeddingDepth else { return nil }
        let object = slot.load(Int64.self)
        let block = writer.sink.blocks.embedded.advanced(to: column.first.target)
        guard let first = nextSlot(count: 1, writer, block, { $0.first == object }),
            block.first.plain &>> UInt64(truncatingIfNeeded: first) & 1 != 0,
            writer.budget.trySpend(block.first.columnCount &+ 1, bytes: 0)
        else { return nil }
        block.first.next = first &+ 1
        var cursor = start
        writer.sink.buffer.renew(&cursor, reserving: column.first.room &+ block.first.room &+ elementBytes)
        cursor.store(paddedKey: column.first.key)
        let mark = writer.sink.buffer.beginDocument(&cursor)
        storePlainRow(&cursor, block, first, keepsNulls: writer.keepsNulls)
        writer.sink.buffer.endDocument(&cursor, mark)
        return cursor
    }

    // MARK: Lists

    /// Stores a list of embedded objects.
    @inline(never)
    static func storeEmbeddedList(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ column: UncheckedSpan<BSONColumn>,
        _ slot: BSONSlot, _ depth: Int
    ) throws(FormatError) -> ByteCursor {
        let keys = slot.load(IntegerVector.self)
        let position = column.first.target
        let count = keys.count
        var cursor = start
        cursor.store(paddedKey: column.first.key)
        let mark = writer.sink.buffer.beginDocument(&cursor)
        if depth < Limits.embeddingDepth,
            let slots = nextSlots(of: keys, writer, position) ?? renewedSlots(of: keys, &writer, position)
        {
            // Each object costs as many values as its class has properties, whether they are present or not.
            let columnCount = writer.sink.blocks.embedded[unchecked: position].columnCount
            try writer.budget.spend(count &* (columnCount &+ 1), at: Ref(0))
            if slots.arePlain {
                cursor = storePlainElements(&writer, cursor, position, first: slots.first, count)
            } else {
                cursor = try storeOtherElements(&writer, cursor, position, first: slots.first, keys, depth: depth &+ 1)
            }
        } else {
            cursor = try storeScattered(
                &writer, cursor, keys, Int(truncatingIfNeeded: column.first.number), depth: depth)
        }
        writer.sink.buffer.endDocument(&cursor, mark)
        writer.sink.buffer.renew(&cursor, reserving: column.first.room)
        return cursor
    }

    /// Stores a list whose objects come next in a block, if the block's rows are complete array elements.
    ///
    /// - Returns: The next position, or nil, with nothing stored, for any other list.
    @inline(never)
    static func storeNextElements(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ column: UncheckedSpan<BSONColumn>,
        _ slot: BSONSlot, _ depth: Int
    ) -> ByteCursor? {
        let keys = slot.load(IntegerVector.self)
        let position = column.first.target
        let count = keys.count
        guard writer.sink.blocks.areMade else { return nil }
        let block = writer.sink.blocks.embedded.advanced(to: position)
        guard block.first.areElements, count <= BSONBlock.shortNames, depth < Limits.embeddingDepth,
            let first = nextSlot(
                count: count, writer, block,
                { next in keys.isEqual { next[unchecked: $0] } }),
            // Pays for the keys, and for as many values of each object as its class has properties.
            writer.budget.trySpend(
                count &* (block.first.columnCount &+ 2), bytes: NodeHeader.size &+ keys.paddedSize)
        else { return nil }
        let elementSize = block.first.elementSize
        let size = count &* elementSize
        var cursor = start
        writer.sink.buffer.renew(
            &cursor,
            reserving: column.first.room &+ size &+ elementBytes &+ BSONRows.slack &+ leastNames &* elementSize)
        cursor.store(paddedKey: column.first.key)
        cursor.store(UInt32(truncatingIfNeeded: size) &+ BSONBlock.emptyDocument)
        storeRows(&cursor, block.first.slots.row(first), elementSize: elementSize, size: size)
        cursor.store(UInt8(0))
        block.first.next = first &+ count
        return cursor
    }

    /// The number of elements that get names unconditionally.
    private static var leastNames: Int { 4 }

    /// Stores rows that are complete array elements, then patches in their names. Copies more bytes than needed, so
    /// that typical lists take no branches.
    ///
    /// - Parameter size: The size of all rows in bytes.
    @inline(__always)
    private static func storeRows(_ cursor: inout ByteCursor, _ rows: BSONSlot, elementSize: Int, size: Int) {
        var offset = 0
        while offset < size {
            for part in 0..<BSONRows.slack / 64 {
                cursor.place(rows.slot(at: offset &+ 64 &* part).load(SIMD64<UInt8>.self), at: offset &+ 64 &* part)
            }
            offset &+= BSONRows.slack
        }
        var name = UInt8(ascii: "0")
        var place = 1
        for _ in 0..<leastNames {
            cursor.place(name, at: place)
            name &+= 1
            place &+= elementSize
        }
        while place < size {
            cursor.place(name, at: place)
            name &+= 1
            place &+= elementSize
        }
        cursor.advance(size)
    }

    /// Stores embedded objects whose values are all in slots or absent as elements of an array.
    ///
    /// - Parameter first: The index of the first object in the block of its class.
    @inline(never)
    private static func storePlainElements(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ position: TablePosition, first: Int,
        _ count: Int
    ) -> ByteCursor {
        let block = writer.sink.blocks.embedded.advanced(to: position)
        block.first.next = first &+ count
        var cursor = start
        writer.sink.buffer.renew(&cursor, reserving: count &* (block.first.room &+ 2 &* elementBytes))
        let (names, keepsNulls) = (writer.indexKeys, writer.keepsNulls)
        var element = 0
        while element < count {
            store(elementName: names[unchecked: element], &cursor)
            let mark = writer.sink.buffer.beginDocument(&cursor)
            storePlainRow(&cursor, block, first &+ element, keepsNulls: keepsNulls)
            writer.sink.buffer.endDocument(&cursor, mark)
            element &+= 1
        }
        return cursor
    }

    /// Stores elements that have values outside the slots, or that need their object keys.
    @inline(never)
    private static func storeOtherElements(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ position: TablePosition, first: Int,
        _ keys: IntegerVector, depth: Int
    ) throws(FormatError) -> ByteCursor {
        let block = writer.sink.blocks.embedded[unchecked: position]
        writer.sink.blocks.embedded[unchecked: position].isInUse = true
        writer.locator.retain(block.place)
        let fields = writer.locator.fields(at: block.place, of: position)
        let room = block.room &+ 2 &* elementBytes
        let isCanonical = writer.isCanonical
        let indexKeys = writer.indexKeys
        var cursor = start
        writer.sink.buffer.renew(&cursor, reserving: room)
        var element = 0
        while element < keys.count {
            store(elementName: indexKeys[unchecked: element], &cursor)
            let mark = writer.sink.buffer.beginDocument(&cursor)
            let owner = ObjectKey(keys[unchecked: element])
            let row = block.rows.lowerBound &+ first &+ element
            cursor = try storeRow(&writer, cursor, block, fields, row, owner: owner, depth: depth)
            if isCanonical { cursor = storeObjectKey(&writer, cursor, owner, room) }
            writer.sink.buffer.endDocument(&cursor, mark)
            writer.sink.buffer.renew(&cursor, reserving: room)
            element &+= 1
        }
        writer.locator.release(block.place)
        writer.sink.blocks.embedded[unchecked: position].next = first &+ keys.count
        writer.sink.blocks.embedded[unchecked: position].isInUse = false
        return cursor
    }

    /// Stores the type and name of an array element that is a document.
    @inline(__always)
    private static func store(elementName name: ByteView, _ cursor: inout ByteCursor) {
        cursor.place(name.vector(unchecked: 0), at: 0)
        cursor.place(Element.document.rawValue, at: 0)
        cursor.advance(name.count)
    }

    /// Stores elements of a list of embedded objects that are not all in the block of their class.
    @inline(never)
    private static func storeScattered(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ keys: IntegerVector, _ number: Int,
        depth: Int
    ) throws(FormatError) -> ByteCursor {
        writer.sink.buffer.end(at: start)
        try writer.writeEmbeddedElements(keys, from: 0, number, depth: depth)
        return writer.sink.buffer.cursor(reserving: elementBytes)
    }
}
