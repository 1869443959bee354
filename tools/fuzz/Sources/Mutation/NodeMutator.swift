/// Changes a node of a file: its header, or an element, for example to the ref of another node.
struct NodeMutator {
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private var state: UInt64

    init(_ bytes: UnsafeMutableBufferPointer<UInt8>, seed: UInt64) {
        self.bytes = bytes
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    /// Changes one or a few nodes; returns false when the random numbers or the bytes require another kind of change.
    mutating func changeNode() -> Bool {
        guard random(below: 2) == 0 else { return false }
        let nodes = stride(from: 24, to: bytes.count - 7, by: 8).filter { offset in
            (0..<4).allSatisfy { bytes[offset + $0] == 0x41 }
        }
        guard !nodes.isEmpty else { return false }
        for _ in 0...random(below: 3) {
            let node = nodes[random(below: nodes.count)]
            switch random(below: 8) {
            case 0: bytes[node + 4] ^= 1 << UInt8(random(below: 8))
            case 1: bytes[node + 5 + random(below: 3)] = UInt8(random(below: 256))
            case 2: bytes[node + 7] = bytes[node + 7] &+ (random(below: 2) == 0 ? 1 : 255)
            default: changeElement(of: node, nodes)
            }
        }
        return true
    }

    private mutating func changeElement(of node: Int, _ nodes: [Int]) {
        let width = (1 << Int(bytes[node + 4] & 7)) >> 1
        let count = Int(bytes[node + 5]) << 16 | Int(bytes[node + 6]) << 8 | Int(bytes[node + 7])
        guard width >= 8, count > 0 else { return }
        let start = node + 8 + random(below: count) * width / 8
        guard start + width / 8 <= bytes.count else { return }
        let value = newValue(nodes)
        for index in 0..<(width / 8) { bytes[start + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index)) }
    }

    private mutating func newValue(_ nodes: [Int]) -> UInt64 {
        switch random(below: 8) {
        case 0: 0
        case 1: UInt64(random(below: 64))
        case 2: .max >> UInt64(random(below: 64))
        case 3: 1 << UInt64(random(below: 64))
        default: UInt64(nodes[random(below: nodes.count)])
        }
    }

    private mutating func random(below bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(truncatingIfNeeded: state >> 11) % bound
    }
}
