internal import RealmLayout

extension ColumnLeaf {
    /// The value of an element of fixed size, of a string or of a timestamp; nil for all others, and for what is damaged.
    ///
    /// What most values are, without the book-keeping of `ValueReader`, which has them all and says what is wrong.
    ///
    /// - Precondition: there is an element at `index`.
    @inline(__always)
    func quickValue(at index: Int, in space: NodeSpace) -> Value? {
        do throws(FormatError) {
            switch encoding {
            case .integers: return .int(int(at: index))
            case .shortStrings, .mediumStrings, .bigStrings:
                guard let text = try string(at: index, in: space) else { return .null }
                return text.string.map { .string($0) }
            case .timestamps: return try timestamp(at: index).map { .timestamp($0) } ?? .null
            default: return fixedValue(at: index)
            }
        } catch {
            return nil
        }
    }

    /// The value of an element of fixed size; nil for an encoding of others.
    @inline(__always)
    func fixedValue(at index: Int) -> Value? {
        switch encoding {
        case .integers: .int(int(at: index))
        case .nullableIntegers: nullableInt(at: index).map { .int($0) } ?? .null
        case .bools: bool(at: index).map { .bool($0) } ?? .null
        case .floats: floatBits(at: index).map { .float(Float(bitPattern: $0)) } ?? .null
        case .doubles: doubleBits(at: index).map { .double(Double(bitPattern: $0)) } ?? .null
        case .decimals128, .decimals64, .decimals32, .nullDecimals, .zeroDecimals:
            decimal(at: index).map { .decimal128($0) } ?? .null
        case .objectIds: fixedBytes(at: index, width: 12).map { .objectId(ObjectID($0)) } ?? .null
        case .uuids: fixedBytes(at: index, width: 16).map { .uuid(UUIDBytes($0)) } ?? .null
        case .shortStrings, .mediumStrings, .bigStrings, .mediumBinaries, .bigBinaries, .timestamps, .links, .mixed,
            .collections, .backlinks:
            nil
        }
    }
}
