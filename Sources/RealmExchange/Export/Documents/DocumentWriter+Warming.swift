internal import RealmLayout
internal import RealmReader

// The collections and long strings of a cluster's objects lie anywhere in the file: opened one by one, each waits for
// memory. Here what some of the next rows need is sent for while the rows before are written.
extension DocumentWriter where Sink: ~Copyable {
    /// How many rows are prepared at once: enough to keep memory busy, few enough that nothing is pushed out of the cache
    /// again.
    static var warmedRows: Int { 64 }
    /// How many rows ahead collections are sent for: longer than memory takes.
    static var rowsAhead: Int { 12 }

    /// Notes which fields of a table have values that are sent for.
    ///
    /// - Returns: how many.
    func noteScattered(_ leafCount: Int, _ leaves: UncheckedSpan<OpenExportField>) -> Int {
        // Pages of an encrypted file have to be decrypted first.
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

    /// Sends for the beginning of each collection and long string of a row.
    @inline(__always)
    func sendFor(_ row: Int, _ leaves: UncheckedSpan<OpenExportField>, count: Int) {
        var index = 0
        while index < count {
            let element = leaves[unchecked: scattered[unchecked: index]].leaf.rawElement(at: row)
            space.bytes.prefetch(Int(truncatingIfNeeded: element))
            index &+= 1
        }
    }

    /// Finds the identities of objects that `rows` link to, where they are texts. Damage is left to the real reading.
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

    /// Where the text of a row's link is kept while rows around it are written.
    @inline(__always)
    static func textIndex(_ field: Int, row: Int) -> Int { field &* warmedRows &+ row & (warmedRows &- 1) }

    /// The identity of an object when it is a text that costs nothing; no bytes when it is anything else, or not there.
    @inline(__always)
    private mutating func textIdentity(of target: ObjectKey?, in position: TablePosition) -> ByteView {
        guard let target, !target.isUnresolved, let place = identityPlace(of: target, in: position),
            let text = text(atLeaf: place.leaf, place.row), text.count < Self.paidBytes
        else { return indexKeys[unchecked: 0].slice(unchecked: 0, count: 0) }
        return text
    }

    /// Where the primary key of an object is: a leaf of the locator's, and a row of it; nil for an object that is not there,
    /// and for damage, which is left to the real reading.
    @inline(__always)
    mutating func identityPlace(of target: ObjectKey, in position: TablePosition) -> (leaf: Int, row: Int)? {
        guard let place = try? locator.place(of: target, in: position) else { return nil }
        let table = tables[unchecked: position]
        // An embedded class has all its leaves in the locator, others only the primary key's.
        return (place.firstLeaf &+ (table.isEmbedded ? table.primaryField : 0), place.row)
    }

    /// A short or medium string of a leaf of the locator's; nil for null and what has to be looked at again.
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
    /// Sends for the leaves of some fields of a cluster, which lie anywhere in the file, before the first is opened.
    func sendForLeaves(of cluster: Cluster, _ firstField: Int, count: Int) {
        for number in firstField..<(firstField + count) {
            space.bytes.prefetch(cluster.leafOffset(of: columns[number]))
        }
    }
}
