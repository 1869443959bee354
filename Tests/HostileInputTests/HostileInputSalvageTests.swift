import Expectations
import Foundation
import HostileProperties
import RealmCore
import RealmForensics
import TestSupport
import Testing

/// For any bytes, salvage terminates with a refusal or a sound file.
@Suite struct HostileInputSalvageTests {
    @Test(arguments: Share.current.of(HostileFile.all, sequence: 2))
    func `a handmade file is refused, or salvaged into a sound one`(_ file: HostileFile) {
        expectEqual(salvageEverything(file.bytes(), in: folderForSalvage), [])
    }

    @Test(
        arguments: Share.current.of(HostileInputFuzzCaseTests.cases, sequence: 2),
        [Salvage.Root.current, .otherSlot, .findRoot])
    func `a file found by fuzzing is refused, or salvaged into a sound one`(_ file: URL, root: Salvage.Root)
        throws
    {
        let bytes = [UInt8](try Data(contentsOf: file))
        expectEqual(salvageEverything(bytes, root: root, in: folderForSalvage), [])
    }
}
