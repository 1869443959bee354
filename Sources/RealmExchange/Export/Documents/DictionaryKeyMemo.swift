internal import RealmCore
package import RealmLayout

/// Caches the prepared forms of the first few dictionary keys, because the same keys tend to occur in every object.
package struct DictionaryKeyMemo: ~Copyable {
    private struct Entry: BitwiseCopyable {
        /// The key: its first and last eight bytes, or all of it.
        var first: UInt64 = 0
        package var last: UInt64 = 0
        /// Its length; 0 for an empty entry.
        var length = 0
        var prepared: ByteView
    }

    private let owned: UncheckedArray<Entry>
    private let entries: UncheckedSpan<Entry>
    private let keys = KeyTable()
    /// The same keys as leaf elements including padding, `length` bytes each.
    private let ownedElements: UncheckedArray<Entry>
    private let elements: UncheckedSpan<Entry>

    package init() {
        owned = UncheckedArray(Array(repeating: Entry(prepared: keys.add([])), count: Self.count))
        entries = UncheckedSpan(owned)
        ownedElements = UncheckedArray(Array(repeating: Entry(prepared: keys.add([])), count: Self.count))
        elements = UncheckedSpan(ownedElements)
    }

    private static var count: Int { 64 }
    private static var longest: Int { 16 }
    /// Maximum size of a prepared form in bytes.
    static var mostBytes: Int { 64 }

    @inline(__always)
    private static func words(of key: ByteView) -> (first: UInt64, last: UInt64) {
        key.count < 8 ? (key.shortWord, 0) : (key.uint64(unchecked: 0), key.uint64(unchecked: key.count &- 8))
    }

    @inline(__always)
    private static func slot(_ words: (first: UInt64, last: UInt64)) -> Int {
        Int(truncatingIfNeeded: ((words.first ^ words.last &* 31) &* 0x9E37_79B9_7F4A_7C15) &>> 58)
    }

    /// The prepared form of a key; nil if it is not cached.
    @inline(__always)
    func prepared(_ strings: ShortStrings, at index: Int) -> ByteView? {
        if let words = strings.words(at: index) {
            let slot = Self.slot(words)
            if elements[unchecked: slot].length == strings.width, elements[unchecked: slot].first == words.first,
                elements[unchecked: slot].last == words.last
            {
                return elements[unchecked: slot].prepared
            }
        }
        return found(strings, at: index)
    }

    /// Looks up the key by its text, then caches the element.
    @inline(never)
    private func found(_ strings: ShortStrings, at index: Int) -> ByteView? {
        guard let key = strings.plainString(at: index), let prepared = prepared(key) else { return nil }
        if let words = strings.words(at: index) {
            let slot = Self.slot(words)
            if elements[unchecked: slot].length == 0 {
                elements[unchecked: slot] = Entry(
                    first: words.first, last: words.last, length: strings.width, prepared: prepared)
            }
        }
        return prepared
    }

    /// The prepared form of a key; nil if it is not cached.
    @inline(__always)
    package func prepared(_ key: ByteView) -> ByteView? {
        guard key.count <= Self.longest, key.count > 0 else { return nil }
        let words = Self.words(of: key)
        let slot = Self.slot(words)
        guard entries[unchecked: slot].length == key.count, entries[unchecked: slot].first == words.first,
            entries[unchecked: slot].last == words.last
        else { return nil }
        return entries[unchecked: slot].prepared
    }

    /// Caches the prepared form of a key unless its slot is taken, which limits the memory.
    @inline(never)
    package func note(_ key: ByteView, _ prepared: ByteView) {
        guard key.count <= Self.longest, key.count > 0, prepared.count <= Self.mostBytes else { return }
        let words = Self.words(of: key)
        let slot = Self.slot(words)
        guard entries[unchecked: slot].length == 0 else { return }
        entries[unchecked: slot] = Entry(
            first: words.first, last: words.last, length: key.count, prepared: keys.add(prepared.bytes))
    }
}
