internal import RealmCore
internal import RealmLayout

/// The damage states of a leaf's elements, determined one by one if the encoding locates each element.
struct ElementStates {
    private(set) var states: [DamagedPages.State]
    private let space: NodeSpace
    private let pages: DamagedPages

    /// Examines the leaf in `node`.
    ///
    /// - Returns: Nil when no part of it lies in a damaged page, which is by far the most common case.
    init?(_ node: Node, _ type: LeafType, count: Int, distinct: Bool, in space: NodeSpace, _ pages: DamagedPages) {
        states = [DamagedPages.State](repeating: .intact, count: count)
        self.space = space
        self.pages = pages
        look(at: node, type, isDistinct: distinct)
        guard states.contains(where: { $0 != .intact }) else { return nil }
    }

    /// Combines states for elements that are indices of other elements, as in an enumerated column.
    ///
    /// - Parameters:
    ///   - own: The states of the indices; nil if all are intact.
    ///   - values: The states of the elements they refer to.
    init(_ own: ElementStates?, _ numbers: IntegerVector, of values: ElementStates) {
        self = values
        states = own?.states ?? [DamagedPages.State](repeating: .intact, count: numbers.count)
        for element in 0..<min(numbers.count, states.count) {
            guard let number = Int(exactly: numbers[unchecked: element]), values.states.indices.contains(number) else {
                continue
            }
            mark(element, values.states[number])
        }
    }

    private mutating func look(at node: Node, _ type: LeafType, isDistinct: Bool) {
        switch type {
        case .int(nullable: true): integers(node, after: 1)
        case .int, .bool, .link, .collections, .backlinks: integers(node, after: 0)
        case .float: fixed(node, 4)
        case .double: fixed(node, 8)
        case .decimal128: fixed(node, node.header.width)
        case .objectId: blocks(node, .objectIds)
        case .uuid: blocks(node, .uuids)
        case .timestamp:
            integers(node, all: true)
            guard let parts = parts(node), parts.count >= 2 else { return }
            if let part = parts[0] { integers(part, after: 1) }
            if let part = parts[1] { integers(part, after: 0) }
        case .string, .legacyString:
            if isDistinct {
                integers(node, after: 0)
            } else if !node.header.hasRefs {
                fixed(node, node.header.width)
            } else {
                blobs(node)
            }
        case .binary, .legacyBinary: blobs(node)
        case .mixed: mixed(node)
        }
    }

    private mutating func mark(_ element: Int, _ state: DamagedPages.State) {
        guard state != .intact, element < states.count, element >= 0, states[element] != .lost else { return }
        states[element] = state
    }

    private mutating func markAll(_ state: DamagedPages.State) {
        guard state != .intact else { return }
        for element in states.indices { mark(element, state) }
    }

    /// Whether any part of a node lies in a damaged page. If its header does, all elements become doubtful.
    private mutating func touches(_ node: Node) -> Bool {
        guard pages.state(node) != .intact else { return false }
        markAll(pages.state(ofHeaderAt: node.ref))
        return true
    }

    private func parts(_ node: Node) -> [Node?]? {
        guard let slots = elements(node) else { return nil }
        return (0..<min(slots.count, 8)).map { index in
            guard case .ref(let ref) = Slot(slots[unchecked: index]) else { return nil }
            do throws(FormatError) { return try space.node(at: ref) } catch { return nil }
        }
    }

    private func elements(_ node: Node) -> IntegerVector? {
        do throws(FormatError) { return try node.refs() } catch { return nil }
    }

    /// Marks all elements with the state of a record, because each needs all of it.
    private mutating func integers(_ node: Node, all: Bool) { markAll(pages.state(node)) }

    /// Marks packed integers. All other elements depend on the first `skipped` ones.
    private mutating func integers(_ node: Node, after skipped: Int) {
        guard touches(node) else { return }
        let (start, width) = (node.ref.offset + NodeHeader.size, node.header.width)
        for element in 0..<min(node.count, states.count + skipped) {
            let (first, last) = (element * width / 8, ((element + 1) * width + 7) / 8)
            let state = pages.state(start + first, count: last - first)
            if element < skipped { markAll(state) } else { mark(element - skipped, state) }
        }
    }

