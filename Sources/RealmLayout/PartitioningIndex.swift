extension RandomAccessCollection {
    /// Returns the index of the first element that satisfies a condition, by binary search; the end index when none
    /// does. All elements after the first must satisfy it as well.
    @inlinable
    package func partitioningIndex<Failure>(where holds: (Element) throws(Failure) -> Bool) throws(Failure) -> Index {
        var (low, count) = (startIndex, count)
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if try holds(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
