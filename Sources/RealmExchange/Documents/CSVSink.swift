internal import RealmCore
internal import RealmLayout

/// Writes one line per object, with values separated by commas or tabs, as RFC 4180 describes but for the line feed at
/// the end of each line, which tools on Unix expect. Plain values become text; collections and embedded objects become
/// JSON. Null is an empty field, an empty string a quoted one.
///
/// Every field of the header is written, in the order of the header.
struct CSVSink: DocumentSink, ~Copyable {
    var buffer = ByteBuffer()
    /// Writes the contents of a document or array inside a field.
    private var json: JSONSink
    var words: SinkWords { json.words }
    /// The number of documents and arrays that are open inside the record.
    private var depth = 0
    private var isFirstField = true
    /// Whether null properties are written inside a field.
    private let keepsNulls: Bool
    /// The separator between fields.
    private let separator: UInt8

    static var comma: UInt8 { UInt8(ascii: ",") }
    static var tab: UInt8 { 0x09 }

    init(separator: UInt8, hasSafeInts: Bool, keepsNulls: Bool, turnsGuids: Bool = false) {
        self.separator = separator
        json = JSONSink(style: .plain, hasSafeInts: hasSafeInts)
        json.turnsGuids = turnsGuids
        self.keepsNulls = keepsNulls
    }

    static func preparedKey(_ name: String) -> [UInt8] { JSONSink.preparedKey(name) }

    /// The line with the names of the fields.
    static func header(_ names: [String], _ separator: UInt8) -> [UInt8] {
        var line = ByteBuffer(capacity: 1 << 12)
        for (index, name) in names.enumerated() {
            if index > 0 {
                line.reserve(1)
                line.store(separator)
            }
            ByteView.with(Array(name.utf8)) { appendField($0, separator, to: &line) }
        }
        line.append("\n")
        return line.view().bytes
    }

