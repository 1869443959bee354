package import RealmLayout

extension ColumnLeaf {
    /// The value at `index`, which must be below `count`, in the form of Mixed values; null for links, collections and
    /// binary that is split into parts.
    ///
    /// - Throws: errors from reading the value.
    package func scalar(_ kind: ScalarKind, at index: Int, in space: NodeSpace) throws(FormatError) -> MixedValue {
        switch kind {
        case .int: .int(int(at: index))
        case .nullableInt: nullableInt(at: index).map { .int($0) } ?? .null
        case .bool: bool(at: index).map { .bool($0) } ?? .null
        case .float: floatBits(at: index).map { .float(bits: $0) } ?? .null
        case .double: doubleBits(at: index).map { .double(bits: $0) } ?? .null
        case .string: try string(at: index, in: space).map { .string($0) } ?? .null
        case .binary: try binary(at: index, in: space).flatMap { $0.parts == nil ? .binary($0.view) : nil } ?? .null
        case .timestamp: try timestamp(at: index).map { .timestamp($0) } ?? .null
        case .decimal128: decimal(at: index).map { .decimal128($0) } ?? .null
        case .objectId: objectIdBytes(at: index).map { .objectId($0) } ?? .null
        case .uuid: uuidBytes(at: index).map { .uuid($0) } ?? .null
        case .mixed: try mixed(at: index, in: space)
        case .link, .embedded: .null
        }
    }

    /// The offset in the file of the word or the bytes that hold the value at `index`, which must be below `count`; of
    /// a timestamp that of its seconds, of a Mixed value that of its type. Nil for leaves that only exist in memory.
    package func offset(of index: Int, in space: NodeSpace) -> Int? {
        let bytes: ByteView =
            switch encoding {
            case .nullableIntegers, .timestamps: integers.bytes(of: index &+ 1)
            case .floats, .decimals32: self.bytes.slice(unchecked: index &* 4, count: 4)
            case .doubles, .decimals64: self.bytes.slice(unchecked: index &* 8, count: 8)
            case .decimals128: self.bytes.slice(unchecked: index &* 16, count: 16)
            case .objectIds, .uuids: fixedBytes(at: index, fixedBlocks) ?? self.bytes
            case .nullDecimals, .zeroDecimals, .shortStrings: self.bytes
            default: integers.bytes(of: index)
            }
        // Numbers of no bits have no bytes.
        return bytes.offset(in: space.bytes) ?? (ref.offset < space.bytes.count ? ref.offset : nil)
    }
}
