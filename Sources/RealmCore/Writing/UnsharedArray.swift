package import RealmLayout
package import RealmStorage
internal import RealmSystem
internal import Synchronization

/// An array of plain values for loops over every value of a file. Only indices are checked at run time.
///
/// Appending to an `Array` in a property of a class costs more than the value itself: checks for uniqueness and for
/// exclusive access. This array is never shared; it belongs to the object that created it.
///
/// Large arrays with a folder use file-backed memory, which the system can page out. Data that grows with the number
/// of objects, such as links and index entries, then needs disk space instead of memory.
@safe
package final class UnsharedArray<Element: BitwiseCopyable>: RandomAccessCollection, MutableCollection {
    private var base: UnsafeMutablePointer<Element>
    private var capacity: Int
    /// The folder for file-backed memory; nil for arrays that always stay in memory.
    let folder: ScratchFolder?
    /// The file-backed memory of a large array; nil for small ones, and when the disk has no room.
    private var disk: DiskMemory?
    /// Fixed memory of the elements; nil for arrays that grow.
    private let reserved: ReservedMemory?
    /// Bytes this array contributes to the total of all large arrays in memory.
    private var counted = 0
    /// Number of elements.
    package var count: Int { used }
    /// Private, so that the compiler proves accesses exclusive.
    private var used = 0

    /// Creates an empty array without an allocation, because a file can have hundreds of thousands of columns with
    /// several arrays each.
    ///
    /// - Parameter folder: The folder for data that grows with the content of a file; nil for other data.
    package init(in folder: ScratchFolder? = nil) {
        self.folder = folder
        reserved = nil
        capacity = 0
        unsafe base = Self.nowhere
    }

    /// Creates an empty array whose elements never move. It traps when the memory is full.
    init(in memory: ReservedMemory) {
        folder = nil
        reserved = memory
        capacity = memory.size / MemoryLayout<Element>.stride
        unsafe base = memory.start.bindMemory(to: Element.self, capacity: capacity)
    }

    /// Placeholder address of arrays without memory; never accessed.
    private static var nowhere: UnsafeMutablePointer<Element> {
        unsafe UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment) ?? memory(1)
    }

    /// Allocates memory that can be reallocated.
    @unsafe
    private static func memory(_ size: Int) -> UnsafeMutablePointer<Element> {
        let memory = unsafe malloc(size) ?? .allocate(byteCount: size, alignment: 16)
        return unsafe memory.assumingMemoryBound(to: Element.self)
    }

    /// Creates an empty array with reserved capacity.
    convenience init(capacity: Int, in folder: ScratchFolder? = nil) {
        self.init(in: folder)
        if capacity > 0 { grow(capacity) }
    }

    deinit {
        if disk == nil, reserved == nil, capacity > 0 { unsafe free(base) }
        if counted > 0 { note(0) }
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    @inline(__always)
    package func withContiguousStorageIfAvailable<R>(_ body: (UnsafeBufferPointer<Element>) throws -> R) rethrows -> R?
    {
        unsafe try body(UnsafeBufferPointer(start: base, count: used))
    }

    /// Traps if the index is out of range.
    @inline(__always)
    package subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count, "index outside of the array")
            return unsafe base[index]
        }
        set {
            precondition(index >= 0 && index < count, "index outside of the array")
            unsafe base[index] = newValue
        }
    }

    @inline(__always)
    package func append(_ element: Element) {
        if count == capacity { grow(1) }
        unsafe base[count] = element
        used &+= 1
    }

    /// Appends `element` `added` times.
    func append(repeating element: Element, count added: Int) {
        if added > capacity &- count { grow(added) }
        for index in count..<(count + added) { unsafe base[index] = element }
        used += added
    }

    /// Appends copies of elements.
    func append(contentsOf elements: UnsafeBufferPointer<Element>) {
        let added = elements.count
        guard added > 0, let start = elements.baseAddress else { return }
        if added > capacity &- count { grow(added) }
        unsafe (base + count).update(from: start, count: added)
        used &+= added
    }

    /// Removes all elements and keeps the memory.
    @inline(__always)
    package func removeAll() { used = 0 }

    /// Removes all elements and releases their memory.
    func release() {
        used = 0
        freeMemory()
        unsafe base = Self.nowhere
        capacity = 0
        note(0)
    }

    /// Removes the last elements.
    package func removeLast(_ number: Int) {
        precondition(number >= 0 && number <= count, "more than there are")
        used &-= number
    }

    /// Exchanges the elements of two arrays.
    func swap(with other: UnsharedArray<Element>) {
        // Avoids Swift's `swap`: as long as the properties are never passed inout, their uses need no exclusivity
        // checks.
        let (base, capacity, count, disk) = unsafe (self.base, self.capacity, self.count, self.disk)
        let counted = self.counted
        self.disk = other.disk
        other.disk = disk
        self.counted = other.counted
        other.counted = counted
        unsafe self.base = other.base
        self.capacity = other.capacity
        used = other.used
        unsafe other.base = base
        other.capacity = capacity
        other.used = count
    }

    @inline(never)
    private func grow(_ added: Int) {
        precondition(reserved == nil, "the reserved memory is full")
        let larger = Swift.max(16, capacity &* 2, count &+ added)
        let stride = MemoryLayout<Element>.stride
        var memory = unsafe GrowingMemory(start: capacity > 0 ? UnsafeMutableRawPointer(base) : nil, disk, counted)
        unsafe memory.grow(to: larger * stride, keeping: count * stride, in: folder)
        unsafe base = (memory.start ?? UnsafeMutableRawPointer(Self.nowhere)).assumingMemoryBound(to: Element.self)
        (disk, counted) = unsafe (memory.disk, memory.counted)
        capacity = larger
    }

    private func freeMemory() {
        if disk == nil, capacity > 0 { unsafe free(base) }
        disk = nil
    }

    /// Updates the array's contribution to the total of all large arrays, which is zero on disk.
    private func note(_ size: Int) { counted = UnsharedArrayLimit.counted(size, before: counted) }

    /// Resizes the array. New elements have arbitrary values, so callers must store into them before they are read.
    @inline(__always)
    func resize(_ size: Int) {
        if size > capacity { grow(size - count) }
        used = size
    }
}

