package import RealmLayout

extension ColumnLeaf {
    /// Opens the leaf at `ref` and detects its encoding from type, flags and widths.
    ///
    /// - Parameters:
    ///   - distinct: the column's distinct strings, when it is enumerated.
    /// - Throws: `unexpectedNode`, `badLeaf`, `wrongCount`, and errors from opening a node.
    package init(
        at ref: Ref, as type: LeafType, in space: NodeSpace, distinct: ColumnLeaf? = nil
    ) throws(FormatError) {
        try self.init(space.node(at: ref), as: type, in: space, distinct: distinct)
    }

    /// Opens the list of distinct strings of a column at `ref`.
    ///
    /// A list in a form that only formats before 10 have (`Node.isKeptList`) is opened as empty.
    ///
    /// - Throws: errors from opening a leaf.
    package init(distinctStringsAt ref: Ref, in space: NodeSpace) throws(FormatError) {
        let node = try space.node(at: ref)
        if node.isKeptList {
            self.init(.shortStrings, node, count: 0)
        } else {
            try self.init(node, as: .string, in: space)
        }
    }

    /// Opens `node` as a leaf.
    package init(
        _ node: Node, as type: LeafType, in space: NodeSpace, distinct: ColumnLeaf? = nil
    ) throws(FormatError) {
        guard !node.header.isInner else { throw node.unexpected("a leaf") }
        switch type {
        case .int(nullable: false):
            self.init(.integers, node, count: node.count, integers: try node.integers())
        case .int(nullable: true):
            self = try Self.nullableIntegers(node)
        case .bool:
            self.init(.bools, node, count: node.count, integers: try node.integers())
        case .float:
            self = try Self.fixed(.floats, width: 4, node)
        case .double:
            self = try Self.fixed(.doubles, width: 8, node)
        case .string:
            self = try Self.strings(node, in: space, distinct: distinct)
        case .binary:
            self = try Self.blobs(node, medium: .mediumBinaries, big: .bigBinaries, in: space)
        case .timestamp:
            self = try Self.timestamps(node, in: space)
        case .legacyString(let nullable):
            self = try Self.strings(node, in: space, distinct: distinct, legacy: LegacyNulls(isNullable: nullable))
        case .legacyBinary(let nullable):
            self = try Self.blobs(
                node, medium: .mediumBinaries, big: .bigBinaries, in: space, legacy: LegacyNulls(isNullable: nullable))
        case .decimal128:
            self = try Self.decimals(node)
        case .objectId:
            self = try Self.blocks(.objectIds, .objectIds, node)
        case .uuid:
            self = try Self.blocks(.uuids, .uuids, node)
        case .mixed:
            self = try Self.mixed(node, in: space)
        case .link(let biased):
            self.init(.links, node, count: node.count, integers: try node.integers(), parameter: biased ? 1 : 0)
        case .collections:
            self.init(.collections, node, count: node.count, integers: try node.refs())
        case .backlinks:
            self.init(.backlinks, node, count: node.count, integers: try node.refs())
        }
    }

    private static func nullableIntegers(_ node: Node) throws(FormatError) -> ColumnLeaf {
        let integers = try node.integers()
        guard let values = NullableIntegers(integers) else {
            throw FormatError(.badLeaf, at: node.ref.offset, "a leaf of nullable integers lacks its null sentinel")
        }
        return ColumnLeaf(
            .nullableIntegers, node, count: values.count, integers: integers, parameter: values.sentinel)
    }

    private static func fixed(_ encoding: Encoding, width: Int, _ node: Node) throws(FormatError) -> ColumnLeaf {
        guard node.count == 0 || (node.header.widthType == .multiply && node.header.width == width) else {
            throw node.unexpected("values of \(width) bytes")
        }
        return ColumnLeaf(encoding, node, count: node.count, bytes: node.payload)
    }

    /// Null handling of formats 2 to 9.
    private struct LegacyNulls {
        let isNullable: Bool
    }

    private static func strings(
        _ node: Node, in space: NodeSpace, distinct: ColumnLeaf?, legacy: LegacyNulls? = nil
    ) throws(FormatError) -> ColumnLeaf {
        if node.header.hasRefs {
            return try blobs(node, medium: .mediumStrings, big: .bigStrings, in: space, legacy: legacy)
        }
        switch node.header.widthType {
        case .multiply:
            return ColumnLeaf(
                .shortStrings, node, count: node.count, bytes: node.payload, parameter: Int64(node.header.width),
                nullIsEmpty: legacy?.isNullable == false)
        case .bits:
            if let distinct { return ColumnLeaf(indexes: try node.integers(), of: distinct, ref: node.ref) }
            guard node.count == 0 else { throw node.unexpected("strings (the column has no distinct values)") }
            return ColumnLeaf(.shortStrings, node, count: 0)
        default:
            throw node.unexpected("strings")
        }
    }

