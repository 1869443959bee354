internal import RealmLayout

/// A set of numbers, stored as ranges.
struct ValueRanges<Number: FixedWidthInteger & Sendable>: Sendable, Equatable {
    /// Ascending, with gaps in between.
    private(set) var ranges: [ClosedRange<Number>]

    static var none: ValueRanges { ValueRanges(ranges: []) }
    static var all: ValueRanges { ValueRanges(ranges: [Number.min...Number.max]) }

    private init(ranges: [ClosedRange<Number>]) { self.ranges = ranges }

    /// The union of some ranges.
    init(union ranges: [ClosedRange<Number>]) {
        var merged: [ClosedRange<Number>] = []
        for range in ranges.inOrder(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, last.upperBound == .max || range.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        self.ranges = merged
    }

    /// The numbers that satisfy a predicate whose result changes only at some of them.
    ///
    /// - Parameters:
    ///   - domain: the domain of the predicate; numbers outside are not in the set.
    ///   - changes: where the result can change: the first number of each part but the first.
    init(
        in domain: ClosedRange<Number>, changingAt changes: [Number], where holds: (_ first: Number) -> Bool
    ) {
        var found: [ClosedRange<Number>] = []
        let inside = Set(changes.filter { $0 > domain.lowerBound && $0 <= domain.upperBound }).inOrder()
        let firsts = [domain.lowerBound] + inside
        for (index, first) in firsts.enumerated() where holds(first) {
            found.append(first...(index + 1 < firsts.count ? firsts[index + 1] - 1 : domain.upperBound))
        }
        self.init(union: found)
    }

    var complement: ValueRanges {
        var others: [ClosedRange<Number>] = []
        var next: Number? = .min
        for range in ranges {
            if let first = next, first < range.lowerBound { others.append(first...(range.lowerBound - 1)) }
            next = range.upperBound == .max ? nil : range.upperBound + 1
        }
        if let next { others.append(next...Number.max) }
        return ValueRanges(ranges: others)
    }

    @inline(__always)
    func contains(_ number: Number) -> Bool {
        guard ranges.count > 4 else {
            for range in ranges where range.lowerBound <= number { if number <= range.upperBound { return true } }
            return false
        }
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low &+ high) &>> 1
            if ranges[middle].upperBound < number { low = middle &+ 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= number
    }
}

extension Quantifier {
    /// The numbers that the required share of some sets contain: any, none or all.
    func combined<Number>(_ sets: [ValueRanges<Number>]) -> ValueRanges<Number> {
        switch self {
        case .any: ValueRanges(union: sets.flatMap(\.ranges))
        case .none: ValueRanges(union: sets.flatMap(\.ranges)).complement
        case .all: ValueRanges(union: sets.flatMap(\.complement.ranges)).complement
        }
    }
}

extension FixedWidthInteger {
    /// The first number in a range that satisfies a predicate that also holds for all later numbers; nil if there is
    /// none.
    static func first(in range: ClosedRange<Self>, where holds: (Self) -> Bool) -> Self? {
        guard holds(range.upperBound) else { return nil }
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            // The middle, rounded down, without overflow.
            let middle = (low & high) &+ ((low ^ high) &>> 1)
            if holds(middle) { high = middle } else { low = middle &+ 1 }
        }
        return low
    }
}
