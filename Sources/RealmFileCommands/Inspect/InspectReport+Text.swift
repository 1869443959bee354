internal import RealmCore
internal import RealmForensics
internal import RealmLayout

extension InspectReport {
    /// Writes the report as text, line by line: a node can have millions of elements.
    func write(to console: any Console) throws {
        if let findingText { try console.writeLine(findingText) }
        if let header {
            try console.write(text(of: header))
            if node == nil { try console.writeLine("\nthe database is empty: it has no nodes") }
        }
        if let places { try write(places, to: console) }
        if let free { try write(free, to: console) }
        if let shownBytes { try writeBytes(in: shownBytes, indent: 2, to: console) }
        guard let node else { return }
        if places != nil { try console.writeLine("") }
        if findingText != nil || header != nil { try console.writeLine("") }
        try console.write(summary(of: node))
        if node.isBytes {
            try writeBytes(of: node, to: console)
        } else {
            try writeElements(of: node, to: console)
        }
        if let values = node.values, !values.areElements { try write(values, to: console) }
    }

    private func text(of header: FileHeader) -> String {
        var text = "header of \(name)\n"
        for (index, entry) in header.slots.enumerated() {
            let isMark = index == 0 && header.isStreaming
            let ref = isMark ? "mark of the streaming form" : "top ref \(hexadecimal(entry.topRef))"
            let selected = index == header.selectedSlot ? ", selected" : ""
            let shown = index == slot ? ", shown" : ""
            text += "  0x0\(index * 8)  slot \(index): \(ref), format \(entry.format)\(selected)\(shown)\n"
        }
        text += "  0x10  T-DB\n"
        text += "  0x14  formats \(header.slots[0].format) and \(header.slots[1].format)\n"
        text += "  0x16  reserved \(header.reserved), flags \(hexadecimal(header.flags))\n"
        return text
    }

    private func summary(of node: InspectedNode) -> String {
        let end = node.ref.offset + node.byteCount
        let header = node.headerBytes.map { Self.hex($0) }.joined(separator: " ")
        var text = "node \(node.ref)\n"
        if let path = node.path {
            let way = node.way.isEmpty ? "" : " (\(node.way.map(\.singleLine).joined(separator: " / ")))"
            text += "  path    /\(NodeInspector.text(path))\(way)\n"
        } else {
            let doubt = node.header.hasDummyChecksum ? "" : ", and nodes begin with 41 41 41 41; try --find \(node.ref)"
            text += "  path    none: no ref from the top leads here\(doubt)\n"
        }
        text += "  role    \(node.title.singleLine)\n"
        text += "  header  \(header): \(node.summary)\n"
        let range = "\(node.ref) to \(hexadecimal(end))"
        text += "  bytes   8 + \(node.payloadSize), \(node.byteCount) with padding: \(range)\n"
        return text
    }

    private func writeElements(of node: InspectedNode, to console: any Console) throws {
        let count = min(node.count, limit)
        guard count > 0 else { return }
        try console.writeLine("  elements")
        // The first rows determine the widths of the columns; later rows may be wider.
        let sample = (0..<min(count, 64)).map { Row(node.element(at: $0)) }
        let widths = Row.widths(sample)
        for index in 0..<count {
            let row = index < sample.count ? sample[index] : Row(node.element(at: index))
            try console.writeLine("  " + row.line(widths))
        }
        try writeRest(node.count - count, "element", to: console)
    }

    private func write(_ values: InspectedValues, to console: any Console) throws {
        let count = min(values.count, limit)
        try console.writeLine("  values")
        for index in 0..<count {
            let owner = values.owner(at: index).map { $0 + "  " } ?? ""
            try console.writeLine("    [\(index)]  \(owner)\(values.text(at: index).singleLine)")
        }
        try writeRest(values.count - count, "value", to: console)
    }

    private func writeBytes(of node: InspectedNode, to console: any Console) throws {
        let rows = (node.payloadSize + 15) / 16
        let count = min(rows, limit)
        guard count > 0 else { return }
        try console.writeLine("  bytes")
        for row in 0..<count {
            let bytes = node.payload(row * 16..<row * 16 + 16)
            try console.writeLine("    " + Self.row(bytes, at: node.ref.offset + NodeHeader.size + row * 16))
        }
        try writeRest(max(0, node.payloadSize - count * 16), "byte", to: console)
    }

    func writeRest(_ count: Int, _ what: String, to console: any Console) throws {
        if count > 0 { try console.writeLine("    … \(counted(count, "more \(what)")); --all shows everything") }
    }

    /// A row of sixteen bytes: offset, hexadecimal digits and characters.
    static func row(_ bytes: [UInt8], at offset: Int) -> String {
        let hex = bytes.map { Self.hex($0) }.joined(separator: " ").padded(to: 47)
        let printable = bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }
        return "\(hexadecimal(offset).padded(to: 8))  \(hex)  \(String(decoding: printable, as: UTF8.self))"
    }

    static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
}

/// A line of the list of elements.
private struct Row {
    let index: String
    let name: String
    let content: String
    let raw: String
    let note: String

    init(_ element: InspectedElement) {
        index = "[\(element.index)]"
        name = (element.name ?? "").singleLine
        content =
            switch element.content {
            case .empty: "empty"
            case .ref(let ref): "-> \(ref)"
            case .tagged(let number): String(number)
            case .number(let number): String(number)
            case .bytes: ""
            }
        raw = element.raw
        note = (element.note ?? "").singleLine
    }

    static func widths(_ rows: [Row]) -> [Int] {
        [\Row.index, \.name, \.content, \.raw].map { column in rows.map { $0[keyPath: column].count }.max() ?? 0 }
    }

    func line(_ widths: [Int]) -> String {
        var line = "  " + index.padded(to: widths[0])
        if widths[1] > 0 { line += "  " + name.padded(to: widths[1]) }
        if widths[2] > 0 { line += "  " + content.leftPadded(to: widths[2]) }
        line += "  " + raw.leftPadded(to: widths[3])
        if !note.isEmpty { line += "  " + note }
        return line
    }
}
