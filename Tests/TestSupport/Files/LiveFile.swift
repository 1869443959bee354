internal import RealmLayout

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A file with repeated commits, by the rules of Realm Core (Spec 70): new nodes are written where the current commit
/// has none, then the header's other slot refers to their root, then the header selects that slot.
///
/// There are two regions. A commit uses the region of the commit before the current one, as Core does with small
/// commits when nothing holds that commit. Every second commit therefore has the same header. Each object's properties
/// contain the number of the commit: `commit` as a number, `text` as text long enough for a leaf of big strings.
package final class LiveFile {
    package static let className = "Row"
    private static let firstRegion = 64

    private let descriptor: Int32
    private let objects: Int
    private let regionSize: Int
    /// The number of the last commit; the first one is in region 1.
    package private(set) var commit = 0

    /// Creates the file with its first commit.
    ///
    /// - Parameter objects: the number of objects; a multiple of 256 if greater.
    package init(path: String, objects: Int) {
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
        precondition(descriptor >= 0, "cannot make \(path)")
        self.objects = objects
        // Free space is written last and in a fixed size: a first attempt determines the size.
        regionSize = Self.region(at: Self.firstRegion, objects, commit: 1_000_000_000, regionSize: 0).bytes.count
        write([UInt8](repeating: 0, count: Self.firstRegion + 2 * regionSize), at: 0)
        write(Array("T-DB".utf8), at: 16)
        commitNext()
    }

    deinit { close(descriptor) }

    /// Adds a commit.
    package func commitNext() {
        commit += 1
        let slot = commit & 1
        let start = Self.firstRegion + slot * regionSize
        let region = Self.region(at: start, objects, commit: commit, regionSize: regionSize)
        write(region.bytes, at: start)
        // A real writer synchronises here, and again before the last step; other processes see the steps in order
        // without that.
        write((0..<8).map { UInt8(truncatingIfNeeded: region.top >> (8 * $0)) }, at: 8 * slot)
        write([24], at: 20 + slot)
        write([UInt8(slot)], at: 23)
    }

    /// Returns the text of each object after a commit.
    package static func text(_ commit: Int) -> String { String(repeating: "\(commit) ", count: 30) }

    /// Returns the nodes of a commit from `start` on, and the ref of its root.
    private static func region(
        at start: Int, _ objects: Int, commit: Int, regionSize: Int
    ) -> (bytes: [UInt8], top: Int) {
        var file = HandmadeFile(at: start)
        let clusterSize = min(objects, Limits.clusterObjects)
        let content = Array(text(commit).utf8) + [0]
        let clusters = (0..<objects / clusterSize).map { _ in
            let numbers = file.writer.integers([Int](repeating: commit, count: clusterSize))
            let texts = (0..<clusterSize).map { _ in file.writer.blob(content) }
            return file.cluster(clusterSize, [numbers, file.writer.refs(texts, isContext: true)])
        }
        let root = clusters.count == 1 ? clusters[0] : file.clusterInner(depth: 1, count: objects, clusters)
        file.addTable(
            "class_\(className)", [.init("commit", .int), .init("text", .string, index: 1)], objects: root)
        let other = firstRegion + (start == firstRegion ? regionSize : 0)
        let top = file.addRoot(
            commit: commit, logicalSize: firstRegion + 2 * regionSize,
            free: [(FileHeader.size, firstRegion - FileHeader.size, 0), (other, regionSize, commit)])
        return (Array(file.writer.bytes[start...]), top)
    }

    private func write(_ bytes: [UInt8], at offset: Int) {
        precondition(pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count, "cannot write")
    }
}
