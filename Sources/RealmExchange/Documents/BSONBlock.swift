internal import RealmLayout
internal import RealmReader

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
                plan.fields[leaf.number], number: leaf.number, name: leaf.key, plan, memory.keys)
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
    private var top: (position: TablePosition, block: BSONBlock)?
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
