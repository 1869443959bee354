internal import RealmCore
internal import RealmLayout

// Leaves that consist of a single node of numbers, and the dispatch by type (L; Spec 30).
extension LeafChecks {
    /// Checks a leaf, in a cluster or of a B+tree.
    ///
    /// - Returns: the number of its elements; nil when it cannot be read, which was reported.
    func checkLeaf(_ node: Node, as type: LeafType, isNullable: Bool) -> Int? {
        guard !node.header.isInner else {
            failLeaf(.leafType, node.ref, "\(node.summary) where a leaf should be")
            return nil
        }
        switch type {
        case .int(nullable: true): return checkNullableIntegers(node)
        case .int(nullable: false):
            guard let elements = numbers(node), spend(elements.count, at: node.ref) else { return nil }
            return elements.count
        case .bool: return checkBools(node, isNullable)
        case .float: return checkFloats(node, width: 4, isNullable)
        case .double: return checkFloats(node, width: 8, isNullable)
        case .string: return checkStrings(node, isNullable: isNullable, isText: true)
        case .binary: return checkBlobLeaf(node, isText: false, isNullable: isNullable)
        case .timestamp: return checkTimestamps(node, isNullable)
        case .decimal128: return checkDecimals(node, isNullable)
        case .objectId: return checkBlocks(node, .objectIds, isNullable)
        case .uuid: return checkBlocks(node, .uuids, isNullable)
        case .mixed: return checkMixed(node, depth: 0)
        case .link(let isBiased): return checkLinks(node, isBiased)
        case .collections: return checkCollections(node)
        case .backlinks: return checkBacklinks(node)
        // Only in formats 2 to 9, which other checks cover.
        case .legacyString, .legacyBinary: return nil
        }
    }

    /// The elements of a node of numbers.
    func numbers(_ node: Node) -> IntegerVector? {
        guard !node.header.hasRefs, !node.header.isInner, let elements = integers(of: node) else {
            failLeaf(.leafType, node.ref, "\(node.summary) where plain numbers should be")
            return nil
        }
        return elements
    }

    /// The elements of a node of refs.
    func references(_ node: Node) -> IntegerVector? {
        guard node.header.hasRefs, !node.header.isInner, let elements = integers(of: node) else {
            failLeaf(.leafType, node.ref, "\(node.summary) where references should be")
            return nil
        }
        return elements
    }

    private func integers(of node: Node) -> IntegerVector? {
        do throws(FormatError) { return try node.integers() } catch { return nil }
    }

    private func checkNullableIntegers(_ node: Node) -> Int? {
        guard let elements = numbers(node) else { return nil }
        return nullableIntegers(elements, of: node)?.count
    }

    private func nullableIntegers(_ elements: IntegerVector, of node: Node) -> NullableIntegers? {
        guard let values = NullableIntegers(elements) else {
            failLeaf(
                .nullSentinel, node.ref, "a leaf of nullable integers has not even the element that stands for null")
            return nil
        }
        guard spend(elements.count, at: node.ref) else { return nil }
        if let sentinel = NullableIntegers.sentinel(ofWidth: elements.width), values.sentinel != sentinel {
            failLeaf(
                .nullSentinel, node.ref,
                "\(values.sentinel) stands for null in a leaf of \(elements.width) bits, instead of \(sentinel)")
        }
        return values
    }

    private func checkBools(_ node: Node, _ isNullable: Bool) -> Int? {
        guard let elements = numbers(node), spend(elements.count, at: node.ref) else { return nil }
        guard elements.width > 1 else { return elements.count }
        for index in 0..<elements.count {
            let value = elements[unchecked: index]
            if value == NullPattern.bool {
                if !isNullable { fail(.unexpectedNull, node.ref, index, "null in a column that cannot hold it") }
            } else if !NullPattern.isBool(value) {
                fail(.boolValue, node.ref, index, "the truth value is \(value)")
            }
        }
        return elements.count
    }

