internal import RealmCore
internal import RealmLayout

extension ObjectImporter {
    /// Sets a property that is a list, set or dictionary.
    @inline(never)
    func collection(_ element: BSONElement, _ number: Int, level: Int) throws(ImportError) {
        let property = fields[unchecked: number].property
        let collection = fields[unchecked: number].collection
        let isDictionary = collection?.isDictionary ?? false
        guard element.isOf(isDictionary ? .document : .array) else {
            // A collection without a value is empty.
            return note(element.isOf(.null) ? .nullNotAllowed : .wrongType, number, element.value)
        }
        guard !writer.hasValue(property) else { return note(.duplicateField, number, element.value) }
        let place = try begin(level &+ 1, element.value)
        guard !place.isAtEnd else {
            return try importing { () throws(WriteError) in try writer.setEmptyCollection(property) }
        }
        try importing { () throws(WriteError) in try writer.beginCollection(property) }
        if isDictionary {
            try entries(of: element, place, number, level: level, hasIntegers: collection?.keyType == .int)
        } else {
            try elements(of: place, number, level: level &+ 1)
        }
        try endCollection(number, element, isDictionary: isDictionary)
    }

    private func elements(of array: BSONPlace, _ number: Int, level: Int) throws(ImportError) {
        var place = array
        switch fields[unchecked: number].form {
        case .embedded:
            while let item = try next(&place) {
                if item.isOf(.document) {
                    try embeddedElement(item, number, level: level)
                } else {
                    try element(item, number, level: level)
                }
            }
        case .string:
            while let item = try next(&place) {
                if item.isOf(.string) {
                    try stringElement(item, number)
                } else {
                    try element(item, number, level: level)
                }
            }
        default:
            while let item = try next(&place) { try element(item, number, level: level) }
        }
    }

    private func endCollection(_ number: Int, _ element: BSONElement, isDictionary: Bool) throws(ImportError) {
        let duplicates = try importing { () throws(WriteError) in try writer.endCollection() }
        guard duplicates > 0 else { return }
        note(isDictionary ? .duplicateKey : .duplicateElement, number, element.value, times: duplicates)
    }

    private func entries(
        of document: BSONElement, _ start: BSONPlace, _ number: Int, level: Int, hasIntegers: Bool
    ) throws(ImportError) {
        var place = start
        var overwritten = OverwrittenEntries()
        while let item = try next(&place) {
            if try isOverwritten(item, of: document, number, level: level, hasIntegers: hasIntegers, &overwritten) {
                continue
            }
            if hasIntegers {
                guard let key = item.key.string.flatMap({ Int64($0) }) else {
                    note(.badKey, number, item.value)
                    continue
                }
                writer.add(key: key)
            } else {
                addKey(item, number)
            }
            try element(item, number, level: level &+ 1)
            // Drops the key if the value was lost.
            writer.dropKey()
        }
    }

    /// Whether the same key occurs again after this entry. Objects and collections are written before a duplicate would
    /// be noticed, so overwritten ones must be skipped in advance.
    @inline(__always)
    private func isOverwritten(
        _ item: BSONElement, of document: BSONElement, _ number: Int, level: Int, hasIntegers: Bool,
        _ entries: inout OverwrittenEntries
    ) throws(ImportError) -> Bool {
        defer { entries.position &+= 1 }
        guard item.isOf(.document) || item.isOf(.array) else { return false }
        return try isOverwritten(nested: item, of: document, number, level: level, hasIntegers: hasIntegers, &entries)
    }

    @inline(never)
    private func isOverwritten(
        nested item: BSONElement, of document: BSONElement, _ number: Int, level: Int, hasIntegers: Bool,
        _ entries: inout OverwrittenEntries
    ) throws(ImportError) -> Bool {
        if !entries.isKnown {
            entries.isKnown = true
            var place = try begin(level &+ 2, document.value)
            var position = 0
            while let other = try next(&place) {
                if let key = key(of: other, hasIntegers: hasIntegers) { entries.last[key] = position }
                position += 1
            }
        }
        guard let key = key(of: item, hasIntegers: hasIntegers), entries.last[key] != entries.position else {
            return false
        }
        note(.duplicateKey, number, item.value)
        return true
    }

    /// The bytes that identify an entry's key; nil if it should be an integer and is not.
    private func key(of item: BSONElement, hasIntegers: Bool) -> [UInt8]? {
        if hasIntegers { return item.key.string.flatMap { Int64($0) }.map { Array("\($0)".utf8) } }
        guard item.key.isValidUTF8 else { return Array(item.key.repairedString.utf8) }
        guard item.key.needsKeyEscape(plan.keyEncoding) else { return item.key.bytes }
        return spelled(item.key)
    }

    /// Passes the key of an entry to the writer: percent-decoded in canonical exports, otherwise in the form that the
    /// SDKs accept.
    private func addKey(_ item: BSONElement, _ number: Int) {
        guard item.key.isValidUTF8 else { return writer.add(key: repaired(item.key, number)) }
        guard item.key.needsKeyEscape(plan.keyEncoding) else { return writer.add(key: item.key) }
        if plan.keyEncoding != .percent, item.key.needsKeyEscape(.none) { note(.escapedKey, number, item.value) }
        ByteView.with(spelled(item.key)) { writer.add(key: $0) }
    }

