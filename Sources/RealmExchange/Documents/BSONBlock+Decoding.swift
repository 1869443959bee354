internal import RealmCore
internal import RealmLayout

// Decoding of a block, column by column; each loop handles one encoding. Nothing here fails: damaged and unusual values
// get no slot, and are left to the writer.
extension BSONSink {
    /// Decodes rows of a cluster from its leaves, up to the capacity of the block.
    @inline(never)
    static func decode(
        _ writer: inout DocumentWriter<BSONSink>, _ block: inout BSONBlock, _ fields: ObjectFields, _ rows: Range<Int>
    ) {
        let rows = rows.prefix(BSONBlock.mostRows)
        let all = UInt64.max &>> UInt64(truncatingIfNeeded: BSONBlock.mostRows &- rows.count)
        block.rows = rows
        var plain = all
        var isEachCopied = true
        for index in 0..<block.columnCount {
            let field = fields.leaves[unchecked: fields.first &+ index]
            var decoder = BSONColumnDecoder(
                leaf: field.leaf, first: rows.lowerBound, count: rows.count, all: all,
                slots: block.slots.slots(at: block.columns[unchecked: index].offset),
                numbers: writer.sink.blocks.numbers)
            decoder.decode(block.columns[unchecked: index].kind, field.step, field.target, &writer)
            block.columns[unchecked: index].copied = decoder.copied
            // An identity is written even if it is null.
            let absent = field.isIdentity ? 0 : decoder.absent
            block.columns[unchecked: index].absent = absent
            // Long texts that links may refer to are not charged like other texts.
            let isKey = field.isIdentity && block.columns[unchecked: index].isText
            block.columns[unchecked: index].prepared = isKey ? 0 : decoder.prepared
            plain &= decoder.copied | absent
            isEachCopied = isEachCopied && decoder.copied == all
        }
        block.plain = plain
        block.areElements = isEachCopied && block.elementSize > 0 && !writer.isCanonical
    }
}

/// Decodes rows of one column.
struct BSONColumnDecoder {
    let leaf: ColumnLeaf
    let first: Int
    let count: Int
    /// One bit per row.
    let all: UInt64
    let slots: BSONSlots
    /// Scratch space for one number per row.
    let numbers: UncheckedSpan<Int64>
    var copied: UInt64 = 0
    var absent: UInt64 = 0
    var prepared: UInt64 = 0

    @inline(__always)
    mutating func decode(
        _ kind: BSONColumn.Kind, _ step: DecodeStep, _ target: TablePosition, _ writer: inout DocumentWriter<BSONSink>
    ) {
        switch kind {
        case .int: integers()
        case .nullableInt: nullableIntegers()
        case .bool: bools()
        case .float: words { leaf, row in leaf.floatBits(at: row).map { Float.doubleBits(ofFloatBits: $0) } }
        case .double: words { leaf, row in leaf.doubleBits(at: row) }
        case .timestamp: timestamps()
        case .decimal128: decimals()
        case .objectId: objectIds()
        case .uuid: uuids()
        case .text: texts(step, writer.space)
        case .integerLink: integerLinks(target, &writer)
        case .textLink: textLinks(target, &writer)
        case .objectIdLink: bytesLinks(target, .objectIds, &writer)
        case .uuidLink: bytesLinks(target, .uuids, &writer)
        case .embedded: embedded()
        case .embeddedList: embeddedLists(writer.space)
        case .textList: textLists(writer.space)
        case .list, .textDictionary, .dictionary: collections(writer.space)
        case .other: break
        }
    }

    /// Unpacks consecutive elements of a vector, one per row.
    @inline(__always)
    func unpack(_ vector: IntegerVector, from first: Int, count: Int) {
        let numbers = numbers
        vector.forEach(unchecked: first, count: count) { numbers[unchecked: $0] = $1 }
    }

    // MARK: Values of fixed size

    private mutating func integers() {
        let slots = slots
        leaf.numbers.forEach(unchecked: first, count: count) { slots.store(UInt64(bitPattern: $1), at: $0) }
        copied = all
    }

    private mutating func nullableIntegers() {
        unpack(leaf.numbers, from: first &+ 1, count: count)
        let sentinel = leaf.sentinel
        words { [numbers] row in numbers[unchecked: row] == sentinel ? nil : UInt64(bitPattern: numbers[unchecked: row])
        }
    }

    private mutating func bools() {
        unpack(leaf.numbers, from: first, count: count)
        words { [numbers] row in NullPattern.bool(numbers[unchecked: row]).map { $0 ? 1 : 0 } }
    }

    /// Decodes nullable values.
    @inline(__always)
    private mutating func words(_ value: (ColumnLeaf, Int) -> UInt64?) {
        let (leaf, first) = (leaf, first)
        words { value(leaf, first &+ $0) }
    }

