internal import RealmLayout
internal import RealmReader
internal import RealmStorage

/// The root that is salvaged.
struct SalvageRoot {
    let snapshot: Snapshot
    let origin: RootOrigin
    let headerProblem: FormatError?

    /// Looks for the root.
    ///
    /// - Throws: when there is none.
    init(_ data: FileData, _ root: Salvage.Root, format: FormatVersion?) throws(FormatError) {
        headerProblem = FileData.headerProblem(data.source)
        if root != .findRoot, headerProblem == nil, let header = FileHeader(data.view) {
            let slot = root == .otherSlot ? 1 - header.selectedSlot : header.selectedSlot
            if let found = Self.snapshot(header, slot, in: data, format: format) {
                (snapshot, origin) = (found, root == .otherSlot ? .otherSlot : .selectedSlot)
                return
            }
        }
        var repair = FileRepair(data)
        repair.format = format
        let plan = try repair.plan(root == .otherSlot ? .otherSlot : .findRoot)
        for candidate in plan.candidates {
            if root == .otherSlot, candidate.origin != .otherSlot { continue }
            guard let version = format ?? candidate.format ?? Self.likelyFormat(candidate.ref, in: plan.data) else {
                continue
            }
            guard let found = Self.open(candidate.ref, version, in: plan.data), !found.cores.isEmpty else { continue }
            (snapshot, origin) = (found, candidate.origin)
            return
        }
        throw headerProblem ?? FormatError(.badGroup, "no root of a commit was found that leads to a table")
    }

    private static func open(_ ref: Ref, _ version: FormatVersion, in data: FileData) -> Snapshot? {
        do throws(FormatError) { return try data.snapshot(at: ref, format: version) } catch { return nil }
    }

    /// What a slot leads to, damaged or not.
    private static func snapshot(
        _ header: FileHeader, _ slot: Int, in data: FileData, format: FormatVersion?
    ) -> Snapshot? {
        var topRef = header.slots[slot].topRef
        if slot == 0, topRef == FileHeader.streamingMarker {
            let footer = data.view.count - FileHeader.footerSize
            guard footer >= FileHeader.size, data.view.uint64(unchecked: footer + 8) == FileHeader.footerCookie else {
                return nil
            }
            topRef = data.view.uint64(unchecked: footer)
        }
        let version = format ?? header.slots[slot].format
        guard topRef & 7 == 0, topRef >= UInt64(FileHeader.size),
            topRef <= UInt64(max(0, data.view.count - NodeHeader.size)), version.isClustered || version.isLegacy,
            let found = open(Ref(Int(topRef)), version, in: data), !found.cores.isEmpty || found.damage.isEmpty
        else { return nil }
        return found
    }

    /// The highest format that the nodes of a root do not rule out.
    private static func likelyFormat(_ ref: Ref, in data: FileData) -> FormatVersion? {
        guard let shape = RootShape(at: ref.offset, in: data.view) else { return nil }
        let header = FileHeader(data.view).flatMap { $0.hasMnemonic ? $0 : nil }
        return FormatEvidence(shape, header, in: data.view).order.first
    }

    /// Finds out what there is.
    func plan() -> SalvagePlan {
        SalvagePlan(
            SalvageSource(snapshot.cores, snapshot.version, root: snapshot.topRef, in: snapshot.space))
    }
}
