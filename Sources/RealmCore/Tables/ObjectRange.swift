public import RealmLayout

/// A part of a table's objects: those with keys in a range. Parts of one table can be read concurrently.
///
/// ```swift
/// let people = try snapshot.table(named: "Person")
/// let total = try await withThrowingTaskGroup(of: Int.self) { group in
///     for part in try people.split(into: 2) {
///         group.addTask {
///             var sum = 0
///             var cursor = part.objects
///             while let person = try cursor.next() { sum += try person.get("id", as: Int.self) }
///             return sum
///         }
///     }
///     return try await group.reduce(0, +)
/// }
/// print(total)
/// ```
public struct ObjectRange: Sendable {
    /// The table of the objects.
    public let table: Table
    /// The keys as unsigned numbers, the order in the file.
    private let keys: ClosedRange<UInt64>

    init(_ table: Table, _ keys: ClosedRange<UInt64>) {
        self.table = table
        self.keys = keys
    }

    /// The objects in key order.
    public var objects: ObjectCursor { ObjectCursor(table, clusters) }

    /// The clusters of the objects.
    package var clusters: ClusterRangeCursor { ClusterRangeCursor(table.tree, keys) }
}

extension Table {
    /// Splits the table into parts of about the same number of objects, in key order. Together they contain each object
    /// once.
    ///
    /// - Parameter count: the wanted number of parts; small tables have fewer.
    /// - Throws: `FormatError` when the root of the table's objects is damaged.
    public func split(into count: Int) throws(FormatError) -> [ObjectRange] {
        let wanted = min(max(count, 1), 1024)
        let starts: [UInt64]
        do {
            starts = try snapshot.reading { () throws(FormatError) in try core.objects.parts(atLeast: wanted * 4) }
        } catch {
            throw error.at(table: schema.tableName)
        }
        let parts = min(wanted, starts.count)
        let firsts = (0..<parts).map { starts[$0 * starts.count / parts] }
        return firsts.indices.map { index in
            ObjectRange(self, firsts[index]...(index + 1 < parts ? firsts[index + 1] - 1 : UInt64.max))
        }
    }

    /// The objects with keys in a range, in key order.
    public func objects(in keys: ClosedRange<ObjectKey>) -> ObjectCursor {
        // Keys of objects are not negative.
        let last = UInt64(max(keys.upperBound.value, 0))
        let first = min(UInt64(max(keys.lowerBound.value, 0)), last)
        guard keys.upperBound.value >= 0 else { return ObjectCursor(self, nil as ClusterTree?) }
        return ObjectRange(self, first...last).objects
    }
}
