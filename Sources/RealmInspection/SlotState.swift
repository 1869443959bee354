package import RealmReader
package import RealmLayout

/// What one of the header's two slots leads to.
package struct SlotState: Sendable {
    /// 0 or 1.
    package let slot: Int
    /// Whether the header selects this slot: its commit is the current one.
    package let isSelected: Bool
    /// The slot as it is in the header.
    package let header: FileHeader.Slot
    /// The snapshot, or why there is none.
    package let result: Result<Snapshot, FormatError>

    /// Whether the slot holds the mark of the streaming form instead of a ref.
    package var hasStreamingMarker: Bool { slot == 0 && header.topRef == FileHeader.streamingMarker }

    /// The snapshot, when it can be opened.
    package var snapshot: Snapshot? { try? result.get() }

    /// Why the snapshot cannot be opened.
    package var error: FormatError? {
        if case .failure(let error) = result { error } else { nil }
    }
}

extension RealmDatabase {
    /// The state of both slots: opens both snapshots, reads no objects.
    package func slotStates() -> [SlotState] {
        header.slots.indices.map { slot in
            let isSelected = slot == header.selectedSlot
            let result: Result<Snapshot, FormatError>
            do throws(FormatError) {
                result = .success(try snapshot(isSelected ? .current : .otherSlot, toleratingDamage: true))
            } catch {
                result = .failure(error)
            }
            return SlotState(slot: slot, isSelected: isSelected, header: header.slots[slot], result: result)
        }
    }
}
