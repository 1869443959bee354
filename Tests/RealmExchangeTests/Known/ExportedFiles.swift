import TestSupport

/// The files that are exported in each test: exporting all of them in every form would take most of the time of the
/// test suite. All are exported as BSON (`MongoBSONTests`), a share of them in each run, and the tests of the reader
/// compare every value of all.
enum ExportedFiles {
    static let fixtures = KnownFile.fixtures + KnownFile.legacyFixtures

    /// The corpus has the same data in many formats, and its largest files contain only rows of one kind; those are in
    /// `inManyClusters`.
    private static let corpus = (KnownFile.current + KnownFile.upstream + every(3, of: KnownFile.old))
        .filter { $0.isPlain && !isLarge($0.name) }

    /// Files to export in all forms.
    static let inAllForms = fixtures + corpus

    /// The files of `inAllForms` for this run: all fixtures, and its share of the corpus.
    static let inAllFormsThisTime = fixtures + Share.current.of(corpus, sequence: 8)

    /// Files for tests that depend on the form and the numbers of classes and objects, not on values.
    static let some = fixtures + inManyClusters + every(7, of: corpus)

    /// Files whose classes are exported in several parts at once.
    static let inManyClusters = KnownFile.corpus.filter {
        ["current/cluster-70000-gaps", "current/model-memo-500", "old/v2-rows-20000"].contains($0.name)
    }

    /// Whether the named file contains only rows of one kind, in many clusters.
    static func isLarge(_ name: String) -> Bool {
        ["-rows-20000", "-rows-70000-gaps", "-rows-100000", "cluster-70000-gaps"].contains { name.hasSuffix($0) }
    }

    private static func every(_ step: Int, of files: [KnownFile]) -> [KnownFile] {
        files.enumerated().filter { $0.offset % step == 0 }.map(\.element)
    }
}
