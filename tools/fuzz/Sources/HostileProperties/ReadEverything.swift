public import RealmFile

/// The outcome of reading everything in a file.
public struct Outcome: Equatable, Sendable {
    /// The numbers of items read. `values` includes the elements of collections.
    public var (snapshots, tables, objects, values, backlinks, tombstones) = (0, 0, 0, 0, 0, 0)
    /// The first errors, in order.
    public var errors: [FormatError] = []
    /// The number of all errors.
    public var errorCount = 0
    /// Whether reading ended because the file seemed to contain more than `limit`.
    public var isCutOff = false

    /// Steps of work, in arbitrary units.
    public var work: Int { snapshots + tables + objects + values + backlinks + tombstones + errorCount }
}

/// Reads everything in `bytes` through the public interface. Returns for any bytes.
///
/// - Parameter limit: the work after which to stop; by default more than the cost of any intact file of that size. A
///   file with shared nodes can cost more than its size suggests: each call of the reader ends in bounded work, but a
///   program can repeat calls.
public func readEverything(_ bytes: [UInt8], limit: Int? = nil) -> Outcome {
    readEverything(limit: limit ?? 100_000 + 64 * bytes.count) { () throws(FormatError) in
        try RealmDatabase(bytes: bytes)
    }
}

/// Reads everything in `bytes` as a file of one of the formats 2 to 9.
public func readAsLegacy(_ bytes: [UInt8], limit: Int? = nil) -> Outcome {
    var bytes = bytes
    // The format numbers of both slots.
    for offset in 20..<22 where bytes.count > offset && !(2...9).contains(bytes[offset]) {
        bytes[offset] = 2 + bytes[offset] % 8
    }
    return readEverything(bytes, limit: limit)
}

/// Reads everything in the database that `open` opens.
func readEverything(limit: Int, _ open: () throws(FormatError) -> RealmDatabase) -> Outcome {
    var reading = Reading(limit: limit)
    do throws(FormatError) {
        let database = try open()
        for selection in [SnapshotSelection.current, .otherSlot] {
            reading.attempt { outcome throws(FormatError) in
                let snapshot = try database.snapshot(selection, toleratingDamage: true)
                outcome.outcome.snapshots += 1
                outcome.read(snapshot)
            }
        }
    } catch {
        reading.note(error)
    }
    return reading.outcome
}

private struct Reading {
    /// The maximum depth of embedded objects to follow; each is also read in its own table.
    private static let embeddingDepth = 8
    private static let keptErrors = 20

    let limit: Int
    var outcome = Outcome()

    init(limit: Int) { self.limit = limit }

    /// Returns whether more work is allowed.
    private mutating func mayContinue() -> Bool {
        if outcome.work > limit { outcome.isCutOff = true }
        return !outcome.isCutOff
    }

    mutating func note(_ error: FormatError) {
        outcome.errorCount += 1
        if outcome.errors.count < Self.keptErrors { outcome.errors.append(error) }
    }

    mutating func attempt(_ body: (inout Reading) throws(FormatError) -> Void) {
        do throws(FormatError) { try body(&self) } catch { note(error) }
    }

    mutating func read(_ snapshot: Snapshot) {
        for error in snapshot.damage { note(error) }
        attempt { reading throws(FormatError) in reading.outcome.values += try snapshot.freeBytes() == nil ? 0 : 1 }
        _ = snapshot.history
        for table in snapshot.tables {
            guard mayContinue() else { return }
            outcome.tables += 1 + table.schema.properties.count + table.schema.incoming.count
            attempt { _ throws(FormatError) in _ = (try table.count, try table.tombstoneCount) }
            read(table.objects, isTombstones: false)
            read(table.tombstones, isTombstones: true)
        }
    }

    private mutating func read(_ objects: ObjectCursor, isTombstones: Bool) {
        var objects = objects
        var last: StoredObject?
        attempt { reading throws(FormatError) in
            while reading.mayContinue(), let object = try objects.next() {
                reading.outcome.objects += 1
                if isTombstones { reading.outcome.tombstones += 1 }
                reading.read(object, depth: 0)
                last = object
            }
        }
        guard let last else { return }
        // The other ways to access an object.
        attempt { _ throws(FormatError) in
            _ = try isTombstones ? last.table.tombstone(last.key) : last.table.object(last.key)
            if let key = try last.primaryKey { _ = try last.table.object(primaryKey: key) }
        }
    }

    private mutating func read(_ object: StoredObject, depth: Int) {
        for index in object.table.schema.properties.indices {
            guard mayContinue() else { return }
            attempt { reading throws(FormatError) in reading.visit(try object.value(at: index), depth: depth) }
        }
        for incoming in object.table.schema.incoming {
            guard mayContinue() else { return }
            attempt { reading throws(FormatError) in
                reading.outcome.backlinks += 1 + (try object.backlinks(incoming).count)
            }
        }
    }

    private mutating func visit(_ value: Value, depth: Int) {
        outcome.values += 1
        switch value {
        case .list(let values), .set(let values):
            for value in values { visit(value, depth: depth) }
        case .dictionary(let entries):
            for entry in entries { visit(entry.value, depth: depth) }
        case .embedded(let object) where depth < Self.embeddingDepth && mayContinue():
            read(object, depth: depth + 1)
        case .link(let link) where mayContinue():
            attempt { _ throws(FormatError) in _ = (try link.primaryKey(), try link.object()) }
        default:
            break
        }
    }
}
