internal import CLibBSON
internal import RealmLayout
internal import RealmReader

/// The types of BSON elements (bsonspec.org, version 1.1).
enum BSONType: UInt8, BitwiseCopyable {
    case double = 0x01
    case string = 0x02
    case document = 0x03
    case array = 0x04
    case binary = 0x05
    case undefined = 0x06
    case objectId = 0x07
    case bool = 0x08
    case date = 0x09
    case null = 0x0A
    case regularExpression = 0x0B
    case pointer = 0x0C
    case code = 0x0D
    case symbol = 0x0E
    case codeWithScope = 0x0F
    case int32 = 0x10
    case timestamp = 0x11
    case int64 = 0x12
    case decimal128 = 0x13
    case maximumKey = 0x7F
    case minimumKey = 0xFF

    /// The type in words.
    var words: String {
        switch self {
        case .double: "a double"
        case .string: "a string"
        case .document: "a document"
        case .array: "an array"
        case .binary: "a binary"
        case .undefined: "undefined"
        case .objectId: "an objectId"
        case .bool: "a bool"
        case .date: "a date"
        case .null: "null"
        case .regularExpression: "a regular expression"
        case .pointer: "a DBPointer"
        case .code: "code"
        case .symbol: "a symbol"
        case .codeWithScope: "code with scope"
        case .int32: "an int32"
        case .timestamp: "an internal timestamp"
        case .int64: "an int64"
        case .decimal128: "a decimal128"
        case .maximumKey: "MaxKey"
        case .minimumKey: "MinKey"
        }
    }
}

/// An element of a BSON document: views of its bytes.
struct BSONElement: BitwiseCopyable {
    let key: ByteView
    /// The value without its length; of a string without the zero at its end, of a document or array all of it.
    let value: ByteView
    /// The type as it is in the document, one that there is.
    let code: UInt8
    /// Of a binary.
    let subtype: UInt8

    var type: BSONType { BSONType(rawValue: code) ?? .undefined }

    /// Whether the element has a type; quicker than what the type is.
    @inline(__always)
    func isOf(_ type: BSONType) -> Bool { code == type.rawValue }

    /// The number of a value of eight bytes.
    @inline(__always) var word: UInt64 { value.uint64(unchecked: 0) }
    @inline(__always) var int64: Int64 { Int64(bitPattern: word) }
    @inline(__always) var int32: Int32 { Int32(bitPattern: value.uint32(unchecked: 0)) }
    @inline(__always) var bool: Bool { value.byte(unchecked: 0) != 0 }
    @inline(__always) var decimal: Decimal128 { Decimal128(high: value.uint64(unchecked: 8), low: word) }

    /// An integer of either size.
    @inline(__always)
    var integer: Int64? {
        isOf(.int64) ? int64 : isOf(.int32) ? Int64(int32) : nil
    }

    /// Whether this is a document that begins with an element of that name.
    func begins(with name: StaticName) -> Bool {
        // A length of four bytes and a type come before the first name.
        guard isOf(.document), value.count > 5 + name.text.count else { return false }
        let start = value.slice(unchecked: 5, count: name.text.count)
        return start.isSame(as: name.text) && value.byte(unchecked: 5 &+ name.text.count) == 0
    }
}

/// Walks documents and the documents inside them, one level an iterator of libbson.
///
/// With `KeyTable` and `InputBuffer` among the few types of this target that touch memory.
@safe
final class BSONCursor {
    /// Documents and arrays inside each other that are walked.
    static let levels = 256

    private let iterators: OpaquePointer
    private let element: UnsafeMutablePointer<realmfile_bson_element>
    private var start = ByteView.empty

    init() {
        unsafe iterators = realmfile_bson_levels_new(Self.levels)
        unsafe element = .allocate(capacity: 1)
        unsafe element.initialize(to: realmfile_bson_element())
    }

    deinit {
        unsafe bson_free(UnsafeMutableRawPointer(iterators))
        unsafe element.deallocate()
    }

    /// Starts on a document; level 0 is the outermost.
    ///
    /// - Throws: `malformed` for a broken frame, `tooDeep`.
    @inline(__always)
    func begin(_ level: Int, _ document: ByteView) throws(DocumentError) {
        guard level < Self.levels else {
            throw DocumentError(.tooDeep, "more than \(Self.levels) levels of documents and arrays")
        }
        if level == 0 { start = document }
        guard unsafe realmfile_bson_begin(iterators, level, document.base, document.count) else {
            throw malformed(document, "a document of \(document.count) bytes whose length or end is wrong")
        }
    }

    /// The next element of the document at a level; nil after the last.
    ///
    /// - Throws: `malformed`.
    @inline(__always)
    func next(_ level: Int) throws(DocumentError) -> BSONElement? {
        let result = unsafe realmfile_bson_next(iterators, level, element)
        guard result > 0 else {
            if result == 0 { return nil }
            throw brokenElement()
        }
        return unsafe BSONElement(
            key: ByteView(base: element.pointee.key, count: Int(element.pointee.key_length)),
            value: ByteView(base: element.pointee.value, count: Int(element.pointee.value_length)),
            code: element.pointee.type, subtype: element.pointee.subtype)
    }

    @inline(never)
    private func brokenElement() -> DocumentError {
        let place = unsafe element.pointee.value.map { unsafe ByteView(base: $0, count: 0) }
        return malformed(place ?? start, "an element that is broken, or of no known type")
    }

    /// Where a view of the document's bytes begins.
    func offset(of view: ByteView) -> Int {
        let offset = unsafe view.base - start.base
        return offset >= 0 && offset <= start.count ? offset : 0
    }

    private func malformed(_ place: ByteView, _ detail: String) -> DocumentError {
        DocumentError(.malformed, at: offset(of: place), detail)
    }
}

/// A document that libbson made of Extended JSON.
@safe
final class ParsedDocument {
    private let document: OpaquePointer
    /// Its BSON bytes.
    let view: ByteView

    /// Parses one document.
    ///
    /// - Throws: `malformed`.
    init(extendedJSON text: ByteView) throws(DocumentError) {
        var message = [CChar](repeating: 0, count: 256)
        guard
            let document = unsafe realmfile_bson_from_json(
                text.base.assumingMemoryBound(to: UInt8.self), text.count, &message, message.count)
        else {
            let reason = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw DocumentError(.malformed, reason.isEmpty ? "no Extended JSON" : reason.singleLine)
        }
        unsafe self.document = document
        unsafe view = ByteView(base: bson_get_data(document), count: realmfile_bson_length(document))
    }

    deinit { unsafe bson_destroy(document) }
}
