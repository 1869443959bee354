internal import RealmLayout
internal import RealmReader

/// A field's values in the rows of a block: what BSON's loop over rows reads, side by side.
struct BSONColumn: BitwiseCopyable {
    /// How values become elements of a document.
    enum Kind: UInt8, BitwiseCopyable {
        case int
        case nullableInt
        case bool
        case float
        case double
        case timestamp
        case decimal128
        case objectId
        case uuid
        case text
        /// A link, which becomes its target's primary key: an integer, a text, or the bytes of an ObjectId or UUID.
        case integerLink
        case textLink
        case objectIdLink
        case uuidLink
        case embedded
        case embeddedList
        case textList
        /// Any other list or set.
        case list
        /// A dictionary of the formats that keep it as a pair of trees, with strings as keys.
        case textDictionary
        /// Any other dictionary.
        case dictionary
        /// What is too rare for a place in the loop.
        case other

        init(_ field: ExportField, _ version: FormatVersion) {
            self =
                switch (field.shape, field.form) {
                case (.list, .embedded): .embeddedList
                case (.list, .string), (.set, .string): .textList
                case (.list, _), (.set, _): .list
                case (.stringDictionary, _) where version.hasPairDictionaries: .textDictionary
                case (.stringDictionary, _), (.intDictionary, _): .dictionary
                case (.value, let form): Kind(form, field.targetIdentity)
                }
        }

        private init(_ form: ScalarKind, _ target: ScalarKind?) {
            self =
                switch form {
                case .int: .int
                case .nullableInt: .nullableInt
                case .bool: .bool
                case .float: .float
                case .double: .double
                case .string: .text
                case .timestamp: .timestamp
                case .decimal128: .decimal128
                case .objectId: .objectId
                case .uuid: .uuid
                case .link where target == .int: .integerLink
                case .link where target == .string: .textLink
                case .link where target == .objectId: .objectIdLink
                case .link where target == .uuid: .uuidLink
                case .embedded: .embedded
                case .binary, .mixed, .link: .other
                }
        }

        /// Whether a value is one that is empty where nothing was ever stored.
        var isCollection: Bool { rawValue >= Kind.embeddedList.rawValue && rawValue <= Kind.dictionary.rawValue }

        /// Whether decoding stores no more bytes of a slot than a value has.
        var isExact: Bool {
            switch self {
            case .int, .nullableInt, .float, .double, .timestamp, .decimal128, .uuid, .integerLink, .uuidLink: true
            default: false
            }
        }

        /// Whether there is something between a key and the bytes of a value.
        var hasPrefix: Bool { self == .uuid || self == .uuidLink }

        /// The type of the element, and the bytes of a value where all have as many.
        var element: (type: BSONSink.Element, size: Int) {
            switch self {
            case .int, .nullableInt, .integerLink: (.int64, 8)
            case .bool: (.bool, 1)
            case .float, .double: (.double, 8)
            case .timestamp: (.date, 8)
            case .decimal128: (.decimal128, 16)
            case .objectId, .objectIdLink: (.objectId, 12)
            case .uuid, .uuidLink: (.binary, 16)
            case .text, .textLink: (.string, 0)
            case .embedded, .textDictionary, .dictionary: (.document, 0)
            case .embeddedList, .textList, .list: (.array, 0)
            case .other: (.null, 0)
            }
        }
    }

    let kind: Kind
    /// Whether a slot is a text.
    let isText: Bool
    /// The bytes of key and value together, where all values have as many.
    let size: UInt32
    /// The field.
    let number: Int32
    /// The position of the table that links lead to.
    let target: Int32
    /// What is reserved behind a value that is written elsewhere: all that a row may have.
    fileprivate(set) var room = 0
    /// Where in the memory of a row its slot begins.
    fileprivate(set) var offset = 0
    /// The type and name, and of UUIDs what comes between them and their bytes.
    let key: ByteView
    /// The rows, a bit each, whose slot has the bytes of the value or is its text.
    var copied: UInt64 = 0
    /// The rows without a value that are written without another look: null, or an empty collection.
    var absent: UInt64 = 0
    /// The rows whose slot tells where there is more to write.
    var prepared: UInt64 = 0

