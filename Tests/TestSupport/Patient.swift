package import RealmLayout

/// The bytes of a good file, with methods to damage them. It parses nodes itself, so that the verifier is not tested
/// with its own code.
package struct Patient: Sendable {
    package var bytes: [UInt8]

    package init(_ name: String) throws { try self.init(bytes: KnownFile.fixture(name).bytes()) }

    /// Takes a file; one in streaming form is converted to one that is updated in place, so that it can grow.
    package init(bytes: [UInt8]) throws {
        self.bytes = bytes
        guard isStreaming else { return }
        let top = number(at: bytes.count - 16, 8)
        self.bytes.removeLast(16)
        setNumber(top, at: 0, 8)
    }

    package var isStreaming: Bool { bytes[23] & 1 == 0 && bytes[0..<8].allSatisfy { $0 == 0xFF } }
    package var slot: Int { Int(bytes[23] & 1) }
    package var top: Int { number(at: slot * 8, 8) }
    package var otherTop: Int { number(at: (1 - slot) * 8, 8) }

    // MARK: Numbers

    package func number(at offset: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    package mutating func setNumber(_ value: Int, at offset: Int, _ count: Int) {
        for index in 0..<count { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }

    // MARK: Nodes

    package func width(_ ref: Int) -> Int { (1 << Int(bytes[ref + 4] & 7)) >> 1 }

    package func count(_ ref: Int) -> Int { Int(bytes[ref + 5]) << 16 | Int(bytes[ref + 6]) << 8 | Int(bytes[ref + 7]) }

    package mutating func setCount(_ ref: Int, _ count: Int) {
        (bytes[ref + 5], bytes[ref + 6], bytes[ref + 7]) =
            (UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF))
    }

    package func element(_ ref: Int, _ index: Int) -> Int {
        let width = width(ref)
        guard width > 0 else { return 0 }
        guard width >= 8 else {
            return Int(bytes[ref + 8 + index * width / 8]) >> (index * width % 8) & (1 << width - 1)
        }
        let value = number(at: ref + 8 + index * width / 8, width / 8)
        return (value << (64 - width)) >> (64 - width)
    }

    package func elements(_ ref: Int) -> [Int] { (0..<count(ref)).map { element(ref, $0) } }

    /// Changes an element; the value must fit into its width.
    package mutating func set(_ ref: Int, _ index: Int, _ value: Int) throws {
        let width = width(ref)
        let offset = ref + 8 + index * width / 8
        if width >= 8 {
            setNumber(value, at: offset, width / 8)
        } else if width > 0 {
            let shift = index * width % 8
            let mask = (1 << width - 1) << shift
            bytes[offset] = UInt8(Int(bytes[offset]) & ~mask | value << shift & mask)
        }
        guard element(ref, index) == value else {
            throw TestSupportError("\(value) has no room in \(width) bits at \(ref)")
        }
    }

    /// Returns the ref at the end of a path of element numbers from the root.
    package func ref(_ path: [Int]) throws -> Int { try path.reduce(top) { try child($0, $1) } }

    package func child(_ ref: Int, _ index: Int) throws -> Int {
        guard index < count(ref), element(ref, index) != 0, element(ref, index) & 1 == 0 else {
            throw TestSupportError("no ref in element \(index) of the node at \(ref)")
        }
        return element(ref, index)
    }

    // MARK: New nodes

    /// Appends a node at the end of the database, which grows, and returns its ref.
    package mutating func append(
        flags: UInt8, widthType: NodeHeader.WidthType, width: Int, count: Int, payload: [UInt8]
    ) throws -> Int {
        // After everything else; the logical size is updated.
        let size = element(top, 2) >> 1
        bytes.removeSubrange(size..<bytes.count)
        let ref = bytes.count
        let code = width == 0 ? 0 : width.trailingZeroBitCount + 1
        bytes += Array("AAAA".utf8) + [flags | widthType.rawValue << 3 | UInt8(code)]
        bytes += [UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)] + payload
        bytes += [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
        try set(top, 2, bytes.count << 1 | 1)
        return ref
    }

    /// Appends an array of 64-bit integers.
    package mutating func append(_ values: [Int], flags: UInt8 = 0) throws -> Int {
        let payload = values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        return try append(flags: flags, widthType: .bits, width: 64, count: values.count, payload: payload)
    }

    /// Replaces the array at the end of a path by one of other elements with the same flags.
    @discardableResult
    package mutating func replace(_ path: [Int], _ values: [Int]) throws -> Int {
        let old = try ref(path)
        let new = try append(values, flags: bytes[old + 4] & 0xE0)
        try point(path, to: new)
        // A new root has its own logical size.
        if path.isEmpty { try set(new, 2, bytes.count << 1 | 1) }
        return new
    }

    /// Changes the ref at the end of a path; the old node is leaked.
    package mutating func point(_ path: [Int], to ref: Int) throws {
        guard let last = path.last else {
            setNumber(ref, at: slot * 8, 8)
            return
        }
        let parent = try self.ref(Array(path.dropLast()))
        if width(parent) < 64, Int(truncatingIfNeeded: ref) >= 1 << (width(parent) - 1) {
            var values = elements(parent)
            values[last] = ref
            try replace(Array(path.dropLast()), values)
        } else {
            try set(parent, last, ref)
        }
    }

    /// Replaces the root by one with elements of 64 bits, so that any value fits.
    package mutating func widenTop() throws {
        var values = elements(top)
        // Appending changes the size, which must fit.
        let size = values[2] >> 1
        bytes.removeSubrange(size..<bytes.count)
        let ref = bytes.count
        values[2] = (ref + 8 + 8 * values.count) << 1 | 1
        bytes += Array("AAAA".utf8) + [0x47, 0, 0, UInt8(values.count)]
        bytes += values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        setNumber(ref, at: slot * 8, 8)
    }

    // MARK: Tables

    /// Returns the path to a table.
    package func table(_ name: String) throws -> [Int] {
        let names = try ref([0])
        let width = width(names)
        for index in 0..<count(names) {
            let element = bytes[(names + 8 + index * width)..<(names + 8 + (index + 1) * width)]
            if String(decoding: element.prefix { $0 != 0 }, as: UTF8.self) == name { return [1, index] }
        }
        throw TestSupportError("no table \(name)")
    }

    /// Returns the path to the leaf of a column in the first cluster of a table.
    package func leaf(_ table: String, column: Int) throws -> [Int] { try cluster(table) + [column + 1] }

    /// Returns the path to the first cluster of a table.
    package func cluster(_ table: String) throws -> [Int] {
        var path = try self.table(table) + [2]
        while try bytes[ref(path) + 4] & 0x80 != 0 { path.append(3) }
        return path
    }

    /// Returns the path to a part of a table's spec.
    package func spec(_ table: String, _ part: SpecSlot) throws -> [Int] { try self.table(table) + [0, part.rawValue] }
}
