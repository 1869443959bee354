package import RealmLayout

/// A position in a document.
///
/// Reads elements of the usual types in place. Each is checked against the document's end like in libbson, so that the
/// results agree with libbson's. In case of doubt nothing is returned, and the position is unchanged.
package struct BSONPlace: BitwiseCopyable {
    /// The whole document, with its length at the beginning and the zero at its end.
    package let document: ByteView
    /// The offset of the next element, always before the document's end.
    package private(set) var offset = 4

    /// Returns nil for a document whose length or end is wrong.
    @inline(__always)
    package init?(_ document: ByteView) {
        guard document.count >= 5, document.count <= Int(Int32.max),
            Int(document.uint32(unchecked: 0)) == document.count, document.byte(unchecked: document.count &- 1) == 0
        else { return nil }
        self.document = document
    }

    /// Whether there are no more elements.
    @inline(__always) package var isAtEnd: Bool { offset &+ 1 == document.count }

    /// Returns the position after an element that was decoded elsewhere, and that ends before the document.
    func advanced(to offset: Int) -> BSONPlace {
        precondition(offset > self.offset && offset < document.count, "no place of an element")
        var place = self
        place.offset = offset
        return place
    }

    /// Returns the next element, or nil if it is not of a usual type or may be broken.
    @inline(__always)
    package mutating func plainElement() -> BSONElement? {
        var keyEnd = offset &+ 1
        while keyEnd &+ 8 <= document.count {
            let word = document.uint64(unchecked: keyEnd)
            // The lowest set bit marks the first zero byte.
            let zeros = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
            if zeros != 0 { return plainElement(keyEnd: keyEnd &+ zeros.trailingZeroBitCount &>> 3) }
            keyEnd &+= 8
        }
        return nil
    }

    /// Returns the next element if it has that name, or nil if it has another, is not of a usual type, or may be
    /// broken.
    ///
    /// Transparent, like the functions it calls: the optimiser does not inline a function of this size into a large
    /// caller, and the element would go through memory.
    @_transparent
    package mutating func plainElement(named name: BSONName) -> BSONElement? {
        let start = offset &+ 1
        guard start &+ name.room <= document.count, document.uint64(unchecked: start) & name.mask == name.first else {
            return nil
        }
        if name.count > 8 {
            guard document.uint64(unchecked: start &+ name.count &- 8) == name.last else { return nil }
            if name.count > 16 {
                guard document.slice(unchecked: start, count: name.count).isSame(as: name.text) else { return nil }
            }
        }
        return plainElement(keyEnd: start &+ name.count &- 1)
    }

    /// Returns the next element, whose name is terminated by a zero at `keyEnd`.
    @_transparent
    private mutating func plainElement(keyEnd: Int) -> BSONElement? {
        let code = document.byte(unchecked: offset)
        var start = keyEnd &+ 1
        let size: Int
        var end: Int
        var subtype: UInt8 = 0
        switch code {
        case BSONType.int64.rawValue, BSONType.double.rawValue, BSONType.date.rawValue:
            size = 8
            end = start &+ 8
        case BSONType.string.rawValue:
            guard let length = length(at: start), length > 0 else { return nil }
            start &+= 4
            size = length &- 1
            end = start &+ length
            guard end < document.count, document.byte(unchecked: end &- 1) == 0 else { return nil }
        case BSONType.document.rawValue, BSONType.array.rawValue:
            guard let length = length(at: start), length >= 5 else { return nil }
            size = length
            end = start &+ length
        case BSONType.null.rawValue:
            size = 0
            end = start
        case BSONType.objectId.rawValue:
            size = 12
            end = start &+ 12
        case BSONType.decimal128.rawValue:
            size = 16
            end = start &+ 16
        case BSONType.int32.rawValue:
            size = 4
            end = start &+ 4
        case BSONType.bool.rawValue:
            size = 1
            end = start &+ 1
            guard end < document.count, document.byte(unchecked: start) < 2 else { return nil }
        case BSONType.binary.rawValue:
            guard let length = length(at: start), start &+ 5 < document.count else { return nil }
            subtype = document.byte(unchecked: start &+ 4)
            // Subtype 2 has a second length.
            guard subtype != 2 else { return nil }
            start &+= 5
            size = length
            end = start &+ length
        default: return nil
        }
        guard end < document.count else { return nil }
        let key = document.slice(unchecked: offset &+ 1, count: keyEnd &- offset &- 1)
        offset = end
        return BSONElement(
            key: key, value: document.slice(unchecked: start, count: size), code: code, subtype: subtype)
    }

    /// The length stored at an offset; nil if the document ends before it.
    @_transparent
    private func length(at offset: Int) -> Int? {
        offset &+ 4 < document.count ? Int(document.uint32(unchecked: offset)) : nil
    }
}

// The object key at the end of documents of a canonical export.
extension BSONPlace {
    /// Size of `{"$realm": {"key": int64}}` with its type, and of the zero at the document's end.
    private static let sizeAtEnd = 27
    /// A document's type and `$realm` with a zero, starting at the lowest byte.
    private static let field: UInt64 = 0x00_6D_6C_61_65_72_24_03
    /// An int64's type and `key`.
    private static let keyStart: UInt32 = 0x79_65_6B_12

    /// Returns the object key if it is the next and last element, in the form that exports write, and moves to the end.
    @inline(__always)
    package mutating func objectKeyAtEnd() -> ObjectKey? {
        guard document.count &- offset == Self.sizeAtEnd, let key = Self.objectKey(atEndOf: document) else {
            return nil
        }
        offset = document.count &- 1
        return key
    }

    /// The object key at the end of a document; nil if it does not have the form that exports write.
    @inline(__always)
    package static func objectKey(atEndOf document: ByteView) -> ObjectKey? {
        let start = document.count &- sizeAtEnd
        guard start >= 4, document.uint64(unchecked: start) == field else { return nil }
        return objectKey(in: document.slice(unchecked: start &+ 8, count: 18))
    }

    /// The object key in a document that has only an int64 called `key`; nil for others.
    @inline(__always)
    static func objectKey(in document: ByteView) -> ObjectKey? {
        // A length of four bytes, a type, a name with its zero, eight bytes and a zero.
        guard document.count == 18, document.uint32(unchecked: 0) == 18,
            document.uint32(unchecked: 4) == keyStart, document.byte(unchecked: 8) == 0,
            document.byte(unchecked: 17) == 0
        else { return nil }
        return ObjectKey(Int64(bitPattern: document.uint64(unchecked: 9)))
    }
}

/// A name that elements are expected to have.
package struct BSONName: BitwiseCopyable {
    /// The name with a terminating zero, as in documents.
    fileprivate let text: ByteView
    fileprivate let count: Int
    /// Minimum number of bytes from the name to the document's end. Names with a zero, which cannot occur, require an
    /// impossible number.
    fileprivate let room: Int
    /// The first eight bytes as a number, and the mask of the significant bits.
    fileprivate let first: UInt64
    fileprivate let mask: UInt64
    /// The last eight bytes of a name of at least that length.
    fileprivate let last: UInt64

    /// - Parameter table: The owner of the bytes.
    package init(_ name: String, in table: KeyTable) {
        let bytes = Array(name.utf8)
        text = table.add(bytes + [0])
        count = text.count
        room = bytes.contains(0) ? .max / 2 : max(8, count)
        mask = count < 8 ? 1 &<< UInt64(8 * count) &- 1 : .max
        first = count < 8 ? text.shortWord : text.uint64(unchecked: 0)
        last = count < 8 ? 0 : text.uint64(unchecked: count &- 8)
    }
}
