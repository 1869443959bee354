internal import RealmLayout

/// The properties of a class by name, as a hash table: adding an object looks up the names of all of its properties.
struct PropertyNames {
    /// The names, by property.
    let names: [String]
    /// The property for each hash, or -1; the count is a power of two.
    private var places: [Int16]

    init(_ names: [String]) {
        self.names = names
        var count = 8
        while count < names.count * 2 { count *= 2 }
        places = [Int16](repeating: -1, count: count)
        for (index, name) in names.enumerated() {
            var place = Self.hash(name) & (count - 1)
            while places[place] >= 0 { place = (place + 1) & (count - 1) }
            places[place] = Int16(truncatingIfNeeded: index)
        }
    }

    /// Returns the property with a name; nil if there is none.
    func index(of name: String) -> PropertyIndex? {
        var place = Self.hash(name) & (places.count - 1)
        while places[place] >= 0 {
            if names[Int(places[place])] == name { return PropertyIndex(Int(places[place])) }
            place = (place + 1) & (places.count - 1)
        }
        // Strings may be equal although their bytes differ.
        return names.firstIndex(of: name).map { PropertyIndex($0) }
    }

    /// A hash of the first bytes, the last ones, and their number.
    private static func hash(_ name: String) -> Int {
        var name = name
        return name.withUTF8 { bytes in
            var hash = UInt64(bytes.count)
            if let start = bytes.baseAddress, bytes.count >= 4 {
                let raw = unsafe UnsafeRawPointer(start)
                let first = unsafe raw.loadUnaligned(as: UInt32.self)
                let last = unsafe raw.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self)
                hash = hash &* 31 &+ (UInt64(first) << 32 | UInt64(last))
            } else {
                for index in 0..<bytes.count { hash = hash &* 31 &+ UInt64(unsafe bytes[index]) }
            }
            hash ^= hash &>> 29
            return Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) &>> 40)
        }
    }
}
