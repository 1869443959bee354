package import RealmLayout
internal import RealmStorage

/// The links from one property to the objects of a table, to be written as backlinks in the order of their targets
/// (Spec 60).
package final class PendingBacklinks {
    private struct Entry: RadixSortable {
        let target: Int64
        let origin: Int64
        // Keys of tombstones are negative and sort first.
        var rank: UInt64 { UInt64(bitPattern: target) ^ (1 << 63) }
    }

    /// A link between keys of at most 32 bits. Nearly all of the millions of links are of this kind.
    private struct ShortEntry: RadixSortable {
        let target: UInt32
        let origin: UInt32
        package var rank: UInt64 { UInt64(target) }
    }

    /// Index among those of the file.
    let number: Int
    /// Index among the backlink columns of the target table.
    let column: Int
    /// The table where the links start.
    let originTable: TablePosition
    /// The link property.
    let originProperty: PropertyIndex
    /// All links, as long as their keys are short.
    private let shortEntries: UnsharedArray<ShortEntry>
    /// All links, once one of them has a long key.
    private let entries: UnsharedArray<Entry>
    private var areShort = true
    /// The tombstones among the targets.
    private(set) var unresolvedTargets: Set<Int64> = []
    private var position = 0
    /// The origins of the links to one object.
    private let origins: UnsharedArray<Int64>

    init(number: Int, column: Int, originTable: TablePosition, originProperty: PropertyIndex, in folder: ScratchFolder)
    {
        shortEntries = UnsharedArray(in: folder)
        entries = UnsharedArray(in: folder)
        origins = UnsharedArray(in: folder)
        self.number = number
        self.column = column
        self.originTable = originTable
        self.originProperty = originProperty
    }

    /// Adds a link.
    @inline(__always)
    package func add(target: ObjectKey, origin: ObjectKey) {
        let highBits = UInt64(bitPattern: target.value | origin.value) &>> 32
        guard areShort, highBits == 0 else { return addLong(target, origin) }
        shortEntries.append(
            ShortEntry(
                target: UInt32(truncatingIfNeeded: target.value), origin: UInt32(truncatingIfNeeded: origin.value)))
    }

    @inline(never)
    private func addLong(_ target: ObjectKey, _ origin: ObjectKey) {
        if areShort {
            areShort = false
            for entry in shortEntries {
                entries.append(Entry(target: Int64(entry.target), origin: Int64(entry.origin)))
            }
            shortEntries.release()
        }
        entries.append(Entry(target: target.value, origin: origin.value))
        if target.isUnresolved { unresolvedTargets.insert(target.value) }
    }

    /// Releases the memory after all links were taken.
    func release() {
        position = 0
        entries.release()
        shortEntries.release()
        areShort = true
    }

    /// Ends adding, in preparation for `takeOrigins`.
    func sort() { if areShort { radixSort(shortEntries) } else { radixSort(entries) } }

    @inline(__always) private var count: Int { areShort ? shortEntries.count : entries.count }

    @inline(__always)
    private func target(_ index: Int) -> Int64 {
        areShort ? Int64(shortEntries[index].target) : entries[index].target
    }

    @inline(__always)
    private func origin(_ index: Int) -> Int64 {
        areShort ? Int64(shortEntries[index].origin) : entries[index].origin
    }

    /// The next target that was not taken yet.
    var nextTarget: ObjectKey? { position < count ? ObjectKey(target(position)) : nil }

    /// An origin that links to `nextTarget`.
    var nextOrigin: ObjectKey? { position < count ? ObjectKey(origin(position)) : nil }

    /// Takes the links to some keys, given in ascending order.
    ///
    /// - Parameters:
    ///   - key: Returns each key.
    ///   - takeOnly: Receives the origin of a single link; -1 when there is none.
    ///   - takeSeveral: Receives the origins of several links.
    @inline(__always)
    func takeOrigins<E: Error>(
        count keyCount: Int, key: (Int) -> Int64, takeOnly: (Int64) -> Void,
        takeSeveral: (UnsharedArray<Int64>) throws(E) -> Void
    ) throws(E) {
        // A link to a missing object remains next until the end, where it is detected.
        let end = count
        var hasNext = position < end
        var next = hasNext ? target(position) : 0
        for index in 0..<keyCount {
            let key = key(index)
            guard hasNext, next == key else {
                takeOnly(-1)
                continue
            }
            let first = position
            position &+= 1
            hasNext = position < end
            if hasNext { next = target(position) }
            guard hasNext, next == key else {
                takeOnly(origin(first))
                continue
            }
            origins.removeAll()
            origins.append(origin(first))
            while hasNext, next == key {
                origins.append(origin(position))
                position &+= 1
                hasNext = position < end
                if hasNext { next = target(position) }
            }
            try takeSeveral(origins)
        }
    }
}

/// All `PendingBacklinks` of a file, by number.
package final class PendingBacklinksByTable {
    private let all = OwnedObjects<PendingBacklinks>()
    private let folder: ScratchFolder

    init(in folder: ScratchFolder) { self.folder = folder }

    /// Creates another one.
    func add(column: Int, originTable: TablePosition, originProperty: PropertyIndex) -> PendingBacklinks {
        let ledger = PendingBacklinks(
            number: all.count, column: column, originTable: originTable, originProperty: originProperty,
            in: folder)
        all.append(ledger)
        return ledger
    }

    /// Adds a link.
    @inline(__always)
    package func add(target: ObjectKey, origin: ObjectKey, to number: Int) {
        all.with(number) { $0.add(target: target, origin: origin) }
    }
}
