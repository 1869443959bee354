internal import RealmCore
internal import RealmLayout

/// The state of a writer before a piece, which is restarted if part of it cannot be read.
struct PieceStart {
    let point: SinkPoint
    let unresolved: Int
    let budget: WorkBudget
    let repeats: WorkBudget
    /// Losses before the piece.
    var losses: LossCounters
}

// Writing of the readable parts of a damaged cluster, field by field, with the functions that the usual loops use for
// rare values. Used only after one of those loops has failed.
extension DocumentWriter where Sink: ~Copyable {
    /// Whether an error affects only values, and the options tolerate that.
    func tolerates(_ error: FormatError) -> Bool { plan.onDamage != .error && error.concernsValues }

    // MARK: Pieces

    /// Writes a piece. From the first unreadable cluster on, writes only what can be read.
    ///
    /// - Parameter firstByte: For the first piece, the byte that overwrites the first byte of the output.
    mutating func write(
        _ parts: [ClusterBatches.Piece], of position: TablePosition, firstByte: UInt8?
    ) throws(FormatError) {
        beginPiece()
        var part = 0
        do throws(FormatError) {
            while part < parts.count {
                try write(parts[part].cluster, rows: parts[part].rows, of: position)
                part += 1
            }
        } catch {
            guard tolerates(error) else { throw error }
            restartPiece()
            for intact in parts[..<part] { try write(intact.cluster, rows: intact.rows, of: position) }
            for damaged in parts[part...] { try writeReadable(damaged.cluster, rows: damaged.rows, of: position) }
            // An array begins with its first object.
            if firstByte != nil, sink.buffer.count == 0 { throw error }
        }
        if let firstByte { sink.buffer.patch(firstByte, at: 0) }
    }

    /// Saves the state of the writer.
    mutating func beginPiece() {
        var settled = before?.losses ?? LossCounters()
        settled.add(losses)
        losses = LossCounters()
        lostObjects = 0
        before = PieceStart(
            point: sink.point(), unresolved: unresolved.count, budget: budget, repeats: repeats, losses: settled)
    }

    /// Discards the output of the current piece.
    mutating func restartPiece() {
        guard let before else { return }
        sink.rewind(to: before.point)
        forgetLinks(from: before.unresolved)
        (budget, repeats) = (before.budget, before.repeats)
        losses = LossCounters()
    }

    /// The losses of all pieces.
    var allLosses: LossCounters {
        var all = before?.losses ?? LossCounters()
        all.add(losses)
        return all
    }

    /// Writes the readable parts of the objects in `rows` of a cluster, and records the rest.
    ///
    /// - Throws: `fileChanged`, `sharedNodes`.
    mutating func writeReadable(_ cluster: Cluster, rows: Range<Int>, of position: TablePosition) throws(FormatError) {
        isTolerant = true
        locator.isTolerant = true
        defer {
            isTolerant = false
            locator.isTolerant = false
            // The usual loops do not expect lost leaves.
            locator.forget()
        }
        let point = sink.point()
        do throws(FormatError) {
            try write(cluster, rows: rows, of: position)
        } catch {
            guard tolerates(error) else { throw error }
            // Even the keys of the objects have become unreadable.
            sink.rewind(to: point)
            lostObjects += rows.count
            unreadable.note(error.at(table: plan.snapshot.cores[position].schema.tableName), count: rows.count)
        }
    }

    // MARK: Objects

    /// Writes objects row by row.
    @inline(never)
    mutating func writeReadableRows(
        _ fields: ObjectFields, _ cluster: Cluster, _ rows: Range<Int>
    ) throws(FormatError) {
        let table = tables[unchecked: fields.position]
        for row in rows {
            let key = cluster.key(unchecked: row)
            let (point, links) = (sink.point(), unresolved.count)
            let mark = sink.beginRecord()
            if table.identity == .objectKey, !table.isEmbedded { sink.int(plan.idKey, key.value) }
            try writeReadableFields(fields, row, owner: key, depth: 1)
            if isCanonical, table.isEmbedded || table.identity == .primaryKey { sink.objectKey(key) }
            sink.endRecord(mark)
            do throws(FormatError) {
                try check(size: sink.buffer.count &- mark, fields.position, key)
            } catch {
                sink.rewind(to: point)
                forgetLinks(from: links)
                lostObjects += 1
                unreadable.note(error)
            }
        }
    }

    /// Writes the readable fields of an object.
    @inline(never)
    mutating func writeReadableFields(
        _ fields: ObjectFields, _ row: Int, owner: ObjectKey, depth: Int
    ) throws(FormatError) {
        let outer = self.owner
        self.owner = owner
        defer { self.owner = outer }
        for index in fields.first..<fields.end {
            let field = fields.leaves[unchecked: index]
            if field.step == .lost {
                // A lost leaf of the current cluster was recorded once for all its objects.
                if depth > 1 { unreadable.note(lostLeaf(index).at(objectKey: owner)) }
            } else {
                let isWritten = try leavingOut(field.number) { writer throws(FormatError) in
                    try writer.writeField(fields.leaves, index, row: row, owner: owner, depth: depth)
                }
                if isWritten { continue }
            }
            if Sink.hasAllFields && depth == 1 || plan.onDamage == .null && !field.isIdentity { sink.null(field.key) }
        }
    }

