/// The state of a data page, from its entry and its encrypted bytes (Spec 130).
package enum PageState: Equatable, Sendable {
    /// The page holds the result of its last write.
    case written
    /// The last write was begun but did not reach the page, which holds the result of the write before.
    case interruptedRewrite
    /// Never written: free space.
    case neverWritten
    /// The first write was begun, but the page does not hold its result.
    case interruptedFirstWrite
    /// Zeros in place of encrypted bytes: the file was truncated and extended again after the last write.
    case zeroed
    /// The page holds the result of neither of the last two writes: it is damaged, or the key is wrong.
    case failing

    /// Whether the page has data.
    package var hasData: Bool { self == .written || self == .interruptedRewrite }
}
