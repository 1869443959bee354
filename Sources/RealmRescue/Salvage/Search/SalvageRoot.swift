internal import RealmLayout
internal import RealmReader
internal import RealmVerifier

/// The tables that are salvaged, and what led to them (Spec 190).
struct SalvageRoot {
    let version: FormatVersion
    /// The root; nil when tables were found without one.
    let topRef: Ref?
    let commit: UInt64
    let origin: RootOrigin
    let headerProblem: FormatError?
    let cores: ByTable<TableDescription>
    /// What is lost of the schema, or had to be made up.
    let damage: [FormatError]
    /// Whether there was a later commit, of which nothing is read.
    private(set) var isOutdated = false
    /// Whether tables of a later commit than that of the root are read.
    private(set) var hasNewerTables = false
    let space: NodeSpace
    /// What the bytes belong to.
    private let owners: (DatabaseImage, Snapshot?)

    /// What is found in the file, once it was looked for.
    private var planned: SalvagePlan?

    /// Looks for the tables.
    ///
    /// - Parameter unproven: the pages of an encrypted file that nothing proves.
    /// - Throws: when there are none.
    init(
        _ data: DatabaseImage, _ root: Salvage.Root, format: FormatVersion?, unproven: [Int]
    ) throws(FormatError) {
        var problem = DatabaseImage.headerProblem(data.source)
        if let problem, problem.code == .bytesInFront { throw problem }
        var lost: FormatError?
        if root == .current || root == .otherSlot, problem == nil, let header = FileHeader(data.view) {
            let slot = root == .otherSlot ? 1 - header.selectedSlot : header.selectedSlot
            do throws(FormatError) {
                self = try Self(header, slot, in: data, format: format)
                // Its writer was interrupted, or the header is damaged.
                let other = RootShape(atNumber: header.slots[1 - slot].topRef, in: data.view)
                isOutdated = root == .current && other.map { $0.commit > commit } ?? false
                return
            } catch {
                // Where nothing proves the first page, it is the header that may be wrong.
                if unproven.first != 0 { lost = error }
                if let overwritten = data.overwrittenSlot(slot) {
                    // As without a header: nothing says that a root is lost.
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
        // Others only tell which tables are old.
        let found = CommitChoice(wanted, needsAll: lost != nil && root == .current, unproven: unproven) {
            [problem] in Self.open($0, format, in: whole, problem)
        }.roots
        // What is left of the slot leads there: nothing is lost but the way.
        if found.first?.origin == .maskedSlot { lost = nil }
        if lost != nil || found.isEmpty, !root.isChosen,
            let tables = Self(lost, found, in: whole, format: format, problem)
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
        // That there is a later one is known to who asks for an older one.
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

    /// What the verifier says about the commit; nil without a root.
    ///
    /// - Parameter original: the data before it was looked at as a plain file, with its pages.
    func verified(_ original: DatabaseImage) -> VerificationReport? {
        guard let topRef else { return nil }
        let verification = Verification(level: .standard, maximumFindings: SalvageReport.mostFindings)
        // Zeros at a missing end are in a copy.
        guard original.pages != nil, original.view.count == owners.0.view.count else {
            return verification.run(onRoot: topRef, format: version, in: owners.0)
        }
        return verification.run(onRoot: topRef, format: version, in: original, missesPages: true)
    }

    /// Finds out what there is.
    ///
    /// - Parameter unproven: the pages of an encrypted file that nothing proves.
    mutating func plan(unproven: [Int]) -> SalvagePlan {
        if let planned { return planned }
        var roots = cores.map(\.topRef)
        if let topRef { roots.insert(topRef, at: 0) }
        // Of several commits what is not in use by one of them says nothing.
        let isOneCommit = version.isClustered && owners.1 != nil
        let plan = SalvagePlan(
            SalvageSource(cores, version, roots: roots, unproven: unproven, in: space),
            root: isOneCommit ? topRef : nil, roots: roots)
        planned = plan
        return plan
    }

    /// Finds out what there is, and how much that is.
    mutating func weigh(unproven: [Int]) -> CommitWeight { CommitWeight(plan(unproven: unproven), damage: damage) }

    /// Gives back the memory of what was found out.
    mutating func forgetPlan() { planned = nil }
}

// Roots that are there.
extension SalvageRoot {
    /// What a slot of the header leads to, damaged or not.
    private init(_ header: FileHeader, _ slot: Int, in data: DatabaseImage, format: FormatVersion?) throws(FormatError)
    {
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
            root, version, slot == header.selectedSlot ? .selectedSlot : .otherSlot, in: data, nil)
    }

    /// What a root leads to, damaged or not.
    init(
        _ ref: Ref, _ version: FormatVersion, _ origin: RootOrigin, in data: DatabaseImage, _ problem: FormatError?
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
        // Tables elsewhere in the file belong to other commits; their descriptions are mostly the same.
        var search: TableSearch?
        let tables = space.salvagedTables(clues) { slot in
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
    /// The tables that were found by their looks: newer than those of the best root, or all of them.
    ///
    /// - Parameters:
    ///   - lost: what is wrong with the root that the header selects.
    ///   - candidates: other roots, the best first.
    private init?(
        _ lost: FormatError?, _ candidates: [Self], in data: DatabaseImage, format: FormatVersion?,
        _ problem: FormatError?
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
        // A commit before the first objects tells no more than there is no other.
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
                // A slot that the best root does not have may be one of a table that was removed.
                guard isBare || known != nil else { continue }
                clues.append(TableCandidate(slot: slot, name: names[slot], top: newer.ref))
                isNewer = true
            } else if let known {
                clues.append(TableCandidate(slot: slot, name: names[slot], top: known))
            } else if isBare, let name = names[slot] {
                // Its description may be there without its top.
                clues.append(TableCandidate(slot: slot, name: name, top: nil))
                isNewer = true
            }
        }
        guard isNewer || best != nil, !clues.isEmpty else { return nil }
        let tables = space.salvagedTables(clues) { slot in search.bySlot[slot]?.map(\.ref) ?? [] }
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
    /// Whether somebody chose the commit, so that no other one will do.
    fileprivate var isChosen: Bool {
        switch self {
        case .current, .findRoot: false
        case .otherSlot, .found: true
        }
    }

    /// How commits are looked for.
    fileprivate var method: RepairMethod {
        switch self {
        case .current, .findRoot: .findRoot
        case .otherSlot: .otherSlot
        case .found(let place): .found(place)
        }
    }

    /// Whether a commit may be taken.
    fileprivate func allows(_ candidate: RootCandidate) -> Bool {
        switch self {
        case .current, .findRoot: true
        case .otherSlot: candidate.origin == .otherSlot
        case .found(let place): place.matches(candidate.ref, commit: candidate.commit)
        }
    }
}
