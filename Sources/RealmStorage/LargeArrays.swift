internal import RealmSystem

/// Memory of arrays with millions of elements. With small pages, the first touch of each page costs a call of the
/// system, which is half of the time that filling the array takes.
@usableFromInline
package enum LargePages {
    /// Smaller memory usually has been used by the process before.
    @usableFromInline static let least = 1 << 22
    private static let page = 1 << 12

    /// Requests large pages, where the system has them on request, for untouched memory.
    @usableFromInline
    static func ask(_ start: UnsafeMutableRawPointer, _ size: Int) {
        #if os(Linux)
            guard size >= least else { return }
            // Whole pages only: the memory before and after them belongs to others.
            let before = (page - Int(bitPattern: start) % page) % page
            unsafe madvise(start + before, (size - before) / page * page, MADV_HUGEPAGE)
        #endif
    }
}

extension Array where Element: BitwiseCopyable {
    /// Creates an empty array with room for `count` elements.
    @inlinable
    package static func withRoom(for count: Int) -> [Element] {
        // For no elements, the library would store a count of 0 in the storage that all empty arrays share.
        guard count > 0 else { return [] }
        return unsafe [Element](unsafeUninitializedCapacity: count) { memory, initialized in
            if let start = memory.baseAddress {
                unsafe LargePages.ask(UnsafeMutableRawPointer(start), count &* MemoryLayout<Element>.stride)
            }
            initialized = 0
        }
    }

    /// Equivalent to `Array(repeating:count:)`.
    @inlinable
    package static func large(repeating element: Element, count: Int) -> [Element] {
        guard count > 0 else { return [] }
        return unsafe [Element](unsafeUninitializedCapacity: count) { memory, initialized in
            if let start = memory.baseAddress {
                unsafe LargePages.ask(UnsafeMutableRawPointer(start), count &* MemoryLayout<Element>.stride)
            }
            unsafe memory.initialize(repeating: element)
            initialized = count
        }
    }

    /// Equivalent to `map`.
    @inlinable @inline(__always)
    package static func large<Source>(of sources: [Source], _ transform: (Source) -> Element) -> [Element] {
        guard !sources.isEmpty else { return [] }
        return unsafe [Element](unsafeUninitializedCapacity: sources.count) { memory, initialized in
            if let start = memory.baseAddress {
                unsafe LargePages.ask(
                    UnsafeMutableRawPointer(start), sources.count &* MemoryLayout<Element>.stride)
            }
            var count = 0
            for source in sources {
                unsafe memory.initializeElement(at: count, to: transform(source))
                count &+= 1
            }
            initialized = count
        }
    }
}
