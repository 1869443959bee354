internal import RealmLayout

/// A hash table from keys to their rows.
struct KeyRows {
    private let keys: [ObjectKey]
    /// For each place the row plus one; 0 if free.
    private var places: [UInt32]
    private let shift: UInt64

    init(_ keys: [ObjectKey]) {
        self.keys = keys
        var bits: UInt64 = 4
        while 1 << bits < keys.count * 2 { bits += 1 }
        shift = 64 - bits
        places = Array(repeating: 0, count: 1 << Int(bits))
        for row in keys.indices {
            var place = first(keys[row])
            while places[place] != 0 { place = next(place) }
            places[place] = UInt32(truncatingIfNeeded: row &+ 1)
        }
    }

    /// The row of a key; nil if it is not in the table.
    @inline(__always)
    func row(of key: ObjectKey) -> Int? {
        var place = first(key)
        while places[place] != 0 {
            let row = Int(places[place]) &- 1
            if keys[row] == key { return row }
            place = next(place)
        }
        return nil
    }

    @inline(__always)
    private func first(_ key: ObjectKey) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: key.value) &* 0x9E37_79B9_7F4A_7C15) &>> shift)
    }

    @inline(__always)
    private func next(_ place: Int) -> Int { (place &+ 1) & (places.count &- 1) }
}
