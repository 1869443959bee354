internal import RealmCore
internal import RealmLayout
internal import RealmStorage

// The values of leaves that match.
extension ContentSearch {
    /// Marks the rows of a property's leaf that match, or whose collection holds a match.
    mutating func mark(
        _ marks: inout RowMarks, _ rows: Range<Int>, in leaf: ColumnLeaf, _ field: SearchField
    ) throws(FormatError) {
        if field.collection == nil {
            try noteBadStrings(in: leaf, rows)
            var row = rows.lowerBound
            while let found = try nextMatch(in: leaf, field.kind, from: row, to: rows.upperBound) {
                marks.mark(found)
                row = found &+ 1
            }
            return
        }
        for row in rows {
            reading.row = row
            do throws(FormatError) {
                guard let root = try leaf.collection(at: row) else { continue }
                if try hasMatch(inCollection: root, field) { marks.mark(row) }
            } catch {
                try note(error)
            }
        }
    }

    /// Whether an element of a leaf matches. Reads all of them, as damage is to be noted.
    mutating func hasMatch(in leaf: ColumnLeaf, _ kind: ScalarKind, _ elements: Range<Int>) throws(FormatError) -> Bool
    {
        try noteBadStrings(in: leaf, elements)
        var (index, isFound) = (elements.lowerBound, false)
        while let found = try nextMatch(in: leaf, kind, from: index, to: elements.upperBound) {
            (index, isFound) = (found &+ 1, true)
        }
        return isFound
    }

    /// Returns the next element of a leaf that matches; nil when there is none before `end`.
    ///
    /// - Throws: errors that end the search.
    @inline(__always)
    mutating func nextMatch(
        in leaf: ColumnLeaf, _ kind: ScalarKind, from start: Int, to end: Int
    ) throws(FormatError) -> Int? {
        if kind == .string {
            if leaf.isEnumerated { return try nextEnumerated(in: leaf, from: start, to: end) }
            if case .bytes(let pattern) = self.pattern.text, leaf.encoding == .shortStrings {
                return nextShortString(in: leaf, pattern.view, from: start, to: end)
            }
        }
        var index = start
        while index < end {
            do throws(FormatError) {
                let value = try leaf.scalar(kind, at: index, in: space)
                if try matches(value, leaf.ref) { return index }
                if kind == .binary, try hasMatch(inPartsOf: leaf, index) { return index }
            } catch {
                if depth == 0 { reading.row = index }
                try note(error)
            }
            index &+= 1
        }
        return nil
    }

    // MARK: Strings

    /// Finds bytes in all elements of a leaf of short strings at once; what is found in padding does not count.
    private func nextShortString(in leaf: ColumnLeaf, _ pattern: ByteView, from start: Int, to end: Int) -> Int? {
        let width = leaf.shortStringWidth
        guard pattern.count < width else { return nil }
        let bytes = leaf.stringBytes.slice(unchecked: 0, count: end &* width)
        var offset = start &* width
        while let place = bytes.firstIndex(of: pattern, from: offset) {
            let row = place / width
            let last = bytes.byte(unchecked: row &* width &+ width &- 1)
            let stringEnd = row &* width &+ ShortString.length(lastByte: last, width: width)
            if place &+ pattern.count <= stringEnd { return row }
            offset = place &+ pattern.count > stringEnd &+ 1 ? max(place &+ 1, stringEnd) : place &+ 1
        }
        return nil
    }

    /// Notes the elements of a leaf of short strings whose length is impossible, which a search in all of them at once
    /// does not see.
    private mutating func noteBadStrings(in leaf: ColumnLeaf, _ elements: Range<Int>) throws(FormatError) {
        guard leaf.encoding == .shortStrings, !leaf.isEnumerated, !isSecondPass, leaf.shortStringWidth > 0 else {
            return
        }
        let (width, bytes) = (leaf.shortStringWidth, leaf.stringBytes)
        var largest: UInt8 = 0
        for index in elements { largest = max(largest, bytes.byte(unchecked: index &* width &+ width &- 1)) }
        guard ShortString.length(lastByte: largest, width: width) < ShortString.nullLength else { return }
        for index in elements {
            do throws(FormatError) {
                _ = try leaf.string(at: index, in: space)
            } catch {
                if depth == 0 { reading.row = index }
                try note(error)
            }
        }
    }

    /// Compares each distinct string of an enumerated column once.
    private mutating func nextEnumerated(
        in leaf: ColumnLeaf, from start: Int, to end: Int
    ) throws(FormatError) -> Int? {
        for index in start..<end {
            let number = leaf.indexes[unchecked: index]
            let isKept = number >= 0 && number < Self.keptResults
            let slot = isKept ? Int(truncatingIfNeeded: number) : 0
            if isKept, slot < distinct.count, distinct[slot] != Self.unknown {
                if distinct[slot] == Self.match { return index }
                continue
            }
            do throws(FormatError) {
                let isMatch = try matches(leaf.scalar(.string, at: index, in: space), leaf.ref)
                if isKept {
                    while distinct.count <= slot { distinct.append(Self.unknown) }
                    distinct[slot] = isMatch ? Self.match : Self.noMatch
                }
                if isMatch { return index }
            } catch {
                reading.row = index
                try note(error)
            }
        }
        return nil
    }

