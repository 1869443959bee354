internal import RealmContent
internal import RealmLayout
internal import RealmReader

/// Objects as lines of text, values in columns. The first lines say how wide the columns are, so that a large result is
/// printed while it is read.
struct QueryTable {
    /// Lines that are looked at before the first is printed.
    private static let sampleCount = 200
    /// Columns of one table are not wider than this, so that several fit on a screen.
    private static let widest = 40

    private let properties: [Int]
    private let isNumber: [Bool]
    private var header: [String]?
    private var sample: [[String]] = []
    private var widths: [Int] = []

    /// - Parameter properties: positions in the table's schema.
    init(_ table: Table, properties: [Int], hasHeader: Bool) throws {
        self.properties = properties
        let chosen = properties.map { table.schema.properties[$0] }
        isNumber = chosen.map { property in
            property.collection == nil && [.int, .float, .double, .decimal128].contains(property.type)
        }
        header = hasHeader ? chosen.map { $0.name.singleLine } : nil
    }

    mutating func add(_ object: StoredObject, _ console: any Console) throws {
        let line = try properties.map { ValueText.short(try object.value(at: $0)).singleLine }
        guard widths.isEmpty else { return try write(line, console) }
        sample.append(line)
        if sample.count == Self.sampleCount { try writeSample(console) }
    }

    mutating func finish(_ console: any Console) throws {
        if widths.isEmpty { try writeSample(console) }
    }

    private mutating func writeSample(_ console: any Console) throws {
        let lines = (header.map { [$0] } ?? []) + sample
        widths = properties.indices.map { column in
            min(lines.lazy.map { $0[column].count }.max() ?? 0, Self.widest)
        }
        for line in lines { try write(line, console) }
        sample = []
    }

    private func write(_ line: [String], _ console: any Console) throws {
        let cells = line.indices.map { column in
            isNumber[column] ? line[column].leftPadded(to: widths[column]) : line[column].padded(to: widths[column])
        }
        var text = cells.joined(separator: "  ")
        while text.hasSuffix(" ") { text.removeLast() }
        try console.writeLine(text)
    }
}