    /// Appends text, quoted if it is empty, contains a separator or line break, or begins or ends with a space.
    private static func appendField(_ bytes: ByteView, _ separator: UInt8, to buffer: inout ByteBuffer) {
        var needsQuotes = bytes.count == 0 || bytes[0] == 0x20 || bytes[bytes.count - 1] == 0x20
        var quotes = 0
        for offset in 0..<bytes.count {
            switch bytes.byte(unchecked: offset) {
            case UInt8(ascii: "\""): quotes += 1
            case separator, 0x0A, 0x0D: needsQuotes = true
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

    /// Every value is text in a field of its own.
    func changesType(ofMixed value: MixedValue) -> Bool {
        guard depth == 0 else { return json.changesType(ofMixed: value) }
        return switch value {
        case .null, .string, .float: false
        default: true
        }
    }

    static var hasAllFields: Bool { true }

    func point() -> SinkPoint {
        SinkPoint(count: buffer.count, innerCount: json.buffer.count, depth: depth, isFirstField: isFirstField)
    }

    mutating func rewind(to point: SinkPoint) {
        buffer.truncate(to: point.count)
        json.buffer.truncate(to: point.innerCount)
        (depth, isFirstField) = (point.depth, point.isFirstField)
    }

    mutating func beginRecord() -> Int {
        isFirstField = true
        return buffer.count
    }

    mutating func endRecord(_ mark: Int) { buffer.append("\n") }

    static func preparedIndex(_ index: Int) -> [UInt8] { JSONSink.preparedIndex(index) }

    mutating func prepared(dictionaryKey bytes: ByteView) -> (key: ByteView, loss: LossKind?) {
        json.prepared(dictionaryKey: bytes)
    }

    /// Returns whether the value is a field of its own, and if so writes the separator before it.
    private mutating func isField() -> Bool {
        guard depth == 0 else { return false }
        if !isFirstField {
            buffer.reserve(1)
            buffer.store(separator)
        }
        isFirstField = false
        return true
    }

    /// Moves a finished document or array into its field.
    private mutating func finish() {
        depth -= 1
        guard depth == 0 else { return }
        Self.appendField(json.buffer.view(), separator, to: &buffer)
        json.buffer.truncate()
    }

    @inline(never)
    mutating func beginDocument(_ key: ByteView) -> Int {
        let isField = isField()
        depth += 1
        return json.beginDocument(isField ? words.none : key)
    }

    @inline(never)
    mutating func endDocument(_ mark: Int) {
        json.endDocument(mark)
        finish()
    }

    @inline(never)
    mutating func beginArray(_ key: ByteView) -> Int {
        let isField = isField()
        depth += 1
        return json.beginArray(isField ? words.none : key)
    }

    @inline(never)
    mutating func endArray(_ mark: Int) {
        json.endArray(mark)
        finish()
    }

    @inline(never)
    mutating func null(_ key: ByteView) {
        if !isField() { json.null(key) }
    }

    mutating func nullProperty(_ key: ByteView) {
        if depth == 0 || keepsNulls { null(key) }
    }

    @inline(never)
    mutating func int(_ key: ByteView, _ value: Int64) {
        if isField() { buffer.append(decimal: value) } else { json.int(key, value) }
    }

    @inline(never)
    mutating func bool(_ key: ByteView, _ value: Bool) {
        if isField() { buffer.append(value ? "true" : "false") } else { json.bool(key, value) }
    }

    @inline(never)
    mutating func double(_ key: ByteView, bits: UInt64) -> LossKind? {
        guard isField() else { return json.double(key, bits: bits) }
        append(Double(bitPattern: bits))
        return Double(bitPattern: bits).isPreservedByText ? nil : .numberBits
    }

    private mutating func append(_ value: Double) {
        if value.isFinite {
            buffer.append(double: value)
        } else {
            buffer.append(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
        }
    }

    @inline(never)
    mutating func float(_ key: ByteView, bits: UInt32) -> LossKind? {
        guard isField() else { return json.float(key, bits: bits) }
        let value = Float(bitPattern: bits)
        if value.isFinite { buffer.append(value.description) } else { append(Double(value)) }
        return value.isPreservedByText ? nil : .numberBits
    }

    @inline(never)
    mutating func string(_ key: ByteView, _ bytes: ByteView) -> LossKind? {
        guard isField() else { return json.string(key, bytes) }
        if bytes.isASCII || bytes.isValidUTF8 {
            Self.appendField(bytes, separator, to: &buffer)
            return nil
        }
        ByteView.with(Array(bytes.repairedString.utf8)) { [separator] in Self.appendField($0, separator, to: &buffer) }
        return .malformedText
    }

    @inline(never)
    mutating func binary(_ key: ByteView, _ bytes: ByteView) {
        guard isField() else { return json.binary(key, bytes) }
        // An empty field would mean null.
        if bytes.count == 0 { buffer.append("\"\"") } else { buffer.append(base64: bytes) }
    }

    @inline(never)
    mutating func timestamp(_ key: ByteView, _ value: Timestamp) -> LossKind? {
        guard isField() else { return json.timestamp(key, value) }
        buffer.append(iso8601: value)
        return nil
    }

    @inline(never)
    mutating func decimal(_ key: ByteView, _ value: Decimal128Bits) -> LossKind? {
        guard isField() else { return json.decimal(key, value) }
        buffer.append(decimal128: value)
        return value.isPreservedByText ? nil : .numberBits
    }

    @inline(never)
    mutating func objectId(_ key: ByteView, _ bytes: ByteView) {
        if isField() { buffer.append(hexadecimal: bytes) } else { json.objectId(key, bytes) }
    }

    @inline(never)
    mutating func uuid(_ key: ByteView, _ bytes: ByteView) {
        guard isField() else { return json.uuid(key, bytes) }
        guard json.turnsGuids else { return buffer.append(uuid: bytes) }
        ByteView.with(GuidOrder.turned(bytes)) { buffer.append(uuid: $0) }
    }
}
