extension SalvageReport {
    /// Whether all content is unchanged, as far as the file allows to determine: nothing was missing while reading,
    /// the content is of the last commit, and the verifier found no errors and nothing without an owner.
    public var isLossless: Bool {
        isEmpty && !isOutdated && (source?.isReadable ?? false) && sourceErrors == 0 && unownedRanges == 0
    }

    /// Number of byte ranges that neither belong to the salvaged commit nor are free. Their owners may be missing
    /// content. 0 without a root, or when the free list is damaged.
    public var unownedRanges: Int { source?.unownedRanges ?? 0 }

    /// Number of verification errors in the salvaged commit, without those irrelevant to its content; 0 without a
    /// root.
    public var sourceErrors: Int {
        guard let source else { return 0 }
        return source.totals[FindingSeverity.error.rawValue...].reduce(0, +)
            - Self.harmless.reduce(0) { $0 + (source.totalsByCheck[$1] ?? 0) }
    }

    /// Checks of severity error that can fail in a commit whose content is unchanged (Spec 190). They concern the free
    /// list, the history and the logical size, which the new file lacks or has rebuilt. Nodes beyond the logical size
    /// are separate findings.
    ///
    /// All other checks count, even for structures that are rebuilt, because each may be the only trace of changed
    /// content: a changed link disagrees with its backlinks (R02), a truncated list or tree with its totals (C04,
    /// K01), a value with its position in a set (K03), an attribute with the index (S10), and a ref to an older node
    /// leads into free space (A06). The content of broken or shared nodes (N) is unknown.
    package static let harmless: [CheckIdentifier] = [
        .freeListShape, .freeEntryAlignment, .freeEntryRange, .freeListOrder, .freeOverlap, .logicalSize, .historyType,
        .historyCount, .historyShape,
    ]
}
