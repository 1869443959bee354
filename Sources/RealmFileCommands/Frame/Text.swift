extension String {
    /// The text filled up with spaces on the right.
    func padded(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : self
    }

    /// The text filled up with spaces on the left.
    func leftPadded(to width: Int) -> String {
        count < width ? String(repeating: " ", count: width - count) + self : self
    }
}

/// A number and the thing it counts: `1 object`, `2 objects`.
func counted(_ number: some BinaryInteger, _ singular: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
}

/// A number in hexadecimal, `0x…`.
func hexadecimal(_ number: some BinaryInteger) -> String { "0x" + String(number, radix: 16) }
