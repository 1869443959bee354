internal import RealmCore
internal import RealmLayout

/// The pages of a file whose content is lost or doubtful (Spec 190). Content in a zeroed page is lost if a ref leads
/// into the page, because no node begins with zeros, and doubtful otherwise. Content in an encrypted page that was
/// decrypted despite failing authentication is doubtful.
struct DamagedPages {
    static let pageSize = 4096

    private var zeros: WordMap
    private var lost: WordMap
    private var unproven: WordMap
    /// Zeroed pages that refs lead into, with adjacent pages merged.
    private(set) var ranges: [Range<Int>] = []
    /// Whether any page is zeroed.
    private let hasZeros: Bool
    /// Whether any page failed authentication.
    let hasUnproven: Bool

    /// Examines all whole pages of the database, and follows all refs from `roots` if any page is zeroed.
    ///
    /// - Parameter unproven: Numbers of the pages that failed authentication.
    init(roots: [Ref], unproven pages: [Int], in space: NodeSpace) {
        let bytes = space.bytes
        zeros = WordMap(bytes: bytes.count)
        lost = WordMap(bytes: bytes.count)
        unproven = WordMap(bytes: bytes.count)
        for page in pages where (page + 1) * Self.pageSize <= bytes.count {
            unproven.insert(page * Self.pageSize, count: Self.pageSize)
        }
        hasUnproven = !pages.isEmpty
        var found = false
        for start in stride(from: 0, to: bytes.count, by: Self.pageSize) {
            let count = min(Self.pageSize, bytes.count - start)
            guard bytes.slice(unchecked: start, count: count).isZero else { continue }
            zeros.insert(start, count: count)
            found = true
        }
        hasZeros = found
        guard found else { return }
        follow(roots, in: space)
    }

    /// Follows all refs from `roots`, and marks the zeroed pages they lead into as lost.
    mutating func follow(_ roots: [Ref], in space: NodeSpace) {
        guard hasZeros else { return }
        var walk = NodeWalk(roots: roots, in: space)
        while let step = walk.next() {
            guard case .node(let node) = step else { continue }
            note(node.ref, space.bytes.count)
        }
        ranges = ranges.inOrder { $0.lowerBound < $1.lowerBound }
        var merged: [Range<Int>] = []
        for range in ranges {
            if let last = merged.last, last.upperBound == range.lowerBound {
                merged[merged.count - 1] = last.lowerBound..<range.upperBound
            } else {
                merged.append(range)
            }
        }
        ranges = merged
    }

    /// Whether a byte is in a zeroed page.
    func isZero(_ offset: Int) -> Bool { hasZeros && zeros.contains(offset & ~7) }

    /// Whether a zeroed page begins in a range.
    func hasPage(in range: Range<Int>) -> Bool {
        guard hasZeros, !range.isEmpty else { return false }
        let start = (range.lowerBound + Self.pageSize - 1) / Self.pageSize * Self.pageSize
        return stride(from: start, to: range.upperBound, by: Self.pageSize).contains { zeros.contains($0) }
    }

    private mutating func note(_ ref: Ref, _ size: Int) {
        let offset = ref.offset & ~7
        guard zeros.contains(offset), !lost.contains(offset) else { return }
        let start = offset / Self.pageSize * Self.pageSize
        lost.insert(start, count: min(Self.pageSize, size - start))
        ranges.append(start..<min(start + Self.pageSize, size))
    }

    /// The damage state of bytes.
    enum State {
        case intact
        case doubtful
        case lost
    }

    /// Whether every page is intact.
    var areIntact: Bool { !hasZeros && !hasUnproven }

    /// Returns the worst state of any of `count` bytes at `offset`.
    func state(_ offset: Int, count: Int) -> State {
        guard !areIntact, count > 0 else { return .intact }
        if hasZeros, zeros.intersects(offset, count: count) {
            return lost.intersects(offset, count: count) ? .lost : .doubtful
        }
        return hasUnproven && unproven.intersects(offset, count: count) ? .doubtful : .intact
    }

    /// Whether a node overlaps a zeroed page.
    func hasZeros(_ node: Node) -> Bool {
        hasZeros && zeros.intersects(node.ref.offset, count: NodeHeader.size + node.size)
    }

    /// Returns the state of a node's header. If it is doubtful, so is the interpretation of its payload. Zeroed
    /// headers do not count.
    func state(ofHeaderAt ref: Ref) -> State {
        hasUnproven && unproven.intersects(ref.offset, count: NodeHeader.size) ? .doubtful : .intact
    }

    /// Whether a node overlaps a page that failed authentication.
    func isUnproven(_ node: Node) -> Bool {
        hasUnproven && unproven.intersects(node.ref.offset, count: NodeHeader.size + node.size)
    }

    /// Describes something in a page that failed authentication.
    func unprovenWords(_ thing: String) -> String { "\(thing) lies in an encrypted page that nothing proves" }

    /// Describes why something in `bytes`, or reached from there, is doubtful.
    func doubt(_ thing: String, _ bytes: Range<Int>?) -> String {
        let isUnproven =
            hasUnproven
            && (!hasZeros || bytes.map { unproven.intersects($0.lowerBound, count: $0.count) } ?? false)
        return isUnproven ? unprovenWords(thing) : "\(thing) lies in a page of zeros"
    }

    /// Returns the state of a node's header and payload.
    func state(_ node: Node) -> State { state(node.ref.offset, count: NodeHeader.size + node.size) }
}