    @inline(__always)
    private mutating func words(_ value: (Int) -> UInt64?) {
        let (slots, count) = (slots, count)
        var nulls: UInt64 = 0
        var row = 0
        while row < count {
            let word = value(row)
            nulls |= (word == nil ? 1 : 0) &<< UInt64(truncatingIfNeeded: row)
            slots.store(word ?? 0, at: row)
            row &+= 1
        }
        absent = nulls
        copied = all ^ nulls
    }

    private mutating func timestamps() {
        unpack(leaf.numbers, from: first &+ 1, count: count)
        let (slots, numbers, sentinel) = (slots, numbers, leaf.sentinel)
        var (values, nulls, bit): (UInt64, UInt64, UInt64) = (0, 0, 1)
        leaf.secondNumbers.forEach(unchecked: first, count: count) { row, nanoseconds in
            let seconds = numbers[unchecked: row]
            if seconds == sentinel {
                nulls |= bit
            } else if let milliseconds = Self.milliseconds(seconds, nanoseconds) {
                slots.store(UInt64(bitPattern: milliseconds), at: row)
                values |= bit
            }
            bit &<<= 1
        }
        absent = nulls
        copied = values
    }

    /// Returns a time in milliseconds, or nil if it is out of range or not a whole number of milliseconds.
    @inline(__always)
    private static func milliseconds(_ seconds: Int64, _ nanoseconds: Int64) -> Int64? {
        let part = UInt32(truncatingIfNeeded: nanoseconds) / 1_000_000
        // Fast path for times since 1970 whose seconds cannot overflow as milliseconds.
        if UInt64(bitPattern: seconds) < 1 &<< 48, nanoseconds == Int64(part) &* 1_000_000, part < 1000 {
            return seconds &* 1000 &+ Int64(part)
        }
        guard let time = Timestamp(seconds: seconds, nanoseconds: nanoseconds), time.isWholeMilliseconds else {
            return nil
        }
        return time.flooredMilliseconds
    }

    private mutating func decimals() {
        switch leaf.encoding {
        case .decimals128: pairs { leaf, row in leaf.decimal128(at: row).map { ($0.low, $0.high) } }
        case .decimals32: pairs { leaf, row in leaf.decimal32(at: row).map { ($0.low, $0.high) } }
        default: pairs { leaf, row in leaf.decimal(at: row).map { ($0.low, $0.high) } }
        }
    }

    private mutating func objectIds() {
        pairs { leaf, row in
            leaf.objectIdBytes(at: row).map { ($0.uint64(unchecked: 0), UInt64($0.uint32(unchecked: 8))) }
        }
    }

    private mutating func uuids() {
        pairs { leaf, row in
            leaf.uuidBytes(at: row).map { ($0.uint64(unchecked: 0), $0.uint64(unchecked: 8)) }
        }
    }

    /// Decodes values of up to sixteen bytes.
    @inline(__always)
    private mutating func pairs(_ value: (ColumnLeaf, Int) -> (UInt64, UInt64)?) {
        let (leaf, first, slots, count) = (leaf, first, slots, count)
        var nulls: UInt64 = 0
        var row = 0
        while row < count {
            let pair = value(leaf, first &+ row)
            nulls |= (pair == nil ? 1 : 0) &<< UInt64(truncatingIfNeeded: row)
            slots.store(pair?.0 ?? 0, pair?.1 ?? 0, at: row)
            row &+= 1
        }
        absent = nulls
        copied = all ^ nulls
    }

    // MARK: Texts

    private mutating func texts(_ step: DecodeStep, _ space: NodeSpace) {
        switch step {
        case .shortString: shortTexts()
        case .mediumString: mediumTexts()
        case .bigString: bigTexts(space)
        default: break
        }
    }

    private mutating func shortTexts() {
        let (bytes, width, slots, count) = (leaf.stringBytes, leaf.shortStringWidth, slots, count)
        guard width > 0 else {
            absent = all
            return
        }
        var start = first &* width
        let areTexts = Self.isUTF8(bytes.slice(unchecked: start, count: count &* width))
        // With elements narrower than sixteen bytes, there may be too few readable bytes after the last ones.
        let last = bytes.count &- max(16, width)
        var (values, nulls, bit): (UInt64, UInt64, UInt64) = (0, 0, 1)
        var row = 0
        while row < count {
            let unused = Int(bytes.byte(unchecked: start &+ width &- 1))
            if unused < width {
                let text = bytes.slice(unchecked: start, count: width &- 1 &- unused)
                slots.store(text, at: row)
                if start <= last, areTexts && Self.isWhole(text, in: bytes, start) || Self.isUTF8(text) {
                    values |= bit
                }
            } else if unused == width {
                nulls |= bit
            }
            bit &<<= 1
            start &+= width
            row &+= 1
        }
        (copied, absent) = (values, nulls)
    }

