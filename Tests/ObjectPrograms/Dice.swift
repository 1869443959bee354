/// Random numbers determined by a seed.
package struct Dice: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Returns a number from zero to less than `sides`.
    package mutating func roll(_ sides: Int) -> Int { Int(next() % UInt64(sides)) }

    /// Returns an element of a non-empty array.
    mutating func one<Element>(of elements: [Element]) -> Element { elements[roll(elements.count)] }
}
