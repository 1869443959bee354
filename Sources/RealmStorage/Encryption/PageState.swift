/// What a data page's entry and its encrypted bytes say (Spec 130).
package enum PageState: Equatable, Sendable {
    /// Written, and what is there is what the last write left.
    case written
    /// The last write was begun but did not get to the page: what is there is from the write before.
    case interruptedRewrite
    /// Never written: free space.
    case neverWritten
    /// The first write was begun, but the page does not hold what it was to leave.
    case interruptedFirstWrite
    /// Zeros where encrypted bytes should be: the file was made shorter and longer again after the last write.
    case zeroed
    /// Neither of the last two writes left what is there: damage, or another key.
    case failing

    /// Whether there is data in the page.
    package var hasData: Bool { self == .written || self == .interruptedRewrite }
}
