internal import RealmCore
internal import RealmLayout

/// An output format for documents: writes BSON, Extended JSON, JSON or CSV to a buffer.
///
/// Every value is passed with its key in the form that the sink prepared beforehand, so that key and value need only
/// one reservation and one advance in the buffer. Calls that may lose information return the kind of loss.
protocol DocumentSink: ~Copyable, Sendable {
    var buffer: ByteBuffer { get set }
    /// The keys of wrappers and references.
    var words: SinkWords { get }

    /// The bytes of a property's name in the form that value calls expect.
    static func preparedKey(_ name: String) -> [UInt8]
    /// The bytes that an array element begins with.
    static func preparedIndex(_ index: Int) -> [UInt8]
    /// Prepares the key of a dictionary entry, escaped for the target. The result is valid until the next call.
    mutating func prepared(dictionaryKey bytes: ByteView) -> (key: ByteView, loss: LossKind?)

    /// Whether each record has all fields, even those without a value.
    static var hasAllFields: Bool { get }
    /// The current position of the output.
    func point() -> SinkPoint
    /// Discards all output after a point of the same record.
    mutating func rewind(to point: SinkPoint)

    /// Begins a top-level document.
    mutating func beginRecord() -> Int
    /// Ends it; `mark` is the result of `beginRecord`.
    mutating func endRecord(_ mark: Int)

    mutating func beginDocument(_ key: ByteView) -> Int
    mutating func endDocument(_ mark: Int)
    mutating func beginArray(_ key: ByteView) -> Int
    mutating func endArray(_ mark: Int)

    mutating func null(_ key: ByteView)
    /// Writes a null property, if the sink keeps null properties.
    mutating func nullProperty(_ key: ByteView)
    mutating func int(_ key: ByteView, _ value: Int64)
    mutating func bool(_ key: ByteView, _ value: Bool)
    mutating func double(_ key: ByteView, bits: UInt64) -> LossKind?
    mutating func float(_ key: ByteView, bits: UInt32) -> LossKind?
    /// Whether a value of Mixed would be read back as another type if it were written next. Floats are checked
    /// elsewhere.
    func changesType(ofMixed value: MixedValue) -> Bool
    /// Writes a Float inside a Mixed so that its type is preserved.
    mutating func wrappedFloat(_ key: ByteView, bits: UInt32)
    mutating func string(_ key: ByteView, _ bytes: ByteView) -> LossKind?
    mutating func binary(_ key: ByteView, _ bytes: ByteView)
    mutating func timestamp(_ key: ByteView, _ value: Timestamp) -> LossKind?
    mutating func decimal(_ key: ByteView, _ value: Decimal128Bits) -> LossKind?
    mutating func objectId(_ key: ByteView, _ bytes: ByteView)
    mutating func uuid(_ key: ByteView, _ bytes: ByteView)

    /// Writes objects of a class as top-level documents. This is the hot loop of every export; sinks may provide a
    /// faster one.
    ///
    /// - Parameter rows: Rows of the cluster that `fields` belongs to.
    /// - Throws: `FormatError` with class, property and object in its path.
    static func writeRows(
        _ writer: inout DocumentWriter<Self>, _ fields: ObjectFields, _ cluster: Cluster, _ rows: Range<Int>
    ) throws(FormatError)
    /// Writes the fields of an object of an embedded class; sinks may provide a faster implementation.
    static func writeFields(
        _ writer: inout DocumentWriter<Self>, _ place: ObjectLocator.Place, _ position: TablePosition, owner: ObjectKey,
        depth: Int
    ) throws(FormatError)
}

/// A position in the output of a sink.
struct SinkPoint: BitwiseCopyable {
    /// The number of bytes in the buffer.
    var count: Int
    /// The same for the JSON inside a field, and the number of documents and arrays open there.
    var innerCount = 0
    var depth = 0
    var isFirstField = false
}

