package import RealmLayout

/// A compact form of an identity. It is exact for integers, ObjectIds, UUIDs and strings of at most 15 bytes. Longer
/// strings are represented by 117 bits of hashes with secret keys. All identities of one class have the same type.
package struct Fingerprint: BitwiseCopyable, Equatable {
    let first: UInt64
    let second: UInt64

    package init(_ number: Int64) {
        first = UInt64(bitPattern: number)
        second = 1
    }

    /// The integer that this represents or resembles.
    @inline(__always)
    var number: Int64? { second == 1 ? Int64(bitPattern: first) : nil }

    /// Creates the fingerprint of the 12 or 16 bytes of an ObjectId or UUID.
    package init(fixed bytes: ByteView) {
        first = bytes.uint64(unchecked: 0)
        second = bytes.count == 16 ? bytes.uint64(unchecked: 8) : UInt64(bytes.uint32(unchecked: 8))
    }

    /// The fingerprint of null, which one object of a class can have. It is random, so that no UUID can be crafted to
    /// match it.
    static let null = Fingerprint(
        first: .random(in: .min ... .max), second: .random(in: 0...(.max >> 8)) | UInt64(0xFE) &<< 56)

    /// Creates the fingerprint of a string; strings that are too long are hashed.
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
        // The length stored for a short string is never this high.
        return Fingerprint(first: first, second: second >> 5 | UInt64(0xFF) &<< 56)
    }
}

/// Two polynomials over the integers modulo 2^61 - 1. The coefficients are seven bytes of a string each, and each
/// polynomial is evaluated at a secret key. Two different strings of n bytes collide for at most n / 7 of 2^61 keys,
/// even if an attacker chose them.
package struct IdentityHash: BitwiseCopyable {
    private static let prime: UInt64 = 1 << 61 &- 1

    private let firstKey = UInt64.random(in: 1..<Self.prime)
    private let secondKey = UInt64.random(in: 1..<Self.prime)

    package init() {}

    /// The 61-bit values for both keys. The string must have at least 8 bytes.
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
        // The last seven bytes, some of which may have been used already.
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

/// The object keys of a class by identity: a hash table with open addressing in one block of memory.
package final class KeyMap {
    fileprivate struct Entry: BitwiseCopyable {
        let fingerprint: Fingerprint
        /// The key plus one, so that 0 marks an empty entry; -1 is not a valid key.
        let stored: Int64
    }

    /// The data for lookups as plain values, valid until the next insertion.
    package struct View: BitwiseCopyable {
        fileprivate let entries: UncheckedSpan<Entry>
        fileprivate let bits: Int
        /// Secret, so that no file can choose identities with neighbouring slots to make searches long.
        fileprivate let salt: UInt64
        /// For integer identities without large gaps: the lowest one, and the stored keys from it on.
        fileprivate var lowest: UInt64 = 0
        fileprivate var rowCount = 0
        fileprivate var row: UncheckedSpan<Int64>?
    }

    private static let firstBits = 5
    private var slab = UncheckedArray<Entry>(zeroed: 1 << KeyMap.firstBits)
    package private(set) var view: View
    private var row: UncheckedArray<Int64>?
    /// Number of identities.
    private(set) var count = 0

    package init() { view = View(entries: UncheckedSpan(slab), bits: Self.firstBits, salt: .random(in: .min ... .max)) }

    /// Size in bytes.
    var size: Int { slab.count * MemoryLayout<Entry>.stride }

    /// Size in bytes after the next insertion.
    var nextSize: Int { isFull ? 2 * size : size }

    private var isFull: Bool { count * 8 >= slab.count * 5 }

    /// Inserts the key of an identity.
    ///
    /// - Returns: False if the identity already has a key, which is kept.
    package func insert(_ fingerprint: Fingerprint, _ key: ObjectKey) -> Bool {
        view.row = nil
        if isFull { grow() }
        guard view.key(of: fingerprint) == nil else { return false }
        put(Entry(fingerprint: fingerprint, stored: key.value &+ 1))
        count += 1
        return true
    }

    /// Builds an array for integer identities that are close together, so that frequent lookups need no search.
    ///
    /// - Parameter room: Memory limit for the array in bytes.
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

    /// The key of an integer identity; nil if it has none, or there is no array.
    @inline(__always)
    func keyInRow(of number: Int64) -> ObjectKey? {
        guard let row else { return nil }
        let place = Int(bitPattern: UInt(truncatingIfNeeded: UInt64(bitPattern: number) &- lowest))
        guard place >= 0, place < rowCount, row[unchecked: place] != 0 else { return nil }
        return ObjectKey(row[unchecked: place] &- 1)
    }

    /// Prefetches the memory that `key(of:)` reads first.
    @inline(__always)
    func prefetch(_ fingerprint: Fingerprint) {
        guard row == nil else { return }
        entries.prefetch(slot(fingerprint))
    }

    /// The key of an identity; nil if it has none.
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
