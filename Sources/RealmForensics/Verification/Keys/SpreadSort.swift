/// Sorts numbers whose highest bits are practically random, such as hashes: distributes them to small buckets by these
/// bits, then sorts each bucket. Other numbers are sorted as well, but more slowly.
package enum SpreadSort {
    /// Average number of elements in a bucket.
    private static let usualBucket = 4
    /// Maximum size of buckets sorted by insertion.
    private static let smallBucket = 24

    package static func sorted(_ numbers: [UInt64]) -> [UInt64] {
        guard numbers.count > smallBucket else { return numbers.sorted() }
        let bits = Int.bitWidth - (numbers.count / usualBucket).leadingZeroBitCount
        let shift = UInt64(64 - bits)
        // The start of each bucket; while it is filled, the position of its next number.
        var places = [UInt32](repeating: 0, count: (1 << bits) + 1)
        for number in numbers { places[Int(number >> shift) + 1] += 1 }
        for bucket in 1..<places.count { places[bucket] += places[bucket - 1] }
        var result = [UInt64](repeating: 0, count: numbers.count)
        for number in numbers {
            let bucket = Int(number >> shift)
            result[Int(places[bucket])] = number
            places[bucket] += 1
        }
        // Each bucket now ends where the next one began.
        var start = 0
        for bucket in 0..<(places.count - 1) {
            let end = Int(places[bucket])
            sort(&result, start..<end)
            start = end
        }
        return result
    }

    private static func sort(_ numbers: inout [UInt64], _ range: Range<Int>) {
        guard range.count <= smallBucket else { return numbers[range].sort() }
        for index in range.dropFirst() {
            let number = numbers[index]
            var place = index
            while place > range.lowerBound, numbers[place - 1] > number {
                numbers[place] = numbers[place - 1]
                place -= 1
            }
            numbers[place] = number
        }
    }
}
