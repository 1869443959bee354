public import RealmCore
public import RealmLayout

extension FileRepair {
    /// Opens any commit found in the file, even if no slot refers to it or there is no header.
    ///
    /// Commits older than the last two may have nodes that were overwritten.
    ///
    /// ```swift
    /// let before = try FileRepair(ByteSource(path: "app.realm")).snapshot(.number(12))
    /// print(before.classes)
    /// ```
    ///
    /// - Parameter toleratingDamage: Whether to return a snapshot of the readable tables when others cannot be read.
    ///   Its `damage` lists the errors.
    /// - Throws: `noCommit` when there is no such root, listing the commits that were found; `badRef` for an invalid
    ///   ref; errors of opening a root; errors of reading tables, unless damage is tolerated.
    public func snapshot(_ place: CommitLocation, toleratingDamage: Bool = false) throws(FormatError) -> Snapshot {
        let header = FileHeader(data.view).flatMap { $0.hasMnemonic ? $0 : nil }
        var failure: FormatError?
        var damaged: Snapshot?
        let (shapes, newest) = try shapes(at: place)
        var data = data
        data.newestCommit = newest
        for shape in shapes {
            let slot = header?.slots.firstIndex { $0.topRef == UInt64(shape.ref.offset) }
            let formats = format.map { [$0] } ?? FormatEvidence(shape, header, slot: slot, in: data.view).order
            for format in formats {
                do throws(FormatError) {
                    let snapshot = try data.snapshot(at: shape.ref, format: format, slot: slot ?? 0, isMarked: true)
                    if snapshot.damage.isEmpty { return snapshot }
                    if damaged == nil { damaged = snapshot }
                } catch {
                    if failure == nil { failure = error }
                }
            }
        }
        if let damaged { return try damaged.checked(toleratingDamage) }
        throw failure ?? place.missing(among: [])
    }

    /// Verifies any commit found in the file, whatever the header selects.
    ///
    /// - Throws: The errors of `snapshot`.
    package func verification(
        of place: CommitLocation, with verification: Verification
    ) throws(FormatError) -> VerificationReport {
        let found = try snapshot(place, toleratingDamage: true)
        guard let root = found.topRef else { throw place.missing(among: []) }
        return verification.run(onRoot: root, format: found.version, in: data)
    }

    /// Returns the roots of a commit, those that the header refers to first, and the number of the last commit: the
    /// one that the header selects, otherwise the highest.
    ///
    /// - Throws: `noCommit` when there is none, `badRef`.
    private func shapes(at place: CommitLocation) throws(FormatError) -> (found: [RootShape], newest: UInt64?) {
        var search = RootSearch(in: data.view)
        search.followHeader()
        let selected = search.found.first { $0.origin == .selectedSlot }?.shape.commit
        if case .root(let ref) = place {
            guard ref.mayBeNode(in: data.view.count) else {
                throw FormatError(
                    .badRef, at: ref.offset,
                    "a root is at a multiple of 8 from 24 to the end of the database (\(data.view.count) bytes)")
            }
            if let shape = RootShape(at: ref.offset, in: data.view) {
                if selected == nil { search.scan() }
                return ([shape], selected ?? search.found.map(\.shape.commit).max())
            }
        }
        search.scan()
        let found = search.found.filter { place.matches($0.shape.ref, commit: $0.shape.commit) }
        guard !found.isEmpty else { throw place.missing(among: search.found.map(\.shape.commit)) }
        let shapes =
            found.filter { $0.origin != .scan }.map(\.shape) + found.filter { $0.origin == .scan }.map(\.shape)
        return (shapes, selected ?? search.found.map(\.shape.commit).max())
    }
}
