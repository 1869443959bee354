internal import CLibBSON
internal import RealmLayout
internal import RealmSystem

/// Fixed memory for trivial values, accessed by index and in place. Use `UnsharedArray` of `RealmCore` for arrays
/// that grow or may be spilled to disk: its fields for location and size would cost an extra load per access here.
@safe
final class UncheckedArray<Element: BitwiseCopyable>: @unchecked Sendable {
    fileprivate let base: UnsafeMutablePointer<Element>
    let count: Int

    /// Allocates elements that must be written before they are read. Untouched pages cost nothing.
    init(count: Int) {
        self.count = count
        let size = max(count, 1) * MemoryLayout<Element>.stride
        let memory = unsafe malloc(size) ?? .allocate(byteCount: size, alignment: 16)
        unsafe base = memory.bindMemory(to: Element.self, capacity: max(count, 1))
    }

    /// Allocates zeroed memory; zero bytes must be a valid element.
    init(zeroed count: Int) {
        self.count = count
        let size = max(count, 1) * MemoryLayout<Element>.stride
        let memory = unsafe calloc(1, size) ?? .allocate(byteCount: size, alignment: 16)
        unsafe base = memory.bindMemory(to: Element.self, capacity: max(count, 1))
    }

    convenience init(_ elements: [Element]) {
        self.init(count: elements.count)
        unsafe elements.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            unsafe base.initialize(from: start, count: source.count)
        }
    }

    deinit { unsafe free(base) }

    @inline(__always)
    subscript(index: Int) -> Element {
        unsafeAddress {
            precondition(index >= 0 && index < count)
            return unsafe UnsafePointer(base + index)
        }
        unsafeMutableAddress {
            precondition(index >= 0 && index < count)
            return unsafe base + index
        }
    }

    /// The element of a table, in an array with one element per table.
    @inline(__always)
    subscript(position: TablePosition) -> Element { self[position.number] }
}

extension ByteView {
    /// Prefetches the memory of a byte without waiting. Any offset is allowed; invalid addresses are ignored.
    @inline(__always)
    func prefetch(_ offset: Int) {
        let address = unsafe UInt(bitPattern: base) &+ UInt(bitPattern: offset)
        unsafe realmfile_prefetch(UnsafeRawPointer(bitPattern: address))
    }
}

/// The elements of an array without a reference to it, which saves one load per access. The user must keep the array
/// alive.
@safe
struct UncheckedSpan<Element: BitwiseCopyable>: @unchecked Sendable, BitwiseCopyable {
    private let base: UnsafeMutablePointer<Element>

    /// Views all elements of `slab`.
    init(_ slab: UncheckedArray<Element>) { unsafe base = slab.base }

    /// The element at an index that the caller has proven valid.
    @inline(__always)
    subscript(unchecked index: Int) -> Element {
        unsafeAddress { unsafe UnsafePointer(base + index) }
        nonmutating unsafeMutableAddress { unsafe base + index }
    }

    /// The element of a table, in an array with one element per table.
    @inline(__always)
    subscript(unchecked position: TablePosition) -> Element {
        unsafeAddress { unsafe UnsafePointer(base + position.number) }
        nonmutating unsafeMutableAddress { unsafe base + position.number }
    }

    /// The elements after the first `elements`.
    @inline(__always)
    func advanced(by elements: Int) -> UncheckedSpan { unsafe UncheckedSpan(base + elements) }

    /// The elements from that of a table on.
    @inline(__always)
    func advanced(to position: TablePosition) -> UncheckedSpan { unsafe UncheckedSpan(base + position.number) }

    @unsafe
    private init(_ base: UnsafeMutablePointer<Element>) { unsafe self.base = unsafe base }

    /// The first element.
    @inline(__always)
    var first: Element {
        unsafeAddress { unsafe UnsafePointer(base) }
        nonmutating unsafeMutableAddress { unsafe base }
    }

    /// Prefetches the memory of an element without waiting.
    @inline(__always)
    func prefetch(_ index: Int) { unsafe realmfile_prefetch(base + index) }
}

/// Room for one key at a time.
@safe
struct ScratchKey: ~Copyable, @unchecked Sendable {
    private var buffer = ByteBuffer(capacity: 64)

    /// Copies `bytes`; the view is valid until the next call.
    mutating func prepare(_ bytes: [UInt8]) -> ByteView {
        buffer.truncate()
        buffer.append(bytes)
        return buffer.view()
    }
}

/// Short byte strings in memory owned by the table, each followed by room for whole-word copies.
@safe
package final class KeyTable: @unchecked Sendable {
    private var blocks: [KeyBlock] = []

    package init() {}

    /// Copies `bytes`; the view is valid as long as the table lives.
    func add(_ bytes: [UInt8]) -> ByteView {
        let size = (bytes.count + 15) / 16 * 16 + ByteBuffer.slack
        let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        unsafe bytes.withUnsafeBytes { source in
            guard let start = source.baseAddress else { return }
            unsafe block.copyMemory(from: start, byteCount: source.count)
        }
        blocks.append(unsafe KeyBlock(start: block))
        return unsafe ByteView(base: UnsafeRawPointer(block), count: bytes.count)
    }

    /// Calls `body` with a padded view of `bytes` that is valid only during the call.
    static func with<R>(_ bytes: [UInt8], _ body: (ByteView) -> R) -> R {
        let table = KeyTable()
        return withExtendedLifetime(table) { body(table.add(bytes)) }
    }

    deinit {
        for block in blocks { block.deallocate() }
    }

    @safe
    private struct KeyBlock {
        let start: UnsafeMutableRawPointer

        func deallocate() { unsafe start.deallocate() }
    }
}
