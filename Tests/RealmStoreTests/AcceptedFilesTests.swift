import Expectations
import RealmStore
import TestSupport
import Testing
import TransactionTestSupport

private import struct Foundation.URL

/// Transactions produce files that are byte for byte equal to those accepted by Realm Core.
@Suite struct AcceptedFilesTests {
    @Test(arguments: Share.current.of(AcceptedFiles.seeds), [false, true])
    func `random programs produce files that Realm Core has accepted`(seed: UInt64, isEncrypted: Bool) throws {
        let folder = try TemporaryFolder()
        let turns = Turns(nil, seed: seed, isEncrypted: isEncrypted)
        let hash = try turns.hash(of: AcceptedFiles.turns, in: URL(filePath: folder.path), isAsked: false)
        expectEqual(AcceptedFiles.hashes[seed]?[isEncrypted ? 1 : 0], hash)
    }
}
