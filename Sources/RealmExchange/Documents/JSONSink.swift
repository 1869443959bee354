internal import RealmCore
internal import RealmLayout

/// A way to spell values in JSON.
enum JSONStyle: Equatable, Sendable {
    /// Extended JSON v2 with every type spelled out.
    case canonical
    /// Extended JSON v2 with plain numbers and dates.
    case relaxed
    /// Plain JSON: values without a JSON type become text.
    case plain
}

/// Writes JSON documents, one per line (RFC 8259), or Extended JSON v2 (MongoDB's specification).
///
/// Every key and element begins with a comma. When a document or array ends, its first comma is overwritten by the
/// opening bracket, so no state has to be kept.
struct JSONSink: DocumentSink, ~Copyable {
    var buffer = ByteBuffer()
    let words = SinkWords(Self.preparedKey)
    private var scratch = ByteBuffer(capacity: 1 << 10)
    let style: JSONStyle
    /// Whether values that JSON cannot hold are wrapped instead of rounded.
    let isCanonical: Bool
    /// Whether integers beyond 2^53 are strings in plain JSON.
    let hasSafeInts: Bool
    /// Whether UUIDs are written in .NET byte order.
    var turnsGuids = false

    /// The comma before each record of an array; the first one is overwritten by the bracket.
    let separator: UInt8?

    init(style: JSONStyle, isCanonical: Bool = false, hasSafeInts: Bool = false, separator: UInt8? = nil) {
        self.separator = separator
        self.style = style
        self.isCanonical = isCanonical
        self.hasSafeInts = hasSafeInts
    }

    /// `,"name":` with the name escaped.
    static func preparedKey(_ name: String) -> [UInt8] {
        var text = ByteBuffer(capacity: 256)
        ByteView.with(Array(name.utf8)) { _ = text.append(jsonString: $0) }
        return [UInt8(ascii: ",")] + text.view().bytes + [UInt8(ascii: ":")]
    }

    func changesType(ofMixed value: MixedValue) -> Bool {
        guard style == .plain else { return false }
        return switch value {
        case .binary, .timestamp, .decimal128, .objectId, .uuid: true
        case .int(let value): isText(value)
        case .double(let bits): !Double(bitPattern: bits).isFinite
        case .null, .bool, .float, .string, .link, .list, .dictionary: false
        }
    }

    /// Whether an integer is a string in plain JSON.
    private func isText(_ value: Int64) -> Bool { hasSafeInts && value.magnitude > 1 << 53 }

    mutating func beginRecord() -> Int {
        if let separator {
            buffer.reserve(1)
            buffer.store(separator)
        }
        return buffer.count
    }

    mutating func endRecord(_ mark: Int) {
        endDocument(mark)
        buffer.reserve(1)
        buffer.store(UInt8(ascii: "\n"))
    }

    static func preparedIndex(_ index: Int) -> [UInt8] { [UInt8(ascii: ",")] }

    mutating func prepared(dictionaryKey bytes: ByteView) -> (key: ByteView, loss: LossKind?) {
        let escape = KeyEscape(escapesDollar: style != .plain, isReversible: isCanonical)
        let needsEscape = style == .plain ? false : escape.isNeeded(bytes)
        scratch.truncate()
        scratch.reserve(1)
        scratch.store(UInt8(ascii: ","))
        var loss: LossKind?
        if needsEscape {
            loss = escape.loss(of: bytes)
            ByteView.with(Array(escape.escaped(bytes).utf8)) { _ = scratch.append(jsonString: $0) }
        } else if !scratch.append(jsonString: bytes) {
            loss = .malformedText
        }
        scratch.reserve(1)
        scratch.store(UInt8(ascii: ":"))
        return (scratch.view(), loss)
    }

    /// Writes the key, and reserves room for a value of up to 64 bytes after it.
    @inline(__always)
    mutating func start(_ key: ByteView) {
        buffer.reserve(key.count &+ 64)
        buffer.store(paddedKey: key)
    }

    @inline(__always)
    mutating func beginDocument(_ key: ByteView) -> Int {
        start(key)
        return buffer.count
    }

