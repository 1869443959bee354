internal import RealmLayout

/// Writes one line of comma-separated values an object (RFC 4180): plain values as text, collections and embedded
/// objects as JSON. Null is an empty field, an empty string a quoted one.
///
/// Fields come in the order of the header, every one of them.
struct CSVSink: DocumentSink, ~Copyable {
    var buffer = ByteBuffer()
    /// Writes what is inside a field's document or array.
    private var json = JSONSink(style: .plain)
    /// How many documents and arrays are open inside the record.
    private var depth = 0
    private var isFirstField = true

    init(hasSafeInts: Bool) { json = JSONSink(style: .plain, hasSafeInts: hasSafeInts) }

    static func preparedKey(_ name: String) -> [UInt8] { JSONSink.preparedKey(name) }

    /// The line with the names of the fields.
    static func header(_ names: [String]) -> [UInt8] {
        var line = ByteBuffer(capacity: 1 << 12)
        for (index, name) in names.enumerated() {
            if index > 0 { line.append(",") }
            ByteView.with(Array(name.utf8)) { appendField($0, to: &line) }
        }
        line.append("\r\n")
        return line.view().bytes
    }

    /// Appends text, in quotes when it holds what ends a field or is empty or begins or ends with a space.
    private static func appendField(_ bytes: ByteView, to buffer: inout ByteBuffer) {
        var needsQuotes = bytes.count == 0 || bytes[0] == 0x20 || bytes[bytes.count - 1] == 0x20
        var quotes = 0
        for offset in 0..<bytes.count {
            switch bytes.byte(unchecked: offset) {
            case UInt8(ascii: "\""): quotes += 1
            case UInt8(ascii: ","), 0x0A, 0x0D: needsQuotes = true
            default: break
            }
        }
        guard needsQuotes || quotes > 0 else { return buffer.append(bytes) }
        buffer.reserve(bytes.count + quotes + 2)
        buffer.store(UInt8(ascii: "\""))
        for offset in 0..<bytes.count {
            let byte = bytes.byte(unchecked: offset)
            if byte == UInt8(ascii: "\"") { buffer.store(byte) }
            buffer.store(byte)
        }
        buffer.store(UInt8(ascii: "\""))
    }

    mutating func beginRecord() -> Int {
        isFirstField = true
        return buffer.count
    }

    mutating func endRecord(_ mark: Int) { buffer.append("\r\n") }

    private mutating func begin() -> Int {
        depth += 1
        return json.beginDocument()
    }

    /// Puts a finished document or array into its field.
    private mutating func finish() {
        depth -= 1
        guard depth == 0 else { return }
        Self.appendField(json.buffer.view(), to: &buffer)
        json.buffer.truncate()
    }

    mutating func beginDocument() -> Int { begin() }

    mutating func endDocument(_ mark: Int) {
        json.endDocument(mark)
        finish()
    }

    mutating func beginArray() -> Int { begin() }

    mutating func endArray(_ mark: Int) {
        json.endArray(mark)
        finish()
    }

    mutating func key(_ prepared: ByteView) {
        if depth > 0 { json.key(prepared) } else { separate() }
    }

    mutating func key(_ name: StaticString) {
        if depth > 0 { json.key(name) } else { separate() }
    }

    private mutating func separate() {
        if !isFirstField { buffer.append(",") }
        isFirstField = false
    }

    mutating func key(dictionary bytes: ByteView) -> LossKind? { json.key(dictionary: bytes) }

    mutating func index(_ index: Int) { json.index(index) }

    mutating func null() {
        if depth > 0 { json.null() }
    }

    mutating func int(_ value: Int64) {
        if depth > 0 { json.int(value) } else { buffer.append(decimal: value) }
    }

    mutating func bool(_ value: Bool) {
        if depth > 0 { json.bool(value) } else { buffer.append(value ? "true" : "false") }
    }

    mutating func double(bits: UInt64) {
        if depth > 0 { return json.double(bits: bits) }
        let value = Double(bitPattern: bits)
        if value.isFinite {
            buffer.append(double: value)
        } else {
            buffer.append(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
        }
    }

    mutating func float(bits: UInt32) {
        if depth > 0 { return json.float(bits: bits) }
        let value = Float(bitPattern: bits)
        if value.isFinite {
            buffer.append(value.description)
        } else {
            double(bits: Float.doubleBits(ofFloatBits: bits))
        }
    }

    mutating func string(_ bytes: ByteView) -> LossKind? {
        if depth > 0 { return json.string(bytes) }
        if bytes.isASCII || bytes.isValidUTF8 {
            Self.appendField(bytes, to: &buffer)
            return nil
        }
        ByteView.with(Array(bytes.repairedString.utf8)) { Self.appendField($0, to: &buffer) }
        return .malformedText
    }

    mutating func binary(_ bytes: ByteView) {
        if depth > 0 { json.binary(bytes) } else { buffer.append(base64: bytes) }
    }

    mutating func timestamp(_ value: Timestamp) -> LossKind? {
        if depth > 0 { return json.timestamp(value) }
        buffer.append(iso8601: value)
        return nil
    }

    mutating func decimal(_ value: Decimal128) {
        if depth > 0 { json.decimal(value) } else { buffer.append(decimal128: value) }
    }

    mutating func objectId(_ bytes: ByteView) {
        if depth > 0 { json.objectId(bytes) } else { buffer.append(hexadecimal: bytes) }
    }

    mutating func uuid(_ bytes: ByteView) {
        if depth > 0 { json.uuid(bytes) } else { buffer.append(uuid: bytes) }
    }
}
