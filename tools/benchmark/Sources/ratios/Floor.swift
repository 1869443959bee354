import CBaseline
import Foundation

/// The minimum work of any exporter of the same documents, as the limit for targets on this machine.
final class Floor {
    private let floor: OpaquePointer
    private let input: Input

    /// Exports the file once and parses the documents.
    init(of input: Input, scratch: Scratch) async throws {
        self.input = input
        floor = floor_make()
        let floor = floor
        try await Job.withDocuments(of: input, in: "\(scratch.path)/floor") { file in
            guard floor_add_file(floor, file) else {
                throw BenchmarkError("\(file): not documents that can be taken apart")
            }
        }
        guard floor_verify(floor) else { throw BenchmarkError("the floor makes other bytes than the export") }
    }

    deinit { floor_free(floor) }

    /// Builds and writes all documents once.
    ///
    /// - Parameter readsAll: whether each cache line of the mapped file is loaded instead of a word of each page.
    func measure(to path: String, readsAll: Bool) throws -> Cost {
        var isWritten = false
        let cost = Cost.of { isWritten = floor_run(floor, input.path, path, readsAll) }
        guard isWritten else { throw BenchmarkError("cannot write \(path)") }
        return cost
    }
}
