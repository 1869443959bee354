import Expectations
import RealmCore
import RealmLayout
import TestSupport
import Testing

import RealmExchange

/// Division of objects into pieces of work.
@Suite struct ClusterBatchesTests {
    /// Several threads may reach a failure: none gets a piece after it, otherwise the reported failure would depend on
    /// timing.
    @Test(arguments: [0, 1, 4])
    func `no thread gets a piece after a failure`(inCluster number: Int) throws {
        var patient = try Patient("links-stream")
        let root = try patient.ref([1, 3, 2])
        let cluster = try patient.child(root, 3 + number)
        let keys = try patient.child(cluster, 0)
        try patient.set(keys, patient.count(keys) - 1, 0)
        let before = try (0..<number).reduce(0) {
            $0 + patient.count(try patient.child(patient.child(root, 3 + $1), 0))
        }
        let snapshot = try RealmDatabase(bytes: patient.bytes).snapshot()
        let core = try #require(snapshot.cores.last)
        var batches = ClusterBatches(core)
        var rows = 0
        var errors: [FormatError] = []
        while errors.count < 3 {
            do throws(FormatError) {
                let pieces = try batches.next()
                expect(errors.isEmpty && !pieces.isEmpty)
                guard !pieces.isEmpty else { return }
                rows += pieces.reduce(0) { $0 + $1.rows.count }
            } catch {
                errors.append(error)
            }
        }
        expectEqual(rows, before)
        expect(errors.allSatisfy { $0.code == .badCluster && $0.offset == cluster })
    }
}
