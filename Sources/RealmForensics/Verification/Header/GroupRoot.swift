internal import RealmCore
package import RealmLayout

/// The root of a commit that is sound enough for further checks (Spec 70).
package struct GroupRoot {
    let ref: Ref
    let slots: RecordSlots<GroupTopSlot>
    /// The size of the database in bytes, which may be smaller than the file.
    package let logicalSize: Int
    /// The part of the file in which refs may lie.
    let space: NodeSpace
    /// The number of the commit; 1 if the file does not contain it.
    let version: UInt64

    /// The content of a slot; `.empty` when the root is shorter.
    subscript(slot: GroupTopSlot) -> Slot { slots[slot] }

    func ref(_ slot: GroupTopSlot) -> Ref? { slots.ref(slot) }

    func number(_ slot: GroupTopSlot) -> UInt64? { slots.number(slot) }

    var historyType: HistoryType? { HistoryType(rawValue: Int(truncatingIfNeeded: number(.historyType) ?? 0)) }
}

extension GroupRoot {
    /// Opens the root that a slot leads to, checking everything that later steps rely on.
    ///
    /// - Returns: nil when the commit cannot be read at all; the reason was reported.
    package static func open(
        at topRef: UInt64, slot: Int, format: FormatVersion, in data: DataUnderVerification, _ sink: FindingSink
    )
        -> GroupRoot?
    {
        let place = Finding.Place(slot: slot)
        let file = data.bytes
        let header = slot * 8
        guard let ref = Ref(nodeAt: topRef, in: file.count) else {
            let name = "the top ref 0x\(String(topRef, radix: 16))"
            if let error = DatabaseImage.overwrittenSlot(slot, in: file) {
                sink.report(.topAlignment, at: header, in: place, error.detail)
            } else if topRef & 7 != 0 || topRef < UInt64(FileHeader.size) {
                let reason = topRef & 7 == 0 ? "is inside the header" : "is not a multiple of 8"
                sink.report(.topAlignment, at: header, in: place, "\(name) \(reason)")
            } else {
                sink.report(
                    .topRange, at: header, in: place, "\(name) is beyond the end of the file (\(file.count) bytes)")
            }
            return nil
        }
        let node: Node
        let slots: RecordSlots<GroupTopSlot>
        do throws(FormatError) {
            node = try data.space(file).node(at: ref)
            slots = RecordSlots(try node.refs())
        } catch {
            let check: CheckIdentifier =
                switch error.code {
                case .nodeOutsideFile: .topRange
                case .damagedPage: .pageAuthentication
                case .unwrittenPage: .unwrittenPage
                default: .topCount
                }
            sink.report(check, at: ref.offset, in: place, "the root cannot be read: \(error.detail)")
            return nil
        }
        guard GroupTopSlot.allowedCounts.contains(slots.count), !node.header.isInner else {
            sink.report(.topCount, at: ref.offset, in: place, "\(node.summary) cannot be the root of a database")
            return nil
        }
        return checked(ref, slots, format, data, place, sink)
    }

    private static func checked(
        _ ref: Ref, _ slots: RecordSlots<GroupTopSlot>, _ format: FormatVersion, _ data: DataUnderVerification,
        _ place: Finding.Place,
        _ sink: FindingSink
    ) -> GroupRoot? {
        if slots.count == 12, format.number <= 22 {
            sink.report(
                .topCount, as: .warning, at: ref.offset, in: place,
                "a root of 12 elements in format \(format), which Realm Core up to 12 does not open")
        }
        guard checkSlots(ref, slots, place, sink) else { return nil }
        guard let size = slots.number(.logicalFileSize) else { return nil }
        let file = data.bytes
        guard size <= UInt64(file.count) else {
            sink.report(
                .topRange, at: ref.offset, in: place,
                "the database has \(size) bytes, but the file only \(file.count): its end is missing")
            return nil
        }
        if size % 8 != 0 || size <= UInt64(ref.offset) {
            sink.report(
                .logicalSize, at: ref.offset, in: place,
                size % 8 == 0
                    ? "the logical size of \(size) does not reach beyond the root at \(ref)"
                    : "the logical size of \(size) is not a multiple of 8")
        }
        // A size too small for the root itself bounds nothing; the whole file is then read.
        let logicalSize = size > UInt64(ref.offset) ? Int(size) : file.count
        guard let bytes = file.slice(at: 0, count: logicalSize) else { return nil }
        let root = GroupRoot(
            ref: ref, slots: slots, logicalSize: logicalSize, space: data.space(bytes),
            version: slots.has(.version) ? UInt64(bitPattern: slots[.version].element) >> 1 : 1)
        if slots.has(.version), root.version == 0 {
            sink.report(.versionNumber, as: .info, at: ref.offset, in: place, "the commit number is 0; it is read as 1")
        }
        root.checkRest(format, place, sink)
        return root
    }

    /// Checks that each slot has a permitted content; returns false when the commit cannot be read.
    private static func checkSlots(
        _ ref: Ref, _ slots: RecordSlots<GroupTopSlot>, _ place: Finding.Place, _ sink: FindingSink
    ) -> Bool {
        var isUsable = true
        for slot in GroupTopSlot.allCases where slots.has(slot) {
            let found = slots[slot]
            guard !slot.allows(found) else { continue }
            // Names, tables and size are indispensable.
            if slot.rawValue <= GroupTopSlot.logicalFileSize.rawValue { isUsable = false }
            sink.report(
                .topSlots, at: ref.offset, in: place, "the root's element \(slot.rawValue) (\(slot)) is \(found.words)")
        }
        return isUsable
    }

    /// Checks the history type and the compaction state.
    private func checkRest(_ format: FormatVersion, _ place: Finding.Place, _ sink: FindingSink) {
        let type = number(.historyType) ?? 0
        let schema = number(.historySchemaVersion) ?? 0
        if type > UInt64(HistoryType.syncServer.rawValue) {
            sink.report(.historyType, at: ref.offset, in: place, "the history has the unknown type \(type)")
        } else if type == 0, ref(.history) != nil {
            sink.report(.historyType, at: ref.offset, in: place, "there is a history, but its type says there is none")
        } else if !historySchemas(type).contains(schema) {
            sink.report(
                .historyType, at: ref.offset, in: place, "the history of type \(type) has the unknown layout \(schema)")
        }
        guard case .tagged(let limit) = self[.evacuationPoint] else { return }
        if limit > UInt64(logicalSize) || limit % 8 != 0 {
            sink.report(
                .evacuation, at: ref.offset, in: place,
                "compaction is to end at \(limit), which is not a place in the database"
            )
        }
    }

    /// The released layouts of a type of history.
    private func historySchemas(_ type: UInt64) -> ClosedRange<UInt64> {
        switch HistoryType(rawValue: Int(type)) {
        case .inRealm: 0...1
        case .syncClient: 0...12
        case .syncServer: 0...20
        default: 0...0
        }
    }
}
