import Expectations
import RealmCore
import RealmForensics
import RealmStorage
import RealmStore
import TestSupport
import Testing

/// The commits shown byte by byte in Spec 220, on the file shown in Spec 165, equal those that a store writes.
@Suite struct CommitSpecTests {
    private let spec: SpecDocument

    init() throws { spec = try SpecDocument.load() }

    /// Returns the bytes of an example written over those of a file.
    private func shown(
        _ lines: [SpecDocument.HexLine], _ name: String, over bytes: [UInt8]
    ) throws -> [UInt8] {
        let own = lines.filter { $0.fixture == name }
        try #require(!own.isEmpty, "\(name)")
        var result = bytes
        for line in own {
            let end = line.offset + line.bytes.count
            if end > result.count { result += [UInt8](repeating: 0, count: end - result.count) }
            result.replaceSubrange(line.offset..<end, with: line.bytes)
        }
        return result
    }

    private func numbers(_ path: String) throws -> [Value] {
        var values: [Value] = []
        var cursor = try RealmDatabase(path: path).snapshot().table(named: "T").objects
        while let object = try cursor.next() { values.append(try object["a"]) }
        return values
    }

    @Test func `the bytes in the Spec match the written commits`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("minimal.realm")
        // Zeros up to a whole page, as the file is written.
        var bytes = try shown(spec.writtenLines, "minimal", over: [UInt8](repeating: 0, count: 4096))
        try folder.write(bytes, "minimal.realm")
        let commits = spec.committedLines
        expectEqual(Set(commits.map(\.fixture)), ["first", "second"])
        for (name, added) in [("first", 3), ("second", 4)] {
            do {
                let store = try RealmStore(path: path)
                try store.write { _ = try $0.add("T", ["a": .int(Int64(added))]) }
            }
            let written = try #require(folder.bytes("minimal.realm"))
            // The file grows before anything is written beyond its end.
            let room = [UInt8](repeating: 0, count: max(0, written.count - bytes.count))
            bytes = try shown(commits, name, over: bytes + room)
            for offset in bytes.indices where offset >= written.count || bytes[offset] != written[offset] {
                Issue.record("\(name): byte \(offset)")
                break
            }
            expectEqual(written.count, bytes.count)
            // The content is correct.
            try expectEqual(numbers(path), (1...added).map { .int(Int64($0)) })
            let findings = Verification(level: .deep).run(on: try ByteSource(path: path)).findings
            expect(findings.isEmpty, "\(findings)")
        }
    }
}
