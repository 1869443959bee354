internal import RealmLayout

/// A set of keys. Keys of a class are usually close together and then stored as one bit each.
struct KeySet {
    private let first: Int64
    private var bits: [UInt64] = []
    /// The keys, if they are far apart.
    private var others: Set<ObjectKey> = []

    /// Maximum number of bits per key: about the memory that a `Set` takes.
    private static let bitsPerKey: UInt64 = 128

    init(_ keys: [ObjectKey]) {
        guard let least = keys.min(), let greatest = keys.max() else {
            first = 0
            return
        }
        first = least.value
        let range = UInt64(bitPattern: greatest.value &- least.value)
        guard range / Self.bitsPerKey <= UInt64(keys.count) else {
            others = Set(keys)
            return
        }
        bits = [UInt64](repeating: 0, count: Int(range / 64) + 1)
        for key in keys {
            let place = UInt64(bitPattern: key.value &- first)
            bits[Int(place / 64)] |= 1 << (place % 64)
        }
    }

    func contains(_ key: ObjectKey) -> Bool {
        guard !bits.isEmpty else { return others.contains(key) }
        let place = UInt64(bitPattern: key.value &- first)
        guard place / 64 < UInt64(bits.count) else { return false }
        return bits[Int(place / 64)] >> (place % 64) & 1 == 1
    }

    /// The keys, ascending and without duplicates.
    var ascending: [ObjectKey] {
        guard !bits.isEmpty else { return others.sorted() }
        var keys: [ObjectKey] = []
        for (index, word) in bits.enumerated() {
            var rest = word
            while rest != 0 {
                keys.append(ObjectKey(first &+ Int64(index * 64 + rest.trailingZeroBitCount)))
                rest &= rest &- 1
            }
        }
        return keys
    }
}
