extension RandomAccessCollection {
    /// The index of the first element for which a condition holds that holds for none before it and for all behind it; the end index
    /// where it holds for none. It is found by halves.
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
