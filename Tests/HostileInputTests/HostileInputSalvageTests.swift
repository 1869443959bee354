import Foundation
import HostileProperties
import RealmRescue
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
        // Ends in all parts of nodes and of pages: no multiple of either.
        try victim.forEachPrefix(step: 264) { bytes, what in
            #expect(salvageEverything(bytes, in: folderForSalvage) == [], "\(what)")
        }
    }

    @Test(arguments: Victim.chosen, Replacement.allCases)
    func everyByte(of victim: Victim, replacedBy replacement: Replacement) throws {
        try victim.forEachByte(replacedBy: replacement, step: 75) { bytes, what in
            #expect(salvageEverything(bytes, root: .chosen(by: bytes), in: folderForSalvage) == [], "\(what)")
        }
    }

    @Test(arguments: HostileInputFuzzCaseTests.cases, [Salvage.Root.current, .otherSlot, .findRoot])
    func fuzzCase(_ file: URL, root: Salvage.Root) throws {
        let bytes = [UInt8](try Data(contentsOf: file))
        #expect(salvageEverything(bytes, root: root, in: folderForSalvage) == [])
    }
}
