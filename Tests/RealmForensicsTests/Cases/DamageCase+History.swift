import RealmLayout
import TestSupport

// Y: history.
extension DamageCase {
    static let histories: [DamageCase] = [
        DamageCase(.historyCount, "more changesets than commits", with: [.versionNumber, .freeVersionRange]) {
            try $0.set($0.top, 6, 1)
        },
        DamageCase(
            .historyCount, "more changesets than commits, format 9", "Legacy/format-9-people",
            with: [.versionNumber, .freeVersionRange]
        ) { try $0.set($0.top, 6, 1) },
        DamageCase(.historyShape, "null", with: [.leak]) { try $0.set($0.ref([8]), 0, 0) },
        DamageCase(.historyShape, "null in format 9", "Legacy/format-9-people", with: [.leak]) {
            try $0.set($0.ref([8]), 0, 0)
        },
        DamageCase(.historyShape, "numbers", with: [.leak]) { try $0.point([8], to: $0.append([1, 2])) },
        DamageCase(.historyShape, "numbers in format 9", "Legacy/format-9-people", with: [.leak]) {
            try $0.point([8], to: $0.append([1, 2]))
        },
        DamageCase(.historyContent, "an unknown instruction") { $0.bytes[try $0.ref([8, 0]) + 8] = 0xEE },
        DamageCase(.syncHistory, "of a client", with: [.leak]) { $0 = try synchronised() },
        DamageCase(.syncHistory, "of a server", with: []) { try $0.set($0.top, 7, 4 << 1 | 1) },
        DamageCase(.historyShape, "20 elements of a client's history", from: synchronised, with: [.leak]) {
            $0.setCount(try $0.ref([8]), 20)
        },
        DamageCase(.historyShape, "a number for a client's change sets", from: synchronised, with: [.leak]) {
            try $0.set($0.ref([8]), 14, 7)
        },
        DamageCase(.historyShape, "change sets for the times of a client's history", from: synchronised, with: [.leak])
        {
            let changesets = try $0.append([0, 0], flags: 0x60)
            try $0.set($0.ref([8]), 17, changesets)
        },
        DamageCase(.historyShape, "an origin less than change sets", from: synchronised, with: [.leak]) {
            $0.setCount(try $0.ref([8, 16]), 1)
        },
        DamageCase(
            .historyContent, "an unknown instruction in a client's history", from: synchronised, with: [.leak]
        ) {
            $0.bytes[try $0.ref([8, 0, 0]) + 8] = 0xEE
        },
        DamageCase(.historyCount, "more change sets for the server than commits", from: synchronised, with: [.leak]) {
            patient in
            for slot in 13...17 {
                try patient.replace([8, slot], [Int](repeating: slot < 15 ? 0 : 1, count: 9))
            }
        },
        DamageCase(
            .historyShape, "a time less, layout 1", from: { try synchronised(layout: 1) }, with: [.leak]
        ) { $0.setCount(try $0.ref([8, 3]), 0) },
    ]

    /// Returns a file with the history of a client, which contains its own history.
    @Sendable private static func synchronised() throws -> Patient { try synchronised(layout: 12) }

    private static func synchronised(layout: Int) throws -> Patient {
        var patient = try Patient("kennel")
        let own = try patient.ref([8])
        var root = [Int](repeating: 1, count: layout == 1 ? 23 : 21)
        let first = layout > 1 ? 13 : 0
        if layout > 1 { root[0] = own }
        for slot in 0..<5 {
            // A missing change set is one that was not needed.
            root[first + slot] = try slot < 2 ? patient.append([0, 0], flags: 0x60) : patient.append([1, 2])
        }
        if layout == 1 { root[0] = own }
        if layout == 1 { root[1] = try patient.append([0], flags: 0x60) }
        if layout == 1 { for slot in 2...4 { root[slot] = try patient.append([1]) } }
        let history = try patient.append(root, flags: 0x40)
        var slots = patient.elements(patient.top)
        slots[GroupTopSlot.historyType.rawValue] = HistoryType.syncClient.rawValue << 1 | 1
        slots[GroupTopSlot.history.rawValue] = history
        slots[GroupTopSlot.historySchemaVersion.rawValue] = layout << 1 | 1
        try patient.replace([], slots)
        return patient
    }
}
