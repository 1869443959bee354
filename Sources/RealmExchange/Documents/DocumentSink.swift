internal import RealmLayout

/// Where documents are written: BSON, Extended JSON, JSON or CSV in a buffer.
///
/// A value is written by `key` or `index` followed by one call for the value. Calls that may lose something say what.
protocol DocumentSink: ~Copyable, Sendable {
    var buffer: ByteBuffer { get set }

    /// The bytes of a property's name as `key(_:)` takes them.
    static func preparedKey(_ name: String) -> [UInt8]

    /// Begins a document of the output, which is not inside another.
    mutating func beginRecord() -> Int
    /// Ends it; `mark` is what `beginRecord` returned.
    mutating func endRecord(_ mark: Int)

    mutating func beginDocument() -> Int
    mutating func endDocument(_ mark: Int)
    mutating func beginArray() -> Int
    mutating func endArray(_ mark: Int)

    mutating func key(_ prepared: ByteView)
    mutating func key(_ name: StaticString)
    /// Writes the key of a dictionary's entry, escaped as the target needs it.
    mutating func key(dictionary bytes: ByteView) -> LossKind?
    mutating func index(_ index: Int)

    mutating func null()
    mutating func int(_ value: Int64)
    mutating func bool(_ value: Bool)
    mutating func double(bits: UInt64)
    mutating func float(bits: UInt32)
    /// Writes a Float inside a Mixed so that it stays one.
    mutating func wrappedFloat(bits: UInt32)
    mutating func string(_ bytes: ByteView) -> LossKind?
    mutating func binary(_ bytes: ByteView)
    mutating func timestamp(_ value: Timestamp) -> LossKind?
    mutating func decimal(_ value: Decimal128)
    mutating func objectId(_ bytes: ByteView)
    mutating func uuid(_ bytes: ByteView)
}

extension DocumentSink where Self: ~Copyable {
    /// Writes `{"$realm": {name: …}}` around what `body` writes: a value that plain BSON cannot hold.
    mutating func wrapped(_ name: StaticString, _ body: (inout Self) -> Void) {
        let outer = beginDocument()
        key("$realm")
        let inner = beginDocument()
        key(name)
        body(&self)
        endDocument(inner)
        endDocument(outer)
    }

    mutating func wrappedFloat(bits: UInt32) {
        wrapped("float") { $0.float(bits: bits) }
    }

    /// Writes a string that is not UTF-8 as its bytes.
    mutating func wrappedText(_ bytes: ByteView) {
        wrapped("utf8") { $0.binary(bytes) }
    }

    /// Writes a time to the nanosecond.
    mutating func wrappedTimestamp(_ value: Timestamp) {
        wrapped("timestamp") { sink in
            let mark = sink.beginDocument()
            sink.key("s")
            sink.int(value.seconds)
            sink.key("ns")
            sink.int(Int64(value.nanoseconds))
            sink.endDocument(mark)
        }
    }
}

extension Float {
    /// The double with the same value; a NaN keeps its sign, its quiet bit and its payload.
    @inline(__always)
    static func doubleBits(ofFloatBits bits: UInt32) -> UInt64 {
        let value = Float(bitPattern: bits)
        guard value.isNaN else { return Double(value).bitPattern }
        return UInt64(bits & 0x8000_0000) &<< 32 | 0x7FF0_0000_0000_0000 | UInt64(bits & 0x7F_FFFF) &<< 29
    }
}
