internal import RealmCore
internal import RealmLayout

/// The tables to salvage, and the evidence that led to them (Spec 190).
struct SalvageRoot {
    let version: FormatVersion
    /// The root; nil when the tables were found without one.
    let topRef: Ref?
    let commit: UInt64
    let origin: RootOrigin
    let headerProblem: FormatError?
    let cores: ByTable<TableDescription>
    /// Errors about lost or substituted parts of the schema.
    let damage: [FormatError]
    /// Whether there was a later commit that is not read.
    private(set) var isOutdated = false
    /// Whether tables of a later commit than that of the root are read.
    private(set) var hasNewerTables = false
    let space: NodeSpace
    /// Keeps the bytes of `space` alive.
    private let owners: (DatabaseImage, Snapshot?)

    /// The cached plan, once the content was surveyed.
    private var planned: SalvagePlan?

    /// Searches for the tables.
    ///
    /// - Parameters:
    ///   - unproven: Pages of an encrypted file that failed authentication.
    ///   - known: The schema of another copy of the database, for what is lost of this one.
    /// - Throws: `FormatError` when there are none.
    init(
        _ data: DatabaseImage, _ root: Salvage.Root, format: FormatVersion?, unproven: [Int], _ known: KnownSchema?
    ) throws(FormatError) {
        var problem = DatabaseImage.headerProblem(data.source)
        if let problem, problem.code == .bytesInFront { throw problem }
        var lost: FormatError?
        if root == .current || root == .otherSlot, problem == nil, let header = FileHeader(data.view) {
            let slot = root == .otherSlot ? 1 - header.selectedSlot : header.selectedSlot
            do throws(FormatError) {
                self = try Self(header, slot, in: data, format: format, known)
                // Its writer was interrupted, or the header is damaged.
                let other = RootShape(atNumber: header.slots[1 - slot].topRef, in: data.view)
                isOutdated = root == .current && other.map { $0.commit > commit } ?? false
                return
            } catch {
                // If the first page failed authentication, the header itself may be wrong.
                if unproven.first != 0 { lost = error }
                if let overwritten = data.overwrittenSlot(slot) {
                    // Treated like a missing header: there is no evidence of a lost root.
                    (problem, lost) = (overwritten, nil)
                }
            }
        }
        var repair = FileRepair(data)
        repair.format = format
        var plan: RepairPlan?
        do throws(FormatError) {
            plan = try repair.plan(root.method)
        } catch {
            if root.isChosen { throw error }
        }
        let whole = plan?.data ?? data
        let wanted = (plan?.byAge ?? []).filter(root.allows)
        // The remaining candidates only show which tables are old.
        let found = CommitChoice(wanted, needsAll: lost != nil && root == .current, unproven: unproven) {
            [problem] in Self.open($0, format, in: whole, problem, known)
        }.roots
        // The remaining bytes of the slot lead to this root, so only the ref was damaged.
        if found.first?.origin == .maskedSlot { lost = nil }
        if lost != nil || found.isEmpty, !root.isChosen,
            let tables = Self(lost, found, in: whole, format: format, problem, known)
        {
            self = tables
            isOutdated = lost != nil && !hasNewerTables
            return
        }
        guard let best = found.first else {
            if let problem { throw problem }
            if let header = FileHeader(data.view), header.slots[header.selectedSlot].topRef == 0 {
                throw .emptyDatabase
            }
            throw lost ?? FormatError(.noCommit, "no root of a commit was found, and no table")
        }
        self = best
        // Callers that choose a commit already know whether there is a later one.
        guard !root.isChosen else { return }
        isOutdated = lost != nil || best.topRef.map { plan?.hasLater(than: $0) ?? false } ?? true
    }

    /// Whether no class has objects.
    private var hasNoObjects: Bool {
        cores.allSatisfy { core in
            guard core.schema.tableName.hasPrefix(TableName.classPrefix) else { return true }
            do throws(FormatError) { return try core.objects.storedCount() == 0 } catch { return false }
        }
    }

