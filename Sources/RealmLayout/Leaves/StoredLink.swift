extension ObjectKey {
    /// The key that an element of a leaf of links is, `.null` for none.
    ///
    /// - Parameter isBiased: whether one was added to it, as in clusters, where 0 is none; in lists, sets and dictionaries it is as it
    ///   is (Spec 30).
    @inlinable @inline(__always)
    package init(linkElement element: Int64, isBiased: Bool) { self.init(isBiased ? element &- 1 : element) }

    /// The element of such a leaf.
    @inlinable @inline(__always)
    package func linkElement(isBiased: Bool) -> Int64 { isBiased ? value &+ 1 : value }
}
