package import RealmLayout

/// Finds the nodes of a file that may be roots of commits (Spec 160): where the header says, and everywhere else.
///
/// Work: one load and two comparisons for each 8 bytes of the file, some more for the few places that pass. Memory:
/// `maximumKept` shapes, however many there are in a file.
package struct RootSearch {
    /// A place, and what led there.
    package struct Found {
        package let shape: RootShape
        let origin: RootOrigin
    }

    /// How many shapes are kept, those of the highest commits: an old file has one for each of its last commits whose
    /// place was not used again.
    package static let maximumKept = 4096

    private let file: ByteView
    /// The header, when its mnemonic is there.
    private let header: FileHeader?
    package private(set) var found: [Found] = []
    /// The number of all shapes that were seen.
    package private(set) var total = 0
    private var known: Set<Ref> = []

    /// Searches nothing yet.
    package init(in file: ByteView) {
        self.file = file
        header = FileHeader(file).flatMap { $0.hasMnemonic ? $0 : nil }
    }

    /// Looks where the header says: its slots, their lower bytes, the footer.
    mutating func followHeader() {
        if let header {
            note(header.slots[header.selectedSlot].topRef, .selectedSlot)
            note(header.slots[1 - header.selectedSlot].topRef, .otherSlot)
        }
        if file.count % 8 == 0, let streamed = FileHeader.streamedTopRef(in: file) {
            note(streamed, header?.isStreaming ?? false ? .selectedSlot : .footer)
        }
        // Seven or fewer bytes of a slot are left when something was written across it: those before that.
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

    /// Looks at all multiples of 8.
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

    /// Puts what is worth the most first, and drops the rest: what the header leads to is never dropped.
    private mutating func trim() {
        found = found.inOrder { left, right in
            if (left.origin == .scan) != (right.origin == .scan) { return right.origin == .scan }
            if left.shape.commit != right.shape.commit { return left.shape.commit > right.shape.commit }
            return left.shape.ref > right.shape.ref
        }
        if found.count > Self.maximumKept { found.removeLast(found.count - Self.maximumKept) }
    }
}
