internal import RealmLayout
internal import RealmReader
internal import RealmVerifier

/// The pages of a file whose content is lost or doubtful (Spec 190). What lies in a page of zeros is lost when something
/// leads into it, since no node begins with zeros, and doubtful when nothing does. What lies in a page of an encrypted file
/// that was decrypted although nothing proves it is doubtful.
struct DamagedPages {
    static let pageSize = 4096

    private var zeros: WordMap
    private var lost: WordMap
    private var unproven: WordMap
    /// Pages into which refs lead, side by side ones together.
    private(set) var ranges: [Range<Int>] = []
    /// Whether there is any page of zeros.
    private let hasZeros: Bool
    /// Whether there is any page that nothing proves.
    let hasUnproven: Bool

    /// Looks at all pages that are whole inside of the database, and follows all refs from `roots` if one is zeros.
    ///
    /// - Parameter unproven: the numbers of the pages that nothing proves.
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

    /// Follows all refs from `roots`: the pages of zeros that they lead into are lost.
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

    /// Whether every page is intact.
    var areIntact: Bool { !hasZeros && !hasUnproven }

    /// Whether any of `count` bytes at `offset` is lost or doubtful.
    func state(_ offset: Int, count: Int) -> State {
        guard !areIntact, count > 0 else { return .intact }
        if hasZeros, zeros.intersects(offset, count: count) {
            return lost.intersects(offset, count: count) ? .lost : .doubtful
        }
        return hasUnproven && unproven.intersects(offset, count: count) ? .doubtful : .intact
    }

    /// Whether a node reaches into a page of zeros.
    func hasZeros(_ node: Node) -> Bool {
        hasZeros && zeros.intersects(node.ref.offset, count: NodeHeader.size + node.size)
    }

    /// Whether the header of a node is doubtful, and with it all that its payload is read as. Zeros are none.
    func state(ofHeaderAt ref: Ref) -> State {
        hasUnproven && unproven.intersects(ref.offset, count: NodeHeader.size) ? .doubtful : .intact
    }

    /// Whether a node reaches into a page that nothing proves.
    func isUnproven(_ node: Node) -> Bool {
        hasUnproven && unproven.intersects(node.ref.offset, count: NodeHeader.size + node.size)
    }

    /// That something lies in a page that nothing proves.
    func unprovenWords(_ thing: String) -> String { "\(thing) lies in an encrypted page that nothing proves" }

    /// Why what lies in `bytes`, or is led to from there, is doubtful.
    func doubt(_ thing: String, _ bytes: Range<Int>?) -> String {
        let isUnproven =
            hasUnproven
            && (!hasZeros || bytes.map { unproven.intersects($0.lowerBound, count: $0.count) } ?? false)
        return isUnproven ? unprovenWords(thing) : "\(thing) lies in a page of zeros"
    }

    /// Whether the payload of a node is touched.
    func state(_ node: Node) -> State { state(node.ref.offset, count: NodeHeader.size + node.size) }
}
