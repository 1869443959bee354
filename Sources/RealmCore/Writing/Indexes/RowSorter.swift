internal import RealmLayout
internal import RealmStorage

/// Collects objects that do not arrive in key order, and sorts them at the end.
///
/// When memory runs out, objects are sorted and spilled to disk, as often as needed, and merged at the end.
final class RowSorter {
    private struct Row: RadixSortable {
        let key: Int64
        let firstValue: Int
        let count: Int
        let firstByte: Int
        let byteCount: Int
        var rank: UInt64 { UInt64(bitPattern: key) }
    }

    private let rows: UnsharedArray<Row>
    private let values: UnsharedArray<FlatValue>
    private let bytes: UnsharedArray<UInt8>
    private let room: SpillRoom
    /// Sorted runs on disk: for each row, its head, values and bytes.
    private var runs: [SpilledBytes] = []

    init(_ room: SpillRoom) {
        self.room = room
        rows = UnsharedArray(in: room.folder)
        values = UnsharedArray(in: room.folder)
        bytes = UnsharedArray(in: room.folder)
    }

    /// Adds a copy of an object.
    func add(_ key: ObjectKey, _ values: UnsharedArray<MixedValue>) throws(WriteError) {
        let size =
            rows.count * MemoryLayout<Row>.stride + self.values.count * MemoryLayout<FlatValue>.stride + bytes.count
        if size > room.bytesOfTable { try spill() }
        let (firstValue, firstByte) = (self.values.count, bytes.count)
        for value in values { self.values.append(FlatValue.copy(of: value, to: bytes)) }
        rows.append(
            Row(
                key: key.value, firstValue: firstValue, count: values.count, firstByte: firstByte,
                byteCount: bytes.count - firstByte))
    }

    private func spill() throws(WriteError) {
        radixSort(rows)
        do throws(StorageError) {
            let run = SpilledBytes(room.file)
            for row in rows {
                try run.append(row)
                for index in row.firstValue..<(row.firstValue + row.count) { try run.append(values[index]) }
                try run.append(bytes.view(row.firstByte..<(row.firstByte + row.byteCount)))
            }
            try run.end()
            runs.append(run)
        } catch {
            throw .storage(error)
        }
        rows.removeAll()
        values.removeAll()
        bytes.removeAll()
    }

    /// Calls `body` with all objects in key order, and objects with the same key in insertion order.
    func forEachRow(_ body: (ObjectKey, UnsharedArray<MixedValue>) throws(WriteError) -> Void) throws(WriteError) {
        guard runs.isEmpty else { return try forEachSpilledRow(body) }
        radixSort(rows)
        let row = UnsharedArray<MixedValue>()
        let view = bytes.view
        for entry in rows {
            row.removeAll()
            for index in entry.firstValue..<(entry.firstValue + entry.count) { row.append(values[index].value(view)) }
            try body(ObjectKey(entry.key), row)
        }
    }

    private func forEachSpilledRow(
        _ body: (ObjectKey, UnsharedArray<MixedValue>) throws(WriteError) -> Void
    ) throws(WriteError) {
        try spill()
        let readers = runs.map { SpillReader($0) }
        let row = UnsharedArray<MixedValue>()
        var heads: [Row] = []
        for reader in readers { if let head = try next(Row.self, reader) { heads.append(head) } }
        // Runs are never empty, so indices of heads are indices of runs. Of rows with the same key, that of the
        // earlier run is first.
        func isBefore(_ left: Int, _ right: Int) -> Bool { (heads[left].key, left) < (heads[right].key, right) }
        var heap = RunHeap(count: heads.count)
        heap.order(isBefore)
        while let run = heap.first {
            let head = heads[run]
            try read(head, readers[run])
            row.removeAll()
            let view = bytes.view
            for value in values { row.append(value.moved(by: -head.firstByte).value(view)) }
            try body(ObjectKey(head.key), row)
            if let following = try next(Row.self, readers[run]) {
                heads[run] = following
            } else {
                heap.removeFirst()
            }
            heap.sinkFirst(isBefore)
        }
    }

    /// Reads the values and the bytes of a row.
    private func read(_ head: Row, _ reader: SpillReader) throws(WriteError) {
        values.removeAll()
        bytes.removeAll()
        for _ in 0..<head.count { if let value = try next(FlatValue.self, reader) { values.append(value) } }
        do throws(StorageError) { try bytes.append(from: reader, count: head.byteCount) } catch {
            throw .storage(error)
        }
    }

    private func next<Value: BitwiseCopyable>(_ type: Value.Type, _ reader: SpillReader) throws(WriteError) -> Value? {
        do throws(StorageError) { return try reader.next(type) } catch { throw .storage(error) }
    }
}
