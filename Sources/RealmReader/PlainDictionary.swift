public import RealmLayout

/// A dictionary with one leaf of short keys and one of values, all its nodes opened once, for loops over many dictionaries. It
/// cannot tell of damage; `DictionaryTree` can (Spec 40).
@usableFromInline
package struct PlainDictionary: Sendable, BitwiseCopyable {
    /// Keys and values for whom they are not plain.
    @usableFromInline package let run: DictionaryTree.ShortRun
    /// Bytes of both leaves, which are to be paid for.
    @usableFromInline package let size: Int
    /// The integers and doubles that do not stand beside their type.
    @usableFromInline let integers: IntegerVector
    @usableFromInline let strings: ShortStrings

    /// Opens the dictionary at `root` in a file whose dictionaries are pairs of trees, with strings as keys.
    ///
    /// - Returns: nil when it has any other form, or is damaged.
    @inlinable @inline(__always)
    package init?(at root: Ref, in space: NodeSpace) {
        guard let pair = space.plainIntegers(at: root, hasRefs: true), pair.count >= 2 else { return nil }
        let (keyRef, valueRef) = (Self.ref(pair, 0), Self.ref(pair, 1))
        guard let keys = space.plainShortStrings(at: keyRef),
            let slots = space.plainIntegers(at: valueRef, hasRefs: true), slots.count > MixedSlot.composites.rawValue,
            let types = space.plainIntegers(at: Self.ref(slots, MixedSlot.composites.rawValue), hasRefs: false),
            types.count == keys.count
        else { return nil }
        run = DictionaryTree.ShortRun(
            keyRef: keyRef, keys: keys, values: MixedLeaf(ref: valueRef, types: types, slots: slots),
            count: keys.count)
        size = 2 &* NodeHeader.size &+ ((keys.bytes.count &+ 7) & ~7) &+ slots.paddedSize
        integers =
            slots.count > MixedSlot.integers.rawValue
            ? space.plainIntegers(at: Self.ref(slots, MixedSlot.integers.rawValue), hasRefs: false) ?? .empty : .empty
        if slots.count > MixedSlot.strings.rawValue,
            let strings = space.plainShortStrings(at: Self.ref(slots, MixedSlot.strings.rawValue)),
            strings.canCopy(in: space)
        {
            self.strings = strings
        } else {
            strings = ShortStrings(count: 0, width: 0, bytes: .empty)
        }
    }

    /// An element as a ref: where no node is, when it is none.
    @inlinable @inline(__always)
    static func ref(_ slots: IntegerVector, _ index: Int) -> Ref {
        Ref(Int(truncatingIfNeeded: slots[unchecked: index]))
    }

    /// The value at `index`, which must be below `run.count`, when it is null, an integer, a truth value, a double, or a
    /// short string that can be copied in whole steps; nil for all others and for damage, for which `run` is.
    @inlinable @inline(__always)
    package func value(at index: Int) -> MixedValue? {
        let composite = run.values.types[unchecked: index]
        let payload = composite &>> 8
        switch Int(truncatingIfNeeded: composite & 31) &- 1 {
        case -1: return composite == 0 ? .null : nil
        case ColumnType.bool.rawValue: return .bool(payload != 0)
        case ColumnType.int.rawValue where composite & 0xE0 == 0: return .int(payload)
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
