internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

extension InspectReport {
    /// Writes the free chunks with their bytes or texts.
    func write(_ chunks: [FreeChunk], to console: any Console) throws {
        let total = chunks.reduce(0) { $0 + $1.range.count }
        try console.writeLine("\(counted(chunks.count, "free chunk")), \(counted(total, "byte"))")
        for chunk in chunks {
            let range = "\(hexadecimal(chunk.range.lowerBound)) to \(hexadecimal(chunk.range.upperBound))"
            let since = chunk.freedBy != 0 ? ", freed by commit \(chunk.freedBy)" : ""
            try console.writeLine("\(range)  \(counted(chunk.range.count, "byte"))\(since)")
            if showsTexts {
                try inspector?.forEachText(in: chunk.range) { text in
                    try console.writeLine("  \(hexadecimal(text.offset))  \(text.text.singleLine)")
                }
            } else {
                try writeBytes(in: chunk.range, indent: 2, to: console)
            }
        }
    }

    /// Writes bytes in rows of sixteen, up to the limit.
    func writeBytes(in range: Range<Int>, indent: Int, to console: any Console) throws {
        let rows = (range.count + 15) / 16
        for row in 0..<min(rows, limit) {
            let start = range.lowerBound + row * 16
            let bytes = try inspector?.bytes(in: start..<min(start + 16, range.upperBound)) ?? []
            // Its page was never written.
            guard !bytes.isEmpty else { return try writeMissing(start, to: console) }
            try console.writeLine(String(repeating: " ", count: indent) + Self.row(bytes, at: start))
        }
        if rows > limit { try writeRest(range.count - limit * 16, "byte", to: console) }
    }

    private func writeMissing(_ offset: Int, to console: any Console) throws {
        try console.writeLine("    … the bytes at \(hexadecimal(offset)) are not in the file")
    }

    /// The free chunks for scripts.
    func json(_ chunks: [FreeChunk]) throws -> JSONValue {
        .array(
            try chunks.map { chunk in
                var members: [(String, JSONValue)] = [
                    ("bytes", .bytes(chunk.range)), ("freedBy", JSONValue(chunk.freedBy)),
                ]
                if showsTexts {
                    var texts: [JSONValue] = []
                    try inspector?.forEachText(in: chunk.range) { text in
                        texts.append(.object([("offset", .offset(text.offset)), ("text", .string(text.text))]))
                    }
                    members.append(("texts", .array(texts)))
                } else {
                    let most = limit > chunk.range.count / 16 ? chunk.range.count : limit * 16
                    let bytes = try inspector?.bytes(in: chunk.range.prefix(most)) ?? []
                    members.append(("hex", .string(Hexadecimal.text(bytes))))
                    members.append(("truncated", .bool(chunk.range.count > bytes.count)))
                }
                return .object(members)
            })
    }
}
