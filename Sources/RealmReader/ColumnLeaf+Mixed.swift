public import RealmLayout

/// A value of a Mixed, still in the bytes of the file (Spec 30).
@usableFromInline
package enum MixedValue: Sendable, BitwiseCopyable {
    case null
    case int(Int64)
    case bool(Bool)
    case float(bits: UInt32)
    case double(bits: UInt64)
    case string(ByteView)
    case binary(ByteView)
    case timestamp(Timestamp)
    case decimal128(Decimal128)
    case objectId(ByteView)
    case uuid(ByteView)
    case link(TableKey, ObjectKey)
    /// A list; nil for an empty one.
    case list(Ref?)
    /// A dictionary; nil for an empty one.
    case dictionary(Ref?)
}

extension MixedValue {
    /// What comes first among values of different types, in sets (Spec 40) and indexes (Spec 80): numbers of any type are one.
    /// Before format 23 strings and binaries were one in sets, too.
    package var rank: UInt8 {
        switch self {
        case .null: 0
        case .bool: 1
        case .int, .float, .double, .decimal128: 2
        case .string: 3
        case .binary: 4
        case .timestamp: 5
        case .objectId: 6
        case .uuid: 7
        case .link: 8
        case .list, .dictionary: 9
        }
    }
}

extension ColumnLeaf {
    /// The Mixed value at `index`, which must be below `count`.
    ///
    /// - Throws: `badLeaf` for an unknown type or a payload that is not there.
    @inlinable
    package func mixed(at index: Int, in space: NodeSpace) throws(FormatError) -> MixedValue {
        let composite = integers[unchecked: index]
        guard composite != 0 else { return .null }
        let payload = composite &>> 8
        let slot = Int(truncatingIfNeeded: (composite &>> 5) & 7)
        switch Int(truncatingIfNeeded: composite & 31) &- 1 {
        case ColumnType.int.rawValue:
            return .int(slot == 0 ? payload : try mixedInteger(payload, in: space, for: index))
        case ColumnType.bool.rawValue:
            return .bool(payload != 0)
        case ColumnType.string.rawValue:
            return .string(try mixedBytes(payload, in: space, for: index))
        case ColumnType.dictionary.rawValue:
            return .dictionary(try mixedCollection(payload, in: space, for: index))
        case ColumnType.list.rawValue:
            return .list(try mixedCollection(payload, in: space, for: index))
        case let type:
            return try otherMixed(type, payload, in: space, for: index)
        }
    }

    @usableFromInline
    func otherMixed(
        _ type: Int, _ payload: Int64, in space: NodeSpace, for index: Int
    ) throws(FormatError) -> MixedValue {
        switch ColumnType(rawValue: type) {
        case .float:
            return .float(bits: UInt32(truncatingIfNeeded: try mixedInteger(payload, in: space, for: index)))
        case .double:
            return .double(bits: UInt64(bitPattern: try mixedInteger(payload, in: space, for: index)))
        case .binary:
            return .binary(try mixedBytes(payload, in: space, for: index))
        case .timestamp:
            let pair = try mixedPair(payload, in: space, for: index)
            guard let timestamp = Timestamp(seconds: pair.first, nanoseconds: pair.second) else {
                throw bad(index, "nanoseconds out of range")
            }
            return .timestamp(timestamp)
        case .decimal128:
            let pair = try mixedPair(payload, in: space, for: index)
            return .decimal128(
                Decimal128(high: UInt64(bitPattern: pair.second), low: UInt64(bitPattern: pair.first)))
        case .objectId:
            return .objectId(try mixedBytes(payload, count: 12, in: space, for: index))
        case .uuid:
            return .uuid(try mixedBytes(payload, count: 16, in: space, for: index))
        case .typedLink:
            let pair = try mixedPair(payload, in: space, for: index)
            return .link(TableKey(UInt32(truncatingIfNeeded: pair.first)), ObjectKey(pair.second))
        default:
            throw bad(index, "a Mixed value of the type \(type)")
        }
    }

    @inline(never)
    @usableFromInline
    func mixedPayload(_ slot: MixedSlot, for index: Int) throws(FormatError) -> Ref {
        guard case .ref(let ref) = Slot(auxiliary.element(at: slot.rawValue) ?? 0) else {
            throw bad(index, "the Mixed leaf has no \(slot)")
        }
        return ref
    }

    @usableFromInline
    func mixedInteger(_ payload: Int64, in space: NodeSpace, for index: Int) throws(FormatError) -> Int64 {
        let integers = try space.node(at: mixedPayload(.integers, for: index)).integers()
        guard let value = Int(exactly: payload).flatMap({ integers.element(at: $0) }) else {
            throw bad(index, "no such integer: \(payload)")
        }
        return value
    }

    func mixedPair(
        _ payload: Int64, in space: NodeSpace, for index: Int
    ) throws(FormatError) -> (first: Int64, second: Int64) {
        let pairs = try space.node(at: mixedPayload(.pairs, for: index)).integers()
        guard payload >= 0, payload < pairs.count / 2 else { throw bad(index, "no such pair: \(payload)") }
        let position = Int(truncatingIfNeeded: payload) * 2
        return (pairs[unchecked: position], pairs[unchecked: position + 1])
    }

    @usableFromInline
    func mixedBytes(_ payload: Int64, in space: NodeSpace, for index: Int) throws(FormatError) -> ByteView {
        let strings = try ColumnLeaf(at: mixedPayload(.strings, for: index), as: .string, in: space)
        guard payload >= 0, payload < strings.count else { throw bad(index, "no such string: \(payload)") }
        // A null among the strings of a Mixed leaf stands for an empty string or binary.
        return try strings.string(at: Int(truncatingIfNeeded: payload), in: space) ?? .empty
    }

    func mixedBytes(
        _ payload: Int64, count: Int, in space: NodeSpace, for index: Int
    ) throws(FormatError) -> ByteView {
        let bytes = try mixedBytes(payload, in: space, for: index)
        guard bytes.count == count else { throw bad(index, "\(bytes.count) bytes, expected \(count)") }
        return bytes
    }

    @usableFromInline
    func mixedCollection(_ payload: Int64, in space: NodeSpace, for index: Int) throws(FormatError) -> Ref? {
        let collections = try space.node(at: mixedPayload(.collections, for: index)).refs()
        guard payload >= 0, payload < collections.count else { throw bad(index, "no such collection: \(payload)") }
        switch Slot(collections[unchecked: Int(truncatingIfNeeded: payload)]) {
        case .empty: return nil
        case .ref(let ref): return ref
        case .tagged: throw bad(index, "a number where the ref of a collection should be")
        }
    }
}
