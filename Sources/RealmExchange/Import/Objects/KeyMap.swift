internal import RealmLayout
internal import RealmStorage

/// What an identity is remembered by: exact for integers, ObjectIds, UUIDs and strings of at most 15 bytes, for longer
/// ones 120 bits of their SHA-256. Identities of one class are of one type.
struct Fingerprint: BitwiseCopyable, Equatable {
    let first: UInt64
    let second: UInt64

    init(_ number: Int64) {
        first = UInt64(bitPattern: number)
        second = 1
    }

    /// Of the 12 or 16 bytes of an ObjectId or UUID.
    init(fixed bytes: ByteView) {
        first = bytes.uint64(unchecked: 0)
        second = bytes.count == 16 ? bytes.uint64(unchecked: 8) : UInt64(bytes.uint32(unchecked: 8))
    }

    /// Of a string, with a hash for those that are too long to be here themselves.
    @inline(__always)
    init(_ text: ByteView, _ hash: SHA256) throws(StorageError) {
        guard text.count < 16 else {
            self = try Self.hashed(text, hash)
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
    private static func hashed(_ text: ByteView, _ hash: SHA256) throws(StorageError) -> Fingerprint {
        hash.update(text)
        let digest = try hash.finish()
        return ByteView.with(digest) { view in
            Fingerprint(
                first: view.uint64(unchecked: 0), second: view.uint64(unchecked: 8) | UInt64(0xFF) &<< 56)
        }
    }
}

/// The object keys of a class by what identifies the objects: open addressing in one piece of memory.
final class KeyMap {
    private struct Entry: BitwiseCopyable {
        let fingerprint: Fingerprint
        /// The key plus one, so that 0 is no entry: -1 is no key.
        let stored: Int64
    }

    private var slab = Slab<Entry>(zeroed: 1 << 10)
    private var entries: SlabView<Entry>
    private var bits = 10
    /// How many identities there are.
    private(set) var count = 0

    init() { entries = SlabView(slab) }

    @inline(__always)
    private func slot(_ fingerprint: Fingerprint) -> Int {
        let mixed = (fingerprint.first ^ fingerprint.second &* 0xC2B2_AE3D_27D4_EB4F) &* 0x9E37_79B9_7F4A_7C15
        let spread = (mixed ^ (mixed &>> 32)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: spread &>> UInt64(truncatingIfNeeded: 64 &- bits))
    }

    /// The key of an identity; nil when there is none.
    @inline(__always)
    func key(of fingerprint: Fingerprint) -> ObjectKey? {
        var slot = slot(fingerprint)
        while entries[unchecked: slot].stored != 0 {
            if entries[unchecked: slot].fingerprint == fingerprint {
                return ObjectKey(entries[unchecked: slot].stored &- 1)
            }
            slot = (slot &+ 1) & (slab.count &- 1)
        }
        return nil
    }

    /// Remembers the key of an identity.
    ///
    /// - Returns: false when there was one already, which stays.
    func insert(_ fingerprint: Fingerprint, _ key: ObjectKey) -> Bool {
        if count * 8 >= slab.count * 5 { grow() }
        guard self.key(of: fingerprint) == nil else { return false }
        put(Entry(fingerprint: fingerprint, stored: key.value &+ 1))
        count += 1
        return true
    }

    private func put(_ entry: Entry) {
        var slot = slot(entry.fingerprint)
        while entries[unchecked: slot].stored != 0 { slot = (slot &+ 1) & (slab.count &- 1) }
        entries[unchecked: slot] = entry
    }

    private func grow() {
        let old = slab
        bits += 1
        slab = Slab(zeroed: 1 << bits)
        entries = SlabView(slab)
        for index in 0..<old.count where old[index].stored != 0 { put(old[index]) }
    }
}
