internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

extension InfoReport {
    /// The members of the report.
    var members: [(String, JSONValue)] {
        let identity = evidence.map { [("evidence", $0.json)] } ?? []
        return identity + [
            ("fileSize", JSONValue(size)),
            ("encryption", encryption?.json ?? .null),
            ("readable", .bool(problem == nil)),
            ("header", header.map { Self.json($0) } ?? .null),
            ("slots", .array(slots.map { Self.json($0) })),
            ("snapshot", snapshotJSON),
            ("next", problem == nil ? next?.json ?? .null : .null),
            ("upgrade", upgrade?.json ?? .null),
        ]
    }

    private static func json(_ header: FileHeader) -> JSONValue {
        .object([
            ("selectedSlot", JSONValue(header.selectedSlot)), ("streaming", .bool(header.isStreaming)),
            ("flags", JSONValue(header.flags)),
        ])
    }

    private static func json(_ state: SlotState) -> JSONValue {
        let snapshot = state.snapshot
        return .object([
            ("slot", JSONValue(state.slot)),
            ("selected", .bool(state.isSelected)),
            ("topRef", .offset(state.header.topRef)),
            ("format", JSONValue(state.header.format.number)),
            ("readable", .bool(snapshot != nil)),
            ("error", state.error?.json ?? .null),
            ("commit", snapshot.map { JSONValue($0.commitNumber) } ?? .null),
            ("logicalSize", snapshot.map { JSONValue($0.logicalSize) } ?? .null),
        ])
    }

    private var snapshotJSON: JSONValue {
        guard let snapshot else { return .null }
        let history: JSONValue = .object([
            ("type", JSONValue(snapshot.history.type?.reportName ?? "unknown")),
            ("schemaVersion", JSONValue(snapshot.history.schemaVersion)),
            ("changesets", snapshot.history.entryCount.map { JSONValue($0) } ?? .null),
        ])
        let members: [(String, JSONValue)] = [
            ("commit", JSONValue(snapshot.commitNumber)),
            ("topRef", snapshot.topRef.map { .offset($0.offset) } ?? .null),
            ("logicalSize", JSONValue(snapshot.logicalSize)),
            ("freeBytes", freeBytes.map { JSONValue($0) } ?? .null),
            ("history", history),
            ("schemaVersion", snapshot.schema.version.map { JSONValue($0) } ?? .null),
            ("classes", .array(classes.map { Self.json($0) })),
            ("otherTables", .array(otherTables.map { Self.json($0) })),
            ("damage", .array(damage.map { $0.json })),
        ]
        let slot = found == nil ? chosen.map { JSONValue($0.slot) } : nil
        return .object([("slot", slot ?? .null)] + Self.members(of: snapshot.version) + members)
    }

    /// The format, the releases that wrote it, and the releases that open it. Core and Swift are always present, null
    /// when there is none; other SDKs only where known.
    private static func members(of version: FormatVersion) -> [(String, JSONValue)] {
        let origin = version.origin
        var writers = [("core", JSONValue(origin?.core)), ("swift", JSONValue(origin?.swift))]
        for entry in origin?.others ?? [] { writers.append(("\(entry.sdk)", .string(entry.releases))) }
        let steps = origin?.upgradeSteps ?? []
        return [
            ("format", JSONValue(version.number)),
            ("writtenBy", .object(writers)),
            ("openedBy", JSONValue(origin?.openedBy)),
            ("refusedBy", JSONValue(origin?.refusedBy)),
            ("upgradeSteps", .array(steps.map { .string($0) })),
        ]
    }

    private static func json(_ table: TableEntry) -> JSONValue {
        .object([
            ("name", .string(table.schema.name)),
            ("kind", .string(table.schema.kind.reportName)),
            ("objects", table.count.map { JSONValue($0) } ?? .null),
            ("tombstones", table.tombstones.map { JSONValue($0) } ?? .null),
            ("primaryKey", JSONValue(table.schema.primaryKeyName)),
            ("properties", JSONValue(table.schema.properties.count)),
        ])
    }
}
