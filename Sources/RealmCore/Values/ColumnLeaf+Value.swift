internal import RealmLayout

extension ColumnLeaf {
    /// Reads a value of fixed size, a string or a timestamp; returns nil for all others, and for damage.
    ///
    /// A fast path for most values without the bookkeeping of `ValueReader`, which reads every value and reports
    /// damage. The parameters are autoclosures because copying a leaf and a space would cost more than reading most
    /// values.
    ///
    /// - Precondition: there is an element at `index`.
    @inline(__always)
    static func quickValue(
        of leaf: @autoclosure () -> ColumnLeaf, at index: Int, in space: @autoclosure () -> NodeSpace
    ) -> Value? {
        do throws(FormatError) {
            switch leaf().encoding {
            case .shortStrings, .mediumStrings, .bigStrings:
                guard let text = try leaf().string(at: index, in: space()) else { return .null }
                return text.string.map { .string($0) }
            case .timestamps: return try leaf().timestamp(at: index).map { .timestamp($0) } ?? .null
            default: return fixedValue(of: leaf(), at: index)
            }
        } catch {
            return nil
        }
    }

    /// Reads a value of fixed size; returns nil for other encodings.
    @inline(__always)
    static func fixedValue(of leaf: @autoclosure () -> ColumnLeaf, at index: Int) -> Value? {
        switch leaf().encoding {
        case .integers: .int(leaf().int(at: index))
        case .nullableIntegers: leaf().nullableInt(at: index).map { .int($0) } ?? .null
        case .bools: leaf().bool(at: index).map { .bool($0) } ?? .null
        case .floats: leaf().floatBits(at: index).map { .float(Float(bitPattern: $0)) } ?? .null
        case .doubles: leaf().doubleBits(at: index).map { .double(Double(bitPattern: $0)) } ?? .null
        case .decimals128, .decimals64, .decimals32, .nullDecimals, .zeroDecimals:
            leaf().decimal(at: index).map { .decimal128($0) } ?? .null
        case .objectIds: leaf().objectIdBytes(at: index).map { .objectId(ObjectID($0)) } ?? .null
        case .uuids: leaf().uuidBytes(at: index).map { .uuid(UUIDBytes($0)) } ?? .null
        case .shortStrings, .mediumStrings, .bigStrings, .mediumBinaries, .bigBinaries, .timestamps, .links, .mixed,
            .collections, .backlinks:
            nil
        }
    }
}
