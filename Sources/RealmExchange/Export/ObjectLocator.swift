internal import RealmCore
internal import RealmLayout

/// Finds objects by key, for links and embedded objects.
///
/// Caches the most recently found clusters with opened leaves, in a table addressed by a hash of the key. Link targets
/// are mostly concentrated in a few clusters, and embedded objects are usually next to those of the previous object.
/// Unused memory is never touched, and the memory in use does not grow with the file.
struct ObjectLocator: ~Copyable {
    private struct Entry: BitwiseCopyable {
        /// The locator's generation in which the entry was filled; 0 for an empty one.
        var generation: Int
        /// Number of objects being written that read from this entry, and prevent its replacement.
        var users: Int
        var firstKey: UInt64
        var lastKey: UInt64
        var cluster: Cluster
    }

    /// The state of one table.
    fileprivate struct Target: BitwiseCopyable {
        var firstEntry = -1
        var firstLeaf = 0
        /// The first field with an opened leaf, and the number of such fields: all fields of an embedded class,
        /// otherwise only the primary key.
        var firstField = 0
        var leafCount = 0
        /// The shift that leaves the upper bits of the hash, which address the entries.
        var shift: UInt64 = 0
        var entryCount = 0
        /// The last object found of an embedded class.
        var last = Place(firstLeaf: 0, row: -1, entry: 0)
    }

    /// A found object: its row, and the index of its first field in `leafView`.
    struct Place: BitwiseCopyable {
        let firstLeaf: Int
        fileprivate(set) var row: Int
        fileprivate let entry: Int

        /// A place without an object.
        static var none: Place { Place(firstLeaf: 0, row: -1, entry: 0) }
    }

    private let plan: ExportPlan
    /// Incremented when everything is discarded; starts at 1.
    private var generation = 1
    private let ownedTargets: UncheckedArray<Target>
    private let ownedEntries: UncheckedArray<Entry>
    private let ownedLeaves: UncheckedArray<OpenExportField>
    private let targets: UncheckedSpan<Target>
    private let entries: UncheckedSpan<Entry>
    /// Keeps prefetch loads from being optimised away.
    private var warmth: UInt64 = 0
    /// The opened leaves of all entries.
    let leafView: UncheckedSpan<OpenExportField>
    /// Primary keys that are integers.
    let integers = IdentityCache<Int64>(bits: 13)
    /// Primary keys that are short ASCII texts and may be copied in whole steps, for files whose bytes stay in place.
    let texts = IdentityCache<ByteView>(bits: 15)

    /// The arrangement of the clusters and leaves of each table, shared by all locators of an export.
    struct Layout: Sendable {
        fileprivate var targets: [Target] = []
        fileprivate var entryCount = 0
        fileprivate var leafCount = 0

        /// Makes room for links to every table with a primary key, and for embedded objects.
        init(_ tables: ByTable<TablePlan>) {
            targets.reserveCapacity(tables.count)
            for table in tables {
                var target = Target()
                if table.isEmbedded {
                    (target.firstField, target.leafCount) = (table.firstField, table.fieldCount)
                } else if table.primaryField >= 0 {
                    (target.firstField, target.leafCount) = (table.firstField + table.primaryField, 1)
                } else {
                    targets.append(target)
                    continue
                }
                // Every table gets about the same number of leaves, in at least 16 and at most 1024 clusters.
                var bits: UInt64 = 10
                while bits > 4, target.leafCount << bits > 8192 { bits -= 1 }
                target.shift = 64 - bits
                target.entryCount = 1 << bits
                target.firstEntry = entryCount
                target.firstLeaf = leafCount
                target.last = Place(firstLeaf: leafCount, row: -1, entry: entryCount)
                entryCount += target.entryCount
                leafCount += target.entryCount * target.leafCount
                targets.append(target)
            }
        }
    }

    /// Creates an empty locator.
    init(_ plan: ExportPlan) {
        self.plan = plan
        let layout = plan.locatorLayout
        ownedTargets = UncheckedArray(layout.targets)
        ownedEntries = UncheckedArray(zeroed: layout.entryCount)
        ownedLeaves = UncheckedArray(count: layout.leafCount)
        self.targets = UncheckedSpan(ownedTargets)
        entries = UncheckedSpan(ownedEntries)
        leafView = UncheckedSpan(ownedLeaves)
    }

    /// Whether unreadable leaves of embedded classes are recorded here instead of causing an error.
    var isTolerant = false
    /// The errors of unreadable leaves, by their index in `leafView`.
    private(set) var lostLeaves: [Int: FormatError] = [:]

    /// Discards all clusters. Those of an encrypted file are valid only as long as the lease they were found with.
    mutating func forget() { generation &+= 1 }

    /// Finds an object.
    ///
    /// - Returns: The place of the object, or nil if it does not exist.
    /// - Throws: Errors of opening clusters and leaves, `tooDeep` if too many objects are being written at once.
    @inline(__always)
    mutating func place(of key: ObjectKey, in position: TablePosition) throws(FormatError) -> Place? {
        let firstEntry = targets[unchecked: position].firstEntry
        guard firstEntry >= 0 else { return nil }
        let wanted = UInt64(bitPattern: key.value)
        let hash = ((wanted &>> 8) &* 0x9E37_79B9_7F4A_7C15) &>> targets[unchecked: position].shift
        var slot = Int(truncatingIfNeeded: hash)
        if !holds(wanted, firstEntry &+ slot) {
            slot = try fill(slot, with: key, targets[unchecked: position], position: position)
        }
        let entry = firstEntry &+ slot
        guard let row = entries[unchecked: entry].cluster.row(of: key) else { return nil }
        let firstLeaf = targets[unchecked: position].firstLeaf &+ slot &* targets[unchecked: position].leafCount
        return Place(firstLeaf: firstLeaf, row: row, entry: entry)
    }

