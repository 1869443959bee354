internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Writes values as content bytes (Spec 170).
///
/// Reads leaves in place. Thrown errors carry no path; `ContentCursor` adds it, and this type adds it for objects
/// inside objects.
struct ContentWriter: ~Copyable {
    let plan: HashPlan
    let space: NodeSpace
    var bytes = GrowingBytes()
    var budget: WorkBudget
    /// Budget for long strings that intact files repeat often: distinct strings of enumerated columns, and primary
    /// keys written for links. Together they may take a thousand times the bytes of the file, far more than any real
    /// database needs.
    var repeats: WorkBudget
    var targets: ContentTargets
    /// Nesting depth of Mixed collections around the current value, within the innermost object.
    var nesting = 0
    /// Half of a thousand: a budget allows twice the bytes of the file for each pass.
    private static let repeatedPasses = 512
    /// Minimum size of strings and binaries that may be nodes of their own. A hostile file can refer to such a node
    /// many times.
    private static let paidBytes = 64

    init(_ plan: HashPlan) {
        self.plan = plan
        space = plan.snapshot.space
        budget = WorkBudget(for: space)
        repeats = WorkBudget(for: space, passes: Self.repeatedPasses)
        targets = ContentTargets(plan)
    }

    /// Appends the value of a property in `row` of its leaf.
    ///
    /// - Parameter depth: Number of objects and collections around the value.
    @inline(__always)
    mutating func write(_ field: OpenField, _ row: Int, depth: Int) throws(FormatError) {
        guard field.collection == nil else {
            return try writeCollection(field, field.leaf.collection(at: row), depth: depth)
        }
        switch field.form {
        case .int: append(.int, field.leaf.int(at: row))
        case .link:
            guard let key = field.leaf.link(at: row), let target = field.target else { return append(.null) }
            try writeLink(to: key, in: target, depth: depth)
        case .mixed: try writeMixed(field.leaf, row, depth: depth)
        default: try writeScalar(field.form, field.leaf, row)
        }
    }

    /// Appends an element of a leaf of scalars.
    @inline(__always)
    mutating func writeScalar(_ form: ScalarKind, _ leaf: ColumnLeaf, _ index: Int) throws(FormatError) {
        switch form {
        case .int: append(.int, leaf.int(at: index))
        case .nullableInt: if let value = leaf.nullableInt(at: index) { append(.int, value) } else { append(.null) }
        case .bool: if let value = leaf.bool(at: index) { append(value) } else { append(.null) }
        case .float: if let bits = leaf.floatBits(at: index) { append(.float, bits) } else { append(.null) }
        case .double: if let bits = leaf.doubleBits(at: index) { append(.double, bits) } else { append(.null) }
        case .string: try writeString(leaf, index)
        case .binary: try writeBinary(leaf, index)
        case .timestamp: if let value = try leaf.timestamp(at: index) { append(value) } else { append(.null) }
        case .decimal128: if let value = leaf.decimal(at: index) { append(value) } else { append(.null) }
        case .objectId: append(.objectId, fixed: leaf.objectIdBytes(at: index))
        case .uuid: append(.uuid, fixed: leaf.uuidBytes(at: index))
        case .mixed, .link, .embedded: throw FormatError(.badLeaf, at: leaf.ref.offset, "not a leaf of scalars")
        }
    }

    @inline(__always)
    private mutating func writeString(_ leaf: ColumnLeaf, _ index: Int) throws(FormatError) {
        guard let text = try leaf.string(at: index, in: space) else { return append(.null) }
        if text.count >= Self.paidBytes {
            if leaf.isEnumerated {
                try pay(forRepeated: text.count, at: leaf.ref)
            } else {
                try budget.spend(bytes: text.count, at: leaf.ref)
            }
        }
        append(.string, counted: text)
    }

    @inline(never)
    private mutating func writeBinary(_ leaf: ColumnLeaf, _ index: Int) throws(FormatError) {
        guard let blob = try leaf.binary(at: index, in: space) else { return append(.null) }
        guard let parts = blob.parts else {
            try budget.spend(bytes: blob.view.count, at: leaf.ref)
            return append(.binary, counted: blob.view)
        }
        let joined = try space.joinedBytes(ofPartsAt: parts)
        try budget.spend(bytes: joined.count, at: parts)
        append(.binary)
        bytes.append(UInt64(joined.count))
        bytes.append(joined)
    }

    /// Charges for the bytes of a string in a Mixed or of a dictionary key.
    @inline(__always)
    mutating func pay(for text: ByteView, at ref: Ref) throws(FormatError) {
        if text.count >= Self.paidBytes { try budget.spend(bytes: text.count, at: ref) }
    }

    /// Charges for bytes that an intact file may refer to often.
    @inline(never)
    mutating func pay(forRepeated count: Int, at ref: Ref) throws(FormatError) {
        do { try repeats.spend(bytes: count, at: ref) } catch {
            throw FormatError(
                .sharedNodes, at: ref.offset,
                "long strings that many values share take a thousand times the file's size")
        }
    }

    /// Returns the depth inside an object or a collection, or throws `tooDeep` beyond the limit on their total depth.
    func inside(_ depth: Int, at ref: Ref?) throws(FormatError) -> Int {
        try Nesting.values.check(level: depth + 1, at: ref)
        return depth + 1
    }

    // MARK: Bytes of values

    @inline(__always)
    mutating func append(_ tag: ContentTag) { bytes.append(tag.rawValue) }

    @inline(__always)
    mutating func append(_ tag: ContentTag, _ number: some FixedWidthInteger & BitwiseCopyable) {
        bytes.append(tag.rawValue, number)
    }

    @inline(__always)
    mutating func append(_ value: Bool) {
        append(.bool)
        bytes.append(value ? 1 : 0 as UInt8)
    }

    @inline(__always)
    mutating func append(_ value: Timestamp) {
        append(.timestamp, value.seconds)
        bytes.append(value.nanoseconds)
    }

    @inline(__always)
    mutating func append(_ value: Decimal128Bits) {
        append(.decimal128, value.low)
        bytes.append(value.high)
    }

    @inline(__always)
    mutating func append(_ tag: ContentTag, counted text: ByteView) {
        append(tag, UInt64(text.count))
        bytes.append(text)
    }

    @inline(__always)
    mutating func append(_ tag: ContentTag, fixed value: ByteView?) {
        guard let value else { return append(.null) }
        append(tag)
        bytes.append(value)
    }
}