    /// Returns the verification report of the commit; nil without a root.
    ///
    /// - Parameter original: The original data with its pages, before it was treated as a plain file.
    func verified(_ original: DatabaseImage) -> VerificationReport? {
        guard let topRef else { return nil }
        let verification = Verification(level: .standard, maximumFindings: SalvageReport.mostFindings)
        // Padding for a missing end exists only in a copy.
        guard original.pages != nil, original.view.count == owners.0.view.count else {
            return verification.run(onRoot: topRef, format: version, in: owners.0)
        }
        return verification.run(onRoot: topRef, format: version, in: original, missesPages: true)
    }

    /// Surveys the content.
    ///
    /// - Parameter unproven: Pages of an encrypted file that failed authentication.
    mutating func plan(unproven: [Int]) -> SalvagePlan {
        if let planned { return planned }
        var roots = cores.map(\.topRef)
        if let topRef { roots.insert(topRef, at: 0) }
        // With tables of several commits, unused nodes give no evidence.
        let isOneCommit = version.isClustered && owners.1 != nil
        let plan = SalvagePlan(
            SalvageSource(cores, version, roots: roots, unproven: unproven, in: space),
            root: isOneCommit ? topRef : nil, roots: roots)
        planned = plan
        return plan
    }

    /// Surveys the content and weighs it.
    mutating func weigh(unproven: [Int]) -> CommitWeight { CommitWeight(plan(unproven: unproven), damage: damage) }

    /// Releases the memory of the survey.
    mutating func forgetPlan() { planned = nil }
}

// Roots that exist.
extension SalvageRoot {
    /// Opens the root of a slot of the header, damaged or not.
    private init(
        _ header: FileHeader, _ slot: Int, in data: DatabaseImage, format: FormatVersion?, _ known: KnownSchema?
    ) throws(FormatError) {
        var topRef = header.slots[slot].topRef
        if slot == 0, topRef == FileHeader.streamingMarker {
            guard let streamed = FileHeader.streamedTopRef(in: data.view) else {
                throw .missingFooter(at: data.view.count - FileHeader.footerSize)
            }
            topRef = streamed
        }
        let version = format ?? header.slots[slot].format
        guard topRef != 0 else {
            throw FormatError(.noCommit, at: slot * 8, "slot \(slot) of the header is empty")
        }
        guard let root = Ref(nodeAt: topRef, in: data.view.count), version.isClustered || version.isLegacy else {
            throw FormatError(.badRef, at: slot * 8, "slot \(slot) of the header does not lead to a root")
        }
        try self.init(
            root, version, slot == header.selectedSlot ? .selectedSlot : .otherSlot, in: data, nil, known)
    }

    /// Opens a root, damaged or not.
    init(
        _ ref: Ref, _ version: FormatVersion, _ origin: RootOrigin, in data: DatabaseImage, _ problem: FormatError?,
        _ known: KnownSchema?
    ) throws(FormatError) {
        let snapshot = try data.snapshot(at: ref, format: version, isTolerant: true)
        self.version = version
        topRef = ref
        commit = snapshot.commitNumber
        self.origin = origin
        headerProblem = problem
        space = snapshot.space
        owners = (data, snapshot)
        if version.isLegacy {
            guard !snapshot.cores.isEmpty || snapshot.damage.isEmpty else {
                throw snapshot.damage.first ?? FormatError(.badGroup, at: ref.offset, "no table can be read")
            }
            (cores, damage) = (snapshot.cores, snapshot.damage)
            return
        }
        let space = snapshot.space
        let clues = try space.tableClues(ofGroup: ref)
        // Tables elsewhere in the file belong to other commits, but mostly have the same descriptions.
        var search: TableSearch?
        let tables = space.salvagedTables(clues, known) { slot in
            let found = search ?? TableSearch(in: space)
            search = found
            return found.bySlot[slot]?.map(\.ref) ?? []
        }
        guard !tables.cores.isEmpty || clues.isEmpty else {
            throw tables.damage.first ?? FormatError(.badGroup, at: ref.offset, "no table can be read")
        }
        (cores, damage) = (tables.cores, tables.damage)
    }
}

