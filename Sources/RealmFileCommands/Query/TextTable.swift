/// Rows of text in columns. The first rows determine the widths of the columns, so that a large result is printed while
/// it is read.
struct TextTable {
    /// A column of the table.
    struct Column {
        let name: String
        /// Whether cells are aligned on the right.
        let isNumber: Bool
    }

    /// The number of rows to measure before the first is printed.
    private static let sampleCount = 200
    /// The maximum padded width of a cell when rows are not truncated: one long text would move everything after it.
    private static let widestFilled = 60
    /// The width that a column of text keeps on a terminal, as long as others can give way.
    private static let narrow = 10
    /// The minimum width of a column on a terminal; columns that would be narrower are omitted.
    private static let narrowest = 4
    private static let gap = "  "

    private let columns: [Column]
    private let hasHeader: Bool
    /// The width of the terminal; nil when nothing is truncated.
    private let width: Int?
    private var sample: [[String]] = []
    private var widths: [Int] = []

    /// - Parameter width: the width of the terminal; nil when nothing is truncated.
    init(_ columns: [Column], hasHeader: Bool, width: Int?) {
        self.columns = columns
        self.hasHeader = hasHeader
        self.width = width
    }

    /// The number of columns that did not fit.
    var hiddenColumns: Int { columns.count - (widths.isEmpty ? columns.count : widths.count) }

    mutating func add(_ cells: [String], _ console: any Console) throws {
        guard widths.isEmpty else { return try write(cells, console) }
        sample.append(cells)
        if sample.count == Self.sampleCount { try writeSample(console) }
    }

    mutating func finish(_ console: any Console) throws {
        if widths.isEmpty { try writeSample(console) }
    }

    private mutating func writeSample(_ console: any Console) throws {
        let cells = columns.indices.map { column in sample.lazy.map { $0[column].displayWidth }.max() ?? 0 }
        let natural = zip(cells, columns).map { max($0, hasHeader ? $1.name.displayWidth : 0) }
        // A number that is cut would be another number.
        let fixed = zip(cells, columns).map { $1.isNumber ? $0 : 0 }
        widths = width.map { Self.fitted(natural, fixed, to: $0) } ?? natural.map { min($0, Self.widestFilled) }
        for line in (hasHeader ? [columns.map(\.name)] : []) + sample { try write(line, console) }
        sample = []
    }

    /// Returns widths that fit: the widest columns shrink first, at last also below ten characters; then columns on the
    /// right are dropped.
    ///
    /// - Parameter fixed: the widths that columns keep.
    private static func fitted(_ natural: [Int], _ fixed: [Int], to width: Int) -> [Int] {
        func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + gap.count * max(0, widths.count - 1) }
        func capped(_ cap: Int) -> [Int] { zip(natural, fixed).map { max(min($0, cap), $1) } }
        var cap = min(natural.max() ?? 0, width)
        var widths = capped(cap)
        while total(widths) > width, cap > narrowest {
            cap -= 1
            widths = capped(cap)
        }
        // With columns this narrow little can be read: if some must go, the others get room.
        if total(widths) > width { widths = capped(narrow) }
        // At least one column is shown, however narrow the terminal.
        while total(widths) > width, widths.count > 1 { widths.removeLast() }
        return total(widths) > width ? [max(1, width)] : widths
    }

    private func write(_ line: [String], _ console: any Console) throws {
        var text: [UInt8] = []
        for column in widths.indices {
            if column > 0 { text += Self.gap.utf8 }
            append(line[column], column, to: &text)
        }
        while text.last == UInt8(ascii: " ") { text.removeLast() }
        text.append(UInt8(ascii: "\n"))
        try console.write(text)
    }

    /// Appends a cell, cut and filled to the width of its column. Most cells are ASCII, whose width is a count of bytes.
    private func append(_ cell: String, _ column: Int, to text: inout [UInt8]) {
        let cell = width == nil ? cell : cell.cut(to: widths[column])
        let spaces = repeatElement(UInt8(ascii: " "), count: max(0, widths[column] - cell.displayWidth))
        if columns[column].isNumber { text += spaces }
        text += cell.utf8
        if !columns[column].isNumber { text += spaces }
    }
}
