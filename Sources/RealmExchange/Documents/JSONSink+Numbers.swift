internal import RealmLayout

// Numbers and times, whose spelling depends on the style and the value.
extension JSONSink {
    @inline(never)
    mutating func double(_ key: ByteView, bits: UInt64) -> LossKind? {
        let value = Double(bitPattern: bits)
        guard value.isFinite else { return notFinite(key, value) }
        start(key)
        guard style == .canonical else {
            buffer.append(double: value)
            return nil
        }
        buffer.store("{\"$numberDouble\":\"")
        buffer.append(double: value)
        buffer.reserve(2)
        buffer.store("\"}")
        return nil
    }

    @inline(never)
    mutating func float(_ key: ByteView, bits: UInt32) -> LossKind? {
        let value = Float(bitPattern: bits)
        if isCanonical, !value.isPreservedByText {
            wrapped(key) { sink in sink.hexadecimal(sink.words.float, UInt64(bits), bytes: 4) }
        } else if style == .plain, value.isFinite {
            // At most nine digits: the shortest spelling of the float rather than of the equal double.
            start(key)
            buffer.append(value.description)
        } else {
            return double(key, bits: Float.doubleBits(ofFloatBits: bits))
        }
        return nil
    }

    /// Writes a Float inside a Mixed.
    @inline(never)
    mutating func wrappedFloat(_ key: ByteView, bits: UInt32) {
        // NaNs with unusual bits are wrapped by `float` itself.
        if Float(bitPattern: bits).isPreservedByText {
            wrapped(key) { _ = $0.float($0.words.float, bits: bits) }
        } else {
            _ = float(key, bits: bits)
        }
    }

    private mutating func hexadecimal(_ key: ByteView, _ bits: UInt64, bytes: Int) {
        start(key)
        buffer.store("\"")
        buffer.append(hexadecimal: bits, bytes: bytes)
        buffer.append("\"")
    }

    @inline(never)
    private mutating func notFinite(_ key: ByteView, _ value: Double) -> LossKind? {
        if isCanonical, !value.isPreservedByText {
            wrapped(key) { sink in sink.hexadecimal(sink.words.double, value.bitPattern, bytes: 8) }
            return nil
        }
        start(key)
        let text = value.isNaN ? "\"NaN\"" : value < 0 ? "\"-Infinity\"" : "\"Infinity\""
        buffer.append(style == .plain ? text : "{\"$numberDouble\":\(text)}")
        return value.isPreservedByText ? nil : .numberBits
    }

    @inline(never)
    mutating func decimal(_ key: ByteView, _ value: Decimal128Bits) -> LossKind? {
        guard style == .canonical, value.isHundredths else { return otherDecimal(key, value) }
        start(key)
        buffer.store("{\"$numberDecimal\":\"")
        buffer.append(decimal128: value)
        buffer.store("\"}")
        return nil
    }

    @inline(never)
    private mutating func otherDecimal(_ key: ByteView, _ value: Decimal128Bits) -> LossKind? {
        if isCanonical, !value.isPreservedByText {
            wrapped(key) { sink in
                sink.start(sink.words.decimal)
                sink.buffer.store("\"")
                sink.buffer.append(hexadecimal: value.high, bytes: 8)
                sink.buffer.append(hexadecimal: value.low, bytes: 8)
                sink.buffer.append("\"")
            }
            return nil
        }
        start(key)
        if style != .plain { buffer.store("{\"$numberDecimal\":") }
        buffer.store("\"")
        buffer.append(decimal128: value)
        buffer.reserve(2)
        buffer.store("\"")
        if style != .plain { buffer.store("}") }
        return value.isPreservedByText ? nil : .numberBits
    }

    @inline(never)
    mutating func timestamp(_ key: ByteView, _ value: Timestamp) -> LossKind? {
        guard style == .canonical, value.isWholeMilliseconds, let milliseconds = value.flooredMilliseconds else {
            return otherTimestamp(key, value)
        }
        start(key)
        buffer.store("{\"$date\":{\"$numberLong\":\"")
        buffer.store(decimal: milliseconds)
        buffer.store("\"}}")
        return nil
    }

    @inline(never)
    private mutating func otherTimestamp(_ key: ByteView, _ value: Timestamp) -> LossKind? {
        guard style != .plain else {
            start(key)
            buffer.store("\"")
            buffer.append(iso8601: value)
            buffer.append("\"")
            return nil
        }
        let milliseconds = value.flooredMilliseconds
        let isExact = value.isWholeMilliseconds && milliseconds != nil
        if isCanonical, !isExact {
            wrappedTimestamp(key, value)
            return nil
        }
        start(key)
        let shown = milliseconds ?? (value.seconds < 0 ? .min : .max)
        if style == .relaxed, shown >= 0, shown < Self.year10000 {
            date(relaxed: shown)
        } else {
            buffer.store("{\"$date\":{\"$numberLong\":\"")
            buffer.store(decimal: shown)
            buffer.store("\"}}")
        }
        return isExact ? nil : milliseconds == nil ? .timeOutOfRange : .subMilliseconds
    }

    /// The first millisecond that relaxed Extended JSON does not spell as a date.
    private static var year10000: Int64 { 253_402_300_800_000 }

    private mutating func date(relaxed milliseconds: Int64) {
        guard let value = Timestamp(seconds: milliseconds / 1000, nanoseconds: milliseconds % 1000 * 1_000_000) else {
            return
        }
        buffer.append("{\"$date\":\"")
        buffer.append(iso8601: value)
        buffer.append("\"}")
    }
}

extension Double {
    /// Whether the text of the value reads back as the same bits: false for every NaN except the default one.
    var isPreservedByText: Bool { !isNaN || bitPattern == Double.nan.bitPattern }
}

extension Float {
    /// Whether the text of the value reads back as the same bits: false for every NaN except the default one.
    var isPreservedByText: Bool { !isNaN || bitPattern == Float.nan.bitPattern }
}

extension Decimal128Bits {
    /// Whether the value has two decimal places and a small coefficient, like most prices.
    @inline(__always)
    var isHundredths: Bool { high & 0x7FFF_FFFF_FFFF_FFFF == 0x303C_0000_0000_0000 && low < 1 &<< 53 }

    /// Whether the text of the value reads back as the same bits: false for NaN payloads and out-of-range coefficients.
    var isPreservedByText: Bool {
        if high & 0x6000_0000_0000_0000 == 0x6000_0000_0000_0000 {
            let isInfinity = high & 0x7FFF_FFFF_FFFF_FFFF == 0x7800_0000_0000_0000
            let isPlainNaN = high == 0x7C00_0000_0000_0000
            return low == 0 && (isInfinity || isPlainNaN)
        }
        // The largest coefficient is 10^34 - 1.
        let upper = high & 0x1_FFFF_FFFF_FFFF
        return upper < 0x1_ED09_BEAD_87C0 || (upper == 0x1_ED09_BEAD_87C0 && low <= 0x378D_8E63_FFFF_FFFF)
    }
}
