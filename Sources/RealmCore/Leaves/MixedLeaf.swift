public import RealmLayout

/// A leaf of Mixed values, without the state that other encodings need (Spec 30).
@usableFromInline
package struct MixedLeaf: Sendable, BitwiseCopyable {
    @usableFromInline let ref: Ref
    /// The type of each value, with the value itself or its index in one of the payloads.
    @usableFromInline let types: IntegerVector
    /// The refs of the payloads.
    @usableFromInline let slots: IntegerVector

    @inlinable @inline(__always)
    init(ref: Ref, types: IntegerVector, slots: IntegerVector) {
        self.ref = ref
        self.types = types
        self.slots = slots
    }

    /// Number of values.
    @inlinable @inline(__always)
    package var count: Int { types.count }

    /// The Mixed value at `index`, which must be below `count`.
    ///
    /// - Throws: `badLeaf` for an unknown type or a missing payload.
    @inlinable
    package func value(at index: Int, in space: NodeSpace) throws(FormatError) -> MixedValue {
        let composite = MixedComposite(types[unchecked: index])
        guard !composite.isNull else { return .null }
        let payload = composite.payload
        switch composite.typeNumber {
        case ColumnType.int.rawValue:
            return .int(composite.slotNumber == 0 ? payload : try integer(payload, in: space, for: index))
        case ColumnType.bool.rawValue:
            return .bool(payload != 0)
        case ColumnType.string.rawValue:
            return .string(try bytes(payload, in: space, for: index))
        case ColumnType.dictionary.rawValue:
            return .dictionary(try collection(payload, in: space, for: index))
        case ColumnType.list.rawValue:
            return .list(try collection(payload, in: space, for: index))
        case let type:
            return try other(type, payload, in: space, for: index)
        }
    }

    func bad(_ index: Int, _ detail: String) -> FormatError {
        FormatError(.badLeaf, at: ref.offset, "element \(index) of the leaf: \(detail)")
    }

    @usableFromInline
    func other(
        _ type: Int, _ payload: Int64, in space: NodeSpace, for index: Int
    ) throws(FormatError) -> MixedValue {
        switch ColumnType(rawValue: type) {
        case .float:
            return .float(bits: UInt32(truncatingIfNeeded: try integer(payload, in: space, for: index)))
        case .double:
            return .double(bits: UInt64(bitPattern: try integer(payload, in: space, for: index)))
        case .binary:
            return .binary(try bytes(payload, in: space, for: index))
        case .timestamp:
            guard let timestamp = try pair(payload, in: space, for: index).timestamp else {
                throw bad(index, "nanoseconds out of range")
            }
            return .timestamp(timestamp)
        case .decimal128:
            return .decimal128(try pair(payload, in: space, for: index).decimal)
        case .objectId:
            return .objectId(try bytes(payload, count: 12, in: space, for: index))
        case .uuid:
            return .uuid(try bytes(payload, count: 16, in: space, for: index))
        case .typedLink:
            let pair = try pair(payload, in: space, for: index)
            guard let table = pair.link.table else {
                throw bad(index, "a link to the table \(pair.first), which does not exist")
            }
            return .link(table, pair.link.key)
        default:
            throw bad(index, "a Mixed value of the type \(type)")
        }
    }

    func place(of slot: MixedSlot, for index: Int) throws(FormatError) -> Ref {
        guard case .ref(let ref) = Slot(slots.element(at: slot.rawValue) ?? 0) else {
            throw bad(index, "the Mixed leaf has no \(slot)")
        }
        return ref
    }

    @usableFromInline
    func integer(_ payload: Int64, in space: NodeSpace, for index: Int) throws(FormatError) -> Int64 {
        let integers = try space.node(at: place(of: .integers, for: index)).integers()
        guard let value = Int(exactly: payload).flatMap({ integers.element(at: $0) }) else {
            throw bad(index, "no such integer: \(payload)")
        }
        return value
    }

    func pair(
        _ payload: Int64, in space: NodeSpace, for index: Int
    ) throws(FormatError) -> MixedPair {
        let pairs = try space.node(at: place(of: .pairs, for: index)).integers()
        guard let pair = pairs.pair(at: payload) else { throw bad(index, "no such pair: \(payload)") }
        return pair
    }

    @usableFromInline
    func bytes(_ payload: Int64, in space: NodeSpace, for index: Int) throws(FormatError) -> ByteView {
        let node = try space.node(at: place(of: .strings, for: index))
        if let strings = ShortStrings(node), payload >= 0, payload < strings.count,
            let text = strings.plainString(at: Int(truncatingIfNeeded: payload))
        {
            return text
        }
        let strings = try ColumnLeaf(node, as: .string, in: space)
        guard payload >= 0, payload < strings.count else { throw bad(index, "no such string: \(payload)") }
        // A null among the strings of a Mixed leaf stands for an empty string or binary.
        return try strings.string(at: Int(truncatingIfNeeded: payload), in: space) ?? .empty
    }

    func bytes(
        _ payload: Int64, count: Int, in space: NodeSpace, for index: Int
    ) throws(FormatError) -> ByteView {
        let bytes = try self.bytes(payload, in: space, for: index)
        guard bytes.count == count else { throw bad(index, "\(bytes.count) bytes, expected \(count)") }
        return bytes
    }

    @usableFromInline
    func collection(_ payload: Int64, in space: NodeSpace, for index: Int) throws(FormatError) -> Ref? {
        let collections = try space.node(at: place(of: .collections, for: index)).refs()
        guard payload >= 0, payload < collections.count else { throw bad(index, "no such collection: \(payload)") }
        switch Slot(collections[unchecked: Int(truncatingIfNeeded: payload)]) {
        case .empty: return nil
        case .ref(let ref): return ref
        case .tagged: throw bad(index, "a number where the ref of a collection should be")
        }
    }
}
