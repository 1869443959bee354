import Expectations
import Foundation
import Testing

/// A text file next to the tests that must equal the text generated from the sources. `tools/api --update` regenerates
/// it.
struct GoldenFile {
    let url: URL

    init(_ name: String, in folder: String = "APITests") {
        url = Kennel.project.appending(path: "Tests/\(folder)/\(name)")
    }

    /// Compares line by line, and reports added and removed lines.
    func expectText(_ text: String, _ what: String) throws {
        if ProcessInfo.processInfo.environment["REALMFILE_UPDATE_API"] == "1" {
            return try text.write(to: url, atomically: true, encoding: .utf8)
        }
        let old = try String(contentsOf: url, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
        let new = text.split(separator: "\n", omittingEmptySubsequences: false)
        let changes = new.difference(from: old).map { change in
            switch change {
            case .insert(_, let line, _): "+ \(line)"
            case .remove(_, let line, _): "- \(line)"
            }
        }
        expect(
            changes.isEmpty,
            "\(what) changed; if that is meant, run tools/api --update\n\(changes.prefix(40).joined(separator: "\n"))")
    }
}
