package import RealmLayout

/// Finds the nodes of a file that may be roots of commits (Spec 160), through the header and by scanning.
///
/// A scan costs one load and two comparisons for each 8 bytes of the file, and little more for the few candidates.
/// Memory is limited to `maximumKept` shapes.
package struct RootSearch {
    /// A possible root and the evidence that led to it.
    package struct Found {
        package let shape: RootShape
        let origin: RootOrigin
    }

    /// Maximum number of shapes to keep, those of the highest commits. An old file has one for each recent commit
    /// whose space was not reused.
    package static let maximumKept = 4096

    private let file: ByteView
    /// The header, if it has its mnemonic.
    private let header: FileHeader?
    package private(set) var found: [Found] = []
    /// Total number of shapes that were seen.
    package private(set) var total = 0
    private var known: Set<Ref> = []

    /// Creates a search without results.
    package init(in file: ByteView) {
        self.file = file
        header = FileHeader(file).flatMap { $0.hasMnemonic ? $0 : nil }
    }

    /// Follows the header: its slots, their lower bytes, the footer.
    mutating func followHeader() {
        if let header {
            note(header.slots[header.selectedSlot].topRef, .selectedSlot)
            note(header.slots[1 - header.selectedSlot].topRef, .otherSlot)
        }
        if file.count % 8 == 0, let streamed = FileHeader.streamedTopRef(in: file) {
            note(streamed, header?.isStreaming ?? false ? .selectedSlot : .footer)
        }
        // If something was written across a slot, seven or fewer of its bytes remain.
        let numbers = FileHeader(file)?.slots.map(\.topRef) ?? []
        for (slot, number) in numbers.enumerated() where header.map({ $0.selectedSlot == slot }) ?? true {
            guard number != FileHeader.streamingMarker else { continue }
            for bytes in (1...7).reversed() { note(number & (1 << UInt64(8 * bytes) - 1), .maskedSlot) }
        }
    }

    private mutating func note(_ number: UInt64, _ origin: RootOrigin) {
        guard let shape = RootShape(atNumber: number, in: file), known.insert(shape.ref).inserted else { return }
        found.append(Found(shape: shape, origin: origin))
        total += 1
    }

    /// Examines every multiple of 8.
    package mutating func scan() {
        let file = file
        var offset = FileHeader.size
        let last = file.count - NodeHeader.size
        while offset <= last {
            if RootShape.isPossible(file.uint64(unchecked: offset)) { consider(offset) }
            offset &+= 8
        }
        trim()
    }

    private mutating func consider(_ offset: Int) {
        guard let shape = RootShape(at: offset, in: file), !known.contains(shape.ref) else { return }
        found.append(Found(shape: shape, origin: .scan))
        total += 1
        if found.count >= 2 * Self.maximumKept { trim() }
    }

    /// Sorts the results by worth and drops those beyond the limit, never those the header refers to.
    private mutating func trim() {
        found = found.inOrder { left, right in
            if (left.origin == .scan) != (right.origin == .scan) { return right.origin == .scan }
            if left.shape.commit != right.shape.commit { return left.shape.commit > right.shape.commit }
            return left.shape.ref > right.shape.ref
        }
        if found.count > Self.maximumKept { found.removeLast(found.count - Self.maximumKept) }
    }
}