    private mutating func fixed(_ node: Node, _ width: Int) {
        guard touches(node) else { return }
        for element in states.indices {
            mark(element, pages.state(node.ref.offset + NodeHeader.size + element * width, count: width))
        }
    }

    private mutating func blocks(_ node: Node, _ blocks: FixedBlocks) {
        guard touches(node) else { return }
        let start = node.ref.offset + NodeHeader.size
        for element in states.indices {
            mark(element, pages.state(start + blocks.nullByte(of: element), count: 1))
            mark(element, pages.state(start + blocks.offset(of: element), count: blocks.width))
        }
    }

    private mutating func blobs(_ node: Node) {
        guard let slots = elements(node) else { return }
        guard !node.header.isContext else {
            integers(node, after: 0)
            for element in 0..<min(slots.count, states.count) {
                guard case .ref(let ref) = Slot(slots[unchecked: element]) else { continue }
                do throws(FormatError) { mark(element, pages.state(try space.node(at: ref))) } catch { continue }
            }
            return
        }
        integers(node, all: true)
        guard let parts = parts(node), parts.count >= 2, let ends = parts[0], let bytes = parts[1] else { return }
        integers(ends, after: 0)
        if parts.count > 2, let nulls = parts[2] { integers(nulls, after: 0) }
        // A value begins at the end of the previous one.
        var previous = DamagedPages.State.intact
        for element in states.indices {
            let own = states[element]
            mark(element, previous)
            previous = own
        }
        guard touches(bytes), let vector = vector(ends) else { return }
        for element in 0..<min(vector.count, states.count) {
            let start = element == 0 ? 0 : vector[unchecked: element - 1]
            let end = vector[unchecked: element]
            guard start >= 0, start < end, end <= bytes.size else { continue }
            mark(element, pages.state(bytes.ref.offset + NodeHeader.size + Int(start), count: Int(end - start)))
        }
    }

    private func vector(_ node: Node) -> IntegerVector? {
        do throws(FormatError) { return try node.integers() } catch { return nil }
    }

    /// Marks Mixed values: each by its composite, and by its payload if that is stored elsewhere.
    private mutating func mixed(_ node: Node) {
        integers(node, all: true)
        guard let parts = parts(node), let first = parts.first, let composites = first else { return }
        integers(composites, after: 0)
        guard let types = vector(composites) else { return }
        for (index, part) in parts.enumerated().dropFirst() {
            guard let part, index != MixedSlot.collectionKeys.rawValue else { continue }
            guard let payloads = payloadStates(part, index) else { continue }
            for element in 0..<min(types.count, states.count) {
                let composite = MixedComposite(types[unchecked: element])
                guard !composite.isNull, composite.slotNumber == index else { continue }
                let payload = Int(truncatingIfNeeded: composite.payload)
                if index == MixedSlot.pairs.rawValue {
                    guard payload >= 0, payload < payloads.states.count / 2 else { continue }
                    mark(element, payloads.states[payload * 2])
                    mark(element, payloads.states[payload * 2 + 1])
                } else if payloads.states.indices.contains(payload) {
                    mark(element, payloads.states[payload])
                }
            }
        }
    }

    private func payloadStates(_ node: Node, _ slot: Int) -> ElementStates? {
        let type: LeafType = slot == MixedSlot.strings.rawValue ? .string : .int(nullable: false)
        var count = node.count
        if type == .string {
            do throws(FormatError) { count = try ColumnLeaf(node, as: .string, in: space).count } catch { return nil }
        }
        // Leaves of width 0 have elements without bytes, none of which can be lost.
        guard count <= node.size * 8 + 1 || node.header.hasRefs else { return nil }
        return ElementStates(node, type, count: count, distinct: false, in: space, pages)
    }
}
