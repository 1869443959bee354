internal import RealmLayout

/// Keys to be looked for among very many others, of most of which one bit says that they are none of these.
struct KeyFilter {
    private let keys: Set<ObjectKey>
    /// A bit for each remainder of keys.
    private var bits = [UInt64](repeating: 0, count: 64)

    init(_ keys: Set<ObjectKey>) {
        self.keys = keys
        for key in keys { bits[Self.word(key)] |= Self.bit(key) }
    }

    private static func word(_ key: ObjectKey) -> Int { Int(truncatingIfNeeded: key.value >> 6) & 63 }
    private static func bit(_ key: ObjectKey) -> UInt64 { 1 << UInt64(truncatingIfNeeded: key.value & 63) }

    @inline(__always)
    func contains(_ key: ObjectKey) -> Bool {
        bits[Self.word(key)] & Self.bit(key) != 0 && keys.contains(key)
    }
}
