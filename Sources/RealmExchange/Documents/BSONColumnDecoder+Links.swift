internal import RealmCore
internal import RealmLayout

// Links of a block: the identities of their targets.
extension BSONColumnDecoder {
    /// Calls `body` for each row with a link.
    @inline(__always)
    mutating func objects(_ body: (_ row: Int, ObjectKey) -> Bool) {
        unpack(leaf.numbers, from: first, count: count)
        let (numbers, bias, count) = (numbers, leaf.bias, count)
        var (values, nulls): (UInt64, UInt64) = (0, 0)
        var bit: UInt64 = 1
        var row = 0
        while row < count {
            let object = ObjectKey(numbers[unchecked: row] &- bias)
            if object == .null {
                nulls |= bit
            } else if body(row, object) {
                values |= bit
            }
            bit &<<= 1
            row &+= 1
        }
        (copied, absent) = (values, nulls)
    }

    /// The rows for which `body` returns true.
    @inline(__always)
    static func kept(_ rows: UInt64, _ body: (_ row: Int) -> Bool) -> UInt64 {
        var (rest, kept) = (rows, rows)
        while rest != 0 {
            let row = rest.trailingZeroBitCount
            if !body(row) { kept ^= rest & (0 &- rest) }
            rest &= rest &- 1
        }
        return kept
    }

    @inline(never)
    mutating func integerLinks(_ target: TablePosition, _ writer: inout DocumentWriter<BSONSink>) {
        let slots = slots
        objects { row, object in
            guard
                let identity = writer.locator.integers.identity(of: object, in: target)
                    ?? Self.integerIdentity(of: object, in: target, &writer)
            else { return false }
            slots.store(UInt64(bitPattern: identity), at: row)
            return true
        }
    }

    /// The integer primary key of an object that is not in the cache; nil if the writer has to handle the link.
    @inline(never)
    private static func integerIdentity(
        of object: ObjectKey, in target: TablePosition, _ writer: inout DocumentWriter<BSONSink>
    ) -> Int64? {
        guard !object.isUnresolved, let place = writer.identityPlace(of: object, in: target) else { return nil }
        let identity = writer.locator.leafView[unchecked: place.leaf].leaf.int(at: place.row)
        writer.locator.integers.note(identity, of: object, in: target)
        return identity
    }

    @inline(never)
    mutating func textLinks(_ target: TablePosition, _ writer: inout DocumentWriter<BSONSink>) {
        let slots = slots
        var unknown: UInt64 = 0
        // Texts, and the elements that locate them, may be anywhere in memory, so all are prefetched before the first
        // is read.
        objects { row, object in
            if let text = writer.locator.texts.identity(of: object, in: target) {
                slots.store(text, at: row)
                text.prefetch(0)
                return true
            }
            guard !object.isUnresolved, let place = writer.identityPlace(of: object, in: target) else { return false }
            writer.locator.leafView[unchecked: place.leaf].leaf.numbers.word(with: place.row).prefetch(0)
            unknown |= 1 &<< UInt64(truncatingIfNeeded: row)
            return true
        }
        if unknown != 0 { findTexts(unknown, target, &writer) }
    }

    /// Finds the texts of link targets that are not cached yet.
    @inline(never)
    private mutating func findTexts(_ rows: UInt64, _ target: TablePosition, _ writer: inout DocumentWriter<BSONSink>) {
        let (slots, numbers, bias) = (slots, numbers, leaf.bias)
        // Each object is looked up twice, because loading a leaf for one object may evict the leaf of another.
        let found = Self.kept(rows) { row in
            guard let place = writer.identityPlace(of: ObjectKey(numbers[unchecked: row] &- bias), in: target),
                let text = writer.text(atLeaf: place.leaf, place.row),
                writer.locator.leafView[unchecked: place.leaf].leaf.canCopy(text)
            else { return false }
            slots.store(text, at: row)
            text.prefetch(0)
            return true
        }
        let areKept = !writer.plan.snapshot.isEncrypted
        let kept = Self.kept(found) { row in
            let text = slots.load(ByteView.self, at: row)
            guard text.isASCII else { return false }
            if areKept { writer.locator.texts.note(text, of: ObjectKey(numbers[unchecked: row] &- bias), in: target) }
            return true
        }
        copied ^= rows ^ kept
    }

    @inline(never)
    mutating func bytesLinks(_ target: TablePosition, _ blocks: FixedBlocks, _ writer: inout DocumentWriter<BSONSink>) {
        let slots = slots
        objects { row, object in
            guard !object.isUnresolved, let place = writer.identityPlace(of: object, in: target),
                let bytes = writer.locator.leafView[unchecked: place.leaf].leaf.fixedBytes(at: place.row, blocks)
            else { return false }
            let end = blocks.width == 12 ? UInt64(bytes.uint32(unchecked: 8)) : bytes.uint64(unchecked: 8)
            slots.store(bytes.uint64(unchecked: 0), end, at: row)
            return true
        }
    }

    mutating func embedded() {
        let slots = slots
        objects { row, object in
            slots.store(object, at: row)
            return true
        }
        (prepared, copied) = (copied, 0)
    }
}