    private func checkFloats(_ node: Node, width: Int, _ isNullable: Bool) -> Int? {
        guard node.count > 0 else { return 0 }
        guard node.header.widthType == .multiply, node.header.width == width, !node.header.hasRefs else {
            failLeaf(.leafType, node.ref, "\(node.summary) where numbers of \(width) bytes should be")
            return nil
        }
        guard !isNullable else { return node.count }
        let payload = node.payload
        for index in 0..<node.count {
            let isNull =
                width == 4
                ? NullPattern.float(payload.uint32(unchecked: index * 4)) == nil
                : NullPattern.double(payload.uint64(unchecked: index * 8)) == nil
            if isNull { fail(.floatNull, node.ref, index, "the bits of null in a column that cannot hold it") }
        }
        return node.count
    }

    private func checkBlocks(_ node: Node, _ blocks: FixedBlocks, _ isNullable: Bool) -> Int? {
        let size = node.count
        guard size > 0 else { return 0 }
        guard node.header.widthType == .multiply, node.header.width == 1, !node.header.hasRefs else {
            failLeaf(.leafType, node.ref, "\(node.summary) where blocks of \(blocks.width)-byte values should be")
            return nil
        }
        guard let count = blocks.count(inSize: size) else {
            failLeaf(.blockNulls, node.ref, "\(size) bytes are not a whole number of values of \(blocks.width) bytes")
            return nil
        }
        guard !isNullable else { return count }
        let payload = node.payload
        // Bits beyond the last element have no meaning: Realm Core leaves those of removed values unchanged (R30.14).
        for index in 0..<count where payload[blocks.nullByte(of: index)] & blocks.nullBit(of: index) != 0 {
            fail(.unexpectedNull, node.ref, index, "null in a column that cannot hold it")
        }
        return count
    }

    private func checkTimestamps(_ node: Node, _ isNullable: Bool) -> Int? {
        guard let parts = references(node) else { return nil }
        guard parts.count == 2, case .ref(let secondsRef) = Slot(parts[0]), case .ref(let nanosRef) = Slot(parts[1])
        else {
            failLeaf(.leafType, node.ref, "\(node.summary) where seconds and nanoseconds should be")
            return nil
        }
        guard let secondsNode = scope.node(secondsRef), let nanosNode = scope.node(nanosRef) else {
            spoil()
            return nil
        }
        guard let elements = numbers(secondsNode), let seconds = nullableIntegers(elements, of: secondsNode),
            let nanos = numbers(nanosNode), spend(seconds.count, at: node.ref)
        else { return nil }
        let count = seconds.count
        guard nanos.count == count else {
            failLeaf(.timestampRange, node.ref, "\(count) seconds and \(nanos.count) nanoseconds")
            return nil
        }
        for index in 0..<count {
            guard let second = seconds[unchecked: index] else {
                if !isNullable { fail(.unexpectedNull, node.ref, index, "null in a column that cannot hold it") }
                // Its nanoseconds do not matter: Realm Core leaves those of the previous time (Spec 30).
                continue
            }
            if let problem = Timestamp.problem(seconds: second, nanoseconds: nanos[unchecked: index]) {
                fail(.timestampRange, node.ref, index, problem)
            }
        }
        return count
    }

    private func checkDecimals(_ node: Node, _ isNullable: Bool) -> Int? {
        guard node.count > 0 else { return 0 }
        guard node.header.widthType == .multiply, !node.header.hasRefs, StoredDecimal.widths.contains(node.header.width)
        else {
            failLeaf(.leafType, node.ref, "\(node.summary) where decimals should be")
            return nil
        }
        guard node.header.width > 0, spend(node.count, at: node.ref), let leaf = scope.leaf(node.ref, as: .decimal128)
        else {
            if !isNullable, node.header.width == 0, !node.header.isContext {
                fail(.unexpectedNull, node.ref, 0, "null in a column that cannot hold it")
            }
            return node.count
        }
        if node.header.width < 16, scope.format.number < 24 {
            fail(.leafType, node.ref, 0, "decimals of \(node.header.width) bytes in format \(scope.format)")
        }
        for index in 0..<leaf.count {
            guard let value = leaf.decimal(at: index) else {
                if !isNullable { fail(.unexpectedNull, node.ref, index, "null in a column that cannot hold it") }
                continue
            }
            if !value.isCanonical { fail(.decimalForm, node.ref, index, "the decimal is not in its canonical form") }
        }
        return leaf.count
    }
}
