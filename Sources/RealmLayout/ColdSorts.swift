extension Sequence {
    /// The elements in ascending order; of equal ones the earlier is first.
    ///
    /// For lists of names, findings, places and the like. `sorted` is compiled anew for each type of element, 1,700 instructions
    /// each time; this is compiled once for all of them, and slower by element. Lists of objects or values of a file take `sorted`.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    package func inOrder(by precedes: (Element, Element) -> Bool) -> [Element] { sorted(by: precedes) }
}

extension Sequence where Element: Comparable {
    /// The same, by the order of the elements themselves.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    package func inOrder() -> [Element] { sorted() }
}
