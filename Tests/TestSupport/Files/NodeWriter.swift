package import RealmLayout

/// Writes nodes one after another, valid or not, for files that no version of Realm Core would create.
///
/// Refs are byte offsets, as in the file.
package struct NodeWriter {
    package private(set) var bytes: [UInt8]

    /// Begins at the offset `start`, after zeros.
    package init(at start: Int = FileHeader.size) { bytes = [UInt8](repeating: 0, count: start) }

    /// Returns a number as stored in a node with refs.
    package static func tagged(_ value: Int) -> Int { value << 1 | 1 }

    /// Appends a node and returns its ref.
    package mutating func node(
        flags: UInt8 = 0, widthType: NodeHeader.WidthType, width: Int, count: Int, payload: [UInt8]
    ) -> Int {
        let ref = bytes.count
        let code = width == 0 ? 0 : width.trailingZeroBitCount + 1
        bytes += Array("AAAA".utf8)
        bytes.append(flags | widthType.rawValue << 3 | UInt8(code))
        bytes += [UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
        bytes += payload
        bytes += [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
        return ref
    }

    /// Appends an array of 64-bit integers.
    package mutating func integers(_ values: [Int], flags: UInt8 = 0) -> Int {
        node(
            flags: flags, widthType: .bits, width: 64, count: values.count,
            payload: values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } })
    }

    /// Appends an array of zeros that takes eight bytes, whatever its length.
    package mutating func zeros(_ count: Int, flags: UInt8 = 0) -> Int {
        node(flags: flags, widthType: .bits, width: 0, count: count, payload: [])
    }

    /// Appends an array of refs and tagged integers.
    package mutating func refs(_ values: [Int], isInner: Bool = false, isContext: Bool = false) -> Int {
        var flags = NodeHeader.Mask.hasRefs
        if isInner { flags |= NodeHeader.Mask.inner }
        if isContext { flags |= NodeHeader.Mask.context }
        return integers(values, flags: flags)
    }

    /// Appends a leaf of short strings, given as bytes.
    package mutating func shortStrings(_ values: [[UInt8]]) -> Int {
        var payload: [UInt8] = []
        for value in values {
            payload += value
            payload += [UInt8](repeating: 0, count: 63 - value.count)
            payload.append(UInt8(63 - value.count))
        }
        return node(widthType: .multiply, width: 64, count: values.count, payload: payload)
    }

    /// Appends a leaf of short strings.
    package mutating func shortStrings(_ values: [String]) -> Int { shortStrings(values.map { Array($0.utf8) }) }

    /// Appends a node of plain bytes.
    package mutating func blob(_ content: [UInt8]) -> Int {
        node(widthType: .ignore, width: 1, count: content.count, payload: content)
    }

    /// Changes element `index` of an array of 64-bit integers.
    package mutating func set(_ index: Int, of ref: Int, to value: Int) {
        for byte in 0..<8 { bytes[ref + 8 + 8 * index + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
    }

    /// Returns the file in streaming form.
    package func file(top: Int, format: UInt8) -> [UInt8] {
        var file = bytes
        for offset in 0..<8 { file[offset] = 0xFF }
        file.replaceSubrange(16..<20, with: Array("T-DB".utf8))
        file[20] = format
        for number in [UInt64(top), FileHeader.footerCookie] {
            file += (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
        }
        return file
    }
}
