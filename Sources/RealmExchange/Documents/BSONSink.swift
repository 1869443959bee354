internal import RealmLayout

/// Writes BSON documents back to back (bsonspec.org, version 1.1).
///
/// A key is written with its type still open; the value's call fills it in.
struct BSONSink: DocumentSink, ~Copyable {
    /// The element types that Realm values need.
    private enum Element: UInt8 {
        case double = 0x01
        case string = 0x02
        case document = 0x03
        case array = 0x04
        case binary = 0x05
        case objectId = 0x07
        case bool = 0x08
        case date = 0x09
        case null = 0x0A
        case int32 = 0x10
        case int64 = 0x12
        case decimal128 = 0x13
    }

    private enum Subtype: UInt8 {
        case generic = 0x00
        case uuid = 0x04
    }

    var buffer = ByteBuffer()
    /// Whether values that BSON cannot hold are wrapped instead of rounded.
    let isCanonical: Bool
    private var typeOffset = 0

    init(isCanonical: Bool) { self.isCanonical = isCanonical }

    /// A byte for the type, the name, a zero.
    static func preparedKey(_ name: String) -> [UInt8] { [0] + Array(name.utf8) + [0] }

    mutating func beginRecord() -> Int {
        let mark = buffer.count
        buffer.reserve(4)
        buffer.store(UInt32(0))
        return mark
    }

    mutating func endRecord(_ mark: Int) {
        buffer.reserve(1)
        buffer.store(UInt8(0))
        // Lengths beyond 31 bits are refused by the writer of the record.
        buffer.patch(UInt32(truncatingIfNeeded: buffer.count &- mark), at: mark)
    }

    @inline(__always)
    private mutating func set(_ element: Element) { buffer.patch(element.rawValue, at: typeOffset) }

    mutating func beginDocument() -> Int {
        set(.document)
        return beginRecord()
    }

    mutating func endDocument(_ mark: Int) { endRecord(mark) }

    mutating func beginArray() -> Int {
        set(.array)
        return beginRecord()
    }

    mutating func endArray(_ mark: Int) { endRecord(mark) }

    @inline(__always)
    mutating func key(_ prepared: ByteView) {
        buffer.reserve(prepared.count)
        typeOffset = buffer.count
        buffer.storePadded(prepared)
    }

    @inline(__always)
    mutating func key(_ name: StaticString) {
        buffer.reserve(name.utf8CodeUnitCount &+ 2)
        typeOffset = buffer.count
        buffer.store(UInt8(0))
        buffer.store(name)
        buffer.store(UInt8(0))
    }

    mutating func key(dictionary bytes: ByteView) -> LossKind? {
        let escape = KeyEscape(escapesDollar: false, isReversible: isCanonical)
        let needsEscape = escape.isNeeded(bytes)
        buffer.reserve(bytes.count &+ 2)
        typeOffset = buffer.count
        buffer.store(UInt8(0))
        if needsEscape { buffer.append(escape.escaped(bytes)) } else { buffer.store(bytes) }
        buffer.reserve(1)
        buffer.store(UInt8(0))
        return needsEscape && !isCanonical ? .escapedKey : nil
    }

    @inline(__always)
    mutating func index(_ index: Int) {
        buffer.reserve(24)
        typeOffset = buffer.count
        buffer.store(UInt8(0))
        buffer.storeDigits(UInt64(truncatingIfNeeded: index))
        buffer.store(UInt8(0))
    }

    mutating func null() { set(.null) }

    @inline(__always)
    mutating func int(_ value: Int64) {
        set(.int64)
        buffer.reserve(8)
        buffer.store(UInt64(bitPattern: value))
    }

    /// A 32-bit integer, which no Realm value needs, but the documents around them.
    mutating func int32(_ value: Int32) {
        set(.int32)
        buffer.reserve(4)
        buffer.store(UInt32(bitPattern: value))
    }

    @inline(__always)
    mutating func bool(_ value: Bool) {
        set(.bool)
        buffer.reserve(1)
        buffer.store(value ? UInt8(1) : 0)
    }

    @inline(__always)
    mutating func double(bits: UInt64) {
        set(.double)
        buffer.reserve(8)
        buffer.store(bits)
    }

    @inline(__always)
    mutating func float(bits: UInt32) { double(bits: Float.doubleBits(ofFloatBits: bits)) }

    @inline(__always)
    mutating func string(_ bytes: ByteView) -> LossKind? {
        set(.string)
        buffer.reserve(bytes.count &+ 5)
        buffer.store(UInt32(truncatingIfNeeded: bytes.count &+ 1))
        if !buffer.storeIfASCII(bytes) {
            guard bytes.isValidUTF8 else {
                buffer.truncate(to: buffer.count &- 4)
                return malformed(bytes)
            }
            buffer.store(bytes)
        }
        buffer.store(UInt8(0))
        return nil
    }

    @inline(never)
    private mutating func malformed(_ bytes: ByteView) -> LossKind? {
        if isCanonical {
            wrappedText(bytes)
            return nil
        }
        set(.string)
        let repaired = [UInt8](bytes.repairedString.utf8)
        buffer.reserve(5)
        buffer.store(UInt32(truncatingIfNeeded: repaired.count &+ 1))
        buffer.append(repaired)
        buffer.reserve(1)
        buffer.store(UInt8(0))
        return .malformedText
    }

    mutating func binary(_ bytes: ByteView) { store(bytes, subtype: .generic) }

    @inline(__always)
    mutating func uuid(_ bytes: ByteView) { store(bytes, subtype: .uuid) }

    @inline(__always)
    private mutating func store(_ bytes: ByteView, subtype: Subtype) {
        set(.binary)
        buffer.reserve(bytes.count &+ 5)
        buffer.store(UInt32(truncatingIfNeeded: bytes.count))
        buffer.store(subtype.rawValue)
        buffer.store(bytes)
    }

    @inline(__always)
    mutating func timestamp(_ value: Timestamp) -> LossKind? {
        let milliseconds = value.flooredMilliseconds
        guard let milliseconds, value.isWholeMilliseconds else { return inexact(value, milliseconds) }
        set(.date)
        buffer.reserve(8)
        buffer.store(UInt64(bitPattern: milliseconds))
        return nil
    }

    @inline(never)
    private mutating func inexact(_ value: Timestamp, _ milliseconds: Int64?) -> LossKind? {
        if isCanonical {
            wrappedTimestamp(value)
            return nil
        }
        set(.date)
        buffer.reserve(8)
        buffer.store(UInt64(bitPattern: milliseconds ?? (value.seconds < 0 ? .min : .max)))
        return milliseconds == nil ? .timeOutOfRange : .subMilliseconds
    }

    @inline(__always)
    mutating func decimal(_ value: Decimal128) {
        set(.decimal128)
        buffer.reserve(16)
        buffer.store(value.low)
        buffer.store(value.high)
    }

    @inline(__always)
    mutating func objectId(_ bytes: ByteView) {
        set(.objectId)
        buffer.reserve(bytes.count)
        buffer.store(bytes)
    }
}