    private static var keptResults: Int64 { 1 << 20 }
    private static var unknown: UInt8 { 0 }
    private static var noMatch: UInt8 { 1 }
    private static var match: UInt8 { 2 }

    // MARK: Values

    /// Whether a value matches, or holds a match.
    ///
    /// - Parameter ref: the leaf of the value.
    mutating func matches(_ value: MixedValue, _ ref: Ref) throws(FormatError) -> Bool {
        switch value {
        case .null, .link, .list(nil), .dictionary(nil): return false
        case .string(let text):
            try pay(for: text, ref)
            return pattern.text.firstMatch(in: text) != nil
        case .binary(let bytes):
            try pay(for: bytes, ref)
            return binaryMatch(bytes) != nil
        case .list(let root?):
            return try nested(root) { search throws(FormatError) in
                try search.hasMatch(inTree: root, .mixed, .mixed)
            }
        case .dictionary(let root?):
            return try nested(root) { search throws(FormatError) in
                try search.hasMatch(inDictionary: root, .string, searchesValues: true)
            }
        case .int, .bool, .float, .double, .timestamp, .decimal128, .objectId, .uuid:
            return textMatch(value) != nil
        }
    }

    /// Returns the place of the match in the text of a value that is neither string, binary, link nor collection, which
    /// is left in `text`.
    mutating func textMatch(_ value: MixedValue) -> Range<Int>? {
        guard pattern.canMatch(value.kind) else { return nil }
        text.truncate()
        text.append(textOf: value, dateAsInDocuments: !pattern.dateForms.contains(.table))
        let found = pattern.values(of: value.kind).firstMatch(in: text.view)
        // Letters that only occur in "true" are not worth a match.
        if case .bool = value, let found, found.count < text.count { return nil }
        if found == nil, case .timestamp = value, pattern.dateForms == [.table, .document] {
            text.truncate()
            text.append(textOf: value, dateAsInDocuments: true)
            return pattern.text.firstMatch(in: text.view)
        }
        return found
    }

    /// The match in binary.
    enum BinaryMatch {
        /// In its bytes, as UTF-8.
        case text(Range<Int>)
        /// In its hexadecimal digits: the range of bytes.
        case digits(Range<Int>)
    }

    mutating func binaryMatch(_ bytes: ByteView) -> BinaryMatch? {
        if let found = pattern.text.firstMatch(in: bytes) { return .text(found) }
        switch pattern.hexadecimal {
        case nil: return nil
        case .bytes(let pattern):
            return bytes.firstIndex(of: pattern.view).map { .digits($0..<($0 &+ pattern.view.count)) }
        case .digits(let pattern):
            text.truncate()
            text.append(text: "0x")
            text.append(hexadecimal: bytes)
            return pattern.firstMatch(in: text.view).map { found in
                .digits(max(found.lowerBound &- 2, 0) / 2..<max(found.upperBound &- 1, 0) / 2)
            }
        }
    }

    /// Whether binary that is split into parts matches.
    private mutating func hasMatch(inPartsOf leaf: ColumnLeaf, _ index: Int) throws(FormatError) -> Bool {
        guard let bytes = try joinedBytes(of: leaf, index) else { return false }
        return ByteView.with(bytes) { binaryMatch($0) != nil }
    }

    /// The bytes of binary that is split into parts; nil when it is not.
    mutating func joinedBytes(of leaf: ColumnLeaf, _ index: Int) throws(FormatError) -> [UInt8]? {
        guard let parts = try leaf.binary(at: index, in: space)?.parts else { return nil }
        let bytes = try space.joinedBytes(ofPartsAt: parts)
        try budget.spend(bytes: bytes.count, at: parts)
        return bytes
    }

    /// Charges for bytes that a hostile file can refer to many times.
    private mutating func pay(for bytes: ByteView, _ ref: Ref) throws(FormatError) {
        if bytes.count >= Self.paidBytes { try budget.spend(bytes: bytes.count, at: ref) }
    }

    private static var paidBytes: Int { 64 }
}

extension MixedValue {
    /// The kind of the value; `mixed` for null and collections.
    var kind: ScalarKind {
        switch self {
        case .null, .list, .dictionary: .mixed
        case .int: .int
        case .bool: .bool
        case .float: .float
        case .double: .double
        case .string: .string
        case .binary: .binary
        case .timestamp: .timestamp
        case .decimal128: .decimal128
        case .objectId: .objectId
        case .uuid: .uuid
        case .link: .link
        }
    }
}
