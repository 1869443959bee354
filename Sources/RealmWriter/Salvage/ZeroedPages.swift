internal import RealmLayout
internal import RealmReader
internal import RealmVerifier

/// The pages of a file that hold nothing but zeros: what lies in one of them is lost when something leads into it, since no
/// node begins with zeros, and doubtful when nothing does (Spec 190).
struct ZeroedPages {
    static let pageSize = 4096

    private var zeros: WordMap
    private var lost: WordMap
    /// Pages into which refs lead, side by side ones together.
    private(set) var ranges: [Range<Int>] = []
    /// Whether there is any.
    let hasZeros: Bool

    /// Looks at all pages that are whole inside of the database, and follows all refs from `roots` if one is zeros.
    init(roots: [Ref], in space: NodeSpace) {
        let bytes = space.bytes
        zeros = WordMap(bytes: bytes.count)
        lost = WordMap(bytes: bytes.count)
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

    /// Follows all refs from `roots`: the pages of zeros that they lead into are lost.
    mutating func follow(_ roots: [Ref], in space: NodeSpace) {
        guard hasZeros else { return }
        var walk = NodeWalk(roots: roots, in: space)
        while let step = walk.next() {
            guard case .node(let node) = step else { continue }
            note(node.ref, space.bytes.count)
        }
        ranges.sort { $0.lowerBound < $1.lowerBound }
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

    /// Whether a byte is in a page of zeros.
    func isZero(_ offset: Int) -> Bool { hasZeros && zeros.contains(offset & ~7) }

    /// Whether a page of zeros begins in a range.
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

    /// What is known of bytes of the file.
    enum State {
        case intact
        case doubtful
        case lost
    }

    /// Whether any of `count` bytes at `offset` is lost or doubtful.
    func state(_ offset: Int, count: Int) -> State {
        guard hasZeros, count > 0, zeros.intersects(offset, count: count) else { return .intact }
        return lost.intersects(offset, count: count) ? .lost : .doubtful
    }

    /// Whether the payload of a node is touched.
    func state(_ node: Node) -> State { state(node.ref.offset, count: NodeHeader.size + node.size) }
}
