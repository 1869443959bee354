internal import RealmCore
internal import RealmLayout

/// Rows of values as text for people: a table, or a line for each value.
struct TextRows {
    /// A column of values.
    struct Column {
        let name: String
        /// Whether all values are numbers or null.
        let isNumber: Bool
        /// Whether all values are strings or null.
        let isText: Bool
        /// Whether links can refer to objects of several classes.
        let namesClasses: Bool
    }

    private let columns: [Column]
    /// The width of the terminal; nil when nothing is cut to fit.
    private let width: Int?
    private var form: Form

    private enum Form {
        case table(TextTable)
        case records(TextRecords)
    }

    init(_ columns: [Column], isVertical: Bool, hasHeader: Bool, width: Int?) {
        self.columns = columns
        // A line of its own may wrap.
        self.width = isVertical ? nil : width
        form =
            isVertical
            ? .records(TextRecords(columns.map(\.name.singleLine)))
            : .table(
                TextTable(
                    columns.map { TextTable.Column(name: $0.name.singleLine, isNumber: $0.isNumber) },
                    hasHeader: hasHeader, width: width))
    }

    /// The number of columns that did not fit.
    var hiddenColumns: Int { if case .table(let table) = form { table.hiddenColumns } else { 0 } }

    /// The text of a value.
    ///
    /// - Throws: `FormatError` if part of it is damaged.
    func cell(_ value: Value, _ column: Int) throws(FormatError) -> String {
        let form = columns[column]
        return try CellText.of(value, isText: form.isText, namesClasses: form.namesClasses, most: width)
    }

    mutating func add(_ cells: [String], _ console: any Console) throws {
        switch form {
        case .table(var table):
            // Keeps the table uniquely referenced, so that adding a row copies nothing.
            form = .records(TextRecords([]))
            defer { form = .table(table) }
            try table.add(cells, console)
        case .records(var records):
            defer { form = .records(records) }
            try records.add(cells, console)
        }
    }

    mutating func finish(_ console: any Console) throws {
        guard case .table(var table) = form else { return }
        defer { form = .table(table) }
        try table.finish(console)
    }
}