    /// A key as the file has it: without the escapes of an export, and with those of apps for what SDKs reject.
    private func spelled(_ key: ByteView) -> [UInt8] {
        switch plan.keyEncoding {
        case .percent: KeyEscape.decoded(key)
        case .partial: ByteView.with(KeyEscape.decoded(key, only: [0x00, UInt8(ascii: "%")])) { KeyEscape.forSDKs($0) }
        case .none: KeyEscape.forSDKs(key)
        }
    }

    // MARK: Mixed

    /// Sets a Mixed property or adds a Mixed element.
    func mixed(_ element: BSONElement, _ number: Int, level: Int, isElement: Bool) throws(ImportError) {
        let value: MixedValue
        switch element.type {
        case .null: value = .null
        case .int32, .int64: value = .int(element.integer ?? 0)
        case .bool: value = .bool(element.bool)
        case .double: value = .double(bits: element.word)
        case .string: value = .string(text(element, number))
        case .binary where element.value.count == 16 && (element.subtype == 4 || element.subtype == 3):
            if element.subtype == 3 { note(.binarySubtype, number, element.value) }
            value = .uuid(element.value)
        case .binary:
            if element.subtype != 0, element.subtype != 2 { note(.binarySubtype, number, element.value) }
            value = .binary(element.value)
        case .objectId: value = .objectId(element.value)
        case .date: value = Self.time(milliseconds: element.int64)
        case .decimal128: value = .decimal128(element.decimal)
        case .document: return try mixedDocument(element, number, level: level, isElement: isElement)
        case .array: return try nested(element, number, level: level, isElement: isElement)
        default: return note(.unmappableType, number, element.value)
        }
        try store(value, number, element, isElement: isElement)
    }

    func store(
        _ value: MixedValue, _ number: Int, _ element: BSONElement, isElement: Bool
    ) throws(ImportError) {
        if isElement { try add(value, number, element) } else { try set(value, number, element) }
    }

    private func mixedDocument(
        _ element: BSONElement, _ number: Int, level: Int, isElement: Bool
    ) throws(ImportError) {
        if plan.isCanonical, element.begins(with: .realm) {
            guard let value = try wrapped(element, number, level: level) else { return }
            return try store(value, number, element, isElement: isElement)
        }
        if element.begins(with: .reference),
            try reference(element, number, level: level, isElement: isElement)
        {
            return
        }
        try nested(element, number, level: level, isElement: isElement)
    }

    /// Makes a list or dictionary inside a Mixed.
    private func nested(
        _ element: BSONElement, _ number: Int, level: Int, isElement: Bool
    ) throws(ImportError) {
        let property = fields[unchecked: number].property
        guard isElement || !writer.hasValue(property) else { return note(.duplicateField, number, element.value) }
        let isDictionary = element.isOf(.document)
        do throws(WriteError) {
            try writer.beginNested(isElement ? nil : property, isDictionary: isDictionary)
        } catch {
            return try lost(error, number, element.value)
        }
        var place = try begin(level &+ 1, element.value)
        if isDictionary {
            var overwritten = OverwrittenEntries()
            while let item = try next(&place) {
                if try isOverwritten(item, of: element, number, level: level, hasIntegers: false, &overwritten) {
                    continue
                }
                addKey(item, number)
                try mixed(item, number, level: level &+ 1, isElement: true)
                writer.dropKey()
            }
        } else {
            while let item = try next(&place) { try mixed(item, number, level: level &+ 1, isElement: true) }
        }
        try endCollection(number, element, isDictionary: isDictionary)
    }
}

/// The dictionary entries whose keys occur again later.
private struct OverwrittenEntries {
    /// The position of the current entry.
    var position = 0
    var isKnown = false
    /// The position of the last entry with each key.
    var last: [[UInt8]: Int] = [:]
}

extension ByteView {
    /// Whether a dictionary key is not used unchanged.
    @inline(__always)
    func needsKeyEscape(_ encoding: KeyEncoding) -> Bool {
        let first = encoding == .none ? UInt8(ascii: ".") : UInt8(ascii: "%")
        let second = encoding == .percent ? first : UInt8(ascii: ".")
        var offset = 0
        while offset < count {
            let byte = byte(unchecked: offset)
            if byte == first || byte == second { return true }
            offset &+= 1
        }
        return encoding != .percent && count > 0 && byte(unchecked: 0) == UInt8(ascii: "$")
    }
}

extension KeyEscape {
    /// The key with each `%` and two hexadecimal digits replaced by the byte they spell.
    ///
    /// - Parameter bytes: The bytes whose escapes are replaced; nil for all.
    static func decoded(_ key: ByteView, only wanted: [UInt8]? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        var offset = 0
        while offset < key.count {
            let byte = key[offset]
            if byte == UInt8(ascii: "%"), offset + 2 < key.count, let high = Hexadecimal.digit(key[offset + 1]),
                let low = Hexadecimal.digit(key[offset + 2]), wanted?.contains(high << 4 | low) ?? true
            {
                bytes.append(high << 4 | low)
                offset += 3
            } else {
                bytes.append(byte)
                offset += 1
            }
        }
        return bytes
    }

    /// The key with `.` and a leading `$`, which the SDKs reject, escaped like apps do.
    static func forSDKs(_ key: ByteView) -> [UInt8] {
        var bytes: [UInt8] = []
        for offset in 0..<key.count {
            switch key[offset] {
            case UInt8(ascii: "."): bytes += "%2E".utf8
            case UInt8(ascii: "$") where offset == 0: bytes += "%24".utf8
            case let byte: bytes.append(byte)
            }
        }
        return bytes
    }
}
