/// An error in the text of a query, with its position.
///
/// ```swift
/// do {
///     _ = try ObjectQuery("age >")
/// } catch {
///     print(error.message, error.offset)
/// }
/// ```
public struct QuerySyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Description of the error and of what was expected.
    public let message: String
    /// The position in `text`, in UTF-8 bytes.
    public let offset: Int
    /// The parsed text.
    public let text: String

    package init(_ message: String, at offset: Int, in text: String) {
        self.message = message
        self.offset = offset
        self.text = text
    }

    /// The message, the affected line of the text, and a caret below the position.
    public var description: String {
        let bytes = Array(text.utf8)
        let place = min(max(offset, 0), bytes.count)
        let start = (bytes[..<place].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        // Long lines are cut around the position, so that the caret stays visible.
        let shown = max(start, place - 60)..<min(end, place + 60)
        let before = String(decoding: bytes[shown.lowerBound..<place], as: UTF8.self)
        let line = String(decoding: bytes[shown], as: UTF8.self)
        let indent = String(repeating: " ", count: before.count)
        return "\(message)\n    \(line)\n    \(indent)^"
    }
}
