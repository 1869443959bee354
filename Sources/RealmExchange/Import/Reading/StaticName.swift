internal import RealmLayout

/// A name that documents are searched for.
struct StaticName: @unchecked Sendable {
    /// Its bytes, which live as long as the process.
    let text: ByteView

    private init(_ text: String) { self.text = .copy(of: Array(text.utf8)) }

    static let identity = StaticName("_id")
    static let realm = StaticName("$realm")
    static let key = StaticName("key")
    static let reference = StaticName("$ref")
    static let referenceIdentity = StaticName("$id")
    static let timestamp = StaticName("timestamp")
    static let seconds = StaticName("s")
    static let nanoseconds = StaticName("ns")
    static let float = StaticName("float")
    static let double = StaticName("double")
    static let decimal = StaticName("decimal")
    static let utf8 = StaticName("utf8")
    static let link = StaticName("link")
}

extension ByteView {
    /// Whether the bytes are those of a name.
    @inline(__always)
    func isSame(as name: StaticName) -> Bool { isSame(as: name.text) }

    /// Whether both views hold the same bytes. Compares whole words.
    @inline(__always)
    func isSame(as other: ByteView) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else { return shortWord == other.shortWord }
        guard uint64(unchecked: count &- 8) == other.uint64(unchecked: count &- 8) else { return false }
        var offset = 0
        while offset &+ 8 < count {
            guard uint64(unchecked: offset) == other.uint64(unchecked: offset) else { return false }
            offset &+= 8
        }
        return true
    }
}
