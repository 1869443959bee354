/// A heap of runs to merge, by index, with the run of the lowest next element on top.
struct RunHeap {
    private var runs: [Int]

    init(count: Int) { runs = Array(0..<count) }

    /// The run with the next element; nil when all runs have ended.
    var first: Int? { runs.first }

    /// All runs in the heap.
    var all: [Int] { runs }

    /// Establishes the heap order.
    mutating func order(_ isBefore: (Int, Int) -> Bool) {
        for index in (0..<(runs.count / 2)).reversed() { sink(index, isBefore) }
    }

    /// Removes the top run, which has ended. Call `sinkFirst` afterwards.
    mutating func removeFirst() {
        runs[0] = runs[runs.count - 1]
        runs.removeLast()
    }

    /// Restores the order after the element of the top run has changed.
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
