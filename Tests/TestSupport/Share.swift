private import Foundation

/// A part of very many similar cases, for one run. All shares of one count together contain every case exactly once.
///
/// `.ci/run` selects another share for each commit, `swift test` uses the first of four. `REALMFILE_SHARE=2/4` selects
/// one, `REALMFILE_EXHAUSTIVE=1` runs all cases.
package struct Share: Sendable, Equatable, CustomStringConvertible {
    /// Counts from zero.
    package let index: Int
    package let count: Int

    /// All cases.
    package static let whole = Share(index: 0, count: 1)
    /// The number of shares unless `REALMFILE_SHARE` is set.
    package static let usualCount = 4

    /// The share of this run.
    package static let current = Share(environment: ProcessInfo.processInfo.environment)

    /// Creates a share of `count`; `index` must be less than that.
    package init(index: Int, count: Int) {
        precondition((0..<count).contains(index))
        self.index = index
        self.count = count
    }

    /// Reads the variables. An invalid value selects all cases.
    package init(environment: [String: String]) {
        if environment["REALMFILE_EXHAUSTIVE"] == "1" {
            self = .whole
        } else if let text = environment["REALMFILE_SHARE"] {
            let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
            if numbers.count == 2, let number = numbers[0], let count = numbers[1], count > 0, (1...count) ~= number {
                self.init(index: number - 1, count: count)
            } else {
                self = .whole
            }
        } else {
            self.init(index: 0, count: Self.usualCount)
        }
    }

    /// Returns all shares of a count.
    package static func all(_ count: Int) -> [Share] { (0..<count).map { Share(index: $0, count: count) } }

    /// Written as in the variable.
    package var description: String { "\(index + 1)/\(count)" }

    /// Whether the share contains the case with a number. Each share contains exactly one of `count` consecutive cases,
    /// in an order that varies with the number and with `sequence`, so that no share is limited to one position in a
    /// word.
    package func contains(_ number: Int, of sequence: Int = 0) -> Bool {
        var random = Seeded(UInt64(truncatingIfNeeded: number / count) &* 1031 &+ UInt64(truncatingIfNeeded: sequence))
        let turn = Int(random.next() % UInt64(count))
        return (number % count + turn) % count == index
    }

    /// Returns the cases of the share, in order.
    package func of<Case>(_ cases: some Sequence<Case>, sequence: Int = 0) -> [Case] {
        cases.enumerated().filter { contains($0.offset, of: sequence) }.map(\.element)
    }
}
