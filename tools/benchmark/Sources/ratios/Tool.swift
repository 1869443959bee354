import CChild
import Foundation

/// The command line tool.
struct Tool {
    let path: String

    /// Runs the tool and discards its output.
    ///
    /// - Throws: when it is missing, or its exit status is not 0.
    @discardableResult
    func run(_ arguments: [String], samplesMemory: Bool = false) throws -> child_usage {
        var usage = child_usage()
        var pointers = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        let code = child_run(&pointers, samplesMemory, &usage)
        guard code == 0 else { throw BenchmarkError("\(path): \(String(cString: strerror(code)))") }
        guard usage.exit_code == 0 else {
            throw BenchmarkError("realmfile \(arguments.joined(separator: " ")) ended with \(usage.exit_code)")
        }
        return usage
    }
}
