package import RealmCore
package import RealmLayout

/// The state of one of the header's two slots.
package struct SlotState: Sendable {
    /// 0 or 1.
    package let slot: Int
    /// Whether the header selects this slot, which makes its commit the current one.
    package let isSelected: Bool
    /// The slot as stored in the header.
    package let header: FileHeader.Slot
    /// The snapshot, or the error that prevents opening it.
    package let result: Result<Snapshot, FormatError>

    /// Whether the slot holds the marker of the streaming form instead of a ref.
    package var hasStreamingMarker: Bool { slot == 0 && header.topRef == FileHeader.streamingMarker }

    /// The snapshot; nil when it cannot be opened.
    package var snapshot: Snapshot? { try? result.get() }

    /// The error that prevents opening the snapshot; nil when it can be opened.
    package var error: FormatError? {
        if case .failure(let error) = result { error } else { nil }
    }
}

extension RealmDatabase {
    /// Returns the state of both slots. Opens both snapshots but reads no objects.
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
