internal import RealmCore
internal import RealmLayout

/// Parses the instructions of a changeset of an in-Realm history (Spec 80): one byte each, with operands of seven bits
/// per byte.
struct Changeset {
    /// An instruction, as far as it says what changes.
    enum Instruction: Equatable {
        case addTable(TableKey)
        case removeTable(TableKey)
        case renameTable(TableKey)
        case selectTable(TableKey)
        case addColumn(ColumnKey)
        case removeColumn(ColumnKey)
        case renameColumn(ColumnKey)
        case addObject(ObjectKey)
        case removeObject(ObjectKey)
        case removeAllObjects
        case set(ColumnKey, ObjectKey)
        /// Selects a collection for the instructions that follow.
        case selectCollection(ColumnKey, ObjectKey)
        case changeCollection
        /// A column of links, or of Mixed values, gets other targets.
        case changeTarget(ColumnKey)
    }

    private let bytes: ByteView
    private(set) var offset = 0

    init(_ bytes: ByteView) { self.bytes = bytes }

    /// Whether all instructions were read.
    var isAtEnd: Bool { offset >= bytes.count }

    /// The reason why a changeset cannot be parsed; nil when all of it can be.
    static func problem(in bytes: ByteView) -> String? {
        var parser = Changeset(bytes)
        while !parser.isAtEnd {
            let start = parser.offset
            guard parser.next() != nil else { return problem(at: start) }
        }
        return nil
    }

    /// The reason why an instruction cannot be parsed.
    static func problem(at offset: Int) -> String { "no instruction that is known at byte \(offset)" }

    /// Parses the next instruction, of which there must be one; returns nil when it is not valid.
    mutating func next() -> Instruction? {
        let code = bytes[offset]
        offset += 1
        switch code {
        case 1: return table().map { .addTable($0) }
        case 2: return table().map { .removeTable($0) }
        case 3: return table().map { .renameTable($0) }
        case 10:
            guard number() != nil else { return nil }
            return table().map { .selectTable($0) }
        case 11: return number().map { .addObject(ObjectKey($0)) }
        case 12: return number().map { .removeObject(ObjectKey($0)) }
        // The number of objects.
        case 15: return number().map { _ in .removeAllObjects }
        case 13, 14: return place().map { .set($0.column, $0.object) }
        case 20: return number().map { .addColumn(ColumnKey($0)) }
        case 21: return number().map { .removeColumn(ColumnKey($0)) }
        case 22: return number().map { .renameColumn(ColumnKey($0)) }
        case 23, 43:
            guard let column = number(), number() != nil else { return nil }
            return .changeTarget(ColumnKey(column))
        case 30: return place().map { .selectCollection($0.column, $0.object) }
        // Insert, set, erase or clear in a collection, in a set; clear a dictionary.
        case 31, 32, 35, 36, 40, 41, 42, 44: return skipping(1) ? .changeCollection : nil
        // Move or swap elements.
        case 33, 34: return skipping(2) ? .changeCollection : nil
        // Insert, set or erase in a dictionary: type and bytes of the key, index.
        case 37, 38, 39:
            guard number() != nil, let length = number(), length >= 0, length <= Int64(bytes.count - offset) else {
                return nil
            }
            offset += Int(length)
            return skipping(1) ? .changeCollection : nil
        // Select a nested collection.
        case 45:
            guard let place = place(), let depth = number(), depth >= 0, depth <= Int64(Limits.nestingDepth),
                skipping(Int(depth))
            else { return nil }
            return .selectCollection(place.column, place.object)
        default: return nil
        }
    }

    private mutating func table() -> TableKey? { number().map { TableKey(UInt32(truncatingIfNeeded: $0)) } }

    private mutating func place() -> (column: ColumnKey, object: ObjectKey)? {
        guard let column = number(), let object = number() else { return nil }
        return (ColumnKey(column), ObjectKey(object))
    }

    private mutating func skipping(_ count: Int) -> Bool {
        for _ in 0..<count where number() == nil { return false }
        return true
    }

    /// Parses a number: seven bits per byte, the lowest first. The eighth bit means that more bytes follow; in the last
    /// byte, the seventh bit is the sign.
    private mutating func number() -> Int64? {
        var value: UInt64 = 0
        for position in 0..<10 {
            guard offset < bytes.count else { return nil }
            let byte = bytes[offset]
            offset += 1
            guard byte & 0x80 == 0 else {
                value |= UInt64(byte & 0x7F) << UInt64(7 * position)
                continue
            }
            value |= UInt64(byte & 0x3F) << UInt64(7 * position)
            return byte & 0x40 == 0 ? Int64(bitPattern: value) : Int64(bitPattern: ~value)
        }
        return nil
    }
}
