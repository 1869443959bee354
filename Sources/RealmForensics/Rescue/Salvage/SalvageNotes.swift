internal import RealmCore
internal import RealmLayout

/// Collects the report during the copy: exact counts, and one incident for adjacent damage.
final class SalvageNotes {
    typealias Fate = SalvageReport.Fate

    /// The tables of the new file.
    private(set) var tables: ByTable<SalvageReport.Table> = []
    private(set) var incidents: [SalvageReport.Incident] = []
    private(set) var total = 0

    /// Begins a table of the new file.
    func add(_ table: SalvageReport.Table) { tables.append(table) }

    /// Notes the fate of values, or of elements of a value.
    @inline(never)
    func note(
        _ fate: Fate, table: TablePosition, property: PropertyIndex, count: Int = 1, object: ObjectKey? = nil,
        bytes: Range<Int>?, _ reason: String
    ) {
        tables[table].properties[property.number].counts[fate, default: 0] += count
        add(
            fate, tables[table].name, tables[table].properties[property.number].name, count, object.map { $0...$0 },
            bytes,
            reason)
    }

    /// Notes the fate of objects.
    @inline(never)
    func note(
        _ fate: Fate, table: TablePosition, count: Int?, objects: ClosedRange<ObjectKey>? = nil, bytes: Range<Int>?,
        _ reason: String
    ) {
        tables[table].counts[fate, default: 0] += count ?? 0
        add(fate, tables[table].name, nil, count, objects, bytes, reason)
    }

    /// Notes the fate of a part of the schema.
    @inline(never)
    func note(schema error: FormatError, _ fate: Fate = .schema) {
        add(fate, error.table, error.property, nil, nil, error.offset.map { $0..<($0 + 8) }, error.detail)
    }

    /// Counts values that were copied unchanged.
    func keep(_ count: Int, table: TablePosition, property: PropertyIndex) {
        tables[table].properties[property.number].kept += count
    }

    func addObjects(_ count: Int, table: TablePosition) { tables[table].objects += count }

    func setExpected(_ count: Int?, table: TablePosition) { tables[table].expected = count }

    @inline(never)
    private func add(
        _ fate: Fate, _ table: String?, _ property: String?, _ count: Int?, _ objects: ClosedRange<ObjectKey>?,
        _ bytes: Range<Int>?, _ reason: String
    ) {
        if let last = incidents.last, last.fate == fate, last.table == table, last.property == property,
            last.bytes == bytes, last.reason == reason, let known = last.count, let count
        {
            let index = incidents.count - 1
            incidents[index].count = known + count
            if let first = last.objects, let objects {
                incidents[index].objects =
                    min(first.lowerBound, objects.lowerBound)...max(first.upperBound, objects.upperBound)
            }
            return
        }
        total += 1
        guard incidents.count < SalvageReport.mostIncidents else { return }
        incidents.append(
            SalvageReport.Incident(
                fate: fate, table: table, property: property, count: count, objects: objects, bytes: bytes,
                reason: reason))
    }
}
