import Expectations
import RealmStorage
import TestSupport
import Testing

import RealmCore

/// Arrays that move to disk when they are large.
@Suite struct PlainArrayTests {
    private struct Pair: RadixSortable, Equatable {
        let rank: UInt64
        let order: Int
    }

    /// Appended elements are unchanged on both sides of the limit, and sorting equals the standard library's and is
    /// stable.
    @Test(arguments: [0, 1, 2, 63, 64, 1000, UnsharedArrayLimit.bytesInMemory / 16 + 1000])
    func `appended elements are unchanged and sorting is stable`(count: Int) {
        let array = UnsharedArray<Pair>(in: ScratchFolder(beside: nil))
        var state: UInt64 = 88_172_645_463_325_252
        var expected: [Pair] = []
        for index in 0..<count {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            let pair = Pair(rank: index % 3 == 0 ? state : state & 0xFF00FF, order: index)
            array.append(pair)
            if count < 5000 || index % 1000 == 0 { expected.append(pair) }
        }
        expectEqual(array.count, count)
        for (index, pair) in expected.enumerated() { expectEqual(array[count < 5000 ? index : index * 1000], pair) }
        radixSort(array)
        var isSorted = true
        for index in 0..<max(0, count - 1) {
            let (left, right) = (array[index], array[index + 1])
            if (left.rank, left.order) >= (right.rank, right.order) { isSorted = false }
        }
        expect(isSorted && array.count == count)
        if count < 5000 { expectEqual(Array(array), expected.sorted { ($0.rank, $0.order) < ($1.rank, $1.order) }) }
    }

    /// Bytes are preserved when the memory grows.
    @Test func `bytes are preserved when the memory grows`() throws {
        let memory = try DiskMemory(size: 4096, in: ScratchFolder(beside: nil))
        memory.start.storeBytes(of: 0x0102_0304_0506_0708, toByteOffset: 4088, as: UInt64.self)
        try memory.grow(to: 1 << 20)
        expectEqual(memory.size, 1 << 20)
        expectEqual(memory.start.load(fromByteOffset: 4088, as: UInt64.self), 0x0102_0304_0506_0708)
        memory.start.storeBytes(of: 7, toByteOffset: 1 << 19, as: UInt64.self)
        expectEqual(memory.start.load(fromByteOffset: 1 << 19, as: UInt64.self), 7)
        // More than any disk has.
        #expect(throws: StorageError.self) { try memory.grow(to: 1 << 50) }
        expectEqual(memory.start.load(fromByteOffset: 4088, as: UInt64.self), 0x0102_0304_0506_0708)
    }
}
