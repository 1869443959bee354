/// Chunks by their sizes: one list for each small size, and four for each larger power of two.
struct SizeClasses {
    /// The first chunk of each class; -1 if it is empty.
    private var heads = [Int32](repeating: -1, count: 300)
    /// The next chunk of the same class, by chunk.
    private var following: [Int32] = []
    /// The highest class that has contained a chunk.
    private var highest = 0

    /// Smaller sizes, in words of eight bytes, have a class each.
    private static let exact = 64
    /// The number of fitting chunks of a class that are compared.
    private static let compared = 64
    /// The number of chunks examined until one fits; each node may meet that many that do not.
    private static let looked = 1024

    /// Makes room for `count` chunks.
    mutating func reserve(_ count: Int) {
        if following.count < count { following += [Int32](repeating: -1, count: count - following.count) }
    }

    private static func sizeClass(_ size: Int) -> Int {
        let words = size / 8
        if words < exact { return words }
        let power = Int.bitWidth - 1 - words.leadingZeroBitCount
        return exact + (power - exact.trailingZeroBitCount) * 4 + (words >> (power - 2)) & 3
    }

    /// Adds a chunk, which is in no class, at the front of its class.
    mutating func add(_ index: Int, size: Int) {
        guard size > 0 else { return }
        while following.count <= index { following.append(-1) }
        let sizeClass = Self.sizeClass(size)
        highest = max(highest, sizeClass)
        following[index] = heads[sizeClass]
        heads[sizeClass] = Int32(truncatingIfNeeded: index)
    }

    /// Removes and returns a chunk of at least `least` bytes, but hardly more; or of exactly that size.
    ///
    /// - Parameter size: returns the size of a chunk; 0 if it cannot be taken.
    mutating func take(_ least: Int, isExact: Bool, _ size: (Int) -> Int) -> Int? {
        let first = Self.sizeClass(least)
        for sizeClass in first...max(first, isExact ? first : highest) {
            var best: (index: Int32, before: Int32, size: Int)?
            var (before, index) = (Int32(-1), heads[sizeClass])
            var looked = 0
            while index >= 0, looked < (best == nil ? Self.looked : Self.compared) {
                let found = size(Int(index))
                if isExact ? found == least : found >= least, best.map({ found < $0.size }) ?? true {
                    best = (index, before, found)
                    if found == least { break }
                }
                (before, index) = (index, following[Int(index)])
                looked += 1
            }
            guard let best else { continue }
            if best.before < 0 {
                heads[sizeClass] = following[Int(best.index)]
            } else {
                following[Int(best.before)] = following[Int(best.index)]
            }
            return Int(best.index)
        }
        return nil
    }
}