    /// What BSON has before the bytes of a UUID: their number, and what they are.
    static let uuidPrefix: [UInt8] = [16, 0, 0, 0, BSONSink.Subtype.uuid.rawValue]

    /// Plans a column for a field whose values are written under `name`.
    init(_ field: ExportField, number: Int, name: ByteView, _ version: FormatVersion, _ keys: KeyTable) {
        kind = Kind(field, version)
        isText = kind == .text || kind == .textLink
        var bytes = name.bytes
        bytes[0] = kind.element.type.rawValue
        if kind.hasPrefix { bytes += Self.uuidPrefix }
        key = keys.add(bytes)
        size = UInt32(bytes.count + kind.element.size)
        self.number = Int32(number)
        target = field.target
    }
}

/// Rows of a table, decoded column by column: rows are then written without a decision about the encodings of leaves.
struct BSONBlock: BitwiseCopyable {
    let columns: UncheckedSpan<BSONColumn>
    let columnCount: Int
    /// Sixteen bytes for each value, row by row; or elements of an array.
    let slots: BSONRows
    /// The bytes of a row that is an element of an array, with its name, when all values have a fixed size; otherwise 0.
    let elementSize: Int
    /// The object keys of a block of embedded objects.
    let keys: UncheckedSpan<Int64>
    /// What is reserved for a row: its keys, and plain values in all fields.
    let room: Int
    private(set) var firstRow = 0
    private var endRow = 0
    /// Where the first row was found, of a block of embedded objects.
    var place = ObjectLocator.Place.none
    /// Whether each object key is greater than the one before.
    var areKeysAscending = false
    /// The row after the one that was written last, from the first of the block on.
    var next = 0
    /// The cluster, and when it was found.
    var mark = ObjectLocator.Mark.none
    /// How many rows are decoded the next time: more and more, as long as they are used.
    var window = Self.firstWindow
    /// The rows, a bit each, that are put together of nothing but slots.
    var plain: UInt64 = 0
    /// Whether all rows are elements of an array as they are, but for their names.
    var areElements = false
    /// Whether there are no more rows in the cluster.
    var isLast = false
    /// How many rows are found by their keys alone: none while some are written by whoever needs the cluster, and none where
    /// keys do not ascend.
    private(set) var foundRows = 0
    /// Whether rows of it are being written, and not only from slots.
    var isInUse = false { didSet { foundRows = isInUse || !areKeysAscending ? 0 : count } }

    /// The rows of a cluster that are decoded.
    @inline(__always)
    var rows: Range<Int> {
        get { unsafe Range(uncheckedBounds: (firstRow, endRow)) }
        set { (firstRow, endRow) = (newValue.lowerBound, newValue.upperBound) }
    }

    /// How many rows these are.
    @inline(__always)
    var count: Int { endRow &- firstRow }

    /// As many as there are bits in a word.
    static var mostRows: Int { 64 }
    static var firstWindow: Int { 4 }
    /// The most bytes that a value takes in the loop over rows, with the length before a text and the zero after it.
    static var mostBytes: Int { 4 + ShortStrings.longestCopied + 1 }
    /// The bytes of a document or array without elements.
    static var emptyDocument: UInt32 { 5 }
    /// The most elements of an array that the loop over rows writes. Their keys are prepared.
    static var mostElements: Int { 64 }

    /// How many elements have names of one digit.
    static var shortNames: Int { 10 }
    /// What is before the first value of such an element: its type, its name, and the size of its document.
    private static func elementStart(size: Int) -> [UInt8] {
        let bytes = UInt32(size - 3)
        return [BSONSink.Element.document.rawValue, UInt8(ascii: "0"), 0]
            + (0..<4).map { UInt8(truncatingIfNeeded: bytes >> (8 * $0)) }
    }
    private static var elementStartSize: Int { 7 }

