import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// Binaries larger than the maximum count of a node, as files of older formats can contain.
@Suite struct SplitBlobTests {
    @Test(arguments: [Limits.blobBytes, Limits.blobBytes + 1, 2 * Limits.blobBytes + 7])
    func `a large binary is split as by Realm Core`(size: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("new.realm")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: index &* 31 &+ index >> 16)) }
        let schema = SchemaDefinition([TableDefinition(class: "A", [PropertyDefinition("data", .binary)])])
        try NewFile(path).write { output throws(WriteError) in
            let file = try FileWriter(schema, output)
            try ByteView.with(bytes) { view throws(WriteError) in
                try file.tables[TablePosition(0)].objects.columns[0].append(binary: view)
            }
            try file.tables[TablePosition(0)].endObject(ObjectKey(0))
            return try file.end()
        }
        let object = try RealmDatabase(path: path).snapshot().table(named: "A").object(ObjectKey(0))
        guard case .binary(let found) = try #require(object).value(at: 0) else {
            Issue.record("no binary")
            return
        }
        expectEqual(found, bytes)
        let findings = Verification(level: .deep).run(on: try ByteSource(path: path)).findings
        expect(findings.isEmpty, "\(findings.prefix(3))")
    }

    /// No node crosses a multiple of 64 MiB; the space skipped before it is free, and nothing is lost.
    @Test func `no node crosses a multiple of 64 MiB`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("new.realm")
        let size = 15_000_000
        let schema = SchemaDefinition([TableDefinition(class: "A", [PropertyDefinition("data", .binary)])])
        try NewFile(path).write { output throws(WriteError) in
            let file = try FileWriter(schema, output)
            for key in 0..<5 {
                let bytes = [UInt8](repeating: UInt8(key + 1), count: size)
                try ByteView.with(bytes) { view throws(WriteError) in
                    try file.tables[TablePosition(0)].objects.columns[0].append(binary: view)
                }
                try file.tables[TablePosition(0)].endObject(ObjectKey(Int64(key)))
            }
            return try file.end()
        }
        let snapshot = try RealmDatabase(path: path).snapshot()
        // Four values end before 64 MiB; the fifth begins there.
        let nodeSize = size + NodeHeader.size
        try expectEqual(snapshot.freeBytes(), Limits.sectionSize - FileHeader.size - 4 * nodeSize)
        for key in 0..<5 {
            let object = try #require(try snapshot.table(named: "A").object(ObjectKey(Int64(key))))
            try expectEqual(object.value(at: 0), .binary([UInt8](repeating: UInt8(key + 1), count: size)))
        }
        let findings = Verification(level: .deep).run(on: try ByteSource(path: path)).findings
        expect(findings.isEmpty, "\(findings.prefix(3))")
    }
}
