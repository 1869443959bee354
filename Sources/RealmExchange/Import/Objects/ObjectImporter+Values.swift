internal import RealmCore
internal import RealmLayout

extension ObjectImporter {
    /// Sets the property of a field. The usual types are handled here, all others in separate functions.
    @inline(__always)
    func property(
        _ element: BSONElement, _ number: Int, _ hasUnresolvedLinks: Bool, level: Int
    ) throws(ImportError) {
        guard element.code == fields[unchecked: number].usualType else {
            return try otherProperty(element, number, hasUnresolvedLinks, level: level)
        }
        let property = fields[unchecked: number].property
        do throws(WriteError) {
            switch fields[unchecked: number].form {
            case .int: try writer.set(property, int: element.int64)
            case .bool: try writer.set(property, bool: element.bool)
            case .double: try writer.set(property, doubleBits: element.word)
            case .string: try writer.set(property, string: text(element, number))
            case .timestamp:
                if let time = Self.timestamp(milliseconds: element.int64) { try writer.set(property, time: time) }
            case .decimal128: try writer.set(property, decimal: element.decimal)
            case .objectId: try writer.set(property, objectId: element.value)
            default: break
            }
        } catch {
            try lost(error, number, element.value)
        }
    }

    /// Out-of-line form of `property` for fields that were not expected.
    @inline(never)
    func anyProperty(
        _ element: BSONElement, _ number: Int, _ hasUnresolvedLinks: Bool, level: Int
    ) throws(ImportError) {
        try property(element, number, hasUnresolvedLinks, level: level)
    }

    @inline(__always)
    func set(_ value: MixedValue, _ number: Int, _ element: BSONElement) throws(ImportError) {
        do throws(WriteError) {
            try writer.set(fields[unchecked: number].property, value)
        } catch {
            try lost(error, number, element.value)
        }
    }

    /// Sets the property of a field of any type.
    ///
    /// - Parameter hasUnresolvedLinks: Whether the sidecar has links of this table's objects.
    @inline(never)
    func otherProperty(
        _ element: BSONElement, _ number: Int, _ hasUnresolvedLinks: Bool, level: Int
    ) throws(ImportError) {
        guard fields[unchecked: number].collection == nil else { return try collection(element, number, level: level) }
        switch fields[unchecked: number].form {
        case _ where element.isOf(.null):
            // The sidecar has the targets of some links that are null in documents.
            if hasUnresolvedLinks, fields[unchecked: number].isNullable { return }
            try resolveLinks()
            do throws(WriteError) {
                try writer.setNull(fields[unchecked: number].property)
            } catch {
                try lost(error, number, element.value)
            }
        case .link: try link(element, number, level: level, isElement: false)
        case .embedded: try embedded(element, number, level: level)
        case .mixed: try mixed(element, number, level: level, isElement: false)
        default:
            if let value = try value(element, number, level: level) { try set(value, number, element) }
        }
    }

    /// Adds an element to the open collection.
    func element(_ element: BSONElement, _ number: Int, level: Int) throws(ImportError) {
        switch fields[unchecked: number].form {
        case .link where element.isOf(.null): try linkToNull(element, number)
        case _ where element.isOf(.null): try add(.null, number, element)
        case .link: try link(element, number, level: level, isElement: true)
        case .embedded: try embeddedElement(element, number, level: level)
        case .mixed: try mixed(element, number, level: level, isElement: true)
        case .string where element.isOf(.string): try stringElement(element, number)
        default:
            if let value = try value(element, number, level: level) { try add(value, number, element) }
        }
    }

    /// Adds a string to the open collection of strings.
    @inline(__always)
    func stringElement(_ element: BSONElement, _ number: Int) throws(ImportError) {
        do throws(WriteError) {
            try writer.add(string: text(element, number))
        } catch {
            try lost(error, number, element.value)
        }
    }

    @inline(__always)
    func add(_ value: MixedValue, _ number: Int, _ element: BSONElement) throws(ImportError) {
        do throws(WriteError) { try writer.add(value) } catch { try lost(error, number, element.value) }
    }

    /// The string of an element. Invalid UTF-8 is repaired, which is counted.
    @inline(__always)
    func text(_ element: BSONElement, _ number: Int) -> ByteView {
        element.value.isASCII || element.value.isValidUTF8 ? element.value : repaired(element.value, number)
    }

    @inline(never)
    func repaired(_ text: ByteView, _ number: Int) -> ByteView {
        note(.malformedText, number, text)
        return texts.add(Array(text.repairedString.utf8))
    }

