/// The slots of one kind of record: an array with refs in which each position has its own meaning (Spec 20).
@usableFromInline
package protocol RecordSlot: RawRepresentable, CaseIterable, Sendable where RawValue == Int {
    /// The content of the slot, for messages: a noun without an article.
    var words: String { get }
}

/// The elements of a record, by slot name. A slot beyond the end of a short record is empty.
@usableFromInline
package struct RecordSlots<Name: RecordSlot>: Sendable {
    @usableFromInline package let elements: IntegerVector

    @inlinable
    package init(_ elements: IntegerVector) { self.elements = elements }

    @inlinable package var count: Int { elements.count }

    /// Whether the record is long enough to have the slot.
    @inlinable
    package func has(_ name: Name) -> Bool { elements.count > name.rawValue }

    @inlinable
    package subscript(name: Name) -> Slot { Slot(elements.element(at: name.rawValue) ?? 0) }

    /// The ref in a slot; nil for anything else.
    @inlinable
    package func ref(_ name: Name) -> Ref? { self[name].ref }

    /// The tagged number in a slot; nil for anything else.
    @inlinable
    package func number(_ name: Name) -> UInt64? { self[name].number }
}

/// The elements of a record under construction.
package struct RecordBuilder<Name: RecordSlot> {
    package private(set) var elements: [Int64]

    /// Makes a record of empty slots: all slots, or as many as the form has.
    package init(count: Int = Name.allCases.count) { elements = [Int64](repeating: 0, count: count) }

    /// Makes a mutable copy of a record.
    package init(_ slots: RecordSlots<Name>) {
        elements = (0..<slots.count).map { slots.elements[unchecked: $0] }
    }

    package subscript(name: Name) -> Slot {
        get { Slot(elements[name.rawValue]) }
        set { elements[name.rawValue] = newValue.element }
    }

    /// Sets a slot to the ref, or leaves it empty.
    package mutating func set(_ name: Name, _ ref: Ref?) { self[name] = ref.map { .ref($0) } ?? .empty }
}

extension RecordSlots<ClusterInnerSlot> {
    /// The number of children, which follow the named slots; negative for a record too short for an inner node.
    package var childCount: Int { count - ClusterInnerSlot.firstChild.rawValue }

    /// The slot of a child, whose index the caller has proven to be below `childCount`.
    package func child(unchecked index: Int) -> Slot {
        Slot(elements[unchecked: index + ClusterInnerSlot.firstChild.rawValue])
    }
}
