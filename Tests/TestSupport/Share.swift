private import Foundation

/// The part of very many like cases that is tried this time. The shares of one count have no case in common, and leave none out.
///
/// `.ci/run` names another share for each commit, `swift test` takes the first of four. `REALMFILE_SHARE=2/4` names one,
/// `REALMFILE_EXHAUSTIVE=1` takes all cases.
package struct Share: Sendable, Equatable, CustomStringConvertible {
    /// From zero.
    package let index: Int
    package let count: Int

    /// All cases.
    package static let whole = Share(index: 0, count: 1)
    /// How many shares there are unless `REALMFILE_SHARE` says otherwise.
    package static let usualCount = 4

    /// The share of this run.
    package static let current = Share(environment: ProcessInfo.processInfo.environment)

    /// The share that is one of `count`; `index` is less than that.
    package init(index: Int, count: Int) {
        precondition((0..<count).contains(index))
        self.index = index
        self.count = count
    }

    /// What the variables say. What they say and nobody understands leaves nothing out.
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

    /// All shares of that count.
    package static func all(_ count: Int) -> [Share] { (0..<count).map { Share(index: $0, count: count) } }

    /// Spelled as in the variable.
    package var description: String { "\(index + 1)/\(count)" }

    /// Whether the share has the case of that number. Each share has exactly one of `count` cases on end, in an order
    /// that changes along the way and by `sequence`: no share keeps to one place of a word.
    package func contains(_ number: Int, of sequence: Int = 0) -> Bool {
        var random = Seeded(UInt64(truncatingIfNeeded: number / count) &* 1031 &+ UInt64(truncatingIfNeeded: sequence))
        let turn = Int(random.next() % UInt64(count))
        return (number % count + turn) % count == index
    }

    /// The cases of the share, in their order.
    package func of<Case>(_ cases: some Sequence<Case>, sequence: Int = 0) -> [Case] {
        cases.enumerated().filter { contains($0.offset, of: sequence) }.map(\.element)
    }
}
