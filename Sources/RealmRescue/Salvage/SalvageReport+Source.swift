package import RealmVerifier

extension SalvageReport {
    /// Whether all of the content is as it was, as far as the file tells: nothing was missed while it was read, it is of
    /// the last commit, and the verifier found no error in it and nothing without an owner.
    public var isLossless: Bool {
        isEmpty && !isOutdated && (source?.isReadable ?? false) && sourceErrors == 0 && unownedRanges == 0
    }

    /// How many parts of the file belong to nothing in the commit that was salvaged, and are not free either: what they
    /// belonged to may be missing. 0 without a root, or when the list of free chunks is damaged.
    public var unownedRanges: Int { source?.unownedRanges ?? 0 }

    /// The errors that the verifier found in the commit that was salvaged, but those that say nothing about its content;
    /// 0 without a root.
    public var sourceErrors: Int {
        guard let source else { return 0 }
        return source.totals[FindingSeverity.error.rawValue...].reduce(0, +)
            - Self.harmless.reduce(0) { $0 + (source.totalsByCheck[$1] ?? 0) }
    }

    /// Rules of the severity error, in every case, that can be broken while all content is as it was (Spec 190). They are
    /// about the list of free chunks, the history, and the size up to which a writer uses the file, which the new file
    /// has none of or makes anew. Nodes beyond that size are findings of their own.
    ///
    /// All others count, also those about what is made anew, because each can be all that a change of the content
    /// leaves: a link that was changed disagrees with its backlinks (R02), a list or tree that was cut short with its
    /// totals (C04, K01), a value with its place in a set (K03), an attribute with the index (S10), and a ref that leads
    /// to an older node leads into free space (A06). Of nodes that are broken or shared (N) it is not known what they
    /// hold.
    package static let harmless: [CheckIdentifier] = [
        .freeListShape, .freeEntryAlignment, .freeEntryRange, .freeListOrder, .freeOverlap, .logicalSize, .historyType,
        .historyCount, .historyShape,
    ]
}