    /// The value for a property or element of a scalar type; nil if it is lost, which is counted.
    func value(_ element: BSONElement, _ number: Int, level: Int) throws(ImportError) -> MixedValue? {
        switch (fields[unchecked: number].form, element.type) {
        case (.int, .int64), (.int, .int32): return element.integer.map { .int($0) }
        case (.bool, .bool): return .bool(element.bool)
        case (.string, .string):
            return .string(text(element, number))
        case (.binary, .binary):
            if element.subtype != 0, element.subtype != 2 { note(.binarySubtype, number, element.value) }
            return .binary(element.value)
        case (.timestamp, .date): return Self.time(milliseconds: element.int64)
        case (.decimal128, .decimal128): return .decimal128(element.decimal)
        case (.objectId, .objectId): return .objectId(element.value)
        case (.uuid, .binary) where element.value.count == 16:
            if element.subtype != 4 { note(.binarySubtype, number, element.value) }
            return .uuid(element.value)
        case (.double, .double): return .double(bits: element.word)
        case (.float, .double):
            let (bits, isExact) = Float.bits(nearestTo: element.word)
            if !isExact, !isText || !Float.isText(bits, of: element.word) {
                note(.inexactNumber, number, element.value, sample: element.sample)
            }
            return .float(bits: bits)
        case (_, .document) where plan.isCanonical && element.begins(with: .realm):
            return try wrapped(element, number, level: level)
        case (_, .string) where isText: return value(ofText: element, number)
        default: return converted(element, number)
        }
    }

    /// Converts a number to the property's type.
    private func converted(_ element: BSONElement, _ number: Int) -> MixedValue? {
        switch (fields[unchecked: number].form, element.type) {
        case (.int, .double):
            let value = Double(bitPattern: element.word)
            if let integer = Int64(exactly: value) { return .int(integer) }
        case (.double, .int32), (.double, .int64):
            let integer = element.integer ?? 0
            let value = Double(integer)
            if Int64(exactly: value) != integer {
                note(.inexactNumber, number, element.value, sample: element.sample)
            }
            return .double(bits: value.bitPattern)
        case (.float, .int32), (.float, .int64):
            let integer = element.integer ?? 0
            let value = Float(integer)
            if Int64(exactly: value) != integer {
                note(.inexactNumber, number, element.value, sample: element.sample)
            }
            return .float(bits: value.bitPattern)
        case (.decimal128, .int32), (.decimal128, .int64):
            let integer = element.integer ?? 0
            return .decimal128(
                Decimal128Bits(
                    sign: integer < 0 ? 1 << 63 : 0, exponent: UInt64(Decimal128Bits.bias),
                    coefficient: integer.magnitude))
        default: break
        }
        note(element.type.isMappable ? .wrongType : .unmappableType, number, element.value, sample: element.sample)
        return nil
    }

    /// Converts milliseconds to seconds and nanoseconds of the same sign.
    @inline(__always)
    static func timestamp(milliseconds: Int64) -> Timestamp? {
        // Always in range.
        Timestamp(seconds: milliseconds / 1000, nanoseconds: (milliseconds % 1000) &* 1_000_000)
    }

    static func time(milliseconds: Int64) -> MixedValue {
        timestamp(milliseconds: milliseconds).map { .timestamp($0) } ?? .null
    }
}

extension BSONType {
    /// Whether the type has a counterpart in Realm.
    var isMappable: Bool {
        switch self {
        case .double, .string, .document, .array, .binary, .objectId, .bool, .date, .null, .int32, .int64, .decimal128:
            true
        case .undefined, .regularExpression, .pointer, .code, .symbol, .codeWithScope, .timestamp, .maximumKey,
            .minimumKey:
            false
        }
    }
}

extension Float {
    /// Whether the shortest text of a float reads back as this double, so that the double may come from the text of a
    /// float.
    static func isText(_ float: UInt32, of double: UInt64) -> Bool {
        Double(Float(bitPattern: float).description)?.bitPattern == double
    }

    /// The bits of the float nearest to a double, the inverse of `doubleBits(ofFloatBits:)`.
    static func bits(nearestTo bits: UInt64) -> (bits: UInt32, isExact: Bool) {
        let value = Double(bitPattern: bits)
        guard value.isNaN else {
            let float = Float(value)
            return (float.bitPattern, Double(float) == value)
        }
        let payload = UInt32(truncatingIfNeeded: bits &>> 29) & 0x7F_FFFF
        let sign = UInt32(truncatingIfNeeded: bits &>> 32) & 0x8000_0000
        // Without a payload it would be an infinity.
        return (sign | 0x7F80_0000 | (payload == 0 ? 0x40_0000 : payload), bits & 0x1FFF_FFFF == 0)
    }
}
