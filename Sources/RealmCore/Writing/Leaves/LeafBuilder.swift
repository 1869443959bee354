package import RealmLayout
internal import RealmStorage

/// Collects the values of one leaf, of a column in a cluster or of a collection (Spec 30).
///
/// Values are copied once. `write` encodes them in the smallest suitable form and clears the builder, keeping its
/// memory. Strings and binaries too long to share a node are written immediately, so that the builder needs little
/// memory.
package final class LeafBuilder {
    let type: LeafType
    let nodes: NodeOutput
    /// Number of values so far.
    package var count: Int { rowCount }
    /// Private, so that the compiler proves accesses exclusive.
    private var rowCount = 0
    /// Integers, bools, float bits, links, seconds, low halves of decimals, composites or refs; for strings and
    /// binaries, the refs of those already written, up to the last one.
    let numbers = UnsharedArray<Int64>()
    /// Nanoseconds, or high halves of decimals.
    let seconds = UnsharedArray<Int64>()
    /// Null flags, for types without a null pattern.
    let nulls = UnsharedArray<Bool>()
    private(set) var nullCount = 0
    /// Strings, each followed by a zero, binaries, ObjectIds or UUIDs.
    let bytes = UnsharedArray<UInt8>()
    let ends = UnsharedArray<Int64>()
    private(set) var longest = 0
    private(set) var writtenBlobs = 0
    /// Whether the values are indexed. Immediately written values are then also kept.
    var isIndexed = false
    /// The long strings of an indexed leaf by row; `mixedIndexKeys` has the index bytes of each Mixed value.
    private(set) var longStrings: [Int: [UInt8]] = [:]
    var mixedIndexKeys: [IndexKeyBytes] = []
    /// The parts of a Mixed leaf other than composites; unused for other types.
    private(set) lazy var mixed = MixedPayloads()

    package init(_ type: LeafType, _ nodes: NodeOutput) {
        self.type = type
        self.nodes = nodes
    }

    /// Removes all values.
    func removeAll() {
        rowCount = 0
        numbers.removeAll()
        seconds.removeAll()
        nulls.removeAll()
        bytes.removeAll()
        ends.removeAll()
        (nullCount, longest, writtenBlobs) = (0, 0, 0)
        if case .mixed = type { mixed.removeAll() }
        if isIndexed {
            longStrings.removeAll()
            mixedIndexKeys.removeAll(keepingCapacity: true)
        }
    }
}

// Values of scalar types. Each function is for leaves of its own type.
extension LeafBuilder {
    @inline(__always)
    package func append(number: Int64) {
        numbers.append(number)
        rowCount &+= 1
    }

    /// Appends an integer to a leaf of nullable integers.
    @inline(__always)
    func append(nullable number: Int64) {
        nulls.append(false)
        append(number: number)
    }

    /// Appends null to a leaf of any type.
    package func appendNull() {
        nullCount += 1
        switch type {
        case .int(nullable: false), .collections, .backlinks: append(number: 0)
        case .int(nullable: true): appendNull(0)
        case .bool: append(number: NullPattern.bool)
        case .float: append(number: Int64(NullPattern.float))
        case .double: append(number: Int64(bitPattern: NullPattern.double))
        case .string, .legacyString: appendNullBytes(filler: 1)
        case .binary, .legacyBinary: appendNullBytes(filler: 0)
        case .objectId: appendNullBytes(filler: 12)
        case .uuid: appendNullBytes(filler: 16)
        case .timestamp, .decimal128:
            seconds.append(0)
            appendNull(0)
        case .link(let isBiased): append(number: ObjectKey.null.linkElement(isBiased: isBiased))
        case .mixed:
            if isIndexed { mixedIndexKeys.append(IndexKeyBytes(.null)) }
            append(composite: .null, collectionKey: 0)
        }
    }

    private func appendNull(_ number: Int64) {
        nulls.append(true)
        numbers.append(number)
        rowCount &+= 1
    }

    private func appendNullBytes(filler: Int) {
        bytes.append(repeating: 0, count: filler)
        ends.append(Int64(bytes.count))
        nulls.append(true)
        rowCount &+= 1
    }

    @inline(__always)
    package func append(link key: ObjectKey) {
        if case .link(biased: true) = type {
            append(number: key.linkElement(isBiased: true))
        } else {
            append(number: key.linkElement(isBiased: false))
        }
    }

    @inline(__always)
    func append(_ time: Timestamp) {
        seconds.append(Int64(time.nanoseconds))
        append(nullable: time.seconds)
    }

    func append(_ decimal: Decimal128Bits) {
        seconds.append(Int64(bitPattern: decimal.high))
        nulls.append(false)
        numbers.append(Int64(bitPattern: decimal.low))
        rowCount &+= 1
    }

    /// Appends a string, given without a terminating zero.
    @inline(__always)
    func append(string view: ByteView) throws(WriteError) {
        guard view.count <= BytesForm.longestMediumString else { return try appendLong(view, terminated: true) }
        append(mediumString: view)
    }

    /// Appends a string of at most `BytesForm.longestMediumString` bytes.
    @inline(__always)
    func append(mediumString view: ByteView) {
        bytes.append(view)
        bytes.append(0)
        note(view.count)
    }

    package func append(binary view: ByteView) throws(WriteError) {
        guard view.count <= BytesForm.longestMediumBinary else { return try appendLong(view, terminated: false) }
        bytes.append(view)
        note(view.count)
    }

    /// Appends the bytes of an ObjectId or UUID.
    @inline(__always)
    func append(fixed view: ByteView) {
        bytes.append(view)
        note(view.count)
    }

    @inline(__always)
    private func note(_ size: Int) {
        ends.append(Int64(bytes.count))
        nulls.append(false)
        if size > longest { longest = size }
        rowCount &+= 1
    }

    /// Appends a string or binary that is already in a node, and keeps the node.
    ///
    /// - Parameter size: Its size in bytes, which must be large enough for a node of its own.
    package func append(kept ref: Ref, size: Int) {
        ends.append(Int64(bytes.count))
        nulls.append(false)
        noteBlob(ref, size)
    }

    private func noteBlob(_ ref: Ref, _ size: Int) {
        numbers.append(repeating: 0, count: count - numbers.count)
        numbers.append(Int64(ref.offset))
        longest = max(longest, size)
        writtenBlobs += 1
        rowCount &+= 1
    }

    private func appendLong(_ view: ByteView, terminated: Bool) throws(WriteError) {
        let ref = try nodes.blob(view, terminated: terminated)
        if isIndexed { longStrings[count] = view.bytes }
        ends.append(Int64(bytes.count))
        nulls.append(false)
        noteBlob(ref, view.count)
    }

    func append(composite: MixedComposite, collectionKey: Int64) {
        mixed.add(collectionKey: collectionKey, at: count)
        append(number: composite.element)
    }
}
