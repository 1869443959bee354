internal import RealmLayout
internal import RealmReader

/// Objects that do not come in the order of their keys, until all are known.
final class RowSorter {
    private struct Row: RadixSortable, BitwiseCopyable {
        let key: Int64
        let firstValue: Int
        let count: Int
        var rank: UInt64 { UInt64(bitPattern: key) }
    }

    private let rows = PlainArray<Row>()
    private let values = PlainArray<FlatValue>()
    private let bytes = PlainArray<UInt8>()

    /// Keeps a copy of an object.
    func add(_ key: ObjectKey, _ values: PlainArray<MixedValue>) {
        rows.append(Row(key: key.value, firstValue: self.values.count, count: values.count))
        for value in values { self.values.append(FlatValue.copy(of: value, to: bytes)) }
    }

    /// Calls `body` with all objects in the order of their keys; those with the same key in the order in which they came.
    func forEachRow(_ body: (ObjectKey, PlainArray<MixedValue>) throws(WriteError) -> Void) throws(WriteError) {
        radixSort(rows)
        let row = PlainArray<MixedValue>()
        let view = bytes.view
        for entry in rows {
            row.removeAll()
            for index in entry.firstValue..<(entry.firstValue + entry.count) { row.append(values[index].value(view)) }
            try body(ObjectKey(entry.key), row)
        }
    }
}