    // MARK: Collections

    /// Writes the readable elements of a list or set. In a list, unreadable ones become null, to preserve the positions
    /// of the others.
    @inline(never)
    mutating func writeReadableElements(_ root: Ref, _ number: Int, depth: Int) throws(FormatError) {
        let field = fields[unchecked: number]
        let leaves = try BPlusTree(root: root, of: field.elementType, in: space).leaves(&budget)
        let mark = sink.beginArray(field.key)
        var written = 0
        for leaf in leaves {
            for index in 0..<leaf.count {
                let isWritten = try writeElement(
                    written, number: number, keepsPlace: field.collection != .set
                ) { writer, key throws(FormatError) in
                    try writer.writeElement(key, leaf, index, number: number, depth: depth)
                }
                if isWritten { written += 1 }
            }
        }
        sink.endArray(mark)
    }

    @inline(never)
    private mutating func writeElement(
        _ key: ByteView, _ leaf: ColumnLeaf, _ index: Int, number: Int, depth: Int
    ) throws(FormatError) {
        let target = fields[unchecked: number].target
        switch fields[unchecked: number].form {
        case .embedded:
            let object = ObjectKey(leaf.unbiasedLinks[unchecked: index])
            if object == .null {
                sink.null(key)
            } else if let place = try locator.place(ofNext: object, in: target) {
                try writeEmbedded(key, place, object, target, depth: depth)
            } else {
                writeDangling(key, object, number)
            }
        case .link:
            let object = ObjectKey(leaf.unbiasedLinks[unchecked: index])
            try writeLinkElement(key, object == .null ? nil : object, number, target: target)
        case .mixed: try writeMixed(key, leaf, index, number: number, depth: depth)
        default: try writeElement(key, number, leaf, index: index)
        }
    }

    /// Writes an array element, or null in its place if it cannot be read.
    ///
    /// - Returns: Whether an element was written.
    @inline(never)
    mutating func writeElement(
        _ index: Int, number: Int, keepsPlace: Bool, _ body: (inout Self, ByteView) throws(FormatError) -> Void
    ) throws(FormatError) -> Bool {
        let isWritten = try leavingOut(number) { writer throws(FormatError) in
            let key = writer.elementKey(index)
            try body(&writer, key)
        }
        guard !isWritten, keepsPlace else { return isWritten }
        sink.null(elementKey(index))
        return true
    }

    // MARK: Values

    /// Runs `body`, which writes a value of a field, and discards its output if it fails.
    ///
    /// - Returns: Whether the value was written.
    /// - Throws: Errors that are not tolerated.
    @discardableResult
    @inline(never)
    mutating func leavingOut(
        _ number: Int, _ body: (inout Self) throws(FormatError) -> Void
    ) throws(FormatError) -> Bool {
        let (point, links) = (sink.point(), unresolved.count)
        do throws(FormatError) {
            try body(&self)
            return true
        } catch {
            guard tolerates(error) else { throw error }
            sink.rewind(to: point)
            forgetLinks(from: links)
            let (schema, property) = plan.property(ofField: number)
            unreadable.note(error.at(table: schema.tableName, property: property.name, objectKey: owner))
            return false
        }
    }

    private mutating func forgetLinks(from count: Int) {
        if unresolved.count > count { unresolved.removeLast(unresolved.count - count) }
    }

    // MARK: Leaves

    /// Records that the leaf of a property cannot be read.
    ///
    /// - Returns: A placeholder for the leaf.
    /// - Throws: The error, with its path, unless it is tolerated.
    @inline(never)
    mutating func note(
        lostLeaf error: FormatError, _ position: TablePosition, index: Int, _ cluster: Cluster, _ rows: Range<Int>
    ) throws(FormatError) -> ColumnLeaf {
        guard isTolerant, tolerates(error) else { throw located(error, position, field: index, nil) }
        let nowhere = ColumnLeaf(lostAt: try space.node(at: cluster.ref))
        let first = cluster.key(unchecked: rows.lowerBound)
        unreadable.note(located(error, position, field: index, first), count: rows.count)
        return nowhere
    }

    /// Writes the readable fields of an embedded object.
    @inline(never)
    mutating func writeReadable(
        _ place: ObjectLocator.Place, _ position: TablePosition, owner: ObjectKey, depth: Int
    ) throws(FormatError) {
        let fields = locator.fields(at: place, of: position)
        try writeReadableFields(fields, place.row, owner: owner, depth: depth)
    }

    @inline(never)
    func failLost(_ index: Int) throws(FormatError) { throw lostLeaf(index) }

    /// The error of an unreadable leaf of the locator.
    @inline(never)
    func lostLeaf(_ index: Int) -> FormatError {
        locator.lostLeaves[index] ?? FormatError(.badLeaf, "the leaf of the property cannot be read")
    }
}
