import CBaseline
import CChild
import Foundation

/// libbson, building the documents in the export of a file from values in memory.
final class Baseline {
    private let baseline: OpaquePointer

    /// Exports the file once and parses the documents.
    init(of input: Input, scratch: Scratch) async throws {
        baseline = baseline_make()
        let baseline = baseline
        try await Job.withDocuments(of: input, in: "\(scratch.path)/baseline") { file in
            guard baseline_add_file(baseline, file) else {
                throw BenchmarkError("\(file): not documents that libbson can take apart")
            }
        }
        guard baseline_verify(baseline) else { throw BenchmarkError("libbson makes other bytes than the export") }
    }

    deinit { baseline_free(baseline) }

    var documents: Int { baseline_documents(baseline) }
    var fields: Int { baseline_fields(baseline) }
    var bytes: Int { baseline_bytes(baseline) }

    /// Builds all documents once.
    func measure() -> Cost { Cost.of { _ = baseline_replay(baseline) } }

    /// Writes a file of the size of all documents.
    func measureWriting(to path: String) throws -> Cost {
        var isWritten = false
        let cost = Cost.of { isWritten = baseline_write_bytes(baseline, path) }
        guard isWritten else { throw BenchmarkError("cannot write \(path)") }
        return cost
    }

    /// Returns the wall time in seconds for building all documents twice, on one thread or on two.
    func measureTwice(parallel: Bool) -> Double { Cost.of { baseline_replay_times(baseline, 2, parallel) }.wall }
}
