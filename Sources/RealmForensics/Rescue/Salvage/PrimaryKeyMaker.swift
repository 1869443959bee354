internal import RealmCore
internal import RealmLayout

/// The primary keys in use in a class, and new ones for objects whose keys are lost or not unique (Spec 190).
final class PrimaryKeyMaker {
    private enum Key: Hashable {
        case null
        case int(Int64)
        case bytes([UInt8])
    }

    private let type: StoredPropertyType
    private var keys: Set<Key> = []
    private var made: Int64 = 0

    init(_ type: StoredPropertyType) { self.type = type }

    /// Registers a key.
    ///
    /// - Returns: Whether the key was not yet in use.
    func insert(_ value: MixedValue) -> Bool {
        switch value {
        case .int(let number): keys.insert(.int(number)).inserted
        case .string(let view), .objectId(let view), .uuid(let view): keys.insert(.bytes(view.bytes)).inserted
        default: keys.insert(.null).inserted
        }
    }

    /// Calls `body` with an unused key: the lowest unused integer, a word with a number, or bytes of ones with a
    /// number.
    func withNewKey(_ body: (MixedValue) throws(WriteError) -> Void) throws(WriteError) {
        while true {
            made += 1
            let key = newKey(made)
            guard keys.insert(key).inserted else { continue }
            switch key {
            case .int(let number): return try body(.int(number))
            case .bytes(let bytes):
                return try ByteView.with(bytes) { view throws(WriteError) in
                    switch type {
                    case .objectId: try body(.objectId(view))
                    case .uuid: try body(.uuid(view))
                    default: try body(.string(view))
                    }
                }
            case .null: return try body(.null)
            }
        }
    }

    private func newKey(_ number: Int64) -> Key {
        switch type {
        case .int: .int(.min + number)
        case .objectId: .bytes(Self.bytes(number, count: 12))
        case .uuid: .bytes(Self.bytes(number, count: 16))
        default: .bytes(Array("\(SalvageTarget.lostAndFound)_\(number)".utf8))
        }
    }

    private static func bytes(_ number: Int64, count: Int) -> [UInt8] {
        [UInt8](repeating: 0xFF, count: count - 4)
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> Int64($0)) }
    }
}
