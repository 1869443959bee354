internal import CLibBSON
internal import RealmCore
package import RealmLayout

/// Walks documents and the documents nested in them.
///
/// Elements of the usual types are read in place (`BSONPlace`). All others, and anything that looks broken, are decoded
/// by libbson.
///
/// This is one of the few types of this target that access memory, with `KeyTable` and `InputBuffer`.
@safe
package final class BSONCursor {
    /// Maximum nesting depth of documents and arrays.
    static let levels = 256

    private let iterator: OpaquePointer
    private let element: UnsafeMutablePointer<realmfile_bson_element>
    private var start = ByteView.empty

    package init() {
        unsafe iterator = realmfile_bson_iterator_new()
        unsafe element = .allocate(capacity: 1)
        unsafe element.initialize(to: realmfile_bson_element())
    }

    deinit {
        unsafe bson_free(UnsafeMutableRawPointer(iterator))
        unsafe element.deallocate()
    }

    /// Starts on a document; level 0 is the outermost.
    ///
    /// - Throws: `malformed` for an invalid frame, `tooDeep`.
    @inline(__always)
    package func begin(_ level: Int, _ document: ByteView) throws(DocumentError) -> BSONPlace {
        guard level < Self.levels else {
            throw DocumentError(.tooDeep, "more than \(Self.levels) levels of documents and arrays")
        }
        if level == 0 { start = document }
        guard let place = BSONPlace(document) else {
            throw malformed(document, "a document of \(document.count) bytes whose length or end is wrong")
        }
        return place
    }

    /// Returns the next element of a document, or nil after the last.
    ///
    /// - Throws: `malformed`.
    @inline(__always)
    package func next(_ place: inout BSONPlace) throws(DocumentError) -> BSONElement? {
        if place.isAtEnd { return nil }
        if let element = place.plainElement() { return element }
        return try checkedElement(&place)
    }

    /// Returns the next element as decoded by libbson alone.
    ///
    /// - Throws: `malformed`.
    @inline(never)
    package func checkedElement(_ place: inout BSONPlace) throws(DocumentError) -> BSONElement? {
        let document = place.document
        let result = unsafe realmfile_bson_element_at(
            iterator, document.base, document.count, place.offset, element)
        guard result > 0 else {
            if result == 0 { return nil }
            let broken = unsafe element.pointee.value.map { unsafe ByteView(base: $0, count: 0) }
            throw malformed(broken ?? start, "an element that is broken, or of no known type")
        }
        place = place.advanced(to: unsafe Int(element.pointee.next))
        return unsafe BSONElement(
            key: ByteView(base: element.pointee.key, count: Int(element.pointee.key_length)),
            value: ByteView(base: element.pointee.value, count: Int(element.pointee.value_length)),
            code: element.pointee.type, subtype: element.pointee.subtype)
    }

    /// The offset of a view within the document's bytes.
    func offset(of view: ByteView) -> Int {
        let offset = unsafe view.base - start.base
        return offset >= 0 && offset <= start.count ? offset : 0
    }

    @inline(never)
    private func malformed(_ place: ByteView, _ detail: String) -> DocumentError {
        DocumentError(.malformed, at: offset(of: place), detail)
    }
}

/// A document that libbson converted from Extended JSON.
@safe
final class ParsedDocument {
    private let document: OpaquePointer
    /// Its BSON bytes.
    let view: ByteView

    /// Parses one document.
    ///
    /// - Throws: `malformed`, `tooDeep`.
    init(extendedJSON text: ByteView) throws(DocumentError) {
        var message = [CChar](repeating: 0, count: 256)
        guard
            let document = unsafe realmfile_bson_from_json(
                text.base.assumingMemoryBound(to: UInt8.self), text.count, &message, message.count)
        else {
            let reason = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            // libbson's own message for a NUL in a name is unhelpful.
            if text.repairedString.contains("\\u0000") {
                throw DocumentError(
                    .malformed, "NUL in a name, which Extended JSON cannot have; --format json reads it")
            }
            if reason.contains("LEVELS_EXCEEDED") {
                throw DocumentError(
                    .tooDeep, "more than 98 levels of documents and arrays; --format json reads more of them")
            }
            throw ExtendedJSONLiterals.refused(text)
                ?? DocumentError(.malformed, "not Extended JSON\(reason.isEmpty ? "" : ": \(reason.singleLine)")")
        }
        unsafe self.document = document
        unsafe view = ByteView(base: bson_get_data(document), count: realmfile_bson_length(document))
    }

    deinit { unsafe bson_destroy(document) }
}
