/// An element of an array with refs (Spec 20).
@usableFromInline
package enum Slot: Equatable, Sendable {
    case empty
    case ref(Ref)
    case tagged(UInt64)

    /// Decodes an element; the lowest bit distinguishes refs from tagged numbers.
    @inlinable
    package init(_ element: Int64) {
        if element == 0 {
            self = .empty
        } else if element & 1 == 0 {
            self = .ref(Ref(Int(truncatingIfNeeded: element)))
        } else {
            self = .tagged(UInt64(bitPattern: element) &>> 1)
        }
    }

    /// A number below 2^63.
    @inlinable
    package static func number(_ number: Int) -> Slot { .tagged(UInt64(truncatingIfNeeded: number)) }

    /// The element as stored, with the lower 63 bits of a tagged number.
    @inlinable package var element: Int64 {
        switch self {
        case .empty: 0
        case .ref(let ref): Int64(ref.offset)
        case .tagged(let number): Int64(bitPattern: number << 1 | 1)
        }
    }

    /// The ref; nil for anything else.
    @inlinable package var ref: Ref? { if case .ref(let ref) = self { ref } else { nil } }

    /// The number; nil for anything else.
    @inlinable package var number: UInt64? { if case .tagged(let number) = self { number } else { nil } }

    /// A description for messages.
    package var words: String {
        switch self {
        case .empty: "empty"
        case .ref(let ref): "the ref \(ref)"
        case .tagged(let number): "the number \(number)"
        }
    }
}
