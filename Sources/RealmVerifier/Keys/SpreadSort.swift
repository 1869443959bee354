/// Sorts numbers whose highest bits are as good as random, as those of hashes are: into buckets of a few by these bits, and
/// then each bucket. What is not random is sorted too, only not as fast.
package enum SpreadSort {
    /// Numbers in a bucket, on average.
    private static let usualBucket = 4
    /// Up to how many numbers the simplest way is the fastest.
    private static let smallBucket = 24

    package static func sorted(_ numbers: [UInt64]) -> [UInt64] {
        guard numbers.count > smallBucket else { return numbers.sorted() }
        let bits = Int.bitWidth - (numbers.count / usualBucket).leadingZeroBitCount
        let shift = UInt64(64 - bits)
        // Where each bucket begins; while it is filled, where its next number goes.
        var places = [UInt32](repeating: 0, count: (1 << bits) + 1)
        for number in numbers { places[Int(number >> shift) + 1] += 1 }
        for bucket in 1..<places.count { places[bucket] += places[bucket - 1] }
        var result = [UInt64](repeating: 0, count: numbers.count)
        for number in numbers {
            let bucket = Int(number >> shift)
            result[Int(places[bucket])] = number
            places[bucket] += 1
        }
        // Each bucket ends where the next one began.
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
