/// Counts documents without knowing their content; nil when the bytes are not well-formed.
enum DocumentCount {
    /// Counts consecutive BSON documents: every length must be correct, every element of a known type, and names and
    /// strings must be UTF-8.
    static func bson(_ bytes: [UInt8]) -> Int? {
        var count = 0
        var offset = 0
        /// The ends of the open documents.
        var ends: [Int] = []
        while offset < bytes.count || !ends.isEmpty {
            guard let end = ends.last else {
                guard let end = documentEnd(bytes, offset, within: bytes.count) else { return nil }
                ends.append(end)
                offset += 4
                count += 1
                continue
            }
            let type = bytes[offset]
            offset += 1
            if type == 0 {
                guard offset == end else { return nil }
                ends.removeLast()
                continue
            }
            guard let zero = bytes[offset..<end].firstIndex(of: 0), isText(bytes[offset..<zero]) else { return nil }
            offset = zero + 1
            if type == 0x03 || type == 0x04 {
                guard let inner = documentEnd(bytes, offset, within: end - 1) else { return nil }
                ends.append(inner)
                offset += 4
            } else {
                guard let size = size(of: type, bytes, offset), size < end - offset else { return nil }
                if type == 0x02 {
                    guard size >= 5, bytes[offset + size - 1] == 0, isText(bytes[(offset + 4)..<(offset + size - 1)])
                    else {
                        return nil
                    }
                }
                offset += size
            }
        }
        return offset == bytes.count ? count : nil
    }

    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
    }

    private static func documentEnd(_ bytes: [UInt8], _ offset: Int, within limit: Int) -> Int? {
        guard let length = length(bytes, offset), length >= 5, length <= limit - offset else { return nil }
        return offset + length
    }

    private static func length(_ bytes: [UInt8], _ offset: Int) -> Int? {
        guard offset + 4 <= bytes.count else { return nil }
        return (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    private static func size(of type: UInt8, _ bytes: [UInt8], _ offset: Int) -> Int? {
        switch type {
        case 0x01, 0x09, 0x12: 8
        case 0x02: length(bytes, offset).map { 4 + $0 }
        case 0x05: length(bytes, offset).map { 5 + $0 }
        case 0x07: 12
        case 0x08: 1
        case 0x0A: 0
        case 0x10: 4
        case 0x13: 16
        default: nil
        }
    }

    /// Counts lines of JSON, one document on each: in braces, with matching brackets and without control characters.
    /// Brackets and commas of an array are between the lines.
    static func lines(_ bytes: [UInt8], isArray: Bool) -> Int? {
        var count = 0
        var depth = 0
        var (isInString, isEscaped) = (false, false)
        for byte in bytes {
            if isInString {
                if byte < 0x20 { return nil }
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth < 0 { return nil }
                if depth == (isArray ? 1 : 0), byte == UInt8(ascii: "}") { count += 1 }
            case 0x0A: if depth != (isArray ? 1 : 0), !isArray { return nil }
            case 0..<0x20: return nil
            default: break
            }
        }
        return depth == 0 && !isInString && bytes.last ?? 0x0A == 0x0A ? count : nil
    }

    /// Counts lines of CSV, which must have as many fields as the first.
    static func table(_ bytes: [UInt8], separator: UInt8) -> Int? {
        var (count, fields, fieldsOfFirst) = (0, 1, 0)
        var isQuoted = false
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case separator where !isQuoted: fields += 1
            case 0x0D where !isQuoted: return nil
            case 0x0A where !isQuoted:
                count += 1
                if count == 1 { fieldsOfFirst = fields }
                guard fields == fieldsOfFirst else { return nil }
                fields = 1
            default: break
            }
        }
        return isQuoted || fields != 1 ? nil : count
    }
}
