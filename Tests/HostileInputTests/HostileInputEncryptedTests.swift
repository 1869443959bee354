import Expectations
import Foundation
import HostileProperties
import RealmCore
import TestSupport
import Testing

/// For any content of an encrypted file and any damage to it, reading terminates and gives the same result as for a
/// plain file.
@Suite struct HostileInputEncryptedTests {
    @Test(arguments: Share.current.of(HostileFile.all, sequence: 5))
    func `an encrypted handmade file is read in the same way as the plain one`(_ file: HostileFile) throws {
        check(file.bytes(), "\(file)")
    }

    @Test(arguments: KnownFile.fixtures.filter { ((try? $0.bytes().count) ?? 0) < 40_000 })
    func `a damaged encrypted fixture is read without a violation`(_ file: KnownFile) throws {
        var bytes = try file.bytes()
        check(bytes, file.name)
        // Every other byte selects different damage to the pages.
        for index in 0..<40 where bytes.count > 24 {
            bytes[bytes.count - 1 - index] ^= UInt8(index + 1)
            if Share.current.contains(index, of: bytes.count) { check(bytes, "\(file.name) \(index)") }
        }
    }

    @Test(arguments: Share.current.of(HostileInputFuzzCaseTests.cases, sequence: 5))
    func `encrypted files found by fuzzing are read without a violation`(_ file: URL) throws {
        check([UInt8](try Data(contentsOf: file)), file.lastPathComponent)
    }

    /// Salvage ends with a refusal, or with a sound file, even when it reads unauthenticated pages.
    @Test(arguments: KnownFile.fixtures.filter { ((try? $0.bytes().count) ?? 0) < 40_000 })
    func `a damaged encrypted fixture is refused, or salvaged into a sound file`(_ file: KnownFile)
        throws
    {
        var bytes = try file.bytes()
        for index in 0..<12 where bytes.count > 24 {
            if Share.current.contains(index, of: bytes.count) {
                expectEqual(salvageEncrypted(bytes, in: folderForSalvage), [], "\(file.name) \(index)")
            }
            bytes[bytes.count - 1 - index] ^= UInt8(index + 1)
        }
    }

    @Test(arguments: Share.current.of(HostileFile.all, sequence: 6))
    func `an encrypted handmade file is refused, or salvaged into a sound one`(_ file: HostileFile) {
        expectEqual(salvageEncrypted(file.bytes(), in: folderForSalvage), [])
    }

    private func check(_ bytes: [UInt8], _ what: String) {
        let violations = HostileProperty.violationsOfEncrypted(bytes)
        expect(violations.isEmpty, "\(what): \(violations)")
    }
}
