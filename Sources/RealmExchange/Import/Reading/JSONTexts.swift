internal import RealmLayout
internal import RealmStorage

/// Splits a stream of JSON into the texts of its outermost objects. Examines only brackets, quotes, digits and escapes.
///
/// Objects may be separated by white space and commas, and enclosed in the brackets of an array. Integers that exceed
/// 64 bits get a fraction, so that they are read as the doubles that programs meant; parsers would return other
/// integers for them.
final class JSONTexts {
    private let input: InputBuffer
    private var current = 0
    private(set) var number = -1
    /// The fields of the last object with integers that were rounded to doubles, one entry per integer.
    private(set) var roundedFields: [String] = []
    /// The fields of the last object with escaped lone surrogates (`\ud83d`), one entry per escape. They come from
    /// texts cut in the middle of a character, and were replaced by U+FFFD.
    private(set) var repairedFields: [String] = []
    private var isAtStart = true
    /// Whether an array of objects has begun and not ended.
    private var isInArray = false
    /// The offset of that array.
    private var arrayOffset = 0
    /// The last text, if it was changed.
    private var changed = GrowingBytes()
    /// The last text as it is in the file.
    var original: ByteView { input.view(current) }

    init(_ input: InputBuffer) { self.input = input }

    var name: String { input.name }
    /// The offset of the last object.
    var offset: Int { input.offset }

    /// More than a document of 2 GiB takes as text.
    private static var longestText: Int { 8 << 30 }

