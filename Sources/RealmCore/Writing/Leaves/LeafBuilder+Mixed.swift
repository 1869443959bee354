internal import RealmLayout
internal import RealmStorage

/// The parts of a Mixed leaf other than its composites (Spec 30).
final class MixedPayloads {
    let integers = UnsharedArray<Int64>()
    let pairs = UnsharedArray<Int64>()
    /// A leaf of strings, binaries, ObjectIds and UUIDs, created with the first of them.
    let strings = OwnedObjects<LeafBuilder>()
    let collections = UnsharedArray<Int64>()
    /// One key for each element up to the last collection.
    let collectionKeys = UnsharedArray<Int64>()

    func removeAll() {
        integers.removeAll()
        pairs.removeAll()
        if strings.count > 0 { strings.with(0) { $0.removeAll() } }
        collections.removeAll()
        collectionKeys.removeAll()
    }

    func add(collectionKey key: Int64, at index: Int) {
        guard key != 0 else { return }
        collectionKeys.append(repeating: 0, count: index - collectionKeys.count)
        collectionKeys.append(key)
    }

    /// Adds missing keys up to `count`, unless there are no keys at all.
    func fillKeys(count: Int) {
        if !collectionKeys.isEmpty { collectionKeys.append(repeating: 0, count: count - collectionKeys.count) }
    }
}

extension LeafBuilder {
    /// Appends a Mixed value. Refs of collections must be those of the new file.
    ///
    /// - Parameter collectionKey: Distinguishes a collection from others in the same list or dictionary; not 0.
    package func append(_ value: MixedValue, collectionKey: Int64) throws(WriteError) {
        if isIndexed { mixedIndexKeys.append(IndexKeyBytes(value)) }
        switch value {
        case .null:
            append(composite: .null, collectionKey: 0)
        case .int(let number):
            if MixedComposite.isInline(number) {
                add(.int, .composites, number)
            } else {
                add(.int, integer: number)
            }
        case .bool(let value): add(.bool, .composites, value ? 1 : 0)
        case .float(let bits): add(.float, integer: Int64(bits))
        case .double(let bits): add(.double, integer: Int64(bitPattern: bits))
        case .string(let view): try add(.string, view)
        case .binary(let view): try add(.binary, view)
        case .objectId(let view): try add(.objectId, view)
        case .uuid(let view): try add(.uuid, view)
        case .timestamp(let time): add(.timestamp, MixedPair(time))
        case .decimal128(let value): add(.decimal128, MixedPair(value))
        case .link(let table, let key): add(.typedLink, MixedPair(table, key))
        case .list(let root): add(.list, root, collectionKey)
        case .dictionary(let root): add(.dictionary, root, collectionKey)
        }
    }

    private func add(_ type: ColumnType, integer: Int64) {
        add(type, .integers, Int64(mixed.integers.count))
        mixed.integers.append(integer)
    }

    private func add(_ type: ColumnType, _ pair: MixedPair) {
        add(type, .pairs, Int64(mixed.pairs.count / 2))
        mixed.pairs.append(pair.first)
        mixed.pairs.append(pair.second)
    }

    private func add(_ type: ColumnType, _ view: ByteView) throws(WriteError) {
        if mixed.strings.count == 0 { mixed.strings.append(LeafBuilder(.string, nodes)) }
        add(type, .strings, Int64(mixed.strings.with(0) { $0.count }))
        try mixed.strings.with(0) { strings throws(WriteError) in try strings.append(string: view) }
    }

    private func add(_ type: ColumnType, _ root: Ref?, _ collectionKey: Int64) {
        let payload = Int64(mixed.collections.count)
        append(composite: MixedComposite(type, .collections, payload), collectionKey: collectionKey)
        mixed.collections.append(Int64(root?.offset ?? 0))
    }

    private func add(_ type: ColumnType, _ slot: MixedSlot, _ payload: Int64) {
        append(composite: MixedComposite(type, slot, payload), collectionKey: 0)
    }
}
