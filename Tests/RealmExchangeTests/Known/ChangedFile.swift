import Foundation
import RealmCore
import TestSupport

/// A copy of a fixture with some bytes replaced.
struct ChangedFile {
    let bytes: [UInt8]

    /// Replaces every occurrence of each text, which must exist, by another of the same length.
    init(_ fixture: String, replacing changes: [(String, [UInt8])]) throws {
        var bytes = try KnownFile.fixture(fixture).bytes()
        for (old, new) in changes {
            let old = Array(old.utf8)
            guard old.count == new.count else { throw TestSupportError("texts of different length") }
            let places = bytes.ranges(of: old)
            guard !places.isEmpty else {
                throw TestSupportError("\(String(decoding: old, as: UTF8.self)) is not there")
            }
            for place in places { bytes.replaceSubrange(place, with: new) }
        }
        self.bytes = bytes
    }

    var snapshot: Snapshot { get throws { try RealmDatabase(bytes: bytes).snapshot() } }
}
