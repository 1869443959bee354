import CLibBSON
import Foundation
import TestSupport

/// Base64 by Foundation.
func based64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

func unbased64(_ text: [UInt8]) -> [UInt8]? { Data(base64Encoded: Data(text)).map { [UInt8]($0) } }

/// Returns a decimal, given by its bits in hexadecimal, as libbson writes it.
func decimalText(_ digits: String) throws -> String {
    let bits = try unhexed(digits).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    return decimalText(high: UInt64(bits >> 64), low: UInt64(truncatingIfNeeded: bits))
}

func decimalText(high: UInt64, low: UInt64) -> String {
    var decimal = bson_decimal128_t(low: low, high: high)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
        guard let start = text.baseAddress else { return "" }
        bson_decimal128_to_string(&decimal, start)
        return String(cString: start)
    }
}

/// The days of 400 years from 2000 on, after which the calendar repeats; counted one by one, unlike in the exporter.
private let cycle: [(year: Int, month: Int, day: Int)] = {
    var days: [(Int, Int, Int)] = []
    for year in 2000..<2400 {
        let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
        for (month, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
            days += (1...length).map { (year, month + 1, $0) }
        }
    }
    return days
}()

/// Returns a timestamp of a dump ("seconds nanoseconds") as ISO 8601. Years beyond 9999 or before 0 have a sign and at
/// least six digits, as in ECMAScript; there are zero, three, six or nine decimals.
func isoText(_ text: String) throws -> String {
    let total = try nanoseconds(text).0
    let perDay: Int128 = 86_400 * 1_000_000_000
    let nanosecondOfDay = (total % perDay + perDay) % perDay
    let day = (total - nanosecondOfDay) / perDay - 10_957  // Days from 1970 to 2000.
    let dayOfCycle = (day % 146_097 + 146_097) % 146_097
    let date = cycle[Int(dayOfCycle)]
    let year = Int128(date.year) + (day - dayOfCycle) / 146_097 * 400
    func padded(_ number: Int128, _ digits: Int) -> String {
        let text = String(number.magnitude)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    let second = nanosecondOfDay / 1_000_000_000
    let fraction = nanosecondOfDay % 1_000_000_000
    let yearText = (0...9999).contains(year) ? padded(year, 4) : (year < 0 ? "-" : "+") + padded(year, 6)
    let decimals =
        if fraction == 0 {
            ""
        } else if fraction % 1_000_000 == 0 {
            "." + padded(fraction / 1_000_000, 3)
        } else if fraction % 1000 == 0 {
            "." + padded(fraction / 1000, 6)
        } else {
            "." + padded(fraction, 9)
        }
    return "\(yearText)-\(padded(Int128(date.month), 2))-\(padded(Int128(date.day), 2))T"
        + "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))\(decimals)Z"
}

/// Returns the CRC-64 with the polynomial of ECMA-182, computed bit by bit.
func crc64(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var state = UInt64.max
    for byte in bytes {
        state ^= UInt64(byte)
        for _ in 0..<8 { state = state & 1 == 1 ? state >> 1 ^ 0xC96C_5795_D787_0F42 : state >> 1 }
    }
    return ~state
}
