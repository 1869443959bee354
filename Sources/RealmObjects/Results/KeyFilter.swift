internal import RealmLayout

/// A set of keys to find among many others; a single bit rules out most of these.
struct KeyFilter {
    private let keys: Set<ObjectKey>
    /// One bit for each key modulo 4096.
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
