import RealmFile

/// Whether a report speaks of an object that is not as it was.
struct Words {
    private var incidents: [String: [SalvageReport.Incident]] = [:]
    private var unknown = false
    private let tables: Set<String>

    init(_ report: SalvageReport) {
        tables = Set(report.tables.map(\.name))
        for incident in report.incidents {
            if let table = incident.table { incidents[table, default: []].append(incident) } else { unknown = true }
        }
        // What is in the file beside incidents.
        if report.tables.isEmpty { unknown = true }
    }

    /// - Parameter after: nil when the object is not there.
    func speak(of object: Objects.Identity, before: [UInt64], after: [UInt64]?, _ original: Objects) -> Bool {
        // An older commit was salvaged, or whole tables are lost.
        if unknown || !tables.contains(object.table) { return true }
        let known = incidents[object.table] ?? []
        guard let after else {
            return known.contains { incident in
                guard incident.property == nil else { return false }
                switch incident.fate {
                case .lost: return incident.objects.map { $0.contains(ObjectKey(object.key)) } ?? true
                case .newKey, .schema: return true
                // Of formats 2 to 9.
                case .doubtful: return incident.objects == nil
                default: return false
                }
            } || incidents.keys.contains { $0.hasPrefix("class_lost_and_found") }
        }
        // Names of properties, or whole ones, are lost; or where objects belong is not certain; or others have their keys.
        let isDoubtful = known.contains { incident in
            incident.fate == .schema
                || incident.property == nil && [.doubtful, .newKey].contains(incident.fate)
                    && incident.objects.map { $0.contains(ObjectKey(object.key)) } ?? true
        }
        if isDoubtful { return true }
        let names = original.properties[object.table] ?? []
        guard before.count == after.count else { return false }
        return names.indices.allSatisfy { index in
            before[index] == after[index]
                || known.contains { incident in
                    incident.property == names[index]
                        && incident.objects.map { $0.contains(ObjectKey(object.key)) } ?? true
                }
        }
    }
}