    @inline(__always)
    mutating func endDocument(_ mark: Int) { end(mark, UInt8(ascii: "{"), UInt8(ascii: "}")) }

    @inline(__always)
    mutating func beginArray(_ key: ByteView) -> Int {
        start(key)
        return buffer.count
    }

    @inline(__always)
    mutating func endArray(_ mark: Int) { end(mark, UInt8(ascii: "["), UInt8(ascii: "]")) }

    @inline(__always)
    private mutating func end(_ mark: Int, _ open: UInt8, _ close: UInt8) {
        buffer.reserve(2)
        if buffer.count == mark { buffer.store(open) } else { buffer.patch(open, at: mark) }
        buffer.store(close)
    }

    @inline(never)
    mutating func null(_ key: ByteView) {
        start(key)
        buffer.store("null")
    }

    @inline(never)
    mutating func bool(_ key: ByteView, _ value: Bool) {
        start(key)
        if value { buffer.store("true") } else { buffer.store("false") }
    }

    @inline(never)
    mutating func int(_ key: ByteView, _ value: Int64) {
        guard style == .canonical else { return plainInt(key, value) }
        start(key)
        buffer.store("{\"$numberLong\":\"")
        buffer.store(decimal: value)
        buffer.store("\"}")
    }

    @inline(never)
    private mutating func plainInt(_ key: ByteView, _ value: Int64) {
        start(key)
        if style == .plain, isText(value) {
            buffer.store("\"")
            buffer.store(decimal: value)
            buffer.store("\"")
        } else {
            buffer.store(decimal: value)
        }
    }

    @inline(never)
    mutating func string(_ key: ByteView, _ bytes: ByteView) -> LossKind? {
        let begin = buffer.count
        buffer.reserve(key.count &+ bytes.count &+ 2)
        buffer.store(paddedKey: key)
        if buffer.store(plainJSONString: bytes) { return nil }
        buffer.truncate(to: begin)
        return otherString(key, bytes)
    }

    /// Writes a string that has non-ASCII or escaped characters, or that is not UTF-8.
    @inline(never)
    private mutating func otherString(_ key: ByteView, _ bytes: ByteView) -> LossKind? {
        if isCanonical, !bytes.isValidUTF8 {
            wrappedText(key, bytes)
            return nil
        }
        start(key)
        return buffer.appendRest(ofJSONString: bytes) ? nil : .malformedText
    }

    @inline(never)
    mutating func binary(_ key: ByteView, _ bytes: ByteView) {
        start(key)
        if style == .plain {
            quoted { $0.append(base64: bytes) }
        } else {
            extendedBinary(bytes, subtype: "00")
        }
    }

    @inline(never)
    mutating func uuid(_ key: ByteView, _ bytes: ByteView) {
        start(key)
        guard !turnsGuids else {
            let turned = GuidOrder.turned(bytes)
            return ByteView.with(turned) { writeUUID($0) }
        }
        writeUUID(bytes)
    }

    private mutating func writeUUID(_ bytes: ByteView) {
        if style == .plain {
            quoted { $0.append(uuid: bytes) }
        } else {
            extendedBinary(bytes, subtype: "04")
        }
    }

    private mutating func extendedBinary(_ bytes: ByteView, subtype: StaticString) {
        buffer.store("{\"$binary\":{\"base64\":\"")
        buffer.append(base64: bytes)
        buffer.reserve(24)
        buffer.store("\",\"subType\":\"")
        buffer.store(subtype)
        buffer.store("\"}}")
    }

    @inline(never)
    mutating func objectId(_ key: ByteView, _ bytes: ByteView) {
        start(key)
        if style == .plain {
            buffer.store("\"")
            buffer.store(hexadecimal: bytes)
            buffer.store("\"")
        } else {
            buffer.store("{\"$oid\":\"")
            buffer.store(hexadecimal: bytes)
            buffer.store("\"}")
        }
    }

    @inline(__always)
    private mutating func quoted(_ body: (inout ByteBuffer) -> Void) {
        buffer.reserve(1)
        buffer.store("\"")
        body(&buffer)
        buffer.reserve(1)
        buffer.store("\"")
    }
}
