/// The number of pages of an encrypted file in each state.
package struct PageCensus: Equatable, Sendable {
    /// Pages that hold the result of their last write.
    package private(set) var written = 0
    /// Pages that hold the result of the write before the last, because the last was interrupted.
    package private(set) var interrupted = 0
    /// Pages that do not hold the result of their only write: it was interrupted, or the page is damaged.
    package private(set) var begun = 0
    /// Pages that were never written, and pages of zeros.
    package private(set) var empty = 0
    /// Pages that fail their authentication.
    package private(set) var failing = 0
    /// The first pages that fail or were only begun.
    package private(set) var withoutData: [Int] = []

    private static let listed = 8

    mutating func add(_ index: Int, _ state: PageState) {
        switch state {
        case .written: written += 1
        case .interruptedRewrite: interrupted += 1
        case .neverWritten, .zeroed: empty += 1
        case .interruptedFirstWrite: begun += 1
        case .failing: failing += 1
        }
        if state == .interruptedFirstWrite || state == .failing, withoutData.count < Self.listed {
            withoutData.append(index)
        }
    }
}
