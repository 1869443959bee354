internal import RealmLayout
package import RealmStorage
internal import RealmSystem
internal import Synchronization

/// An array of plain values for loops that see every value of a file: nothing is checked at run time but indexes.
///
/// An `Array` in a property of a class costs more than the value that is appended: whether it is shared, and whether somebody
/// else is using the property. This one is never shared: it belongs to the object that made it.
///
/// Large ones that have a folder are in memory that the system may put aside: what grows with the number of objects, such as
/// links and entries of indexes, needs the disk then, not memory.
@safe
package final class UnsharedArray<Element: BitwiseCopyable>: RandomAccessCollection {
    private var base: UnsafeMutablePointer<Element>
    private var capacity: Int
    /// Where the elements go once they are many; nil for arrays that are always in memory.
    let folder: ScratchFolder?
    /// Where the elements are once they are many; nil before, and where the disk has no room.
    private var disk: DiskMemory?
    /// Where the elements are for good; nil for arrays that grow.
    private let reserved: ReservedMemory?
    /// The bytes that it counts for among those of all large arrays in memory.
    private var counted = 0
    /// Number of elements.
    package var count: Int { used }
    /// Private, so that the compiler proves accesses exclusive.
    private var used = 0

    /// An empty one without memory of its own: a file has up to hundreds of thousands of columns, each with several.
    ///
    /// - Parameter folder: for what grows with the content of a file; nil for what does not.
    package init(in folder: ScratchFolder? = nil) {
        self.folder = folder
        reserved = nil
        capacity = 0
        unsafe base = Self.nowhere
    }

    /// An empty one whose elements never move. Traps when the memory is full.
    init(in memory: ReservedMemory) {
        folder = nil
        reserved = memory
        capacity = memory.size / MemoryLayout<Element>.stride
        unsafe base = memory.start.bindMemory(to: Element.self, capacity: capacity)
    }

    /// Where arrays without memory are: no element is ever there.
    private static var nowhere: UnsafeMutablePointer<Element> {
        unsafe UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment) ?? memory(1)
    }

    /// Memory that can be made larger in place.
    @unsafe
    private static func memory(_ size: Int) -> UnsafeMutablePointer<Element> {
        let memory = unsafe malloc(size) ?? .allocate(byteCount: size, alignment: 16)
        return unsafe memory.assumingMemoryBound(to: Element.self)
    }

    /// An empty one with room for elements.
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

    /// Traps outside of the elements.
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

    /// Appends `element` so often.
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

    /// Forgets all elements; the memory is kept.
    @inline(__always)
    func removeAll() { used = 0 }

    /// Forgets all elements, and gives their memory back.
    func release() {
        used = 0
        freeMemory()
        unsafe base = Self.nowhere
        capacity = 0
        note(0)
    }

    /// Forgets the last elements.
    func removeLast(_ number: Int) {
        precondition(number >= 0 && number <= count, "more than there are")
        used &-= number
    }

    /// Exchanges the elements of two arrays.
    func swap(with other: UnsharedArray<Element>) {
        // No `swap`: that the properties are never handed on is what spares each use a check.
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

    /// Counts the bytes of the array among those of all large ones; none on the disk.
    private func note(_ size: Int) { counted = UnsharedArrayLimit.counted(size, before: counted) }

    /// Gives the array so many elements of any value; who stores there does before anybody reads.
    @inline(__always)
    func resize(_ size: Int) {
        if size > capacity { grow(size - count) }
        used = size
    }
}

/// When a `UnsharedArray` is large.
package enum UnsharedArrayLimit {
    /// Bytes of an array that are in memory of the process at most.
    package static let bytesInMemory = 16 << 20
    /// Bytes of all arrays that are: a file has many where there are many classes with many links.
    private static let bytesOfAll = 128 << 20
    /// Smaller arrays are never on the disk, and do not count.
    static let leastOnDisk = 1 << 18

    private static let total = Atomic<Int>(0)

    /// Whether an array that grows to `size` bytes and counted for `counted` so far should be on the disk.
    static func isExceeded(by size: Int, beside counted: Int) -> Bool {
        size > bytesInMemory || total.load(ordering: .relaxed) - counted + size > bytesOfAll
    }

    /// Counts the bytes of an array of `size` bytes in memory, of which `before` were counted so far.
    ///
    /// - Returns: how many are counted now.
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
        // Most are short: two words that may overlap are all of them.
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

    /// The bytes in `range`, until the next change.
    @inline(__always)
    func view(_ range: Range<Int>) -> ByteView {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside of the array")
        return unsafe ByteView(base: UnsafeRawPointer(base + range.lowerBound), count: range.count)
    }

    /// All bytes, until the next change.
    var view: ByteView { view(0..<count) }
}

extension UnsharedArray where Element == Int64 {
    /// The bits that hold each of the elements (Spec 20).
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
    /// Makes sure that so many bytes behind the elements may be read, whatever they are.
    @inline(__always)
    func reserve(_ size: Int) { if size > capacity &- count { grow(size) } }

    /// Eight bytes from an offset inside on, of which there may be fewer: then eight have been reserved.
    @inline(__always)
    func word(reserved offset: Int) -> UInt64 {
        precondition(offset >= 0 && offset &+ 8 <= capacity, "offset outside of the array")
        return UInt64(
            littleEndian: unsafe UnsafeRawPointer(base).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Appends the next bytes of a run, which has so many.
    func append(from reader: SpillReader, count added: Int) throws(StorageError) {
        if added > capacity &- count { grow(added) }
        used += unsafe try reader.read(into: UnsafeMutableRawPointer(base + count), count: added)
    }

    @inline(__always)
    func payload(from offset: Int) -> NodePayload {
        precondition(offset >= 0 && offset <= count, "offset outside of the array")
        return unsafe NodePayload(UnsafeMutableRawPointer(base + offset))
    }

    /// Appends the four bytes of a word, the highest first.
    @inline(__always)
    func append(bigEndian word: UInt32) {
        if 4 > capacity &- count { grow(4) }
        unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: word.bigEndian, as: UInt32.self)
        used &+= 4
    }
}
