extension Sequence {
    /// The elements in ascending order; the sort is stable.
    ///
    /// For lists of names, findings, places and the like. `sorted` is specialised for each element type, at 1,700
    /// instructions each; this is compiled once for all of them and is slower per element. Use `sorted` for lists of
    /// objects or values of a file.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    package func inOrder(by precedes: (Element, Element) -> Bool) -> [Element] { sorted(by: precedes) }
}

extension Sequence where Element: Comparable {
    /// The elements in ascending order; the sort is stable.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    package func inOrder() -> [Element] { sorted() }
}