    private mutating func mediumTexts() {
        let (bytes, slots, count) = (leaf.stringBytes, slots, count)
        var start = first == 0 ? 0 : leaf.numbers[unchecked: first &- 1]
        unpack(leaf.numbers, from: first, count: count)
        let (numbers, end) = (numbers, Int64(bytes.count))
        let nulls = leaf.secondNumbers.nonzero(unchecked: first, count: count)
        let stop = numbers[unchecked: count &- 1]
        guard start >= 0, start <= stop, stop <= end else {
            absent = nulls
            return
        }
        let size = Int(truncatingIfNeeded: stop &- start)
        // Damaged offsets may descend. A text outside these bytes was not checked, so it is left to the writer.
        let (lowest, highest) = (start, stop)
        let areTexts =
            size <= count &* ShortStrings.longestCopied
            && Self.isUTF8(bytes.slice(unchecked: Int(truncatingIfNeeded: start), count: size))
        var (values, bit): (UInt64, UInt64) = (0, 1)
        var row = 0
        while row < count {
            let stop = numbers[unchecked: row]
            let length = Int(truncatingIfNeeded: stop &- start &- 1)
            if start >= lowest, stop <= highest, length >= 0, length < ShortStrings.longestCopied,
                start &+ Int64(truncatingIfNeeded: ShortStrings.copied(length)) <= end
            {
                let offset = Int(truncatingIfNeeded: start)
                let text = bytes.slice(unchecked: offset, count: length)
                slots.store(text, at: row)
                if areTexts && Self.isWhole(text, in: bytes, offset) || Self.isUTF8(text) { values |= bit }
            }
            bit &<<= 1
            start = stop
            row &+= 1
        }
        (copied, absent) = (values & ~nulls, nulls)
    }

    private mutating func bigTexts(_ space: NodeSpace) {
        collections(space)
        let slots = slots
        var short: UInt64 = 0
        let texts = Self.kept(prepared) { row in
            guard let text = space.plainText(at: slots.load(Ref.self, at: row)), Self.isUTF8(text) else { return false }
            slots.store(text, at: row)
            if text.count < ShortStrings.longestCopied { short |= 1 &<< UInt64(truncatingIfNeeded: row) }
            return true
        }
        (copied, prepared) = (short, texts ^ short)
    }

    @inline(__always)
    private static func isUTF8(_ text: ByteView) -> Bool { text.isASCII || text.isValidUTF8 }

    /// Whether no character crosses the boundaries of a text that begins at `start`. If so, the text is well-formed
    /// provided that the surrounding bytes are. Each text of a leaf is followed by at least one byte.
    @inline(__always)
    private static func isWhole(_ text: ByteView, in bytes: ByteView, _ start: Int) -> Bool {
        bytes.byte(unchecked: start) & 0xC0 != 0x80 && bytes.byte(unchecked: start &+ text.count) < 0x80
    }

    // MARK: Collections

    /// Stores the roots of collections. They may be anywhere in the file, so all are prefetched before the first is
    /// opened.
    private mutating func collections(_ space: NodeSpace) {
        let slots = slots
        var nulls: UInt64 = 0
        var bits: Int64 = 0
        leaf.numbers.forEach(unchecked: first, count: count) { row, element in
            let root = Int(truncatingIfNeeded: element)
            space.bytes.prefetch(root)
            slots.store(Ref(root), at: row)
            nulls |= (element == 0 ? 1 : 0) &<< UInt64(truncatingIfNeeded: row)
            bits |= element
        }
        (prepared, absent) = (all ^ nulls, nulls)
        // Tagged numbers are not roots.
        if bits & 1 != 0 { prepared = Self.kept(prepared) { slots.load(Ref.self, at: $0).offset & 1 == 0 } }
    }

    /// Locates the keys of embedded-object lists that have a single leaf.
    @inline(never)
    private mutating func embeddedLists(_ space: NodeSpace) {
        lists(space) { space.plainIntegers(at: $0, hasRefs: false) }
    }

    @inline(never)
    private mutating func textLists(_ space: NodeSpace) {
        lists(space) { BSONTextList(at: $0, in: space) }
    }

    /// Replaces each root with the result of `open`, and drops the rows for which it returns nil.
    @inline(__always)
    private mutating func lists<Place: BitwiseCopyable>(_ space: NodeSpace, _ open: (Ref) -> Place?) {
        collections(space)
        let slots = slots
        prepared = Self.kept(prepared) { row in
            guard let place = open(slots.load(Ref.self, at: row)) else { return false }
            slots.store(place, at: row)
            return true
        }
    }
}
