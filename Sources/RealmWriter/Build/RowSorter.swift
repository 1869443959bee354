internal import RealmLayout
internal import RealmReader

/// Objects that do not come in the order of their keys, until all are known.
final class RowSorter {
    private struct Row: RadixSortable {
        let key: Int64
        let firstValue: Int
        let count: Int
        var rank: UInt64 { UInt64(bitPattern: key) }
    }

    private var rows: [Row] = []
    private var values: [FlatValue] = []
    private var bytes: [UInt8] = []

    /// Keeps a copy of an object.
    func add(_ key: ObjectKey, _ values: [MixedValue], count: Int) {
        rows.append(Row(key: key.value, firstValue: self.values.count, count: count))
        for index in 0..<count { self.values.append(FlatValue(values[index], &bytes)) }
    }

    /// Calls `body` with all objects in the order of their keys; those with the same key in the order in which they came.
    func forEachRow(_ body: (ObjectKey, [MixedValue]) throws(WriteError) -> Void) throws(WriteError) {
        radixSort(&rows)
        try ByteView.with(bytes) { view throws(WriteError) in
            for row in rows {
                try body(
                    ObjectKey(row.key), values[row.firstValue..<(row.firstValue + row.count)].map { $0.value(view) })
            }
        }
    }
}