    /// Returns the text of the next object, or nil after the last. It is valid until the next call.
    func next() throws(ImportError) -> ByteView? {
        input.advance(current)
        current = 0
        guard try skipToObject() else { return nil }
        number += 1
        var depth = 0
        var isInString = false
        var isEscaped = false
        var scanned = 0
        var integers = IntegerScan()
        var hasSurrogates = false
        while true {
            let count = try input.available(scanned + 1)
            guard count > scanned else { throw unended(input.view(count)) }
            guard count < Self.longestText else {
                throw located(DocumentError(.tooLarge, "an object of more than 8 GiB"), 0)
            }
            let view = input.view(count)
            while scanned < count {
                let byte = view.byte(unchecked: scanned)
                scanned += 1
                if isInString {
                    if isEscaped {
                        isEscaped = false
                        // Lone surrogates are identified once the text is complete.
                        if byte == UInt8(ascii: "u") { hasSurrogates = true }
                    } else if byte == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if byte == UInt8(ascii: "\"") {
                        isInString = false
                    }
                    continue
                }
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    integers.end(view, scanned - 1)
                    depth -= 1
                    if depth == 0 {
                        current = scanned
                        return text(view.slice(unchecked: 0, count: scanned), integers, hasSurrogates)
                    }
                default: integers.add(byte, view, scanned - 1)
                }
            }
        }
    }

    /// The text with a fraction appended to each oversized integer, and U+FFFD in place of lone surrogates.
    private func text(_ view: ByteView, _ integers: IntegerScan, _ hasSurrogates: Bool) -> ByteView {
        if !roundedFields.isEmpty { roundedFields = [] }
        if !repairedFields.isEmpty { repairedFields = [] }
        let halves = hasSurrogates ? LoneSurrogates.found(in: view) : []
        guard !integers.tooLarge.isEmpty || !halves.isEmpty else { return view }
        roundedFields = Self.fields(of: view, at: integers.tooLarge.filter { !$0.isKept }.map(\.end))
        repairedFields = Self.fields(of: view, at: halves.map(\.string))
        let fractions = integers.tooLarge.map { (offset: $0.end, taken: 0, text: StaticString(".0")) }
        let changes = fractions + halves.map { (offset: $0.offset, taken: 6, text: StaticString("\\ufffd")) }
        changed.truncate()
        var start = 0
        for change in changes.inOrder(by: { $0.offset < $1.offset }) {
            changed.append(view.slice(unchecked: start, count: change.offset - start))
            for byte in change.text.description.utf8 { changed.append(byte) }
            start = change.offset + change.taken
        }
        changed.append(view.slice(unchecked: start, count: view.count - start))
        return changed.view
    }

    /// The names of the outermost fields that contain the given places, in ascending order: one entry per place.
    private static func fields(of view: ByteView, at places: [Int]) -> [String] {
        var names: [String] = []
        var (offset, depth, nameStart, nameEnd) = (0, 0, 0, 0)
        for place in places {
            while offset < place {
                switch view.byte(unchecked: offset) {
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                case UInt8(ascii: "\""):
                    let start = offset
                    offset = closingMark(ofStringAt: start, in: view, before: place)
                    // A string value at this depth is not a name, but the next name comes before any number.
                    if depth == 1 { (nameStart, nameEnd) = (start, offset + 1) }
                default: break
                }
                offset += 1
            }
            // A place in a name belongs to that field, not to the previous one.
            if depth == 1, let end = endOfName(at: place, in: view) { (nameStart, nameEnd) = (place, end) }
            let text =
                Array("[".utf8) + view.slice(unchecked: nameStart, count: nameEnd - nameStart).bytes + Array("]".utf8)
            let json = try? ByteView.with(LoneSurrogates.repaired(text)) { text throws(DocumentError) in
                try JSONValue(parsing: text)
            }
            names.append(json?.elements?.first?.text ?? "")
        }
        return names
    }

    /// The offset of the quotation mark that ends the string beginning at `start`; `limit` or the offset after it if
    /// there is none before.
    private static func closingMark(ofStringAt start: Int, in view: ByteView, before limit: Int) -> Int {
        var offset = start + 1
        while offset < limit, view.byte(unchecked: offset) != UInt8(ascii: "\"") {
            offset += view.byte(unchecked: offset) == UInt8(ascii: "\\") ? 2 : 1
        }
        return offset
    }

    /// The end of the string that begins at a place, if a colon follows; nil for anything but a name.
    private static func endOfName(at place: Int, in view: ByteView) -> Int? {
        guard place < view.count, view.byte(unchecked: place) == UInt8(ascii: "\"") else { return nil }
        let end = closingMark(ofStringAt: place, in: view, before: view.count) + 1
        var offset = end
        while offset < view.count, [0x20, 0x09, 0x0A, 0x0D].contains(view.byte(unchecked: offset)) { offset += 1 }
        return offset < view.count && view.byte(unchecked: offset) == UInt8(ascii: ":") ? end : nil
    }

    /// Moves to the first byte of an object.
    ///
    /// - Returns: False at the end.
    private func skipToObject() throws(ImportError) -> Bool {
        if isAtStart {
            isAtStart = false
            try input.checkEncoding()
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            if try input.available(3) >= 3, input.view(3).bytes == mark { input.advance(3) }
        }
        while try input.available(1) > 0 {
            switch input.view(1).byte(unchecked: 0) {
            case UInt8(ascii: "{"): return true
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","): input.advance(1)
            case UInt8(ascii: "[") where !isInArray, UInt8(ascii: "]") where isInArray:
                isInArray.toggle()
                arrayOffset = offset
                input.advance(1)
            case let byte:
                number += 1
                throw located(DocumentError(.malformed, words(of: byte)), 0)
            }
        }
        guard !isInArray else {
            throw located(
                DocumentError(
                    .truncated, "the array that begins here has no end: a ] is missing, or the file was cut off"),
                arrayOffset - offset)
        }
        return false
    }

    /// A description of a byte where an object should begin.
    private func words(of byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "}"), UInt8(ascii: "]"): "a \(JSONFault.shown(byte)) too many"
        case UInt8(ascii: "["): "expected an object, found an array"
        case UInt8(ascii: "/"), UInt8(ascii: "#"): "expected an object; JSON has no comments"
        default: "expected an object, found \(JSONFault.shown(byte))"
        }
    }

    /// The error for an object without an end: the first fault in it, which is usually what hides the end.
    private func unended(_ text: ByteView) -> ImportError {
        if let fault = JSONFault.first(in: text, isCutOff: true) {
            return located(DocumentError(.malformed, fault.words), fault.offset)
        }
        return located(
            DocumentError(
                .truncated, "the object that begins here has no end: a } is missing, or the file was cut off"), 0)
    }

    /// The error with its place in the file.
    ///
    /// - Parameter distance: The distance from the beginning of the last object.
    func located(_ error: DocumentError, _ distance: Int) -> ImportError {
        let place = try? LineFinder.places(of: [offset + distance], in: input.reopened()).first
        return .document(
            error.at(
                file: name, document: number, offset: offset + distance, line: place?.line, column: place?.column))
    }

    /// The error that a parser has of the last object, with its place. If the text is no JSON, the first fault is
    /// reported instead.
    func located(_ error: DocumentError) -> ImportError {
        guard error.code == .malformed else { return located(error, 0) }
        if let fault = JSONFault.first(in: original) {
            return located(DocumentError(.malformed, fault.words), fault.offset)
        }
        return located(error, error.offset ?? 0)
    }
}
