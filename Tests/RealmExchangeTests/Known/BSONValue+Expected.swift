import RealmExchange
import TestSupport

extension BSONValue: ExpectedValue {
    static func document(_ fields: [(name: [UInt8], value: BSONValue)]) -> BSONValue {
        .document(fields.map { Field($0.name, $0.value) })
    }

    /// Returns a plain value of a dump in the `mongo` profile, and its loss.
    static func converted(_ value: DumpValue) throws -> (value: BSONValue, loss: LossKind?) {
        guard case .plain(let tag, let bytes) = value else { return (.null, nil) }
        let text = String(decoding: bytes, as: UTF8.self)
        func number<T>(_ value: T?) throws -> T {
            guard let value else { throw TestSupportError("not a number: \(text)") }
            return value
        }
        switch tag {
        case "i": return (.int64(try number(Int64(text))), nil)
        case "t": return (.bool(text == "true"), nil)
        case "s": return (.string(bytes), nil)
        case "sx": return (.text(Array(String(decoding: try unhexed(text), as: UTF8.self).utf8)), .malformedText)
        case "s#": return (.longString(text), nil)
        case "b": return (.binary(subtype: 0, try unhexed(text)), nil)
        case "b#": return (.longBinary(text), nil)
        case "oid": return (.objectId(try unhexed(text)), nil)
        case "uuid": return (.binary(subtype: 4, try unhexed(text.filter { $0 != "-" })), nil)
        case "f": return (.double(widened(try number(UInt32(text, radix: 16)))), nil)
        case "d": return (.double(try number(UInt64(text, radix: 16))), nil)
        case "dec":
            let bits = try unhexed(text).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
            return (.decimal(high: UInt64(bits >> 64), low: UInt64(truncatingIfNeeded: bits)), nil)
        case "ts":
            let (nanoseconds, isExact) = try nanoseconds(text)
            let floored = (nanoseconds - (nanoseconds % 1_000_000 + 1_000_000) % 1_000_000) / 1_000_000
            guard let milliseconds = Int64(exactly: floored) else {
                return (.date(floored < 0 ? .min : .max), .timeOutOfRange)
            }
            return (.date(milliseconds), isExact ? nil : .subMilliseconds)
        default: throw TestSupportError("a tag that is not known: \(tag)")
        }
    }
}

/// Returns the nanoseconds since 1970 of a timestamp in a dump, and whether it is in whole milliseconds.
func nanoseconds(_ text: String) throws -> (Int128, isWholeMilliseconds: Bool) {
    let parts = text.split(separator: " ").compactMap { Int64($0) }
    guard parts.count == 2 else { throw TestSupportError("no timestamp: \(text)") }
    let nanoseconds = Int128(parts[0]) * 1_000_000_000 + Int128(parts[1])
    return (nanoseconds, nanoseconds % 1_000_000 == 0)
}

func unhexed(_ text: some StringProtocol) throws -> [UInt8] {
    let digits = Array(text.utf8)
    return try stride(from: 0, to: digits.count, by: 2).map { at in
        guard at + 1 < digits.count, let byte = UInt8(String(decoding: digits[at...(at + 1)], as: UTF8.self), radix: 16)
        else { throw TestSupportError("not hexadecimal: \(text)") }
        return byte
    }
}

/// Returns the bits of a float as a double. The conversion instruction makes signalling NaNs quiet, so their bits are
/// moved explicitly.
private func widened(_ bits: UInt32) -> UInt64 {
    let value = Float(bitPattern: bits)
    guard value.isNaN else { return Double(value).bitPattern }
    let sign: UInt64 = bits >> 31 == 1 ? 1 << 63 : 0
    return sign | 0x7FF << 52 | UInt64(bits & 0x7F_FFFF) << (52 - 23)
}
