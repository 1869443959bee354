internal import RealmLayout

// Collections of the usual forms, without the bookkeeping of `ValueReader`, which reads every form and reports damage.
extension PropertyReader {
    /// Reads the collection in a row: a list or set with one leaf of short strings or of links, or a dictionary with
    /// one leaf of short string keys and only values that `PlainDictionary` reads.
    ///
    /// - Returns: nil for any other value, when an object would have to be searched for, and for damage.
    /// - Precondition: the row exists.
    @inline(__always)
    func usualCollection(inRow row: Int, of home: OpenedCluster) -> Value? {
        guard let collection, case .collections = leaf.encoding else { return nil }
        let slot = leaf.rawElement(at: row)
        switch collection {
        case .list: return elements(slot, home.space).map { .list($0) }
        case .set: return elements(slot, home.space).map { .set($0) }
        case .dictionary(let keyType):
            guard keyType == .string, home.hasPairDictionaries else { return nil }
            return entries(slot, home.space).map { .dictionary($0) }
        }
    }

    /// The maximum number of elements: more than a leaf of an intact file has, and few enough to reserve capacity for
    /// an untrusted count.
    private static var mostElements: Int { WorkBudget.largestReserve }

    @inline(__always)
    private func elements(_ slot: Int64, _ space: @autoclosure () -> NodeSpace) -> [Value]? {
        guard slot != 0 else { return [] }
        switch elementType {
        case .string: return texts(Ref(Int(truncatingIfNeeded: slot)), space())
        case .link: return links(Ref(Int(truncatingIfNeeded: slot)), space())
        default: return nil
        }
    }

    @inline(__always)
    private func texts(_ root: Ref, _ space: @autoclosure () -> NodeSpace) -> [Value]? {
        guard let strings = space().plainShortStrings(at: root), strings.count <= Self.mostElements else { return nil }
        return [Value].all(strings.count) { strings.plainString(at: $0)?.string.map { .string($0) } }
    }

    @inline(__always)
    private func links(_ root: Ref, _ space: @autoclosure () -> NodeSpace) -> [Value]? {
        guard let keys = space().plainIntegers(at: root, hasRefs: false), keys.count <= Self.mostElements
        else { return nil }
        return [Value].all(keys.count) { index in
            let key = ObjectKey(keys[unchecked: index])
            return key == .null ? .null : quickLink(key)
        }
    }

    @inline(__always)
    private func entries(_ slot: Int64, _ space: @autoclosure () -> NodeSpace) -> [DictionaryEntry]? {
        guard slot != 0 else { return [] }
        guard let stored = PlainDictionary(at: Ref(Int(truncatingIfNeeded: slot)), in: space()),
            stored.keys.count <= Self.mostElements
        else { return nil }
        return [DictionaryEntry].all(stored.keys.count) { index in
            guard let key = stored.keys.plainString(at: index)?.string, let value = stored.value(at: index)?.shortValue
            else { return nil }
            return DictionaryEntry(key: .string(key), value: value)
        }
    }
}

extension MixedValue {
    /// The value, if it is of a kind that `PlainDictionary` returns; nil otherwise.
    @inline(__always)
    fileprivate var shortValue: Value? {
        switch self {
        case .null: .null
        case .int(let value): .int(value)
        case .bool(let value): .bool(value)
        case .double(let bits): .double(Double(bitPattern: bits))
        case .string(let bytes): bytes.string.map { .string($0) }
        default: nil
        }
    }
}
