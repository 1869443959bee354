/// The bytes of nodes with the same purpose, with their headers and padding.
package struct NodeBytes: Equatable, Sendable {
    /// Their bytes, without those that another node claimed before.
    package private(set) var bytes = 0
    /// Their number.
    package private(set) var count = 0
    /// The bytes of the largest of them.
    package private(set) var largest = 0

    package init() {}

    mutating func add(_ size: Int, claimed: Int) {
        bytes &+= claimed
        count &+= 1
        largest = max(largest, size)
    }

    package static func + (left: NodeBytes, right: NodeBytes) -> NodeBytes {
        var sum = left
        sum.bytes &+= right.bytes
        sum.count &+= right.count
        sum.largest = max(left.largest, right.largest)
        return sum
    }
}
