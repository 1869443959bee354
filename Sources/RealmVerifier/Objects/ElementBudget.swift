/// Elements that leaves may still claim: those of width 0 have no bytes, so that nothing else bounds them. Not a `WorkBudget`: pieces
/// spend it beside each other, and what each has spent is put together in their order (`take`).
package struct ElementBudget {
    package enum Payment {
        case paid
        case refused
        /// Refused for the first time, which is to be reported.
        case refusedFirst
    }

    /// A byte of an intact file stands for fewer elements: a leaf of 1000 of width 0 takes 9 bytes with its parent.
    private static let elementsPerByte = 128

    private var left: Int
    private var hasRefused = false

    /// The elements of a commit of that many bytes.
    package init(bytes: Int) { left = bytes.multipliedReportingOverflow(by: Self.elementsPerByte).partialValue }

    package mutating func spend(_ count: Int) -> Payment {
        left &-= count
        guard left < 0 else { return .paid }
        defer { hasRefused = true }
        return hasRefused ? .refused : .refusedFirst
    }

    /// Takes over what a piece of work has spent that began with `start`, maybe before others had spent theirs.
    ///
    /// - Returns: false when the piece would have been refused something: then it is to be done again, with this budget.
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
