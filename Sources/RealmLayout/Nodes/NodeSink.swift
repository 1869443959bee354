/// A destination for nodes written one after another: a new file, the gaps of a database, or memory (Spec 20).
///
/// Extensions define the contents of each kind of node for all conforming types.
@usableFromInline
package protocol NodeSink: AnyObject {
    /// The error that prevents a node from being written.
    associatedtype Failure: Error

    /// Appends a node.
    ///
    /// - Parameters:
    ///   - payloadSize: bytes without padding.
    ///   - fill: writes the payload, all `payloadSize` bytes; whole words may reach into the padding.
    func node(
        flags: UInt8, _ type: NodeHeader.WidthType, width: Int, count: Int, payloadSize: Int,
        _ fill: (NodePayload) -> Void
    ) throws(Failure) -> Ref
}

// Numbers.
extension NodeSink {
    /// Appends an array of integers in the smallest width that holds them.
    @inlinable
    package func integers(_ values: some Collection<Int64>, flags: UInt8 = 0) throws(Failure) -> Ref {
        try packed(values, width: ValueRange(of: values).width, flags: flags)
    }

    /// Appends an array of refs and tagged integers.
    @inlinable
    package func refs(_ values: some Collection<Int64>) throws(Failure) -> Ref {
        try integers(values, flags: NodeHeader.Mask.hasRefs)
    }

    /// Appends the slots of an inner node of a tree.
    @inlinable
    package func inner(_ slots: [Int64], flags: UInt8 = 0) throws(Failure) -> Ref {
        try integers(slots, flags: NodeHeader.Mask.inner | NodeHeader.Mask.hasRefs | flags)
    }

    /// Appends an array of unsigned integers: keys and offsets, of 8 bits or more (Spec 20).
    @inlinable
    package func unsigned(_ values: [UInt64]) throws(Failure) -> Ref {
        let largest = values.max() ?? 0
        let width = largest <= 0xFF ? 8 : largest <= 0xFFFF ? 16 : largest <= 0xFFFF_FFFF ? 32 : 64
        return try packed(values.map { Int64(bitPattern: $0) }, width: width, flags: 0)
    }

    /// Appends integers in a width that holds them.
    @inlinable
    package func packed(_ values: some Collection<Int64>, width: Int, flags: UInt8) throws(Failure) -> Ref {
        let count = values.count
        return try node(flags: flags, .bits, width: width, count: count, payloadSize: (count &* width &+ 7) / 8) {
            payload in
            payload.pack(values, width: width)
        }
    }

    /// Appends floats or doubles, given as bits.
    @inlinable
    package func bits(_ values: some Collection<Int64>, bytes: Int) throws(Failure) -> Ref {
        try node(flags: 0, .multiply, width: bytes, count: values.count, payloadSize: values.count * bytes) { payload in
            payload.pack(values, width: bytes * 8)
        }
    }
}
