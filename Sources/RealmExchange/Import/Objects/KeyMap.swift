package import RealmLayout

/// What an identity is remembered by: exact for integers, ObjectIds, UUIDs and strings of at most 15 bytes, for longer
/// ones 117 bits of hashes with secret keys. Identities of one class are of one type.
package struct Fingerprint: BitwiseCopyable, Equatable {
    let first: UInt64
    let second: UInt64

    package init(_ number: Int64) {
        first = UInt64(bitPattern: number)
        second = 1
    }

    /// The integer that this is, or looks like.
    @inline(__always)
    var number: Int64? { second == 1 ? Int64(bitPattern: first) : nil }

    /// Of the 12 or 16 bytes of an ObjectId or UUID.
    package init(fixed bytes: ByteView) {
        first = bytes.uint64(unchecked: 0)
        second = bytes.count == 16 ? bytes.uint64(unchecked: 8) : UInt64(bytes.uint32(unchecked: 8))
    }

    /// Of null, which one object of a class can have. Nobody knows it beforehand, so that no UUID is made to look like it.
    static let null = Fingerprint(
        first: .random(in: .min ... .max), second: .random(in: 0...(.max >> 8)) | UInt64(0xFE) &<< 56)

    /// Of a string, with a hash for those that are too long to be here themselves.
    @inline(__always)
    package init(_ text: ByteView, _ hash: IdentityHash) {
        guard text.count < 16 else {
            self = Self.hashed(text, hash)
            return
        }
        if text.count < 8 {
            first = text.shortWord
            second = UInt64(truncatingIfNeeded: text.count) &<< 56
        } else {
            first = text.uint64(unchecked: 0)
            second =
                text.slice(unchecked: 8, count: text.count &- 8).shortWord | UInt64(truncatingIfNeeded: text.count)
                &<< 56
        }
    }

    private init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    @inline(never)
    private static func hashed(_ text: ByteView, _ hash: IdentityHash) -> Fingerprint {
        let (first, second) = hash.hashes(of: text)
        // No count of a string that is here itself is as high.
        return Fingerprint(first: first, second: second >> 5 | UInt64(0xFF) &<< 56)
    }
}

/// Two polynomials over the field of the integers below 2^61 - 1, with seven bytes of a string a coefficient and a secret
/// key each: two strings of n bytes have the same values for n / 7 keys of 2^61 at most, whoever chose the strings.
package struct IdentityHash: BitwiseCopyable {
    private static let prime: UInt64 = 1 << 61 &- 1

    private let firstKey = UInt64.random(in: 1..<Self.prime)
    private let secondKey = UInt64.random(in: 1..<Self.prime)

    package init() {}

    /// The values for both keys, of 61 bits. The string has at least 8 bytes.
    package func hashes(of text: ByteView) -> (UInt64, UInt64) {
        var first = UInt64(truncatingIfNeeded: text.count)
        var second = first
        var offset = 0
        while offset &+ 8 <= text.count {
            let word = text.uint64(unchecked: offset) & 0xFF_FFFF_FFFF_FFFF
            first = Self.sum(Self.product(first, firstKey), word)
            second = Self.sum(Self.product(second, secondKey), word)
            offset &+= 7
        }
        // The last seven bytes, of which some may have been taken already.
        let word = text.uint64(unchecked: text.count &- 8) &>> 8
        return (
            Self.product(Self.sum(Self.product(first, firstKey), word), firstKey),
            Self.product(Self.sum(Self.product(second, secondKey), word), secondKey)
        )
    }

    @inline(__always)
    private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        return reduced((high &<< 3 | low &>> 61) &+ (low & prime))
    }

    @inline(__always)
    private static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 { reduced(left &+ right) }

    @inline(__always)
    private static func reduced(_ number: UInt64) -> UInt64 { number >= prime ? number &- prime : number }
}

