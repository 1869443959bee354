internal import RealmLayout
internal import RealmReader

// Mixed leaves (K05, R04; Spec 30). A leaf may hold collections of further Mixed leaves: the depth is limited.
extension ContentChecks {
    /// The parts of a Mixed leaf as far as they are there.
    private struct MixedParts {
        var integers: IntegerVector?
        var pairs: IntegerVector?
        var strings: ColumnLeaf?
        var collections: IntegerVector?
    }

    /// Which payloads of a part have a value: each has exactly one.
    private struct Uses {
        private var used: [Bool]

        init(_ count: Int) { used = [Bool](repeating: false, count: count) }

        /// Notes a use; false when there is no such payload, nil when it has another value already.
        mutating func add(_ index: Int64) -> Bool? {
            guard index >= 0, index < Int64(used.count) else { return false }
            if used[Int(index)] { return nil }
            used[Int(index)] = true
            return true
        }

        var unused: Int? { used.firstIndex(of: false) }
    }

    /// Checks a leaf of Mixed values.
    ///
    /// - Parameter depth: how many collections the leaf is nested in.
    func checkMixed(_ node: Node, depth: Int) -> Int? {
        guard let slots = references(node) else { return nil }
        guard slots.count <= MixedSlot.allCases.count, slots.count > 0,
            case .ref(let compositesRef) = Slot(slots[0])
        else {
            failLeaf(.leafType, node.ref, "\(node.summary) where Mixed values should be")
            return nil
        }
        guard let compositesNode = scope.node(compositesRef) else {
            spoil()
            return nil
        }
        guard let composites = plain(compositesNode), spend(composites.count, at: node.ref) else { return nil }
        guard let parts = mixedParts(node, slots) else {
            loseValues()
            return composites.count
        }
        var uses = [
            Uses(parts.integers?.count ?? 0), Uses((parts.pairs?.count ?? 0) / 2), Uses(parts.strings?.count ?? 0),
            Uses(parts.collections?.count ?? 0),
        ]
        for index in 0..<composites.count {
            let composite = composites[unchecked: index]
            guard composite != 0 else { continue }
            let slot = Int(composite >> 5) & 7
            let payload = composite >> 8
            guard let type = ColumnType(rawValue: Int(composite & 31) - 1), Self.slots(of: type).contains(slot) else {
                fail(
                    .mixedLeaf, compositesRef, index,
                    "a value of type \(Int(composite & 31) - 1) whose payload is in part \(slot)")
                continue
            }
            if slot > 0 {
                guard let isThere = uses[slot - 1].add(payload) else {
                    fail(.mixedLeaf, compositesRef, index, "payload \(payload) of part \(slot) has two values")
                    continue
                }
                guard isThere else {
                    fail(.mixedLeaf, compositesRef, index, "payload \(payload) of part \(slot) does not exist")
                    continue
                }
            }
            checkMixedValue(type, payload, parts, index, node.ref, depth: depth)
        }
        for (part, use) in uses.enumerated() {
            guard let payload = use.unused else { continue }
            report(
                .mixedLeaf, node.ref, object: ownerRow.flatMap { cluster?.key($0) },
                "payload \(payload) of part \(part + 1) of the leaf has no value")
        }
        return composites.count
    }

    /// In which parts of a leaf values of a type may have their payload; 0 stands for the composite itself.
    private static func slots(of type: ColumnType) -> [Int] {
        switch type {
        case .int: [0, MixedSlot.integers.rawValue]
        case .bool: [0]
        case .float, .double, .link: [MixedSlot.integers.rawValue]
        case .timestamp, .decimal128, .typedLink: [MixedSlot.pairs.rawValue]
        case .string, .binary, .objectId, .uuid: [MixedSlot.strings.rawValue]
        case .list, .dictionary: [MixedSlot.collections.rawValue]
        case .mixed, .linkList, .backLink, .set: []
        }
    }