    /// Plans a block for fields with leaves one after the other.
    init(_ fields: ObjectFields, _ plan: ExportPlan, _ memory: BSONBlockMemory) {
        columnCount = fields.end - fields.first
        columns = memory.columns(columnCount)
        var room = BSONBlock.mostBytes
        var areExact = true
        for index in 0..<columnCount {
            let leaf = fields.leaves[unchecked: fields.first + index]
            let column = BSONColumn(
                plan.fields[leaf.number], number: leaf.number, name: leaf.key, plan.version, memory.keys)
            columns[unchecked: index] = column
            room += column.key.count + Self.mostBytes
            areExact = areExact && column.kind.isExact
        }
        self.room = room
        let size = (0..<columnCount).reduce(Self.elementStartSize + 1) { [columns] size, index in
            size + Int(columns[unchecked: index].size)
        }
        var element = Self.elementStart(size: size)
        for index in 0..<columnCount {
            let column = columns[unchecked: index]
            columns[unchecked: index].room = room
            columns[unchecked: index].offset = areExact ? element.count + column.key.count : index * BSONSlots.size
            element += column.key.bytes + [UInt8](repeating: 0, count: Int(column.size) - column.key.count)
        }
        element.append(0)
        elementSize = areExact ? size : 0
        slots = memory.rows(stride: areExact ? size : columnCount * BSONSlots.size)
        if areExact { slots.fill(element) }
        keys = memory.rowNumbers()
    }
}

/// The blocks of a sink: one for the class that is exported, one for each embedded class.
struct BSONBlocks: ~Copyable, @unchecked Sendable {
    private let memory = BSONBlockMemory()
    private var top: (position: Int, block: BSONBlock)?
    private var ownedEmbedded = UncheckedArray<BSONBlock>(count: 0)
    /// A block for each table, once there are any. Of those that are not made yet nothing but rows, room and marks may be
    /// looked at: all are 0.
    private(set) var embedded: UncheckedSpan<BSONBlock>
    /// Whether there are any.
    private(set) var areMade = false
    /// Numbers that values are made of, while a column is decoded.
    let numbers: UncheckedSpan<Int64>

    init() {
        embedded = UncheckedSpan(ownedEmbedded)
        numbers = memory.rowNumbers()
    }

    /// The block for the objects of the class that is exported.
    mutating func top(_ fields: ObjectFields, _ plan: ExportPlan) -> BSONBlock {
        if let top, top.position == fields.position { return top.block }
        let block = BSONBlock(fields, plan, memory)
        top = (fields.position, block)
        return block
    }

    /// Makes the block of an embedded class if there is none.
    mutating func make(_ fields: ObjectFields, _ plan: ExportPlan) {
        if !areMade {
            ownedEmbedded = UncheckedArray(zeroed: plan.tables.count)
            embedded = UncheckedSpan(ownedEmbedded)
            areMade = true
        }
        guard embedded[unchecked: fields.position].room == 0 else { return }
        embedded[unchecked: fields.position] = BSONBlock(fields, plan, memory)
    }
}

/// The memory of blocks.
final class BSONBlockMemory {
    let keys = KeyTable()
    private var columns: [UncheckedArray<BSONColumn>] = []
    private var numbers: [UncheckedArray<Int64>] = []
    private var rows: [BSONRows] = []

    func columns(_ count: Int) -> UncheckedSpan<BSONColumn> {
        let slab = UncheckedArray<BSONColumn>(count: count)
        columns.append(slab)
        return UncheckedSpan(slab)
    }

    /// A number for each row.
    func rowNumbers() -> UncheckedSpan<Int64> {
        let slab = UncheckedArray<Int64>(count: BSONBlock.mostRows)
        numbers.append(slab)
        return UncheckedSpan(slab)
    }

