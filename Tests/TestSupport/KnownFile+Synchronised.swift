internal import RealmCore

extension KnownFile {
    /// Returns the bytes of the fixture `format-22-links` with the history type of a sync client, but otherwise no such
    /// history.
    package static func synchronised() throws -> [UInt8] {
        var bytes = try fixture("format-22-links").bytes()
        guard let root = try RealmDatabase(bytes: bytes).snapshot().topRef?.offset else {
            throw TestSupportError("format-22-links is empty")
        }
        // The type of the history is the eighth element of the root: 2, in the file, becomes 3, of a sync client.
        let place = root + 8 + 7 * max(1, (1 << (Int(bytes[root + 4] & 7) - 1)) / 8)
        guard bytes[place] == 5 else { throw TestSupportError("format-22-links has another history") }
        bytes[place] = 7
        return bytes
    }
}
