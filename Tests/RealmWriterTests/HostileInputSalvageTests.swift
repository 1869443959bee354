import Foundation
import HostileProperties
import RealmWriter
import TestSupport
import Testing

/// Whatever the bytes are, salvaging ends: with a refusal, or with a file in which nothing is wrong.
@Suite struct HostileInputSalvageTests {
    @Test(arguments: HostileFile.all)
    func handmade(_ file: HostileFile) {
        #expect(salvageEverything(file.bytes(), in: folderForSalvage) == [])
    }

    @Test(arguments: Victim.chosen)
    func everyPrefix(of victim: Victim) throws {
        let bytes = try victim.bytes()
        // Ends in all parts of nodes and of pages: no multiple of either.
        for count in stride(from: 0, through: bytes.count, by: 264) {
            #expect(salvageEverything(Array(bytes[..<count]), in: folderForSalvage) == [], "the first \(count) bytes")
        }
    }

    @Test(arguments: Victim.chosen, Replacement.allCases)
    func everyByte(of victim: Victim, replacedBy replacement: Replacement) throws {
        try victim.forEachByte(replacedBy: replacement, step: 75) { bytes, what in
            #expect(salvageEverything(bytes, root: .chosen(by: bytes), in: folderForSalvage) == [], "\(what)")
        }
    }

    @Test func fuzzCases() throws {
        let folder = KnownFile.packageRoot.appending(path: "tools/fuzz/FailCases")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files where file.pathExtension == "realm" {
            let bytes = [UInt8](try Data(contentsOf: file))
            for root in [Salvage.Root.current, .otherSlot, .findRoot] {
                let violations = salvageEverything(bytes, root: root, in: folderForSalvage)
                #expect(violations == [], "\(file.lastPathComponent) \(root)")
            }
        }
    }
}