/// The prepared keys that a sink needs besides those of properties.
struct SinkWords: Sendable {
    let realm: ByteView
    let key: ByteView
    let float: ByteView
    let double: ByteView
    let decimal: ByteView
    let utf8: ByteView
    let timestamp: ByteView
    let link: ByteView
    let seconds: ByteView
    let nanoseconds: ByteView
    let ref: ByteView
    let id: ByteView
    /// The empty key. Keys are copied in whole words, so an arbitrary empty view does not work.
    let none: ByteView
    /// Keeps the bytes of the keys alive.
    private let table: KeyTable

    init(_ prepared: (String) -> [UInt8]) {
        let table = KeyTable()
        func word(_ text: String) -> ByteView { table.add(prepared(text)) }
        realm = word("$realm")
        key = word("key")
        float = word("float")
        double = word("double")
        decimal = word("decimal")
        utf8 = word("utf8")
        timestamp = word("timestamp")
        link = word("link")
        seconds = word("s")
        nanoseconds = word("ns")
        ref = word("$ref")
        id = word("$id")
        none = table.add([])
        self.table = table
    }
}

extension DocumentSink where Self: ~Copyable {
    static func writeRows(
        _ writer: inout DocumentWriter<Self>, _ fields: ObjectFields, _ cluster: Cluster, _ rows: Range<Int>
    ) throws(FormatError) {
        try writer.writeRows(fields, cluster, rows)
    }

    static func writeFields(
        _ writer: inout DocumentWriter<Self>, _ place: ObjectLocator.Place, _ position: TablePosition, owner: ObjectKey,
        depth: Int
    ) throws(FormatError) {
        let fields = writer.locator.fields(at: place, of: position)
        try writer.writeFields(fields, place.row, owner: owner, depth: depth)
    }

    mutating func nullProperty(_ key: ByteView) { null(key) }

    static var hasAllFields: Bool { false }

    func point() -> SinkPoint { SinkPoint(count: buffer.count) }

    mutating func rewind(to point: SinkPoint) { buffer.truncate(to: point.count) }

    @inline(__always)
    func changesType(ofMixed value: MixedValue) -> Bool { false }

    /// Writes `{"$realm": {…}}`: a value that plain BSON cannot hold.
    mutating func wrapped(_ key: ByteView, _ body: (inout Self) -> Void) {
        let outer = beginDocument(key)
        let inner = beginDocument(words.realm)
        body(&self)
        endDocument(inner)
        endDocument(outer)
    }

    mutating func wrappedFloat(_ key: ByteView, bits: UInt32) {
        wrapped(key) { _ = $0.float($0.words.float, bits: bits) }
    }

    /// Writes a string that is not UTF-8 as its bytes.
    mutating func wrappedText(_ key: ByteView, _ bytes: ByteView) {
        wrapped(key) { $0.binary($0.words.utf8, bytes) }
    }

    /// Writes a time with nanosecond precision.
    mutating func wrappedTimestamp(_ key: ByteView, _ value: Timestamp) {
        wrapped(key) { sink in
            let mark = sink.beginDocument(sink.words.timestamp)
            sink.int(sink.words.seconds, value.seconds)
            sink.int(sink.words.nanoseconds, Int64(value.nanoseconds))
            sink.endDocument(mark)
        }
    }

    /// Writes a link by the object key of its target, which has no primary key value or is not in the file.
    mutating func wrappedLink(_ key: ByteView, _ target: ObjectKey) {
        wrapped(key) { $0.int($0.words.link, target.value) }
    }

    /// Writes `"$realm": {"key": …}`: the object key of a document whose `_id` is something else.
    mutating func objectKey(_ key: ObjectKey) {
        let mark = beginDocument(words.realm)
        int(words.key, key.value)
        endDocument(mark)
    }
}

extension Float {
    /// The double with the same value. A NaN keeps its sign, quiet bit and payload.
    @inline(__always)
    static func doubleBits(ofFloatBits bits: UInt32) -> UInt64 {
        let value = Float(bitPattern: bits)
        guard value.isNaN else { return Double(value).bitPattern }
        return UInt64(bits & 0x8000_0000) &<< 32 | 0x7FF0_0000_0000_0000 | UInt64(bits & 0x7F_FFFF) &<< 29
    }
}
