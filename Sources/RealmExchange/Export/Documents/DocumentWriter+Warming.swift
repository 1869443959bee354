internal import RealmCore
internal import RealmLayout

// The collections and long strings of a cluster's objects may be anywhere in the file, and opening them one by one
// waits for memory each time. The data of the next rows is therefore prefetched while earlier rows are written.
extension DocumentWriter where Sink: ~Copyable {
    /// Number of rows prepared at once: enough to keep memory busy, but few enough that the data stays in the cache.
    static var warmedRows: Int { 64 }
    /// Number of rows by which collections are prefetched in advance: more than the memory latency.
    static var rowsAhead: Int { 12 }

    /// Determines which fields of a table have values to prefetch.
    ///
    /// - Returns: The number of fields.
    func noteScattered(_ leafCount: Int, _ leaves: UncheckedSpan<OpenExportField>) -> Int {
        // Pages of an encrypted file must be decrypted first.
        guard !plan.snapshot.isEncrypted else { return 0 }
        var count = 0
        for index in 0..<leafCount {
            let step = leaves[unchecked: index].step
            guard step == .list || step == .dictionary || step == .bigString else { continue }
            scattered[unchecked: count] = index
            count += 1
        }
        return count
    }

    /// Prefetches the beginning of each collection and long string of a row.
    @inline(__always)
    func sendFor(_ row: Int, _ leaves: UncheckedSpan<OpenExportField>, count: Int) {
        var index = 0
        while index < count {
            let element = leaves[unchecked: scattered[unchecked: index]].leaf.rawElement(at: row)
            space.bytes.prefetch(Int(truncatingIfNeeded: element))
            index &+= 1
        }
    }

    /// Finds the text identities of objects that `rows` link to. Damage is handled when the values are actually read.
    @inline(never)
    mutating func warm(_ leafCount: Int, _ leaves: UncheckedSpan<OpenExportField>, _ rows: Range<Int>) {
        for index in 0..<leafCount where leaves[unchecked: index].step == .textLink {
            let position = leaves[unchecked: index].target
            for row in rows {
                let text = textIdentity(of: leaves[unchecked: index].leaf.link(at: row), in: position)
                texts[unchecked: Self.textIndex(index, row: row)] = text
                text.prefetch(0)
            }
        }
    }

    /// The index of the text for a row's link.
    @inline(__always)
    static func textIndex(_ field: Int, row: Int) -> Int { field &* warmedRows &+ row & (warmedRows &- 1) }

    /// The identity of an object if it is a text without cost; empty for anything else, and for missing objects.
    @inline(__always)
    private mutating func textIdentity(of target: ObjectKey?, in position: TablePosition) -> ByteView {
        guard let target, !target.isUnresolved, let place = identityPlace(of: target, in: position),
            let text = text(atLeaf: place.leaf, place.row), text.count < Self.paidBytes
        else { return indexKeys[unchecked: 0].slice(unchecked: 0, count: 0) }
        return text
    }

    /// The leaf of the locator and the row with the primary key of an object; nil for a missing object, and for damage,
    /// which is handled when the value is actually read.
    @inline(__always)
    mutating func identityPlace(of target: ObjectKey, in position: TablePosition) -> (leaf: Int, row: Int)? {
        guard let place = try? locator.place(of: target, in: position) else { return nil }
        let table = tables[unchecked: position]
        // The locator has all leaves of an embedded class, but only the primary key's leaf of others.
        return (place.firstLeaf &+ (table.isEmbedded ? table.primaryField : 0), place.row)
    }

    /// A short or medium string in a leaf of the locator; nil for null, and for strings that need further handling.
    @inline(__always)
    func text(atLeaf leaf: Int, _ row: Int) -> ByteView? {
        switch locator.leafView[unchecked: leaf].step {
        case .shortString: locator.leafView[unchecked: leaf].leaf.plainShortString(at: row)
        case .mediumString: locator.leafView[unchecked: leaf].leaf.plainMediumString(at: row)
        default: nil
        }
    }
}

extension ExportPlan {
    /// Prefetches the leaves of some fields of a cluster, which may be anywhere in the file, before the first is
    /// opened.
    func sendForLeaves(of cluster: Cluster, _ firstField: Int, count: Int) {
        for number in firstField..<(firstField + count) {
            space.bytes.prefetch(cluster.leafOffset(of: columns[number]))
        }
    }
}
