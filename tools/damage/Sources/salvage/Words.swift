import RealmFile
import RealmForensics

/// Whether a report mentions an object that has changed.
struct Words {
    private var incidents: [String: [SalvageReport.Incident]] = [:]
    private var unknown = false
    private let tables: Set<String>

    init(_ report: SalvageReport) {
        tables = Set(report.tables.map(\.name))
        for incident in report.incidents {
            if let table = incident.table { incidents[table, default: []].append(incident) } else { unknown = true }
        }
        // Losses in the file besides incidents.
        if report.tables.isEmpty { unknown = true }
    }

    /// - Parameter after: nil when the object is missing.
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
                // In formats 2 to 9.
                case .doubtful: return incident.objects == nil
                default: return false
                }
            } || incidents.keys.contains { $0.hasPrefix("class_lost_and_found") }
        }
        // Property names, or whole properties, are lost; or the places of objects are uncertain; or other objects have
        // their keys.
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