/// The object keys of a class by what identifies the objects: open addressing in one piece of memory.
package final class KeyMap {
    fileprivate struct Entry: BitwiseCopyable {
        let fingerprint: Fingerprint
        /// The key plus one, so that 0 is no entry: -1 is no key.
        let stored: Int64
    }

    /// What is looked up, until another identity is remembered: plain values.
    package struct View: BitwiseCopyable {
        fileprivate let entries: UncheckedSpan<Entry>
        fileprivate let bits: Int
        /// Nobody knows beforehand which identities have places near each other, so that no file can make a search long.
        fileprivate let salt: UInt64
        /// Where the identities are integers without large gaps: the lowest, and what is stored for it and those after it.
        fileprivate var lowest: UInt64 = 0
        fileprivate var rowCount = 0
        fileprivate var row: UncheckedSpan<Int64>?
    }

    private static let firstBits = 5
    private var slab = UncheckedArray<Entry>(zeroed: 1 << KeyMap.firstBits)
    package private(set) var view: View
    private var row: UncheckedArray<Int64>?
    /// How many identities there are.
    private(set) var count = 0

    package init() { view = View(entries: UncheckedSpan(slab), bits: Self.firstBits, salt: .random(in: .min ... .max)) }

    /// Bytes of memory.
    var size: Int { slab.count * MemoryLayout<Entry>.stride }

    /// Bytes of memory that the next identity needs.
    var nextSize: Int { isFull ? 2 * size : size }

    private var isFull: Bool { count * 8 >= slab.count * 5 }

    /// Remembers the key of an identity.
    ///
    /// - Returns: false when there was one already, which stays.
    package func insert(_ fingerprint: Fingerprint, _ key: ObjectKey) -> Bool {
        view.row = nil
        if isFull { grow() }
        guard view.key(of: fingerprint) == nil else { return false }
        put(Entry(fingerprint: fingerprint, stored: key.value &+ 1))
        count += 1
        return true
    }

    /// Lays integers in a row if they are near each other: what is looked up often is found without a search then.
    ///
    /// - Parameter room: bytes that the row may take.
    package func layInRow(in room: Int) {
        var lowest = Int64.max
        var highest = Int64.min
        for index in 0..<slab.count where slab[index].stored != 0 {
            guard let number = slab[index].fingerprint.number else { return }
            lowest = min(lowest, number)
            highest = max(highest, number)
        }
        let (span, isOverflow) = highest.subtractingReportingOverflow(lowest)
        guard count > 0, !isOverflow, span < min(4 * count, room / MemoryLayout<Int64>.stride) else { return }
        let row = UncheckedArray<Int64>(zeroed: Int(span) + 1)
        for index in 0..<slab.count where slab[index].stored != 0 {
            if let number = slab[index].fingerprint.number { row[Int(number - lowest)] = slab[index].stored }
        }
        self.row = row
        view.lowest = UInt64(bitPattern: lowest)
        view.rowCount = row.count
        view.row = UncheckedSpan(row)
    }

    private func put(_ entry: Entry) {
        var slot = view.slot(entry.fingerprint)
        while view.entries[unchecked: slot].stored != 0 { slot = (slot &+ 1) & (slab.count &- 1) }
        view.entries[unchecked: slot] = entry
    }

    private func grow() {
        let old = slab
        slab = UncheckedArray(zeroed: 2 * old.count)
        view = View(entries: UncheckedSpan(slab), bits: view.bits + 1, salt: view.salt)
        for index in 0..<old.count where old[index].stored != 0 { put(old[index]) }
    }
}

extension KeyMap.View {
    @inline(__always)
    fileprivate func slot(_ fingerprint: Fingerprint) -> Int {
        let salted = (fingerprint.first ^ salt) &+ fingerprint.second &* 0xC2B2_AE3D_27D4_EB4F
        let mixed = salted &* 0x9E37_79B9_7F4A_7C15
        let spread = (mixed ^ (mixed &>> 32)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: spread &>> UInt64(truncatingIfNeeded: 64 &- bits))
    }

    /// The key of an identity that is an integer; nil when there is none, or identities do not lie in a row.
    @inline(__always)
    func keyInRow(of number: Int64) -> ObjectKey? {
        guard let row else { return nil }
        let place = Int(bitPattern: UInt(truncatingIfNeeded: UInt64(bitPattern: number) &- lowest))
        guard place >= 0, place < rowCount, row[unchecked: place] != 0 else { return nil }
        return ObjectKey(row[unchecked: place] &- 1)
    }

    /// Sends for the memory that `key(of:)` looks at first.
    @inline(__always)
    func prefetch(_ fingerprint: Fingerprint) {
        guard row == nil else { return }
        entries.prefetch(slot(fingerprint))
    }

    /// The key of an identity; nil when there is none.
    @inline(__always)
    package func key(of fingerprint: Fingerprint) -> ObjectKey? {
        if row != nil { return fingerprint.number.flatMap { keyInRow(of: $0) } }
        var slot = slot(fingerprint)
        while entries[unchecked: slot].stored != 0 {
            if entries[unchecked: slot].fingerprint == fingerprint {
                return ObjectKey(entries[unchecked: slot].stored &- 1)
            }
            slot = (slot &+ 1) & (1 &<< bits &- 1)
        }
        return nil
    }
}