    /// Opens the parts; nil when one of them cannot be read, which was reported.
    private func mixedParts(_ node: Node, _ slots: IntegerVector) -> MixedParts? {
        var parts = MixedParts()
        for index in 1..<max(1, slots.count) {
            let ref: Ref
            switch Slot(slots[index]) {
            case .empty: continue
            case .ref(let found): ref = found
            case .tagged(let number):
                failLeaf(.mixedLeaf, node.ref, "the number \(number) where part \(index) of the leaf should be")
                return nil
            }
            guard let part = scope.node(ref) else {
                spoil()
                return nil
            }
            switch MixedSlot(rawValue: index) {
            case .integers:
                guard let found = plain(part) else { return nil }
                parts.integers = found
            case .pairs:
                guard let found = plain(part) else { return nil }
                parts.pairs = found
                if found.count % 2 != 0 { failLeaf(.mixedLeaf, ref, "an odd number of integers in pairs") }
            case .strings:
                guard checkStrings(part, isNullable: true, isText: false) != nil else { return nil }
                parts.strings = scope.leaf(ref, as: .string)
            case .collections:
                guard let found = references(part) else { return nil }
                parts.collections = found
            case .collectionKeys:
                guard plain(part) != nil else { return nil }
            default:
                break
            }
            guard spend(part.header.widthType == .bits ? part.count : 0, at: ref) else { return nil }
        }
        return parts
    }

    private func checkMixedValue(
        _ type: ColumnType, _ payload: Int64, _ parts: MixedParts, _ index: Int, _ ref: Ref, depth: Int
    ) {
        switch type {
        case .bool where payload != 0 && payload != 1:
            fail(.boolValue, ref, index, "the truth value is \(payload)")
        case .timestamp:
            guard let pair = pair(payload, parts) else { return }
            if let problem = Self.problem(seconds: pair.0, nanoseconds: pair.1) {
                fail(.timestampRange, ref, index, problem)
            }
        case .decimal128:
            guard let pair = pair(payload, parts) else { return }
            let value = Decimal128(high: UInt64(bitPattern: pair.1), low: UInt64(bitPattern: pair.0))
            if !value.isCanonical { fail(.decimalForm, ref, index, "the decimal is not in its canonical form") }
        case .typedLink:
            guard let pair = pair(payload, parts) else { return }
            checkMixedLink(pair.0, ObjectKey(pair.1), ref, index)
        case .string, .objectId, .uuid, .binary:
            checkMixedBytes(type, payload, parts, ref, index)
        case .list, .dictionary:
            if scope.format.number < 24 {
                fail(.mixedLeaf, ref, index, "a collection inside a Mixed in format \(scope.format)")
            }
            guard case .ref(let root) = Slot(parts.collections?.element(at: Int(payload)) ?? 0) else { return }
            checkNested(type, root, index, depth: depth)
        default:
            break
        }
    }

    private func pair(_ index: Int64, _ parts: MixedParts) -> (Int64, Int64)? {
        guard let pairs = parts.pairs, let first = pairs.element(at: Int(index) * 2),
            let second = pairs.element(at: Int(index) * 2 + 1)
        else { return nil }
        return (first, second)
    }

    private func checkMixedBytes(
        _ type: ColumnType, _ payload: Int64, _ parts: MixedParts, _ ref: Ref, _ index: Int
    ) {
        guard let strings = parts.strings else { return }
        let bytes: ByteView
        do throws(FormatError) {
            bytes = try strings.string(at: Int(payload), in: scope.space) ?? .empty
        } catch {
            // The leaf of strings was checked for itself.
            return affected.insert(ownerRow ?? index)
        }
        switch type {
        case .objectId where bytes.count != 12, .uuid where bytes.count != 16:
            fail(.mixedLeaf, ref, index, "\(bytes.count) bytes for a value of the type \(type)")
        case .string where !bytes.isASCII && !bytes.isValidUTF8:
            fail(.utf8, ref, index, "the string is no valid UTF-8")
        default:
            break
        }
    }

    private func checkMixedLink(_ tableNumber: Int64, _ key: ObjectKey, _ ref: Ref, _ index: Int) {
        guard let number = UInt32(exactly: tableNumber), let target = positions[TableKey(number)] else {
            fail(.mixedLink, ref, index, "the link leads to the table \(tableNumber), which does not exist")
            return
        }
        noteLink(to: key, in: target, ref, index)
    }

    private func checkNested(_ type: ColumnType, _ root: Ref, _ index: Int, depth: Int) {
        guard depth < Limits.nestingDepth else {
            fail(.nesting, root, index, "collections are nested more than \(Limits.nestingDepth) levels deep")
            return
        }
        // From here on elements belong to this row.
        let outer = ownerRow
        ownerRow = outer ?? index
        defer { ownerRow = outer }
        if type == .list {
            checkElements(root, .mixed, isNullable: true, isSet: false, depth: depth + 1)
        } else {
            checkDictionary(root, .string, depth: depth + 1)
        }
    }
}
