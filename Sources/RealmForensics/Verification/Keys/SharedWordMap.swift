internal import RealmCore
internal import Synchronization

/// A bit for each 8-byte word of a file, set by several threads concurrently.
@safe
package final class SharedWordMap: @unchecked Sendable {
    /// Bits of words that are stored together.
    struct Group {
        /// The number of the group of 64 words.
        let index: Int
        var bits: UInt64

        init(index: Int, bits: UInt64) {
            self.index = index
            self.bits = bits
        }

        /// The words of `count` bytes from `offset` on, at least one; nil when they are not in one group.
        init?(_ offset: Int, count: Int) {
            let (first, last) = (offset >> 3, (offset &+ count &- 1) >> 3)
            guard first >> 6 == last >> 6 else { return nil }
            index = first >> 6
            bits = (UInt64.max &>> UInt64(63 &- (last &- first))) &<< UInt64(first & 63)
        }
    }

    private let wordCount: Int
    private let groupCount: Int
    private let groups: UnsafeMutablePointer<Atomic<UInt64>>

    /// Creates a map for the given number of bytes, with all bits clear.
    package init(bytes: Int) {
        wordCount = (max(0, bytes) + 7) / 8
        groupCount = (wordCount + 63) / 64
        unsafe groups = UnsafeMutablePointer.allocate(capacity: groupCount)
        for index in 0..<groupCount { unsafe (groups + index).initialize(to: Atomic(0)) }
    }

    deinit {
        unsafe groups.deinitialize(count: groupCount)
        unsafe groups.deallocate()
    }

    /// Sets the bits of `count` bytes from `offset` on, as far as they are inside the file.
    ///
    /// - Returns: whether all of them were clear. Of several threads that set the same bit, only one receives true for
    ///   it.
    package func insert(_ offset: Int, count: Int) -> Bool {
        guard count > 0, offset >= 0 else { return true }
        var word = offset >> 3
        let end = min(wordCount, (offset + count + 7) >> 3)
        var wereClear = true
        while word < end {
            let bits = min(64 - (word & 63), end - word)
            let mask = (UInt64.max &>> UInt64(64 &- bits)) &<< UInt64(word & 63)
            if !insert(Group(index: word >> 6, bits: mask)) { wereClear = false }
            word += bits
        }
        return wereClear
    }

    /// Sets the bits of a group; returns whether all of them were clear.
    func insert(_ group: Group) -> Bool {
        guard group.bits != 0, group.index >= 0, group.index < groupCount else { return true }
        // Relaxed ordering suffices: the file that the bits refer to does not change.
        let (old, _) = unsafe groups[group.index].bitwiseOr(group.bits, ordering: .relaxed)
        return old & group.bits == 0
    }

    /// The bits of the words from 64 × `index` on; zero outside the file.
    func group(_ index: Int) -> UInt64 {
        guard index >= 0, index < groupCount else { return 0 }
        return unsafe groups[index].load(ordering: .relaxed)
    }
}
