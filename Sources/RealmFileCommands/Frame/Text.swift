extension String {
    /// The text, padded with spaces on the right.
    func padded(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : self
    }

    /// The text, padded with spaces on the left.
    func leftPadded(to width: Int) -> String {
        count < width ? String(repeating: " ", count: width - count) + self : self
    }
}

/// A number and the noun it counts: `1 object`, `2 objects`.
func counted(_ number: some BinaryInteger, _ singular: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
}

/// A number in hexadecimal, `0x…`. A negative number, as a damaged file can contain for an offset, is shown as its 64
/// bits.
func hexadecimal(_ number: some BinaryInteger) -> String {
    "0x" + String(UInt64(truncatingIfNeeded: number), radix: 16)
}

/// A number of bytes, rounded, in decimal units: `502 bytes`, `1.3 kB`, `9.4 MB`.
func roundedSize(_ bytes: Int) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    var value = Double(bytes)
    var unit = 0
    while value >= 1000, unit < units.count - 1 {
        value /= 1000
        unit += 1
    }
    guard unit > 0 else { return counted(bytes, "byte") }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
}
