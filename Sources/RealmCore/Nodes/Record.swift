package import RealmLayout

/// A record with checked access: an unexpected element is an error that names the slot (Spec 20). `slots` gives access
/// without errors.
package struct Record<Name: RecordSlot>: Sendable {
    package let node: Node
    package let slots: RecordSlots<Name>

    package init(at ref: Ref, in space: NodeSpace) throws(FormatError) { try self.init(space.node(at: ref)) }

    /// - Throws: `unexpectedNode` when the node has no refs.
    package init(_ node: Node) throws(FormatError) {
        self.node = node
        slots = RecordSlots(try node.refs())
    }

    package var ref: Ref { node.ref }

    /// The same node as another kind of record, for nodes that can be read as either.
    package func read<Other: RecordSlot>(as kind: Other.Type) -> Record<Other> {
        Record<Other>(node: node, slots: RecordSlots(slots.elements))
    }

    private init(node: Node, slots: RecordSlots<Name>) {
        self.node = node
        self.slots = slots
    }

    /// The ref in a slot; nil for an empty slot.
    ///
    /// - Throws: `unexpectedNode` for a number.
    package func ref(_ name: Name) throws(FormatError) -> Ref? {
        switch slots[name] {
        case .empty: nil
        case .ref(let ref): ref
        case .tagged: throw unexpected(name, "a number, expected a ref")
        }
    }

    /// The ref in a slot that may not be empty.
    ///
    /// - Throws: `unexpectedNode` for an empty slot and for a number.
    package func requiredRef(_ name: Name) throws(FormatError) -> Ref {
        guard let ref = try ref(name) else {
            throw FormatError(.unexpectedNode, at: node.ref.offset, "the slot of the \(name.words) is empty")
        }
        return ref
    }

    /// The tagged number in a slot; nil for an empty slot.
    ///
    /// - Throws: `unexpectedNode` for a ref.
    package func number(_ name: Name) throws(FormatError) -> UInt64? {
        switch slots[name] {
        case .empty: nil
        case .tagged(let number): number
        case .ref: throw unexpected(name, "a ref, expected a number")
        }
    }

    /// The node in a slot that may not be empty.
    package func child(_ name: Name, in space: NodeSpace) throws(FormatError) -> Node {
        try space.node(at: requiredRef(name))
    }

    /// The integers of the node in a slot; empty for an empty slot.
    package func integers(_ name: Name, in space: NodeSpace) throws(FormatError) -> IntegerVector {
        guard let ref = try ref(name) else { return .empty }
        return try space.node(at: ref).integers()
    }

    /// The integers of the node in a slot; empty when they cannot be read.
    package func integersIfSound(_ name: Name, in space: NodeSpace) -> IntegerVector {
        do throws(FormatError) { return try integers(name, in: space) } catch { return .empty }
    }

    private func unexpected(_ name: Name, _ found: String) -> FormatError {
        FormatError(.unexpectedNode, at: node.ref.offset, "the slot of the \(name.words) holds \(found)")
    }
}

extension Record<GroupTopSlot> {
    /// The list of free chunks; empty when there is none.
    package func freeList(in space: NodeSpace) throws(FormatError) -> FreeList {
        FreeList(
            positions: try integers(.freePositions, in: space), lengths: try integers(.freeLengths, in: space),
            versions: slots.has(.freeVersions) ? try integers(.freeVersions, in: space) : nil)
    }
}
