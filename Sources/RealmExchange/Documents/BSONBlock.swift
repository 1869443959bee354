internal import RealmCore
internal import RealmLayout

/// Rows of a table, decoded column by column, so that the row loop does not depend on leaf encodings.
struct BSONBlock: BitwiseCopyable {
    let columns: UncheckedSpan<BSONColumn>
    let columnCount: Int
    /// Sixteen bytes per value, row by row, or complete array elements.
    let slots: BSONRows
    /// Size of a row that is a complete array element including its name, if all values have a fixed size; otherwise 0.
    let elementSize: Int
    /// The object keys of a block of embedded objects.
    let keys: UncheckedSpan<Int64>
    /// Bytes to reserve for a row: its keys, and plain values in all fields.
    let room: Int
    private(set) var firstRow = 0
    private var endRow = 0
    /// The place of the first row, in a block of embedded objects.
    var place = ObjectLocator.Place.none
    /// Whether the object keys are strictly ascending.
    var areKeysAscending = false
    /// The row after the last one written, relative to the first row of the block.
    var next = 0
    /// The cluster of the rows, and the time of its lookup.
    var mark = ObjectLocator.Mark.none
    /// Number of rows to decode next time. It grows as long as the rows are used.
    var window = Self.firstWindow
    /// Bit set of the rows that consist only of slots and absent values.
    var plain: UInt64 = 0
    /// Whether all rows are complete array elements except for their names.
    var areElements = false
    /// Whether the cluster has no more rows.
    var isLast = false
    /// Number of rows that can be found by their keys alone: 0 while rows are being written by code that needs the
    /// cluster, and 0 if the keys do not ascend.
    private(set) var foundRows = 0
    /// Whether rows of the block are being written with values from outside the slots.
    var isInUse = false { didSet { foundRows = isInUse || !areKeysAscending ? 0 : count } }

    /// The decoded rows, as row numbers of the cluster.
    @inline(__always)
    var rows: Range<Int> {
        get { unsafe Range(uncheckedBounds: (firstRow, endRow)) }
        set { (firstRow, endRow) = (newValue.lowerBound, newValue.upperBound) }
    }

    /// Number of decoded rows.
    @inline(__always)
    var count: Int { endRow &- firstRow }

    /// The number of bits in a word.
    static var mostRows: Int { 64 }
    static var firstWindow: Int { 4 }
    /// Maximum size of a value in the row loop, including the length before a text and the zero after it.
    static var mostBytes: Int { 4 + ShortStrings.longestCopied + 1 }
    /// Size of an empty document or array.
    static var emptyDocument: UInt32 { 5 }
    /// Maximum number of array elements written by the row loop. Their keys are prepared.
    static var mostElements: Int { 64 }

    /// Number of elements with single-digit names.
    static var shortNames: Int { 10 }
    /// The bytes before the first value of such an element: its type, its name, and the size of its document.
    private static func elementStart(size: Int) -> [UInt8] {
        let bytes = UInt32(size - 3)
        return [BSONSink.Element.document.rawValue, UInt8(ascii: "0"), 0]
            + (0..<4).map { UInt8(truncatingIfNeeded: bytes >> (8 * $0)) }
    }
    private static var elementStartSize: Int { 7 }

    /// Plans a block for fields with consecutive leaves.
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

/// The blocks of a sink: one for the exported class and one for each embedded class.
struct BSONBlocks: ~Copyable, @unchecked Sendable {
    private let memory = BSONBlockMemory()
    private var top: (position: TablePosition, block: BSONBlock)?
    private var ownedEmbedded = UncheckedArray<BSONBlock>(count: 0)
    /// A block for each table, once `areMade`. Blocks that have not been made yet are all zeros; only their rows, room
    /// and marks may be read.
    private(set) var embedded: UncheckedSpan<BSONBlock>
    /// Whether the blocks of embedded classes have been allocated.
    private(set) var areMade = false
    /// Scratch numbers for decoding one column.
    let numbers: UncheckedSpan<Int64>

    init() {
        embedded = UncheckedSpan(ownedEmbedded)
        numbers = memory.rowNumbers()
    }

    /// The block for objects of the exported class.
    mutating func top(_ fields: ObjectFields, _ plan: ExportPlan) -> BSONBlock {
        if let top, top.position == fields.position { return top.block }
        let block = BSONBlock(fields, plan, memory)
        top = (fields.position, block)
        return block
    }

    /// Makes the block of an embedded class if it does not exist yet.
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

/// Owns the memory of blocks.
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

    /// Allocates one number per row.
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