    private static func blobs(
        _ node: Node, medium: Encoding, big: Encoding, in space: NodeSpace, legacy: LegacyNulls? = nil
    ) throws(FormatError) -> ColumnLeaf {
        let refs = try node.refs()
        let nullIsEmpty = legacy?.isNullable == false
        if node.header.isContext {
            return ColumnLeaf(big, node, count: refs.count, integers: refs, nullIsEmpty: nullIsEmpty)
        }
        guard refs.count == 3 || (legacy != nil && refs.count == 2) else {
            throw node.unexpected("offsets, bytes and null flags")
        }
        let record = try Record<MediumSlot>(node)
        let offsets = try record.child(.endOffsets, in: space).integers()
        let blob = try record.child(.bytes, in: space)
        guard blob.isBlob else { throw blob.unexpected("a blob") }
        guard refs.count == 3 else {
            // Without flags, no value is null.
            let zeros = IntegerVector(width: 0, count: offsets.count, payload: .zeroWord)
            return ColumnLeaf(
                medium, node, count: offsets.count, integers: offsets, auxiliary: zeros, bytes: blob.payload,
                nullIsEmpty: nullIsEmpty)
        }
        let nulls = try record.child(.nullFlags, in: space).integers()
        guard nulls.count == offsets.count else { throw node.wrongCount("null flags", nulls.count, offsets.count) }
        let isLegacyString = legacy != nil && medium == .mediumStrings
        return ColumnLeaf(
            medium, node, count: offsets.count, integers: offsets, auxiliary: nulls, bytes: blob.payload,
            parameter: isLegacyString ? MediumValues.legacyStringValueFlag : MediumValues.valueFlag,
            nullIsEmpty: nullIsEmpty)
    }

    private static func timestamps(_ node: Node, in space: NodeSpace) throws(FormatError) -> ColumnLeaf {
        let record = try Record<TimestampSlot>(node)
        guard record.slots.count == TimestampSlot.allCases.count else {
            throw node.unexpected("seconds and nanoseconds")
        }
        let seconds = try nullableIntegers(record.child(.seconds, in: space))
        let nanoseconds = try record.child(.nanoseconds, in: space).integers()
        guard nanoseconds.count == seconds.count else {
            throw node.wrongCount("nanoseconds", nanoseconds.count, seconds.count)
        }
        return ColumnLeaf(
            .timestamps, node, count: seconds.count, integers: seconds.integers, auxiliary: nanoseconds,
            parameter: seconds.parameter)
    }

    private static func decimals(_ node: Node) throws(FormatError) -> ColumnLeaf {
        guard node.count > 0 else { return ColumnLeaf(.nullDecimals, node, count: 0) }
        guard node.header.widthType == .multiply else { throw node.unexpected("decimals") }
        let encoding: Encoding =
            switch node.header.width {
            case 0: node.header.isContext ? .zeroDecimals : .nullDecimals
            case 4: .decimals32
            case 8: .decimals64
            case 16: .decimals128
            default: throw node.unexpected("decimals of 0, 4, 8 or 16 bytes")
            }
        return ColumnLeaf(encoding, node, count: node.count, bytes: node.payload)
    }

    private static func blocks(
        _ encoding: Encoding, _ blocks: FixedBlocks, _ node: Node
    ) throws(FormatError) -> ColumnLeaf {
        let size = node.count
        guard size == 0 || (node.header.widthType == .multiply && node.header.width == 1) else {
            throw node.unexpected("values of \(blocks.width) bytes in blocks")
        }
        guard let count = blocks.count(inSize: size) else {
            throw FormatError(
                .badLeaf, at: node.ref.offset, "\(size) bytes are not a whole number of \(blocks.width)-byte values")
        }
        return ColumnLeaf(encoding, node, count: count, bytes: node.payload)
    }

    private static func mixed(_ node: Node, in space: NodeSpace) throws(FormatError) -> ColumnLeaf {
        let record = try Record<MixedSlot>(node)
        let types = try record.child(.composites, in: space).integers()
        return ColumnLeaf(.mixed, node, count: types.count, integers: types, auxiliary: record.slots.elements)
    }
}
