extension ByteView {
    /// The offset of the first occurrence of other bytes that begins at or after `start`; nil when there is none.
    ///
    /// - Parameter pattern: at least one byte.
    /// - Precondition: `start` is at least 0.
    package func firstIndex(of pattern: ByteView, from start: Int = 0) -> Int? {
        let length = pattern.count
        let end = count &- length
        guard length > 0, start <= end else { return nil }
        let (first, last) = (pattern.byte(unchecked: 0), pattern.byte(unchecked: length &- 1))
        var offset = start
        // Eight places at a time: where neither the first nor the last byte of the pattern differs, a byte is zero.
        let ones: UInt64 = 0x0101_0101_0101_0101
        let (firsts, lasts) = (UInt64(first) &* ones, UInt64(last) &* ones)
        while offset &+ 7 <= end {
            let differences =
                (uint64(unchecked: offset) ^ firsts) | (uint64(unchecked: offset &+ length &- 1) ^ lasts)
            var zeros = (differences &- ones) & ~differences & 0x8080_8080_8080_8080
            while zeros != 0 {
                let place = offset &+ (zeros.trailingZeroBitCount &>> 3)
                if occurs(pattern, at: place) { return place }
                zeros &= zeros &- 1
            }
            offset &+= 8
        }
        while offset <= end {
            if byte(unchecked: offset) == first, occurs(pattern, at: offset) { return offset }
            offset &+= 1
        }
        return nil
    }

    @inline(__always)
    private func occurs(_ pattern: ByteView, at offset: Int) -> Bool {
        slice(unchecked: offset, count: pattern.count).elementsEqual(pattern)
    }
}
