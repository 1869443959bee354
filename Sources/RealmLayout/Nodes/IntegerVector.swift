/// The elements of a node of width type "bits": packed integers of 0, 1, 2, 4, 8, 16, 32 or 64 bits (Spec 20).
///
/// Every element lies inside one aligned 8-byte word, because each width divides 64 and payloads are padded to whole
/// words. So one load, one shift and one mask read an element of any width without a branch; width 0 reads a word of
/// zeros.
@usableFromInline
package struct IntegerVector: Sendable, BitwiseCopyable {
    /// The first word; for width 0 a word of zeros.
    @usableFromInline let words: UnsafeWords
    @usableFromInline let storedCount: UInt32
    @usableFromInline let storedWidth: UInt8

    /// Number of elements.
    @inlinable @inline(__always)
    package var count: Int { Int(truncatingIfNeeded: storedCount) }
    /// Bits an element: 0, 1, 2, 4, 8, 16, 32 or 64.
    @inlinable @inline(__always)
    package var width: Int { Int(truncatingIfNeeded: storedWidth) }

    /// No elements.
    @inlinable package static var empty: IntegerVector { IntegerVector(width: 0, count: 0, payload: .zeroWord) }

    /// Views `count` elements of `width` bits.
    ///
    /// - Parameters:
    ///   - width: 0, 1, 2, 4, 8, 16, 32 or 64.
    ///   - count: at most 2^24 - 1, as nodes count.
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

    /// The word with element `index`, and the element's place in it.
    @inlinable @inline(__always)
    func word(_ index: Int) -> (word: UInt64, shift: UInt64) {
        let bit = index &* width
        return (words[(bit &>> 6) &<< 3], UInt64(truncatingIfNeeded: bit) & 63)
    }

    /// The eight bytes with element `index`, which the caller has proven to be below `count`.
    @inlinable @inline(__always)
    package func word(with index: Int) -> ByteView { words.view(at: ((index &* width) &>> 6) &<< 3) }

    /// The bits of element `index`, which the caller has proven to be below `count`, as an unsigned number.
    @inlinable @inline(__always)
    package func unsigned(unchecked index: Int) -> UInt64 {
        let (word, shift) = word(index)
        // The highest bit of the element to the highest of the word, then all of it down. Width 0 shifts zeros by 0.
        let unused = 64 &- UInt64(truncatingIfNeeded: width)
        return ((word &>> shift) &<< unused) &>> unused
    }

    /// Element `index`, which the caller has proven to be below `count`.
    @inlinable @inline(__always)
    package subscript(unchecked index: Int) -> Int64 {
        let (word, shift) = word(index)
        let unused = 64 &- UInt64(truncatingIfNeeded: width)
        let top = (word &>> shift) &<< unused
        // Widths below 8 hold unsigned numbers, the others two's complement.
        let signed = Int64(bitPattern: top) &>> Int64(bitPattern: unused)
        return width < 8 ? Int64(bitPattern: top &>> unused) : signed
    }

    /// Element `index` of a vector of 8 bits an element, below `count`; the same for 16, 32 and 64 bits.
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

    /// Hands out `count` elements from `first` on, which the caller has proven to be there, with their places from 0 on: for
    /// loops over many, which decide once about the width.
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
            // 1, 2 or 4 bits: a word has many, which are shifted out one after the other.
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

    /// A bit for each of `count` elements from `first` on, at most 64, which the caller has proven to be there: 1 for those
    /// that are not 0.
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

    /// Whether each element, of which there are mostly few, is the number that `number` has for its index. One may be asked for
    /// more than once: so up to four are compared without a decision about how many there are.
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

    /// Element `index`; traps outside `0 ..< count` (a mistake of the caller, never of a file).
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
    /// The largest index whose element, read unsigned, is at most `key`; nil when all are greater.
    ///
    /// The elements must ascend; where they do not, some index in range comes back.
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
