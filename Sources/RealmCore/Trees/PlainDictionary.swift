public import RealmLayout

/// A dictionary with one leaf of short keys and one of values, with all nodes opened once, for loops over many
/// dictionaries. It does not report damage; use `DictionaryTree` for that (Spec 40).
@usableFromInline
package struct PlainDictionary: Sendable, BitwiseCopyable {
    @usableFromInline package let keys: ShortStrings
    /// The size of both leaves in bytes, for the caller to charge to its budget.
    @usableFromInline package let size: Int
    /// The type of each value, with the value itself or its index in a payload.
    @usableFromInline let types: IntegerVector
    /// The integers and doubles that are not stored with their type.
    @usableFromInline let integers: IntegerVector
    @usableFromInline let strings: ShortStrings

    /// Opens the dictionary at `root` in a file whose dictionaries are pairs of trees, with string keys.
    ///
    /// - Returns: nil when it has any other form, or is damaged.
    @inlinable @inline(__always)
    package init?(at root: Ref, in space: NodeSpace) {
        guard let pair = space.plainIntegers(at: root, hasRefs: true), pair.count >= 2,
            let keys = space.plainShortStrings(at: pair.ref(unchecked: 0)),
            let slots = space.plainIntegers(at: pair.ref(unchecked: 1), hasRefs: true),
            slots.count > MixedSlot.composites.rawValue,
            let types = space.plainIntegers(
                at: slots.ref(unchecked: MixedSlot.composites.rawValue), hasRefs: false),
            types.count == keys.count
        else { return nil }
        self.keys = keys
        self.types = types
        size = 2 &* NodeHeader.size &+ ((keys.bytes.count &+ 7) & ~7) &+ slots.paddedSize
        integers =
            slots.count > MixedSlot.integers.rawValue
            ? space.plainIntegers(at: slots.ref(unchecked: MixedSlot.integers.rawValue), hasRefs: false) ?? .empty
            : .empty
        if slots.count > MixedSlot.strings.rawValue,
            let strings = space.plainShortStrings(at: slots.ref(unchecked: MixedSlot.strings.rawValue)),
            strings.canCopy(in: space)
        {
            self.strings = strings
        } else {
            strings = ShortStrings(count: 0, width: 0, bytes: .empty)
        }
    }

    /// The value at `index`, which must be below the number of keys, if it is null, an integer, a truth value, a
    /// double, or a short string that can be copied in whole steps. Nil for other values and for damage; use
    /// `DictionaryTree.ShortRun` then.
    @inlinable @inline(__always)
    package func value(at index: Int) -> MixedValue? {
        let composite = MixedComposite(types[unchecked: index])
        let payload = composite.payload
        switch composite.typeNumber {
        case -1: return composite.isNull ? .null : nil
        case ColumnType.bool.rawValue: return .bool(payload != 0)
        case ColumnType.int.rawValue where composite.slotNumber == 0: return .int(payload)
        case ColumnType.int.rawValue: return integer(payload).map { .int($0) }
        case ColumnType.double.rawValue: return integer(payload).map { .double(bits: UInt64(bitPattern: $0)) }
        case ColumnType.string.rawValue:
            guard payload >= 0, payload < strings.count else { return nil }
            return strings.plainString(at: Int(truncatingIfNeeded: payload)).map { .string($0) }
        default: return nil
        }
    }

    @inlinable @inline(__always)
    func integer(_ payload: Int64) -> Int64? {
        payload >= 0 && payload < integers.count ? integers[unchecked: Int(truncatingIfNeeded: payload)] : nil
    }
}
