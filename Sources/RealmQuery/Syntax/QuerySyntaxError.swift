/// A text that is no query: what is wrong, and where.
///
/// ```swift
/// do {
///     _ = try ObjectQuery("age >")
/// } catch {
///     print(error.message, error.offset)
/// }
/// ```
public struct QuerySyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, and what was expected.
    public let message: String
    /// The place in `text`, in bytes of UTF-8.
    public let offset: Int
    /// The text that was read.
    public let text: String

    init(_ message: String, at offset: Int, in text: String) {
        self.message = message
        self.offset = offset
        self.text = text
    }

    /// The message, the line of the text that it is about, and a caret below the place.
    public var description: String {
        let bytes = Array(text.utf8)
        let place = min(max(offset, 0), bytes.count)
        let start = (bytes[..<place].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        // A long text is cut around the place, so that the caret is on the screen.
        let shown = max(start, place - 60)..<min(end, place + 60)
        let before = String(decoding: bytes[shown.lowerBound..<place], as: UTF8.self)
        let line = String(decoding: bytes[shown], as: UTF8.self)
        let indent = String(repeating: " ", count: before.count)
        return "\(message)\n    \(line)\n    \(indent)^"
    }
}