    /// Finds an object of an embedded class, which is usually the successor of the last one found here.
    @inline(__always)
    mutating func place(ofNext key: ObjectKey, in position: TablePosition) throws(FormatError) -> Place? {
        var place = targets[unchecked: position].last
        place.row &+= 1
        // The entry may have been refilled, but always with a cluster of this table.
        let isNext =
            entries[unchecked: place.entry].generation == generation
            && place.row < entries[unchecked: place.entry].cluster.count
            && entries[unchecked: place.entry].cluster.key(unchecked: place.row) == key
        if !isNext {
            guard let found = try self.place(of: key, in: position) else { return nil }
            place = found
        }
        targets[unchecked: position].last = place
        return place
    }

    /// The cluster of a place, and the generation of its lookup. Data read from a cluster is valid for all places with
    /// the same mark.
    struct Mark: BitwiseCopyable, Equatable {
        fileprivate let ref: Ref
        fileprivate let generation: Int

        /// The mark of no place.
        static var none: Mark { Mark(ref: Ref(0), generation: 0) }
    }

    @inline(__always)
    func mark(of place: Place) -> Mark {
        Mark(ref: entries[unchecked: place.entry].cluster.ref, generation: entries[unchecked: place.entry].generation)
    }

    /// Whether nothing has been discarded since a place had that mark.
    @inline(__always)
    func isCurrent(_ mark: Mark) -> Bool { mark.generation == generation }

    /// Whether a place found earlier still belongs to the cluster with that mark.
    @inline(__always)
    func isCurrent(_ mark: Mark, at place: Place) -> Bool { isCurrent(mark) && self.mark(of: place) == mark }

    /// The cluster of a place.
    @inline(__always)
    func cluster(at place: Place) -> Cluster { entries[unchecked: place.entry].cluster }

    /// The fields of an object of an embedded class.
    @inline(__always)
    func fields(at place: Place, of position: TablePosition) -> ObjectFields {
        ObjectFields(
            leaves: leafView, first: place.firstLeaf,
            end: place.firstLeaf &+ targets[unchecked: position].leafCount, position: position)
    }

    @inline(__always)
    private func holds(_ key: UInt64, _ entry: Int) -> Bool {
        entries[unchecked: entry].generation == generation && entries[unchecked: entry].firstKey <= key
            && key <= entries[unchecked: entry].lastKey
    }

    /// Opens the cluster of `key` in `slot`, or in a later one while objects of the cluster in that slot are being
    /// written.
    @inline(never)
    private mutating func fill(
        _ slot: Int, with key: ObjectKey, _ target: Target, position: TablePosition
    ) throws(FormatError) -> Int {
        let wanted = UInt64(bitPattern: key.value)
        var slot = slot
        var tries = 0
        while entries[unchecked: target.firstEntry + slot].users > 0 {
            slot = (slot + 1) % target.entryCount
            tries += 1
            if holds(wanted, target.firstEntry + slot) { return slot }
            guard tries < target.entryCount else {
                throw FormatError(.tooDeep, "embedded objects of the same class are nested too deeply")
            }
        }
        let entry = target.firstEntry + slot
        entries[unchecked: entry].generation = 0
        let tree = plan.snapshot.cores[position].objects
        let location = try tree.location(of: key)
        let cluster = try Cluster(plan.space.node(at: location.ref), keyOffset: location.keyOffset, in: plan.space)
        plan.sendForLeaves(of: cluster, target.firstField, count: target.leafCount)
        for index in 0..<target.leafCount {
            let number = target.firstField + index
            let place = target.firstLeaf + slot * target.leafCount + index
            do throws(FormatError) {
                let leaf = try cluster.leaf(of: plan.columns[number], in: plan.space)
                warmth &+= leaf.warm()
                leafView[unchecked: place] = OpenExportField(number, plan.fields[number], leaf, readsAhead: false)
            } catch {
                let schema = plan.snapshot.cores[position].schema
                guard isTolerant, schema.kind == .embedded, error.concernsValues else { throw error }
                lostLeaves[place] = error.at(table: schema.tableName, property: schema.properties[index].name)
                let nowhere = ColumnLeaf(lostAt: try plan.space.node(at: location.ref))
                leafView[unchecked: place] = OpenExportField(lost: number, plan.fields[number], nowhere)
            }
        }
        entries[unchecked: entry] = Entry(
            generation: generation, users: 0, firstKey: location.firstKey, lastKey: location.lastKey, cluster: cluster)
        return slot
    }

    /// Prevents the leaves of `place` from being replaced until `release`.
    @inline(__always)
    mutating func retain(_ place: Place) { entries[unchecked: place.entry].users &+= 1 }

    @inline(__always)
    mutating func release(_ place: Place) { entries[unchecked: place.entry].users &-= 1 }
}