// Tables without a root.
extension SalvageRoot {
    /// Uses the tables found by scanning: those newer than the best root's, or all of them.
    ///
    /// - Parameters:
    ///   - lost: The error of the root that the header selects.
    ///   - candidates: Other roots, best first.
    private init?(
        _ lost: FormatError?, _ candidates: [Self], in data: DatabaseImage, format: FormatVersion?,
        _ problem: FormatError?, _ known: KnownSchema?
    ) {
        let best = candidates.first
        let header = FileHeader(data.view).flatMap { $0.hasMnemonic ? $0 : nil }
        let version = best?.version ?? format ?? header.map { $0.slots[$0.selectedSlot].format } ?? FormatVersion(24)
        guard version.isClustered else { return nil }
        let space = NodeSpace(bytes: data.view)
        let search = TableSearch(in: space)
        let old = Set(candidates.flatMap { $0.cores.map(\.topRef) })
        var names = Dictionary(
            (best?.cores ?? []).map { ($0.schema.key.slot, $0.schema.tableName) },
            uniquingKeysWith: { first, _ in first })
        // A commit without objects is no better than none.
        let isBare = best?.hasNoObjects ?? true
        if isBare {
            names.merge(search.names(atLeast: search.bySlot.count)) { own, _ in own }
        }
        var clues: [TableCandidate] = []
        var isNewer = false
        for slot in Set(search.bySlot.keys).union(names.keys).inOrder() {
            let known = best?.cores.first { $0.schema.key.slot == slot }?.topRef
            let found = search.bySlot[slot] ?? []
            let version = found.first { $0.ref == known }?.contentVersion ?? 0
            if let newer = found.first(where: { !old.contains($0.ref) && (known == nil || $0.contentVersion > version) }
            ) {
                // A slot that the best root lacks may belong to a removed table.
                guard isBare || known != nil else { continue }
                clues.append(TableCandidate(slot: slot, name: names[slot], top: newer.ref))
                isNewer = true
            } else if let known {
                clues.append(TableCandidate(slot: slot, name: names[slot], top: known))
            } else if isBare, let name = names[slot] {
                // Its description may exist without its top.
                clues.append(TableCandidate(slot: slot, name: name, top: nil))
                isNewer = true
            }
        }
        guard isNewer || best != nil, !clues.isEmpty else { return nil }
        let tables = space.salvagedTables(clues, known) { slot in search.bySlot[slot]?.map(\.ref) ?? [] }
        guard !tables.cores.isEmpty else { return nil }
        var damage = tables.damage
        let from = best.map { "commit \($0.commit)" } ?? "tables found by scanning the file"
        damage.insert(
            FormatError(
                lost?.code ?? .badGroup, at: lost?.offset,
                "the root of the last commit is lost (\(lost?.detail ?? "nothing leads to it")); "
                    + "\(from)\(best != nil && isNewer ? " with newer tables found by scanning the file" : "") \(best == nil ? "are" : "is") used instead"
            ),
            at: 0)
        self.version = version
        topRef = best?.topRef
        commit = best?.commit ?? 1
        origin = best?.origin ?? .scan
        headerProblem = problem
        hasNewerTables = isNewer
        cores = tables.cores
        self.damage = damage
        self.space = space
        owners = (data, nil)
    }
}

extension Salvage.Root {
    /// Whether the caller chose the commit, so that no other one may replace it.
    fileprivate var isChosen: Bool {
        switch self {
        case .current, .findRoot: false
        case .otherSlot, .found: true
        }
    }

    /// The method of searching for commits.
    fileprivate var method: RepairMethod {
        switch self {
        case .current, .findRoot: .findRoot
        case .otherSlot: .otherSlot
        case .found(let place): .found(place)
        }
    }

    /// Whether a commit may be used.
    fileprivate func allows(_ candidate: RootCandidate) -> Bool {
        switch self {
        case .current, .findRoot: true
        case .otherSlot: candidate.origin == .otherSlot
        case .found(let place): place.matches(candidate.ref, commit: candidate.commit)
        }
    }
}
