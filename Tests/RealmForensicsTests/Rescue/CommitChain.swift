import RealmLayout
import TestSupport

/// A file of many consecutive commits, with the roots of all of them.
///
/// Each object contains the number of the commit, and each commit has one object more than the previous one.
struct CommitChain {
    static let className = "Row"
    var bytes = [UInt8](repeating: 0, count: FileHeader.size)
    /// The ref of the root of each commit, beginning with the first.
    private(set) var roots: [Int] = []
    /// The offset of the first node of each commit.
    private(set) var starts: [Int] = []

    /// - Parameter first: the number of the first commit.
    init(commits: Int, first: Int = 1) {
        for index in 0..<commits { append(number: first + index, objects: index + 1) }
        select(commits - 1)
    }

    private mutating func append(number: Int, objects: Int) {
        let start = bytes.count
        // A first attempt gives the size, which does not depend on the content.
        let size = Self.commit(number, objects, at: start, logicalSize: 0).bytes.count
        let commit = Self.commit(number, objects, at: start, logicalSize: size)
        bytes = Array(bytes[..<start]) + commit.bytes[start...]
        starts.append(start)
        roots.append(commit.root)
    }

    private static func commit(
        _ number: Int, _ objects: Int, at start: Int, logicalSize: Int
    ) -> (bytes: [UInt8], root: Int) {
        var file = HandmadeFile(at: start)
        let numbers = file.writer.integers([Int](repeating: number, count: objects))
        let cluster = file.cluster(objects, [numbers])
        file.addTable("class_\(className)", [.init("commit", .int)], objects: cluster)
        let free = start > FileHeader.size ? [(FileHeader.size, start - FileHeader.size, number)] : []
        let root = file.addRoot(commit: number, logicalSize: logicalSize, free: free)
        return (file.writer.bytes, root)
    }

    /// Writes a header that selects a commit; the other slot refers to the previous one.
    mutating func select(_ index: Int) {
        let refs = [UInt64(roots[index]), index > 0 ? UInt64(roots[index - 1]) : 0]
        let header =
            refs.flatMap { ref in (0..<8).map { UInt8(truncatingIfNeeded: ref >> UInt64(8 * $0)) } }
            + Array("T-DB".utf8) + [24, index > 0 ? 24 : 0, 0, 0]
        bytes.replaceSubrange(..<FileHeader.size, with: header)
    }

    /// Makes the first node in a commit's leaf of numbers invalid.
    mutating func damage(_ index: Int) {
        // Width type 3 is not used.
        bytes[starts[index] + 4] |= NodeHeader.Mask.widthType
    }
}
