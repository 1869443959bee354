internal import RealmLayout
internal import RealmStorage

/// The links that lead to the objects of a table from one property of another: its backlinks, in the order of their targets
/// (Spec 60).
final class LinkLedger {
    private struct Entry: RadixSortable, BitwiseCopyable {
        let target: Int64
        let origin: Int64
        // Keys of tombstones are negative and come first.
        var rank: UInt64 { UInt64(bitPattern: target) ^ (1 << 63) }
    }

    /// Its place among those of the file.
    let number: Int
    /// Its place among those of the table that the links lead to.
    let column: Int
    /// The table where the links start.
    let originTable: Int
    /// The property that holds them.
    let originProperty: Int
    private let entries: PlainArray<Entry>
    /// The tombstones among the targets.
    private(set) var unresolvedTargets: Set<Int64> = []
    private var position = 0

    init(number: Int, column: Int, originTable: Int, originProperty: Int, in folder: ScratchFolder) {
        entries = PlainArray(in: folder)
        self.number = number
        self.column = column
        self.originTable = originTable
        self.originProperty = originProperty
    }

    /// Notes a link.
    @inline(__always)
    func add(target: ObjectKey, origin: ObjectKey) {
        entries.append(Entry(target: target.value, origin: origin.value))
        if target.isUnresolved { unresolvedTargets.insert(target.value) }
    }

    /// Gives the memory back, when all links were taken.
    func release() {
        position = 0
        entries.release()
    }

    /// Ends adding; `takeOrigins` follows.
    func sort() { radixSort(entries) }

    /// The next target that was not taken yet.
    var nextTarget: ObjectKey? { position < entries.count ? ObjectKey(entries[position].target) : nil }

    /// An origin that links to `nextTarget`.
    var nextOrigin: ObjectKey? { position < entries.count ? ObjectKey(entries[position].origin) : nil }

    /// The origin of the only link to `key`, which is taken then; nil when there are none or several. To be called with
    /// ascending keys.
    @inline(__always)
    func takeOnlyOrigin(of key: ObjectKey) -> Int64? {
        let next = position &+ 1
        guard position < entries.count, entries[position].target == key.value,
            next == entries.count || entries[next].target != key.value
        else { return nil }
        position = next
        return entries[next &- 1].origin
    }

    /// Moves the origins of the links to `key` into `origins`. To be called with ascending keys.
    func takeOrigins(of key: ObjectKey, into origins: PlainArray<Int64>) {
        origins.removeAll()
        while position < entries.count, entries[position].target == key.value {
            origins.append(entries[position].origin)
            position += 1
        }
    }
}

/// All ledgers of a file, by number.
final class LinkLedgers {
    private let all = OwnedObjects<LinkLedger>()
    private let folder: ScratchFolder

    init(in folder: ScratchFolder) { self.folder = folder }

    /// Makes another one.
    func add(column: Int, originTable: Int, originProperty: Int) -> LinkLedger {
        let ledger = LinkLedger(
            number: all.count, column: column, originTable: originTable, originProperty: originProperty,
            in: folder)
        all.append(ledger)
        return ledger
    }

    /// Notes a link.
    @inline(__always)
    func add(target: ObjectKey, origin: ObjectKey, to number: Int) {
        all.with(number) { $0.add(target: target, origin: origin) }
    }
}
