/// Rows of text with a line for each column, as psql prints with `\x` and sqlite3 in its mode `line`.
struct TextRecords {
    private let names: [String]
    private var isFirst = true

    init(_ names: [String]) {
        let width = names.map(\.displayWidth).max() ?? 0
        self.names = names.map { $0.filled(to: width, atStart: false) }
    }

    mutating func add(_ cells: [String], _ console: any Console) throws {
        if !isFirst { try console.writeLine("") }
        isFirst = false
        for (name, cell) in zip(names, cells) { try console.writeLine("\(name)  \(cell)") }
    }
}
