internal import RealmLayout

/// A way to spell values in JSON.
enum JSONStyle: Equatable, Sendable {
    /// Extended JSON v2 with every type spelled out.
    case canonical
    /// Extended JSON v2 with plain numbers and dates.
    case relaxed
    /// Plain JSON: what has no JSON type becomes text.
    case plain
}

/// Writes JSON documents, one a line (RFC 8259), or Extended JSON v2 (MongoDB's specification).
///
/// Every key and element begins with a comma; the first one of a document or array is overwritten by the bracket when
/// it ends. So nothing has to be remembered on the way.
struct JSONSink: DocumentSink, ~Copyable {
    var buffer = ByteBuffer()
    let style: JSONStyle
    /// Whether values that JSON cannot hold are wrapped instead of rounded.
    let isCanonical: Bool
    /// Whether integers beyond 2^53 are strings in plain JSON.
    let hasSafeInts: Bool

    /// What stands before each record: the comma of an array, whose first one becomes the bracket.
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

    @inline(__always)
    mutating func beginDocument() -> Int { buffer.count }

    @inline(__always)
    mutating func endDocument(_ mark: Int) { end(mark, UInt8(ascii: "{"), UInt8(ascii: "}")) }

    @inline(__always)
    mutating func beginArray() -> Int { buffer.count }

    @inline(__always)
    mutating func endArray(_ mark: Int) { end(mark, UInt8(ascii: "["), UInt8(ascii: "]")) }

    @inline(__always)
    private mutating func end(_ mark: Int, _ open: UInt8, _ close: UInt8) {
        buffer.reserve(2)
        if buffer.count == mark { buffer.store(open) } else { buffer.patch(open, at: mark) }
        buffer.store(close)
    }

    @inline(__always)
    mutating func key(_ prepared: ByteView) {
        buffer.reserve(prepared.count)
        buffer.storePadded(prepared)
    }

    @inline(__always)
    mutating func key(_ name: StaticString) {
        buffer.reserve(name.utf8CodeUnitCount &+ 4)
        buffer.store(",\"")
        buffer.store(name)
        buffer.store("\":")
    }

    mutating func key(dictionary bytes: ByteView) -> LossKind? {
        let escape = KeyEscape(escapesDollar: style != .plain, isReversible: isCanonical)
        buffer.reserve(1)
        buffer.store(UInt8(ascii: ","))
        let needsEscape = style == .plain ? false : escape.isNeeded(bytes)
        var isValid = true
        if needsEscape {
            ByteView.with(Array(escape.escaped(bytes).utf8)) { _ = buffer.append(jsonString: $0) }
        } else {
            isValid = buffer.append(jsonString: bytes)
        }
        buffer.reserve(1)
        buffer.store(UInt8(ascii: ":"))
        return !isValid ? .malformedText : needsEscape && !isCanonical ? .escapedKey : nil
    }

    @inline(__always)
    mutating func index(_ index: Int) {
        buffer.reserve(1)
        buffer.store(UInt8(ascii: ","))
    }

    mutating func null() {
        buffer.reserve(4)
        buffer.store("null")
    }

    @inline(__always)
    mutating func bool(_ value: Bool) {
        buffer.reserve(5)
        if value { buffer.store("true") } else { buffer.store("false") }
    }

    @inline(__always)
    mutating func int(_ value: Int64) {
        buffer.reserve(48)
        if style == .canonical {
            buffer.store("{\"$numberLong\":\"")
            buffer.append(decimal: value)
            buffer.store("\"}")
        } else if hasSafeInts, value.magnitude > 1 << 53 {
            buffer.store("\"")
            buffer.append(decimal: value)
            buffer.store("\"")
        } else {
            buffer.append(decimal: value)
        }
    }

    @inline(__always)
    mutating func string(_ bytes: ByteView) -> LossKind? {
        if isCanonical, !bytes.isASCII, !bytes.isValidUTF8 {
            wrappedText(bytes)
            return nil
        }
        return buffer.append(jsonString: bytes) ? nil : .malformedText
    }

    mutating func binary(_ bytes: ByteView) {
        if style == .plain {
            quoted { $0.append(base64: bytes) }
        } else {
            buffer.reserve(24)
            buffer.store("{\"$binary\":{\"base64\":\"")
            buffer.append(base64: bytes)
            buffer.reserve(24)
            buffer.store("\",\"subType\":\"00\"}}")
        }
    }

    mutating func uuid(_ bytes: ByteView) {
        if style == .plain {
            quoted { $0.append(uuid: bytes) }
        } else {
            buffer.reserve(24)
            buffer.store("{\"$binary\":{\"base64\":\"")
            buffer.append(base64: bytes)
            buffer.reserve(24)
            buffer.store("\",\"subType\":\"04\"}}")
        }
    }

    @inline(__always)
    mutating func objectId(_ bytes: ByteView) {
        buffer.reserve(48)
        if style != .plain { buffer.store("{\"$oid\":") }
        buffer.store("\"")
        buffer.append(hexadecimal: bytes)
        buffer.reserve(2)
        buffer.store("\"")
        if style != .plain { buffer.store("}") }
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
