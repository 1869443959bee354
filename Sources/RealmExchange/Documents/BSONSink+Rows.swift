internal import RealmLayout
internal import RealmReader

// The loops of BSON exports over rows of a block. What a column's slot has is copied here, with the place of the next byte
// in a register from one field to the next; everything that is not as most values are is left to the writer.
extension BSONSink {
    /// The most bytes of the type, the name and the size of an array's element, and of the end of one.
    private static var elementBytes: Int { 16 }

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
                let mark = writer.sink.buffer.offset(of: cursor)
                cursor.store(UInt32(0))
                if hasObjectKeyIdentity {
                    cursor.store(paddedKey: writer.plan.idKey, firstByte: Element.int64.rawValue)
                    cursor.store(UInt64(bitPattern: key.value))
                }
                cursor = try storeRow(&writer, cursor, block, fields, row, owner: key, depth: 1)
                if hasObjectKey { cursor = storeObjectKey(&writer, cursor, key, room) }
                cursor.store(UInt8(0))
                let size = writer.sink.buffer.offset(of: cursor) &- mark
                writer.sink.buffer.patch(UInt32(truncatingIfNeeded: size), at: mark)
                writer.sink.buffer.renew(&cursor, reserving: room)
                try writer.check(size: size, fields.position, key)
                row &+= 1
            }
            writer.sink.buffer.end(at: cursor)
            start = block.rows.upperBound
        }
    }

    static func writeFields(
        _ writer: inout DocumentWriter<BSONSink>, _ place: ObjectLocator.Place, _ position: Int, owner: ObjectKey,
        depth: Int
    ) throws(FormatError) {
        guard prepare(&writer, place, position) else {
            let fields = writer.locator.fields(at: place, of: position)
            return try writer.writeFields(fields, place.row, owner: owner, depth: depth)
        }
        var cursor = writer.sink.buffer.cursor(reserving: writer.sink.blocks.embedded[unchecked: position].room)
        cursor = try storeFields(&writer, cursor, position, place.row, owner, depth)
        writer.sink.buffer.end(at: cursor)
    }

    // MARK: Blocks of embedded objects

    /// Where in the block of an embedded class some objects with keys one after the other are, when they are those that come
    /// next.
    ///
    /// - Parameter count: at least one, and at most as many as a block has rows.
    @inline(__always)
    private static func nextSlots(
        from object: Int64, count: Int, _ writer: borrowing DocumentWriter<BSONSink>, _ position: Int
    ) -> (first: Int, arePlain: Bool)? {
        guard writer.sink.blocks.areMade else { return nil }
        let block = writer.sink.blocks.embedded.advanced(by: position)
        let first = block.first.next
        let last = first &+ count &- 1
        guard last < block.first.foundRows, block.first.keys.load(Int64.self, at: first) == object,
            block.first.keys.load(Int64.self, at: last) == object &+ Int64(truncatingIfNeeded: count &- 1),
            writer.locator.isCurrent(block.first.mark)
        else { return nil }
        let bits: UInt64 = UInt64.max &>> UInt64(truncatingIfNeeded: BSONBlock.mostRows &- count)
        if !writer.isCanonical, ~(block.first.plain &>> UInt64(truncatingIfNeeded: first)) & bits == 0 {
            return (first, true)
        }
        return writer.locator.isCurrent(block.first.mark, at: block.first.place) ? (first, false) : nil
    }

    /// Makes a block for objects of an embedded class that begin with a place, unless it is in the block at hand.
    ///
    /// - Returns: false when the block of the class is in use: an object inside another of the same class.
    @inline(__always)
    private static func prepare(
        _ writer: inout DocumentWriter<BSONSink>, _ place: ObjectLocator.Place, _ position: Int
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
        _ writer: inout DocumentWriter<BSONSink>, _ place: ObjectLocator.Place, _ position: Int
    ) {
        let fields = writer.locator.fields(at: place, of: position)
        writer.sink.blocks.make(fields, writer.plan)
        var block = writer.sink.blocks.embedded[unchecked: position]
        let mark = writer.locator.mark(of: place)
        let cluster = writer.locator.cluster(at: place)
        // Objects are mostly in the order of their owners. Where they are not, few are decoded for nothing: there are never
        // many more of these than of those that were written.
        let isNext = block.mark == mark ? place.row == block.rows.upperBound : block.isLast && place.row == 0
        if !isNext {
            block.window = BSONBlock.firstWindow
        } else if block.next == block.count {
            block.window = min(block.window &* 2, BSONBlock.mostRows)
        }
        block.mark = mark
        block.place = place
        block.next = 0
        // The leaves may not be replaced by those of objects that links lead to.
        writer.locator.retain(place)
        decode(&writer, &block, fields, place.row..<min(place.row &+ block.window, cluster.count))
        writer.locator.release(place)
        block.isLast = block.rows.upperBound == cluster.count && block.count > 0
        block.areKeysAscending = true
        var last: Int64?
        for row in block.rows {
            let key = cluster.key(unchecked: row).value
            if let last, key <= last { block.areKeysAscending = false }
            last = key
            block.keys.store(ObjectKey(key), at: row &- place.row)
        }
        block.isInUse = false
        writer.sink.blocks.embedded[unchecked: position] = block
    }

    /// Stores the fields of an object that is in the block of an embedded class.
    @inline(__always)
    private static func storeFields(
        _ writer: inout DocumentWriter<BSONSink>, _ cursor: ByteCursor, _ position: Int, _ row: Int, _ owner: ObjectKey,
        _ depth: Int
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

    // MARK: Rows

    /// Stores the fields of an object that is in a block.
    ///
    /// - Parameters:
    ///   - row: the row of the cluster.
    ///   - cursor: where what the block says is reserved.
    /// - Returns: where the next byte goes.
    @inline(__always)
    private static func storeRow(
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
                        slots.slot(at: block.columns[unchecked: index].offset), fields, index, row, owner, depth)
                } else {
                    cursor = try storeRest(&writer, cursor, block.room, fields, index, row, owner, depth)
                }
                index &+= 1
            }
        } catch {
            throw writer.located(error, fields, fields.first &+ index, owner)
        }
        return cursor
    }

    /// Stores the value of a slot that has its bytes, or where its text is.
    ///
    /// - Parameter row: the slots of all columns.
    @inline(__always)
    private static func storeSlot(_ cursor: inout ByteCursor, _ column: SlabView<BSONColumn>, _ row: BSONSlot) {
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

    /// Stores the fields of an object that are all in slots, or absent.
    ///
    /// - Parameters:
    ///   - cursor: where the block's `room` is reserved.
    ///   - row: which of the block's rows it is.
    @inline(__always)
    private static func storePlainRow(
        _ cursor: inout ByteCursor, _ block: SlabView<BSONBlock>, _ row: Int, keepsNulls: Bool
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
        _ writer: inout DocumentWriter<BSONSink>, _ cursor: ByteCursor, _ column: SlabView<BSONColumn>,
        _ slot: BSONSlot, _ fields: ObjectFields, _ index: Int, _ row: Int, _ owner: ObjectKey, _ depth: Int
    ) throws(FormatError) -> ByteCursor {
        switch column.first.kind {
        case .embeddedList:
            let list = slot.load(BSONEmbeddedList.self)
            guard writer.budget.canSpend(list.keys.count, bytes: NodeHeader.size &+ list.keys.paddedSize) else { break }
            return try storeEmbeddedList(&writer, cursor, column, slot, depth)
        case .textList:
            let list = slot.load(BSONTextList.self)
            guard writer.budget.canSpend(Int(list.count), bytes: NodeHeader.size &+ list.paddedSize) else { break }
            return storeTextList(&writer, cursor, column, slot)
        case .embedded:
            return try storeEmbedded(&writer, cursor, column, slot, owner, depth)
        case .dictionary:
            return try storeDictionary(&writer, cursor, column, slot, depth)
        default:
            return try storeCollection(&writer, cursor, column, slot, depth)
        }
        // The writer tells where the budget ended.
        return try storeRest(&writer, cursor, column.first.room, fields, index, row, owner, depth)
    }

    /// Leaves a value to the writer.
    @inline(never)
    private static func storeRest(
        _ writer: inout DocumentWriter<BSONSink>, _ cursor: ByteCursor, _ room: Int, _ fields: ObjectFields,
        _ index: Int, _ row: Int, _ owner: ObjectKey, _ depth: Int
    ) throws(FormatError) -> ByteCursor {
        writer.sink.buffer.end(at: cursor)
        try writer.write(fields.leaves, fields.first &+ index, row, owner: owner, depth: depth)
        return writer.sink.buffer.cursor(reserving: room)
    }

    /// Leaves a collection to the writer.
    @inline(never)
    private static func storeCollection(
        _ writer: inout DocumentWriter<BSONSink>, _ cursor: ByteCursor, _ column: SlabView<BSONColumn>,
        _ slot: BSONSlot, _ depth: Int
    ) throws(FormatError) -> ByteCursor {
        writer.sink.buffer.end(at: cursor)
        try writer.writeCollection(
            Int(truncatingIfNeeded: column.first.number), slot.load(Ref.self), depth: depth)
        return writer.sink.buffer.cursor(reserving: column.first.room)
    }

    /// Stores null where nulls are kept, or an empty collection.
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
    private static func storeObjectKey(
        _ writer: inout DocumentWriter<BSONSink>, _ cursor: ByteCursor, _ key: ObjectKey, _ room: Int
    ) -> ByteCursor {
        writer.sink.buffer.end(at: cursor)
        writer.sink.objectKey(key)
        return writer.sink.buffer.cursor(reserving: room)
    }

    // MARK: Documents and arrays

    /// Stores a list of embedded objects.
    @inline(never)
    private static func storeEmbeddedList(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ column: SlabView<BSONColumn>,
        _ slot: BSONSlot, _ depth: Int
    ) throws(FormatError) -> ByteCursor {
        let list = slot.load(BSONEmbeddedList.self)
        let position = Int(truncatingIfNeeded: column.first.target)
        let count = list.keys.count
        var cursor = start
        cursor.store(paddedKey: column.first.key)
        let mark = writer.sink.buffer.offset(of: cursor)
        cursor.store(UInt32(0))
        if list.areConsecutive, depth < Limits.embeddingDepth,
            let slots = nextSlots(from: list.keys[unchecked: 0], count: count, writer, position)
        {
            // An object has as many values as its class has properties, whoever they belong to.
            let columnCount = writer.sink.blocks.embedded[unchecked: position].columnCount
            try writer.budget.spend(count &* (columnCount &+ 1), at: Ref(0))
            if slots.arePlain {
                storeElements(&writer, &cursor, position, slots.first, count)
            } else {
                cursor = try storeOtherElements(
                    &writer, cursor, position, slots.first, list.keys[unchecked: 0], count, depth &+ 1)
            }
        } else {
            cursor = try storeScattered(
                &writer, cursor, list.keys, Int(truncatingIfNeeded: column.first.number), depth)
        }
        cursor.store(UInt8(0))
        let size = writer.sink.buffer.offset(of: cursor) &- mark
        writer.sink.buffer.patch(UInt32(truncatingIfNeeded: size), at: mark)
        writer.sink.buffer.renew(&cursor, reserving: column.first.room)
        return cursor
    }

    /// Stores embedded objects whose values are all in slots, or absent, as elements of an array.
    ///
    /// - Parameter first: where in the block of their class the first of them is.
    @inline(__always)
    private static func storeElements(
        _ writer: inout DocumentWriter<BSONSink>, _ cursor: inout ByteCursor, _ position: Int, _ first: Int,
        _ count: Int
    ) {
        let block = writer.sink.blocks.embedded.advanced(by: position)
        block.first.next = first &+ count
        writer.sink.buffer.renew(&cursor, reserving: count &* (block.first.room &+ 2 &* elementBytes))
        if block.first.areElements, count <= BSONBlock.shortNames {
            storeRows(&cursor, block, first, count)
        } else {
            cursor = storePlainElements(&writer, cursor, block, first, count)
        }
    }

    /// Stores rows that are elements as they are, in steps of sixteen bytes, and then their names.
    @inline(__always)
    private static func storeRows(
        _ cursor: inout ByteCursor, _ block: SlabView<BSONBlock>, _ first: Int, _ count: Int
    ) {
        let rows = block.first.slots.row(first)
        let elementSize = block.first.elementSize
        let size = count &* elementSize
        var offset = 0
        while offset < size {
            cursor.place(rows.slot(at: offset).load(SIMD16<UInt8>.self), at: offset)
            offset &+= BSONSlots.size
        }
        var name = UInt8(ascii: "0")
        offset = 1
        while offset < size {
            cursor.place(name, at: offset)
            name &+= 1
            offset &+= elementSize
        }
        cursor.advance(size)
    }

    /// Stores elements of any other block.
    @inline(never)
    private static func storePlainElements(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ block: SlabView<BSONBlock>, _ first: Int,
        _ count: Int
    ) -> ByteCursor {
        var cursor = start
        let (names, keepsNulls) = (writer.indexKeys, writer.keepsNulls)
        var element = 0
        while element < count {
            store(elementName: names[unchecked: element], &cursor)
            let mark = writer.sink.buffer.offset(of: cursor)
            cursor.store(UInt32(0))
            storePlainRow(&cursor, block, first &+ element, keepsNulls: keepsNulls)
            cursor.store(UInt8(0))
            let size = writer.sink.buffer.offset(of: cursor) &- mark
            writer.sink.buffer.patch(UInt32(truncatingIfNeeded: size), at: mark)
            element &+= 1
        }
        return cursor
    }

    /// Stores elements some of whose values are not in slots, or with their object keys.
    @inline(never)
    private static func storeOtherElements(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ position: Int, _ first: Int, _ key: Int64,
        _ count: Int, _ depth: Int
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
        while element < count {
            store(elementName: indexKeys[unchecked: element], &cursor)
            let mark = writer.sink.buffer.offset(of: cursor)
            cursor.store(UInt32(0))
            let owner = ObjectKey(key &+ Int64(truncatingIfNeeded: element))
            let row = block.rows.lowerBound &+ first &+ element
            cursor = try storeRow(&writer, cursor, block, fields, row, owner: owner, depth: depth)
            if isCanonical { cursor = storeObjectKey(&writer, cursor, owner, room) }
            cursor.store(UInt8(0))
            let size = writer.sink.buffer.offset(of: cursor) &- mark
            writer.sink.buffer.patch(UInt32(truncatingIfNeeded: size), at: mark)
            writer.sink.buffer.renew(&cursor, reserving: room)
            element &+= 1
        }
        writer.locator.release(block.place)
        writer.sink.blocks.embedded[unchecked: position].next = first &+ count
        writer.sink.blocks.embedded[unchecked: position].isInUse = false
        return cursor
    }

    /// Stores what is before an element of an array that is a document.
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
        _ depth: Int
    ) throws(FormatError) -> ByteCursor {
        writer.sink.buffer.end(at: start)
        try writer.writeEmbeddedElements(keys, from: 0, number, depth: depth)
        return writer.sink.buffer.cursor(reserving: elementBytes)
    }

    /// Stores a list or set of short texts.
    @inline(never)
    private static func storeTextList(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ column: SlabView<BSONColumn>,
        _ slot: BSONSlot
    ) -> ByteCursor {
        let list = slot.load(BSONTextList.self)
        let (count, width) = (Int(truncatingIfNeeded: list.count), Int(truncatingIfNeeded: list.width))
        var cursor = start
        writer.sink.buffer.renew(
            &cursor, reserving: column.first.room &+ count &* (elementBytes &+ BSONBlock.mostBytes))
        cursor.store(paddedKey: column.first.key)
        let mark = writer.sink.buffer.offset(of: cursor)
        cursor.store(UInt32(0))
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
        cursor.store(UInt8(0))
        let stored = writer.sink.buffer.offset(of: cursor) &- mark
        writer.sink.buffer.patch(UInt32(truncatingIfNeeded: stored), at: mark)
        return cursor
    }

    /// Stores a dictionary.
    @inline(never)
    private static func storeDictionary(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ column: SlabView<BSONColumn>,
        _ slot: BSONSlot, _ depth: Int
    ) throws(FormatError) -> ByteCursor {
        let number = Int(truncatingIfNeeded: column.first.number)
        let isText = writer.fields[unchecked: number].shape == .stringDictionary
        let tree = DictionaryTree(
            root: slot.load(Ref.self), keyType: isText ? .string : .int, version: writer.plan.version,
            in: writer.space)
        guard let run = try tree.shortRun(&writer.budget) else {
            return try storeCollection(&writer, start, column, slot, depth)
        }
        var cursor = start
        cursor.store(paddedKey: column.first.key)
        let mark = writer.sink.buffer.offset(of: cursor)
        cursor.store(UInt32(0))
        for index in 0..<run.count {
            let name = run.keys.plainString(at: index).flatMap { writer.dictionaryKeys.prepared($0) }
            if let name {
                writer.sink.buffer.renew(&cursor, reserving: name.count &+ BSONBlock.mostBytes &+ elementBytes)
            }
            if let name, store(run.values.plainValue(at: index, in: writer.space), name, &cursor) { continue }
            writer.sink.buffer.end(at: cursor)
            try writer.writeEntry(run, index, number, depth: depth)
            cursor = writer.sink.buffer.cursor(reserving: elementBytes)
        }
        cursor.store(UInt8(0))
        let size = writer.sink.buffer.offset(of: cursor) &- mark
        writer.sink.buffer.patch(UInt32(truncatingIfNeeded: size), at: mark)
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

    /// Stores a to-one embedded object.
    @inline(never)
    private static func storeEmbedded(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ column: SlabView<BSONColumn>,
        _ slot: BSONSlot, _ owner: ObjectKey, _ depth: Int
    ) throws(FormatError) -> ByteCursor {
        let object = slot.load(ObjectKey.self)
        let position = Int(truncatingIfNeeded: column.first.target)
        guard depth < Limits.embeddingDepth,
            let slots = nextSlots(from: object.value, count: 1, writer, position)
        else {
            writer.sink.buffer.end(at: start)
            try writer.writeEmbedded(object, Int(truncatingIfNeeded: column.first.number), owner, depth: depth)
            return writer.sink.buffer.cursor(reserving: column.first.room)
        }
        let block = writer.sink.blocks.embedded.advanced(by: position)
        try writer.budget.spend(block.first.columnCount &+ 1, at: Ref(0))
        var cursor = start
        cursor.store(paddedKey: column.first.key)
        let mark = writer.sink.buffer.offset(of: cursor)
        cursor.store(UInt32(0))
        writer.sink.buffer.renew(&cursor, reserving: block.first.room)
        if slots.arePlain {
            block.first.next = slots.first &+ 1
            storePlainRow(&cursor, block, slots.first, keepsNulls: writer.keepsNulls)
        } else {
            cursor = try storeOtherFields(&writer, cursor, position, slots.first, object, depth &+ 1)
        }
        cursor.store(UInt8(0))
        let size = writer.sink.buffer.offset(of: cursor) &- mark
        writer.sink.buffer.patch(UInt32(truncatingIfNeeded: size), at: mark)
        writer.sink.buffer.renew(&cursor, reserving: column.first.room)
        return cursor
    }

    /// Stores the fields of an embedded object some of which are not in slots, or with its object key.
    @inline(never)
    private static func storeOtherFields(
        _ writer: inout DocumentWriter<BSONSink>, _ start: ByteCursor, _ position: Int, _ slot: Int,
        _ object: ObjectKey, _ depth: Int
    ) throws(FormatError) -> ByteCursor {
        let row = writer.sink.blocks.embedded[unchecked: position].rows.lowerBound &+ slot
        let cursor = try storeFields(&writer, start, position, row, object, depth)
        return writer.isCanonical ? storeObjectKey(&writer, cursor, object, elementBytes) : cursor
    }
}

extension ByteCursor {
    /// Stores the length of a text of less than 64 bytes, the text in steps of sixteen bytes, and the zero behind it.
    @inline(__always)
    fileprivate mutating func store(text: ByteView) {
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
