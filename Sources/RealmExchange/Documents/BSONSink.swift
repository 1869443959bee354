internal import RealmLayout

/// Writes BSON documents back to back (bsonspec.org, version 1.1).
struct BSONSink: DocumentSink, ~Copyable {
    /// The element types that Realm values need.
    enum Element: UInt8 {
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

    enum Subtype: UInt8 {
        case generic = 0x00
        case uuid = 0x04
    }

    var buffer = ByteBuffer()
    let words = SinkWords(Self.preparedKey)
    /// Whether values that BSON cannot hold are wrapped instead of rounded.
    let isCanonical: Bool
    /// Whether UUIDs are written in .NET byte order.
    var turnsGuids = false
    /// The decoded rows.
    var blocks = BSONBlocks()
    private var scratch = ByteBuffer(capacity: 1 << 10)

    init(isCanonical: Bool) { self.isCanonical = isCanonical }

    /// A byte for the type, the name, and a zero.
    static func preparedKey(_ name: String) -> [UInt8] { [0] + Array(name.utf8) + [0] }

    static func preparedIndex(_ index: Int) -> [UInt8] { preparedKey(String(index)) }

    mutating func prepared(dictionaryKey bytes: ByteView) -> (key: ByteView, loss: LossKind?) {
        let escape = KeyEscape(escapesDollar: isCanonical, isReversible: isCanonical)
        let needsEscape = escape.isNeeded(bytes)
        scratch.truncate()
        scratch.reserve(bytes.count &+ 2)
        scratch.store(UInt8(0))
        if needsEscape { scratch.append(escape.escaped(bytes)) } else { scratch.store(bytes) }
        scratch.reserve(1)
        scratch.store(UInt8(0))
        return (scratch.view(), needsEscape ? escape.loss(of: bytes) : nil)
    }

    mutating func beginRecord() -> Int {
        let mark = buffer.count
        buffer.reserve(4)
        buffer.store(UInt32(0))
        return mark
    }

    @inline(__always)
    mutating func endRecord(_ mark: Int) {
        buffer.reserve(1)
        buffer.store(UInt8(0))
        // The writer of the record rejects lengths beyond 31 bits.
        buffer.patch(UInt32(truncatingIfNeeded: buffer.count &- mark), at: mark)
    }

    /// Writes the key with its type, and reserves room for a value of up to `ByteBuffer.slack` bytes after it.
    @inline(__always)
    private mutating func start(_ key: ByteView, _ element: Element) {
        buffer.reserve(key.count &+ ByteBuffer.slack)
        buffer.store(paddedKey: key, firstByte: element.rawValue)
    }

    @inline(__always)
    mutating func beginDocument(_ key: ByteView) -> Int { begin(key, .document) }

    @inline(__always)
    mutating func endDocument(_ mark: Int) { endRecord(mark) }

    @inline(__always)
    mutating func beginArray(_ key: ByteView) -> Int { begin(key, .array) }

    @inline(__always)
    mutating func endArray(_ mark: Int) { endRecord(mark) }

    @inline(__always)
    private mutating func begin(_ key: ByteView, _ element: Element) -> Int {
        start(key, element)
        let mark = buffer.count
        buffer.store(UInt32(0))
        return mark
    }

    @inline(never)
    mutating func null(_ key: ByteView) { start(key, .null) }

    @inline(never)
    mutating func int(_ key: ByteView, _ value: Int64) {
        start(key, .int64)
        buffer.store(UInt64(bitPattern: value))
    }

    /// Writes a 32-bit integer. No Realm value needs it, only the surrounding documents.
    mutating func int32(_ key: ByteView, _ value: Int32) {
        start(key, .int32)
        buffer.store(UInt32(bitPattern: value))
    }

    @inline(never)
    mutating func bool(_ key: ByteView, _ value: Bool) {
        start(key, .bool)
        buffer.store(value ? UInt8(1) : 0)
    }

    @inline(never)
    mutating func double(_ key: ByteView, bits: UInt64) -> LossKind? {
        start(key, .double)
        buffer.store(bits)
        return nil
    }

    @inline(never)
    mutating func float(_ key: ByteView, bits: UInt32) -> LossKind? {
        double(key, bits: Float.doubleBits(ofFloatBits: bits))
    }

    @inline(never)
    mutating func string(_ key: ByteView, _ bytes: ByteView) -> LossKind? {
        let begin = buffer.count
        start(key, .string)
        buffer.reserve(bytes.count &+ 5)
        buffer.store(UInt32(truncatingIfNeeded: bytes.count &+ 1))
        if !buffer.storeIfASCII(bytes), !storeUTF8(bytes) {
            buffer.truncate(to: begin)
            return malformed(key, bytes)
        }
        buffer.store(UInt8(0))
        return nil
    }

    /// Writes bytes as a string without checking for UTF-8, for documents that are read back.
    mutating func uncheckedString(_ key: ByteView, _ bytes: ByteView) {
        start(key, .string)
        buffer.store(UInt32(truncatingIfNeeded: bytes.count &+ 1))
        buffer.append(bytes.bytes)
        buffer.reserve(1)
        buffer.store(UInt8(0))
    }

    @inline(never)
    private mutating func storeUTF8(_ bytes: ByteView) -> Bool {
        guard bytes.isValidUTF8 else { return false }
        buffer.store(bytes)
        return true
    }

    @inline(never)
    private mutating func malformed(_ key: ByteView, _ bytes: ByteView) -> LossKind? {
        if isCanonical {
            wrappedText(key, bytes)
            return nil
        }
        ByteView.with([UInt8](bytes.repairedString.utf8)) { uncheckedString(key, $0) }
        return .malformedText
    }

    @inline(never)
    mutating func binary(_ key: ByteView, _ bytes: ByteView) { store(key, bytes, subtype: .generic) }

    @inline(never)
    mutating func uuid(_ key: ByteView, _ bytes: ByteView) {
        guard turnsGuids else { return store(key, bytes, subtype: .uuid) }
        ByteView.with(GuidOrder.turned(bytes)) { store(key, $0, subtype: .uuid) }
    }

    @inline(__always)
    private mutating func store(_ key: ByteView, _ bytes: ByteView, subtype: Subtype) {
        start(key, .binary)
        buffer.reserve(bytes.count &+ 5)
        buffer.store(UInt32(truncatingIfNeeded: bytes.count))
        buffer.store(subtype.rawValue)
        buffer.store(bytes)
    }

    @inline(never)
    mutating func timestamp(_ key: ByteView, _ value: Timestamp) -> LossKind? {
        let milliseconds = value.flooredMilliseconds
        guard let milliseconds, value.isWholeMilliseconds else { return inexact(key, value, milliseconds) }
        start(key, .date)
        buffer.store(UInt64(bitPattern: milliseconds))
        return nil
    }

    @inline(never)
    private mutating func inexact(_ key: ByteView, _ value: Timestamp, _ milliseconds: Int64?) -> LossKind? {
        if isCanonical {
            wrappedTimestamp(key, value)
            return nil
        }
        start(key, .date)
        buffer.store(UInt64(bitPattern: milliseconds ?? (value.seconds < 0 ? .min : .max)))
        return milliseconds == nil ? .timeOutOfRange : .subMilliseconds
    }

    @inline(never)
    mutating func decimal(_ key: ByteView, _ value: Decimal128Bits) -> LossKind? {
        start(key, .decimal128)
        buffer.store(value.low)
        buffer.store(value.high)
        return nil
    }

    @inline(never)
    mutating func objectId(_ key: ByteView, _ bytes: ByteView) {
        start(key, .objectId)
        buffer.store(bytes)
    }
}