/// Limits beyond which an `UnsharedArray` moves to disk.
package enum UnsharedArrayLimit {
    /// Maximum size in bytes of one array in memory.
    package static let bytesInMemory = 16 << 20
    /// Maximum total in bytes of all large arrays in memory. Many classes with many links need many arrays.
    private static let bytesOfAll = 128 << 20
    /// Smaller arrays are never on disk and do not count.
    static let leastOnDisk = 1 << 18

    private static let total = Atomic<Int>(0)

    /// Whether an array that grows to `size` bytes, and contributes `counted` so far, should move to disk.
    static func isExceeded(by size: Int, beside counted: Int) -> Bool {
        size > bytesInMemory || total.load(ordering: .relaxed) - counted + size > bytesOfAll
    }

    /// Updates the total for an array of `size` bytes in memory that contributed `before` so far.
    ///
    /// - Returns: The array's new contribution.
    @inline(never)
    static func counted(_ size: Int, before: Int) -> Int {
        let size = size > leastOnDisk ? size : 0
        if size != before { total.add(size - before, ordering: .relaxed) }
        return size
    }
}

extension UnsharedArray where Element == UInt8 {
    /// Appends a copy of `view`.
    @inline(__always)
    func append(_ view: ByteView) {
        let size = view.count
        if size > capacity &- count { grow(size) }
        let target = unsafe UnsafeMutableRawPointer(base + count)
        used &+= size
        // Most views are short and are copied as two possibly overlapping words.
        if size >= 8, size <= 16 {
            unsafe target.storeBytes(of: view.uint64(unchecked: 0).littleEndian, as: UInt64.self)
            unsafe target.storeBytes(
                of: view.uint64(unchecked: size &- 8).littleEndian, toByteOffset: size &- 8, as: UInt64.self)
        } else if size >= 4, size < 8 {
            unsafe target.storeBytes(of: view.uint32(unchecked: 0).littleEndian, as: UInt32.self)
            unsafe target.storeBytes(
                of: view.uint32(unchecked: size &- 4).littleEndian, toByteOffset: size &- 4, as: UInt32.self)
        } else if size > 16, size <= 32 {
            unsafe target.storeBytes(of: view.vector(unchecked: 0), as: SIMD16<UInt8>.self)
            unsafe target.storeBytes(
                of: view.vector(unchecked: size &- 16), toByteOffset: size &- 16, as: SIMD16<UInt8>.self)
        } else {
            unsafe target.copyMemory(from: view.base, byteCount: size)
        }
    }

    /// Returns the bytes in `range`; valid until the next change.
    @inline(__always)
    package func view(_ range: Range<Int>) -> ByteView {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside of the array")
        return unsafe ByteView(base: UnsafeRawPointer(base + range.lowerBound), count: range.count)
    }

    /// All bytes; valid until the next change.
    package var view: ByteView { view(0..<count) }
}

extension UnsharedArray where Element == Int64 {
    /// The width in bits that holds each element (Spec 20).
    var width: Int {
        var bits: Int64 = 0
        var signs: Int64 = 0
        for index in 0..<count {
            let value = unsafe base[index]
            bits |= value ^ (value &>> 63)
            signs |= value
        }
        return ValueRange.width(ofBits: UInt64(bitPattern: bits), areNegative: signs < 0)
    }
}

extension UnsharedArray where Element == UInt8 {
    /// Ensures that `size` bytes after the elements are readable, with arbitrary values.
    @inline(__always)
    func reserve(_ size: Int) { if size > capacity &- count { grow(size) } }

    /// Returns eight bytes from an offset. If fewer elements follow, `reserve` must have been called.
    @inline(__always)
    func word(reserved offset: Int) -> UInt64 {
        precondition(offset >= 0 && offset &+ 8 <= capacity, "offset outside of the array")
        return UInt64(
            littleEndian: unsafe UnsafeRawPointer(base).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Appends the next `added` bytes of a run.
    func append(from reader: SpillReader, count added: Int) throws(StorageError) {
        if added > capacity &- count { grow(added) }
        used += unsafe try reader.read(into: UnsafeMutableRawPointer(base + count), count: added)
    }

    @inline(__always)
    func payload(from offset: Int) -> NodePayload {
        precondition(offset >= 0 && offset <= count, "offset outside of the array")
        return unsafe NodePayload(UnsafeMutableRawPointer(base + offset))
    }

    /// Appends the four bytes of a word, highest first.
    @inline(__always)
    func append(bigEndian word: UInt32) {
        if 4 > capacity &- count { grow(4) }
        unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: word.bigEndian, as: UInt32.self)
        used &+= 4
    }
}
