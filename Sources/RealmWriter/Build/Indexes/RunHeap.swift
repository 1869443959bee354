/// The runs that are merged, by number, the one whose element comes first on top.
struct RunHeap {
    private var runs: [Int]

    init(count: Int) { runs = Array(0..<count) }

    /// The run whose element is next; nil when all are at their ends.
    var first: Int? { runs.first }

    /// All of them.
    var all: [Int] { runs }

    /// Brings all into order.
    mutating func order(_ isBefore: (Int, Int) -> Bool) {
        for index in (0..<(runs.count / 2)).reversed() { sink(index, isBefore) }
    }

    /// Takes away the run on top, which has ended; `sinkFirst` follows.
    mutating func removeFirst() {
        runs[0] = runs[runs.count - 1]
        runs.removeLast()
    }

    /// Finds the place of the run on top, whose element has changed.
    @inline(__always)
    mutating func sinkFirst(_ isBefore: (Int, Int) -> Bool) { sink(0, isBefore) }

    @inline(__always)
    private mutating func sink(_ start: Int, _ isBefore: (Int, Int) -> Bool) {
        var index = start
        while true {
            var child = 2 * index + 1
            guard child < runs.count else { return }
            if child + 1 < runs.count, isBefore(runs[child + 1], runs[child]) { child += 1 }
            guard isBefore(runs[child], runs[index]) else { return }
            runs.swapAt(index, child)
            index = child
        }
    }
}
