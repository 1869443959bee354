import CommandTestSupport
import Expectations
import Foundation
import RealmCore
import RealmFileCommands
import RealmStorage
import TestSupport
import Testing

/// Messages about files that other programs overwrote, that were truncated, or that follow other bytes: the same
/// diagnosis from all commands, with useful advice.
@Suite struct RescueMessageTests {
    private static let alert: [UInt8] = [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x46]

    /// A record of seven bytes over the upper bytes of a slot, or one over each slot, loses nothing else.
    @Test(arguments: [[5], [0, 8]]) func `a record over the header loses nothing else`(_ places: [Int]) async throws {
        let original = try RealmDatabase(bytes: KnownFile.fixture("kennel").bytes()).snapshot()
        let file = try TemporaryFile(fixture: "kennel") { bytes in
            for place in places { bytes.replaceSubrange(place..<(place + 7), with: Self.alert) }
        }
        let words = "slot 0 of the header is overwritten with foreign bytes (a TLS alert record at offset \(places[0]))"
        for verb in ["info", "verify", "hash", "schema"] {
            let run = await Run(verb, file.path)
            expectEqual(run.status, .unreadable)
            expect(run.messages.joined().contains(words), "\(verb): \(run.messages)")
            expect(!run.messages.joined().contains("cut off"), "\(verb): \(run.messages)")
            expect(
                run.messages.joined().contains("`realmfile doctor \(file.path)`"),
                "\(verb): \(run.messages)")
        }
        for way in ["--find-root", "--salvage"] {
            let out = beside(file, "new\(way).realm")
            let run = await Run("repair", file.path, way, "--out", out)
            expectEqual(run.status, .success, "\(run.output)\(run.messages)")
            expect(run.output.contains(words), "\(run.output)")
            for contradiction in ["later commit", "is lost", "lost            the last commit"] {
                expect(!run.output.contains(contradiction), "\(way): \(run.output)")
            }
            let found = try RealmDatabase(path: out).snapshot()
            try expect(original.contentDifference(to: found, includesSystemTables: true).isEmpty)
        }
    }

    /// A file between other bytes, as in a disk image.
    @Test(arguments: [1, 8, 64, 4096, 1 << 20]) func `a file after other bytes is reported`(_ count: Int) async throws {
        let bytes = try KnownFile.fixture("kennel").bytes()
        let front = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 29) }
        let file = try TemporaryFile(front + bytes)
        let original = try TemporaryFile(bytes)
        for verb in ["info", "verify", "hash"] {
            let run = await Run(verb, file.path)
            expectEqual(run.status, .unreadable)
            expect(run.messages.joined().contains("a Realm file begins at byte \(count) "), "\(run.messages)")
            expect(
                run.messages.joined().contains("`realmfile doctor \(file.path) --skip \(count)`"), "\(run.messages)")
        }
        // Repair takes the file out by itself, and reports that it did.
        for way in ["--find-root", "--salvage"] {
            let run = await Run("repair", file.path, way, "--dry-run")
            expectEqual(run.status, .success, "\(run.messages)")
            expect(run.output.contains("a Realm file after \(count) extra byte"), "\(run.output)")
        }
        let hash = await Run("hash", original.path).output
        await expectEqual(Run("hash", file.path, "--skip", "\(count)").output, hash)
        await expectEqual(Run("verify", file.path, "--skip", "0x" + String(count, radix: 16)).status, .success)
        await expectEqual(Run("diff", file.path, original.path, "--skip", "\(count)").status, .success)
        await expectEqual(Run("doctor", file.path, "--skip", "\(count)").status, .success)
        let out = beside(file, "new.realm")
        await expectEqual(Run("repair", file.path, "--skip", "\(count)", "--find-root", "--out", out).status, .success)
        await expectEqual(Run("hash", out).output, hash)
        await expectEqual(Run("hash", file.path, "--skip", "\(count + bytes.count + 1)").status, .usage)
    }

    /// Most of a truncated file is still there.
    @Test func `a truncated file is reported, with the remaining content`() async throws {
        let file = try TemporaryFile(fixture: "kennel") { $0.removeLast($0.count - 0x1040) }
        let info = await Run("info", file.path)
        expect(
            info.messages.joined().contains("`realmfile doctor \(file.path)`"), "\(info.messages)")
    }

    /// When nothing is left of the classes, no file without classes is made.
    @Test func `a file without classes is not created`() async throws {
        var patient = try Patient("kennel")
        let (names, tables) = (patient.element(patient.top, 0), patient.element(patient.top, 1))
        for offset in names..<(names + 8 + patient.count(names) * patient.width(names)) { patient.bytes[offset] = 0 }
        patient.setCount(tables, 0)
        let file = try TemporaryFile(patient.bytes)
        let out = beside(file, "new.realm")
        let run = await Run("repair", file.path, "--salvage", "--out", out)
        expectEqual(run.status, .unreadable)
        expect(run.messages.joined().contains("no class is left of the commit that was found"), "\(run.messages)")
        expect(!FileManager.default.fileExists(atPath: out))
    }

    /// The end with the root of commit 3 is missing, but its tables are there, with 21 objects of Core's dump that
    /// commit 2 does not have. It would be wrong to report that nothing of it can be salvaged.
    @Test func `tables of a newer commit are found`() async throws {
        let file = try TemporaryFile(fixture: "kennel") { $0.removeSubrange(0x1000...) }
        let run = await Run("repair", file.path, "--salvage", "--dry-run")
        expectEqual(run.status, .findings)
        expect(run.output.contains("commit 2 with newer tables found by scanning the file is used instead"))
        expect(run.output.contains("Dog: 10 of 10 objects kept"), "\(run.output)")
        expect(!run.output.contains("signs of a later commit"), "\(run.output)")
    }

    /// A damaged commit is refused; the message names the damaged place and a way to recover its content.
    @Test func `a damaged commit is refused, with a way to recover`() async throws {
        let file = try TemporaryFile(fixture: "kennel") { bytes in
            (bytes[0xA46], bytes[0xA47]) = (0x00, 0x10)
            for index in 0..<8 { bytes[8 + index] = 0 }
        }
        let run = await Run("repair", file.path, "--commit", "3", "--out", beside(file, "new.realm"))
        expectEqual(run.status, .findings)
        expect(run.output.contains("error N08       freePositions: "), "\(run.output)")
        expect(
            run.messages.joined().contains("`realmfile repair \(file.path) --salvage --commit 3 --dry-run`"),
            "\(run.messages)")
    }
}
