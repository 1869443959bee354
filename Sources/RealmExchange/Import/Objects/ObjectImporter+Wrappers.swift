internal import RealmCore
internal import RealmLayout

/// `{"$realm": {…}}`: values that BSON or its text form cannot hold.
extension ObjectImporter {
    /// The contents of a wrapper; nil if the element is not one.
    func wrapper(_ element: BSONElement, _ level: Int) throws(ImportError) -> BSONElement? {
        guard let outer = try onlyElement(of: element, level), outer.key.isSame(as: .realm) else { return nil }
        return try onlyElement(of: outer, level &+ 1)
    }

    /// The value of a wrapper; nil if it is invalid, which is counted.
    @inline(never)
    func wrapped(_ element: BSONElement, _ number: Int, level: Int) throws(ImportError) -> MixedValue? {
        if let inner = try wrapper(element, level), let value = try value(of: inner, level &+ 2) { return value }
        note(.brokenWrapper, number, element.value)
        return nil
    }

    private func value(of inner: BSONElement, _ level: Int) throws(ImportError) -> MixedValue? {
        let name = inner.key
        if name.isSame(as: .timestamp) { return try timestamp(inner, level).map { .timestamp($0) } }
        if name.isSame(as: .utf8) { return inner.type == .binary ? .string(inner.value) : nil }
        if name.isSame(as: .float) {
            if inner.type == .string { return Self.bits(inner.value, digits: 8).map { .float(bits: UInt32($0)) } }
            guard inner.type == .double else { return nil }
            let (bits, isExact) = Float.bits(nearestTo: inner.word)
            return isExact ? .float(bits: bits) : nil
        }
        guard inner.type == .string else { return nil }
        if name.isSame(as: .double) { return Self.bits(inner.value, digits: 16).map { .double(bits: $0) } }
        guard name.isSame(as: .decimal), inner.value.count == 32,
            let high = Self.bits(inner.value.slice(unchecked: 0, count: 16), digits: 16),
            let low = Self.bits(inner.value.slice(unchecked: 16, count: 16), digits: 16)
        else { return nil }
        return .decimal128(Decimal128Bits(high: high, low: low))
    }

    private func timestamp(_ element: BSONElement, _ level: Int) throws(ImportError) -> Timestamp? {
        guard element.type == .document else { return nil }
        var place = try begin(level &+ 1, element.value)
        guard let seconds = try next(&place), seconds.key.isSame(as: .seconds), let whole = seconds.integer,
            let nanoseconds = try next(&place), nanoseconds.key.isSame(as: .nanoseconds),
            let part = nanoseconds.integer, whole == 0 || part == 0 || (whole < 0) == (part < 0)
        else { return nil }
        return Timestamp(seconds: whole, nanoseconds: part)
    }

    /// The number spelled by exactly `digits` hexadecimal digits.
    private static func bits(_ text: ByteView, digits: Int) -> UInt64? {
        guard text.count == digits else { return nil }
        var bits: UInt64 = 0
        for offset in 0..<digits {
            guard let digit = Hexadecimal.digit(text[offset]) else { return nil }
            bits = bits << 4 | UInt64(digit)
        }
        return bits
    }
}
