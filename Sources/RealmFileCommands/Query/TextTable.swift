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
    /// The minimum width of a column on a terminal; columns that would be narrower are omitted.
    private static let narrowest = 10
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
        let lines = (hasHeader ? [columns.map(\.name)] : []) + sample
        let natural = columns.indices.map { column in lines.lazy.map { $0[column].displayWidth }.max() ?? 0 }
        widths = width.map { Self.fitted(natural, to: $0) } ?? natural.map { min($0, Self.widestFilled) }
        for line in lines { try write(line, console) }
        sample = []
    }

    /// Returns widths that fit: the widest columns shrink first; then columns on the right are dropped.
    private static func fitted(_ natural: [Int], to width: Int) -> [Int] {
        func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + gap.count * max(0, widths.count - 1) }
        var widths = natural
        var cap = widths.max() ?? 0
        while total(widths) > width, cap > narrowest {
            cap -= 1
            widths = natural.map { min($0, cap) }
        }
        // At least one column is shown, however narrow the terminal.
        while total(widths) > width, widths.count > 1 { widths.removeLast() }
        return total(widths) > width ? [max(1, width)] : widths
    }

    private func write(_ line: [String], _ console: any Console) throws {
        var text = ""
        for column in widths.indices {
            if column > 0 { text += Self.gap }
            let cell = width == nil ? line[column] : line[column].cut(to: widths[column])
            text += cell.filled(to: widths[column], atStart: columns[column].isNumber)
        }
        while text.hasSuffix(" ") { text.removeLast() }
        try console.writeLine(text)
    }
}
