/// The elements of a node of width type "bits": packed integers of 0, 1, 2, 4, 8, 16, 32 or 64 bits (Spec 20).
///
/// Every element lies inside one aligned 8-byte word, because each width divides 64 and payloads are padded to whole
/// words. One load, one shift and one mask therefore read an element of any width without a branch; width 0 reads a
/// word of zeros.
@usableFromInline
package struct IntegerVector: Sendable, BitwiseCopyable {
    /// The first word; for width 0 a word of zeros.
    @usableFromInline let words: UnsafeWords
    @usableFromInline let storedCount: UInt32
    @usableFromInline let storedWidth: UInt8

    /// Number of elements.
    @inlinable @inline(__always)
    package var count: Int { Int(truncatingIfNeeded: storedCount) }
    /// Bits per element: 0, 1, 2, 4, 8, 16, 32 or 64.
    @inlinable @inline(__always)
    package var width: Int { Int(truncatingIfNeeded: storedWidth) }

    /// No elements.
    @inlinable package static var empty: IntegerVector { IntegerVector(width: 0, count: 0, payload: .zeroWord) }

    /// Makes a view of `count` elements of `width` bits.
    ///
    /// - Parameters:
    ///   - width: 0, 1, 2, 4, 8, 16, 32 or 64.
    ///   - count: at most 2^24 - 1, the limit of a node's count.
    ///   - payload: the payload including its padding, proven by the caller to have at least `count * width` bits
    ///     rounded up to whole 8-byte words. Not used for width 0.
    @inlinable
    package init(width: Int, count: Int, payload: ByteView) {
        words = UnsafeWords(width == 0 ? .zeroWord : payload)
        storedCount = UInt32(truncatingIfNeeded: count)
        storedWidth = UInt8(truncatingIfNeeded: width)
    }

    /// Bytes of the payload with its padding.
    @inlinable @inline(__always)
    package var paddedSize: Int { ((count &* width &+ 63) &>> 6) &<< 3 }

    /// The word that contains element `index`, and the element's bit offset in it.
    @inlinable @inline(__always)
    func word(_ index: Int) -> (word: UInt64, shift: UInt64) {
        let bit = index &* width
        return (words[(bit &>> 6) &<< 3], UInt64(truncatingIfNeeded: bit) & 63)
    }

    /// The eight bytes that contain element `index`, which the caller has proven to be below `count`.
    @inlinable @inline(__always)
    package func word(with index: Int) -> ByteView { words.view(at: ((index &* width) &>> 6) &<< 3) }

    /// The bytes from the one on in which element `index` begins, up to the end of its word. The caller has proven that
    /// the element exists.
    package func bytes(of index: Int) -> ByteView {
        let bit = index &* width
        let skipped = (bit & 63) &>> 3
        return word(with: index).slice(unchecked: skipped, count: 8 &- skipped)
    }

    /// The bits of element `index`, which the caller has proven to be below `count`, as an unsigned number.
    @inlinable @inline(__always)
    package func unsigned(unchecked index: Int) -> UInt64 {
        let (word, shift) = word(index)
        // Shifts the element's highest bit to the top of the word, then the element down. Width 0 shifts zeros by 0.
        let unused = 64 &- UInt64(truncatingIfNeeded: width)
        return ((word &>> shift) &<< unused) &>> unused
    }

    /// Element `index`, which the caller has proven to be below `count`.
    @inlinable @inline(__always)
    package subscript(unchecked index: Int) -> Int64 {
        let (word, shift) = word(index)
        let unused = 64 &- UInt64(truncatingIfNeeded: width)
        let top = (word &>> shift) &<< unused
        // Widths below 8 hold unsigned numbers, the rest two's complement.
        let signed = Int64(bitPattern: top) &>> Int64(bitPattern: unused)
        return width < 8 ? Int64(bitPattern: top &>> unused) : signed
    }

    /// Element `index`, below `count`, of a vector of 8 bits per element; likewise for 16, 32 and 64 bits.
    @inlinable @inline(__always)
    package func int8(unchecked index: Int) -> Int64 {
        Int64(Int8(truncatingIfNeeded: words.byte(at: index)))
    }

    @inlinable @inline(__always)
    package func int16(unchecked index: Int) -> Int64 {
        Int64(Int16(truncatingIfNeeded: words.uint16(at: index &* 2)))
    }

    @inlinable @inline(__always)
    package func int32(unchecked index: Int) -> Int64 {
        Int64(Int32(truncatingIfNeeded: words.uint32(at: index &* 4)))
    }

    @inlinable @inline(__always)
    package func int64(unchecked index: Int) -> Int64 { Int64(bitPattern: words[index &* 8]) }

    /// Calls `body` with `count` elements from `first` on, which the caller has proven to exist, and their indexes
    /// counted from 0. The width is dispatched on once, for loops over many elements.
    @inlinable @inline(__always)
    package func forEach(unchecked first: Int, count: Int, _ body: (Int, Int64) -> Void) {
        var index = 0
        switch width {
        case 0:
            while index < count {
                body(index, 0)
                index &+= 1
            }
        case 8:
            while index < count {
                body(index, int8(unchecked: first &+ index))
                index &+= 1
            }
        case 16:
            while index < count {
                body(index, int16(unchecked: first &+ index))
                index &+= 1
            }
        case 32:
            while index < count {
                body(index, int32(unchecked: first &+ index))
                index &+= 1
            }
        case 64:
            while index < count {
                body(index, int64(unchecked: first &+ index))
                index &+= 1
            }
        default:
            guard count > 0 else { return }
            // 1, 2 or 4 bits: a word has many elements, which are shifted out one by one.
            let mask: UInt64 = (1 &<< UInt64(truncatingIfNeeded: width)) &- 1
            var bit = first &* width
            var word = words[(bit &>> 6) &<< 3] &>> (UInt64(truncatingIfNeeded: bit) & 63)
            while true {
                body(index, Int64(bitPattern: word & mask))
                index &+= 1
                guard index < count else { return }
                bit &+= width
                word = bit & 63 == 0 ? words[bit &>> 3] : word &>> UInt64(truncatingIfNeeded: width)
            }
        }
    }

    /// Returns one bit for each of `count` elements from `first` on, at most 64: 1 for those that are not 0. The caller
    /// has proven that the elements exist.
    @inlinable @inline(__always)
    package func nonzero(unchecked first: Int, count: Int) -> UInt64 {
        var bits: UInt64 = 0
        guard width == 1 else {
            forEach(unchecked: first, count: count) { index, element in
                bits |= (element != 0 ? 1 : 0) &<< UInt64(truncatingIfNeeded: index)
            }
            return bits
        }
        guard count > 0 else { return 0 }
        let shift = UInt64(truncatingIfNeeded: first) & 63
        bits = words[(first &>> 6) &<< 3] &>> shift
        if first & 63 &+ count > 64 { bits |= words[((first &>> 6) &+ 1) &<< 3] &<< (64 &- shift) }
        return bits & (UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- count))
    }

    /// Whether each element equals the number that `number` returns for its index. Vectors are usually short, so up to
    /// four elements are compared without branching on the count; `number` may be called more than once for an index.
    @inlinable @inline(__always)
    package func isEqual(_ number: (Int) -> Int64) -> Bool {
        // The usual width of object keys.
        if width == 32, 1...4 ~= count {
            let last = count &- 1
            let (second, third) = (min(1, last), min(2, last))
            let difference =
                (int32(unchecked: 0) ^ number(0)) | (int32(unchecked: second) ^ number(second))
                | (int32(unchecked: third) ^ number(third)) | (int32(unchecked: last) ^ number(last))
            return difference == 0
        }
        var index = 0
        while index < count, self[unchecked: index] == number(index) { index &+= 1 }
        return index == count
    }

    /// Element `index`; traps outside `0 ..< count` (a caller's mistake, never a file's).
    @inlinable
    package subscript(index: Int) -> Int64 {
        precondition(index >= 0 && index < count, "element index outside the vector")
        return self[unchecked: index]
    }

    /// Element `index` as an unsigned number, or nil outside `0 ..< count`.
    @inlinable
    package func unsigned(at index: Int) -> UInt64? {
        guard index >= 0, index < count else { return nil }
        return unsigned(unchecked: index)
    }

    /// Element `index`, or nil outside `0 ..< count`.
    @inlinable
    package func element(at index: Int) -> Int64? {
        guard index >= 0, index < count else { return nil }
        return self[unchecked: index]
    }

    /// The elements as numbers, in order.
    package var elements: [Int64] {
        var elements: [Int64] = []
        elements.reserveCapacity(count)
        forEach(unchecked: 0, count: count) { elements.append($1) }
        return elements
    }
}

extension IntegerVector {
    /// The largest index whose element, read as unsigned, is at most `key`; nil when all are greater.
    ///
    /// The elements must ascend; otherwise the result is an arbitrary index in range.
    @inlinable
    package func lastIndex(unsignedAtMost key: UInt64) -> Int? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) &>> 1
            if unsigned(unchecked: middle) <= key { low = middle &+ 1 } else { high = middle }
        }
        return low == 0 ? nil : low &- 1
    }
}
