internal import RealmCore
internal import RealmLayout

// Mixed leaves (K05, R04; Spec 30). A leaf may contain collections of further Mixed leaves; the depth is limited.
extension LeafChecks {
    /// The parts of a Mixed leaf, as far as they exist.
    private struct MixedParts {
        var integers: IntegerVector?
        var pairs: IntegerVector?
        var strings: ColumnLeaf?
        var collections: IntegerVector?
    }

    /// Records which payloads of a part are used: each must belong to exactly one value.
    private struct Uses {
        private let count: Int
        /// One bit per payload, for up to 64.
        private var bits: UInt64 = 0
        /// One flag per payload, for more.
        private var used: [Bool]

        init(_ count: Int) {
            self.count = count
            used = count > 64 ? [Bool](repeating: false, count: count) : []
        }

        /// Records a use; returns false when there is no such payload, and nil when it is already used.
        mutating func add(_ index: Int64) -> Bool? {
            guard index >= 0, index < Int64(count) else { return false }
            if count > 64 {
                if used[Int(index)] { return nil }
                used[Int(index)] = true
                return true
            }
            let bit = UInt64(1) << UInt64(index)
            if bits & bit != 0 { return nil }
            bits |= bit
            return true
        }

        var unused: Int? {
            if count > 64 { return used.firstIndex(of: false) }
            let first = (~bits).trailingZeroBitCount
            return first < count ? first : nil
        }
    }

    /// The uses of the four parts that contain payloads.
    private struct PartUses {
        private var integers: Uses
        private var pairs: Uses
        private var strings: Uses
        private var collections: Uses

        init(_ parts: MixedParts) {
            integers = Uses(parts.integers?.count ?? 0)
            pairs = Uses((parts.pairs?.count ?? 0) / 2)
            strings = Uses(parts.strings?.count ?? 0)
            collections = Uses(parts.collections?.count ?? 0)
        }

        mutating func add(_ payload: Int64, of slot: MixedSlot) -> Bool? {
            switch slot {
            case .integers: integers.add(payload)
            case .pairs: pairs.add(payload)
            case .strings: strings.add(payload)
            case .collections: collections.add(payload)
            case .composites, .collectionKeys: false
            }
        }

        /// The first unused payload of a part.
        func unused(of slot: MixedSlot) -> Int? {
            switch slot {
            case .integers: integers.unused
            case .pairs: pairs.unused
            case .strings: strings.unused
            case .collections: collections.unused
            case .composites, .collectionKeys: nil
            }
        }
    }

    /// Checks a leaf of Mixed values.
    ///
    /// - Parameter depth: the number of collections that contain the leaf.
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
        guard let composites = numbers(compositesNode), spend(composites.count, at: node.ref) else { return nil }
        guard let parts = mixedParts(node, slots) else {
            loseValues()
            return composites.count
        }
        var uses = PartUses(parts)
        for index in 0..<composites.count {
            let composite = MixedComposite(composites[unchecked: index])
            guard !composite.isNull else { continue }
            let (part, payload) = (composite.slotNumber, composite.payload)
            guard let type = composite.type, let slot = MixedSlot(rawValue: part),
                MixedComposite.isPayload(of: type, in: slot)
            else {
                fail(
                    .mixedLeaf, compositesRef, index,
                    "a value of type \(composite.typeNumber) whose payload is in part \(part)")
                continue
            }
            if slot != .composites {
                guard let isThere = uses.add(payload, of: slot) else {
                    fail(.mixedLeaf, compositesRef, index, "payload \(payload) of part \(part) has two values")
                    continue
                }
                guard isThere else {
                    fail(.mixedLeaf, compositesRef, index, "payload \(payload) of part \(part) does not exist")
                    continue
                }
            }
            checkMixedValue(type, payload, parts, index, node.ref, depth: depth)
        }
        for slot in MixedSlot.allCases {
            guard let payload = uses.unused(of: slot) else { continue }
            report(
                .mixedLeaf, node.ref, object: ownerRow.flatMap { cluster?.key($0) },
                "payload \(payload) of part \(slot.rawValue) of the leaf has no value")
        }
        return composites.count
    }

    /// Opens the parts; returns nil when one of them cannot be read, which was reported.
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
                guard let found = numbers(part) else { return nil }
                parts.integers = found
            case .pairs:
                guard let found = numbers(part) else { return nil }
                parts.pairs = found
                if found.count % 2 != 0 { failLeaf(.mixedLeaf, ref, "an odd number of integers in pairs") }
            case .strings:
                guard checkStrings(part, isNullable: true, isText: false) != nil else { return nil }
                parts.strings = scope.leaf(ref, as: .string)
            case .collections:
                guard let found = references(part) else { return nil }
                parts.collections = found
            case .collectionKeys:
                guard numbers(part) != nil else { return nil }
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
            guard let pair = parts.pairs?.pair(at: payload) else { return }
            if let problem = Timestamp.problem(seconds: pair.first, nanoseconds: pair.second) {
                fail(.timestampRange, ref, index, problem)
            }
        case .decimal128:
            guard let pair = parts.pairs?.pair(at: payload) else { return }
            if !pair.decimal.isCanonical { fail(.decimalForm, ref, index, "the decimal is not in its canonical form") }
        case .typedLink:
            guard let pair = parts.pairs?.pair(at: payload) else { return }
            checkMixedLink(pair, ref, index)
        case .string, .objectId, .uuid, .binary:
            checkMixedBytes(type, payload, parts, ref, index)
        case .list, .dictionary:
            if scope.format.number < 24 {
                fail(.mixedLeaf, ref, index, "a collection inside a Mixed in format \(scope.format)")
            }
            let slot = Slot(parts.collections?.element(at: Int(payload)) ?? 0)
            if case .tagged(let number) = slot {
                fail(.collectionSlot, ref, index, "the number \(number) where a collection should be")
            }
            guard case .ref(let root) = slot else { return }
            checkNested(type, root, index, depth: depth)
        default:
            break
        }
    }

    private func checkMixedBytes(
        _ type: ColumnType, _ payload: Int64, _ parts: MixedParts, _ ref: Ref, _ index: Int
    ) {
        guard let strings = parts.strings else { return }
        let bytes: ByteView
        do throws(FormatError) {
            bytes = try strings.string(at: Int(payload), in: scope.space) ?? .empty
        } catch {
            // The leaf of strings was checked separately.
            return affected.insert(ownerRow ?? index)
        }
        switch type {
        case .objectId where bytes.count != 12, .uuid where bytes.count != 16:
            fail(.mixedLeaf, ref, index, "\(bytes.count) bytes for a value of the type \(type)")
        case .string where !bytes.isASCII && !bytes.isValidUTF8:
            fail(.utf8, ref, index, "the string is not valid UTF-8")
        default:
            break
        }
    }

    private func checkMixedLink(_ pair: MixedPair, _ ref: Ref, _ index: Int) {
        guard let table = pair.link.table, let target = plan.positions[table] else {
            fail(.mixedLink, ref, index, "the link leads to the table \(pair.first), which does not exist")
            return
        }
        noteLink(to: pair.link.key, in: target, ref, index)
    }

    private func checkNested(_ type: ColumnType, _ root: Ref, _ index: Int, depth: Int) {
        guard depth < Limits.nestingDepth else {
            fail(.nesting, root, index, Nesting.collections.excess)
            return
        }
        // The elements below belong to this row.
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
