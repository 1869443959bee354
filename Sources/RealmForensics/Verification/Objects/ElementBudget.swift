/// Budget for the elements that leaves may claim: those of width 0 occupy no bytes, so nothing else bounds them. Unlike
/// a `WorkBudget`, it is spent by several pieces at the same time, whose spending is merged in order (`take`).
package struct ElementBudget {
    package enum Payment {
        case paid
        case refused
        /// Refused for the first time, which the caller reports.
        case refusedFirst
    }

    /// Intact files have fewer elements per byte: 1000 elements of width 0 take 9 bytes, with their parent.
    private static let elementsPerByte = 128

    private var left: Int
    private var hasRefused = false

    /// Creates the budget of a commit of this size.
    package init(bytes: Int) { left = bytes.multipliedReportingOverflow(by: Self.elementsPerByte).partialValue }

    package mutating func spend(_ count: Int) -> Payment {
        left &-= count
        guard left < 0 else { return .paid }
        defer { hasRefused = true }
        return hasRefused ? .refused : .refusedFirst
    }

    /// Merges the spending of a piece that began with `start`, possibly before earlier pieces had spent theirs.
    ///
    /// - Returns: false when the piece would have been refused; it must then be repeated with this budget.
    package mutating func take(from start: ElementBudget, to end: ElementBudget) -> Bool {
        guard start.left != left else {
            self = end
            return true
        }
        let rest = left &- (start.left &- end.left)
        guard rest >= 0 else { return false }
        left = rest
        return true
    }
}