    func rows(stride: Int) -> BSONRows {
        let memory = BSONRows(stride: stride)
        rows.append(memory)
        return memory
    }

    deinit {
        for rows in rows { unsafe rows.deallocate() }
    }
}

/// The memory of a block's rows, one after the other.
@safe
struct BSONRows: @unchecked Sendable, BitwiseCopyable {
    private let base: UnsafeMutableRawPointer
    /// Bytes a row.
    private let stride: Int

    /// What can be read behind the last row: bytes that are copied at once.
    static var slack: Int { 320 }

    /// Memory full of zeros, which lives until `deallocate`.
    fileprivate init(stride: Int) {
        self.stride = stride
        let size = stride * BSONBlock.mostRows + Self.slack
        unsafe base = .allocate(byteCount: size, alignment: 16)
        unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    }

    @unsafe
    fileprivate func deallocate() { unsafe base.deallocate() }

    /// Makes each row these bytes, of which there are as many as it has.
    fileprivate func fill(_ bytes: [UInt8]) {
        precondition(bytes.count == stride)
        for row in 0..<BSONBlock.mostRows {
            unsafe (base + row * stride).copyMemory(from: bytes, byteCount: stride)
        }
    }

    /// The slots of a column that begin at `offset` of each row.
    @inline(__always)
    func slots(at offset: Int) -> BSONSlots { unsafe BSONSlots(base + offset, stride) }

    /// The beginning of a row.
    @inline(__always)
    func row(_ row: Int) -> BSONSlot { unsafe BSONSlot(base + row &* stride) }
}

/// The slots of a column: for each row the bytes that its value has in BSON, or where there is more to write.
@safe
struct BSONSlots: @unchecked Sendable, BitwiseCopyable {
    /// The most bytes a slot.
    static var size: Int { 16 }

    private let base: UnsafeMutableRawPointer
    private let stride: Int

    @unsafe
    fileprivate init(_ base: UnsafeMutableRawPointer, _ stride: Int) {
        unsafe self.base = unsafe base
        self.stride = stride
    }

    @inline(__always)
    func store(_ low: UInt64, at row: Int) {
        unsafe base.storeBytes(of: low.littleEndian, toByteOffset: row &* stride, as: UInt64.self)
    }

    @inline(__always)
    func store(_ low: UInt64, _ high: UInt64, at row: Int) {
        store(low, at: row)
        unsafe base.storeBytes(of: high.littleEndian, toByteOffset: row &* stride &+ 8, as: UInt64.self)
    }

    /// Stores where something is, which `load` gives back.
    @inline(__always)
    func store<Place: BitwiseCopyable>(_ place: Place, at row: Int) {
        assert(MemoryLayout<Place>.size <= Self.size)
        unsafe base.storeBytes(of: place, toByteOffset: row &* stride, as: Place.self)
    }

    @inline(__always)
    func load<Place: BitwiseCopyable>(_ type: Place.Type, at row: Int) -> Place {
        unsafe base.loadUnaligned(fromByteOffset: row &* stride, as: type)
    }
}

/// One slot, or the beginning of a row of them.
@safe
struct BSONSlot: @unchecked Sendable, BitwiseCopyable {
    private let base: UnsafeRawPointer

    @unsafe
    fileprivate init(_ base: UnsafeMutableRawPointer) { unsafe self.base = UnsafeRawPointer(base) }

    @unsafe
    private init(_ base: UnsafeRawPointer) { unsafe self.base = base }

    /// The slot of a column whose `offset` is given.
    @inline(__always)
    func slot(at offset: Int) -> BSONSlot { unsafe BSONSlot(base + offset) }

    @inline(__always)
    func load<Place: BitwiseCopyable>(_ type: Place.Type) -> Place { unsafe base.loadUnaligned(as: type) }
}
