package import RealmLayout

/// The bytes that represent a value in an index, as far as needed (Spec 80).
package struct IndexKey {
    /// The first bytes.
    package let start: [UInt8]
    /// The number of all bytes; nil for null.
    package let count: Int?

    package static let null = IndexKey(start: [], count: nil)

    package init(start: [UInt8], count: Int?) {
        self.start = start
        self.count = count
    }

    package init(_ bytes: ByteView, upTo limit: Int) {
        start = bytes.slice(at: 0, count: min(limit, bytes.count))?.bytes ?? []
        count = bytes.count
    }

    package init(_ bytes: [UInt8]) {
        start = bytes
        count = bytes.count
    }

    package init(_ number: Int64) { self.init(number.littleEndianBytes) }

    /// The chunk at a position.
    package func chunk(_ position: Int) -> Int32 {
        IndexChunk.at(position, of: count) { $0 < start.count ? start[$0] : 0 }
    }

    /// The number of chunks, not counting the end chunk that follows a full last one.
    package var chunkCount: Int { count.map { max(1, ($0 + 3) / 4) } ?? 1 }
}

extension IndexKey {
    /// Makes the key of a value in a column with a general index; nil when the value cannot be read.
    package init?(_ leaf: ColumnLeaf, _ row: Int, upTo limit: Int, in space: NodeSpace) {
        do throws(FormatError) {
            switch leaf.encoding {
            case .integers: self.init(leaf.int(at: row))
            case .nullableIntegers:
                if let value = leaf.nullableInt(at: row) { self.init(value) } else { self = .null }
            case .bools:
                if let value = leaf.bool(at: row) { self.init(value ? 1 : 0) } else { self = .null }
            case .shortStrings, .mediumStrings, .bigStrings:
                if let bytes = try leaf.string(at: row, in: space) {
                    self.init(bytes, upTo: limit)
                } else {
                    self = .null
                }
            case .timestamps:
                if let value = try leaf.timestamp(at: row) { self.init(value) } else { self = .null }
            case .objectIds, .uuids:
                if let bytes = leaf.fixedBytes(at: row, leaf.fixedBlocks) {
                    self.init(bytes, upTo: limit)
                } else {
                    self = .null
                }
            case .mixed: self.init(try leaf.mixed(at: row, in: space), upTo: limit)
            default: return nil
            }
        } catch {
            return nil
        }
    }

    private init(_ value: Timestamp) {
        self.init(value.seconds.littleEndianBytes + value.nanoseconds.littleEndianBytes)
    }

    /// The key of a Mixed value.
    package init(_ value: MixedValue, upTo limit: Int) {
        switch value {
        case .null: self = .null
        case .int(let value): self.init(value)
        case .bool(let value): self.init(value ? 1 : 0)
        case .string(let bytes), .binary(let bytes), .objectId(let bytes), .uuid(let bytes):
            self.init(bytes, upTo: limit)
        case .timestamp(let value): self.init(value)
        case .float(let bits):
            self.init(whole: Double(Float(bitPattern: bits)), orBytes: bits.littleEndianBytes)
        case .double(let bits):
            self.init(whole: Double(bitPattern: bits), orBytes: bits.littleEndianBytes)
        case .decimal128(let value):
            if let whole = value.wholePart {
                self.init(whole)
            } else {
                self.init(value.low.littleEndianBytes + value.high.littleEndianBytes)
            }
        case .link(_, let key) where key.isUnresolved: self = .null
        case .link(let table, let key):
            self.init(table.value.littleEndianBytes + key.value.littleEndianBytes)
        case .list: self.init(Array("__List__".utf8))
        case .dictionary: self.init(Array("__Dictionary__".utf8))
        }
    }

    /// Whole numbers of 32 bits have the same keys as integers.
    private init(whole number: Double, orBytes bytes: [UInt8]) {
        if let whole = Int32(exactly: number) { self.init(Int64(whole)) } else { self.init(bytes) }
    }
}

extension Decimal128Bits {
    /// The integer part of the number, if it fits in 64 bits.
    package var wholePart: Int64? {
        guard let parts else { return nil }
        var (coefficient, exponent) = (parts.coefficient, parts.exponent)
        while exponent < 0, coefficient != 0 {
            coefficient /= 10
            exponent += 1
        }
        guard coefficient != 0 else { return 0 }
        while exponent > 0 {
            guard coefficient < 1 << 64 else { return nil }
            coefficient *= 10
            exponent -= 1
        }
        guard let magnitude = UInt64(exactly: coefficient) else { return nil }
        if parts.isNegative { return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
        return Int64(exactly: magnitude)
    }
}
