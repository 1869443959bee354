internal import RealmSystem

/// Memory of arrays with millions of elements. A system that gives it page by page is asked for each of them when it is touched first: of
/// what takes some milliseconds to fill that is half of the time.
@usableFromInline
package enum LargePages {
    /// Smaller memory is mostly some that the process has used before.
    @usableFromInline static let least = 1 << 22
    private static let page = 1 << 12

    /// Asks for large pages, where the system has them for who asks, in memory that nobody has touched.
    @usableFromInline
    static func ask(_ start: UnsafeMutableRawPointer, _ size: Int) {
        #if os(Linux)
            guard size >= least else { return }
            // Whole pages: what is in front of them and behind them is others'.
            let before = (page - Int(bitPattern: start) % page) % page
            unsafe madvise(start + before, (size - before) / page * page, MADV_HUGEPAGE)
        #endif
    }
}

extension Array where Element: BitwiseCopyable {
    /// An array without elements that has room for so many.
    @inlinable
    package static func withRoom(for count: Int) -> [Element] {
        // Without elements the library would store a count of 0 in what all empty arrays share.
        guard count > 0 else { return [] }
        return unsafe [Element](unsafeUninitializedCapacity: count) { memory, initialized in
            if let start = memory.baseAddress {
                unsafe LargePages.ask(UnsafeMutableRawPointer(start), count &* MemoryLayout<Element>.stride)
            }
            initialized = 0
        }
    }

    /// The same as `Array(repeating:count:)`.
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

    /// The same as `map`.
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
