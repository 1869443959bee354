extension ObjectKey {
    /// Decodes the key in an element of a leaf of links; `.null` for none.
    ///
    /// - Parameter isBiased: whether the key is stored plus one, as in clusters, where 0 means none; lists, sets and
    ///   dictionaries store it unchanged (Spec 30).
    @inlinable @inline(__always)
    package init(linkElement element: Int64, isBiased: Bool) { self.init(isBiased ? element &- 1 : element) }

    /// The element for this key in such a leaf.
    @inlinable @inline(__always)
    package func linkElement(isBiased: Bool) -> Int64 { isBiased ? value &+ 1 : value }
}
