import Expectations
import RealmCore
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Each system call fails once while whole files are written: existing files stay, no partial file is left, and the
/// error names the reason.
@Suite struct WriteFaultTests {
    private static let old = [UInt8](1...200)

    /// Writes a file of a few megabytes, so that it is written in several parts.
    private static func build(_ file: NewFile) throws {
        let schema = SchemaDefinition([
            TableDefinition(
                class: "Blob", primaryKey: "_id",
                [
                    PropertyDefinition("_id", .int), PropertyDefinition("data", .binary),
                    PropertyDefinition("next", .link, target: "class_Blob"),
                ])
        ])
        let builder = try RealmBuilder(schema, at: file)
        do {
            for number in 0..<25 {
                try builder.add(
                    "Blob",
                    [
                        "_id": .int(Int64(number)), "data": .binary([UInt8](repeating: UInt8(number), count: 100_000)),
                        "next": .link(primaryKey: .int(Int64((number + 9) % 25))),
                    ])
            }
            try builder.finish()
        } catch {
            // Every further call throws the same error.
            #expect(throws: error) { try builder.add("Blob", ["_id": 99, "data": .binary([])]) }
            #expect(throws: error) { try builder.finish() }
            throw error
        }
    }

    private static func rebuild(_ file: NewFile) throws {
        try Rebuild(RealmDatabase(path: KnownFile.packageRoot.appending(path: "Fixtures/kennel.realm").path).snapshot())
            .write(to: file)
    }

    @Test(arguments: [false, true], [false, true])
    func `a builder leaves no partial file after any failed call`(isEncrypted: Bool, isThere: Bool) throws {
        try failEach(isEncrypted: isEncrypted, isThere: isThere, Self.build)
    }

    @Test(arguments: [false, true], [false, true])
    func `a rebuild leaves no partial file after any failed call`(isEncrypted: Bool, isThere: Bool) throws {
        try failEach(isEncrypted: isEncrypted, isThere: isThere, Self.rebuild)
    }

    private func failEach(isEncrypted: Bool, isThere: Bool, _ write: (NewFile) throws -> Void) throws {
        func file(_ folder: TemporaryFolder, _ system: FaultySystem) throws -> NewFile {
            if isThere { try folder.write(Self.old, "new.realm") }
            var file = NewFile(folder.file("new.realm"))
            file.overwrite = isThere
            file.key = isEncrypted ? try EncryptionKey(bytes: [UInt8](0..<64)) : nil
            file.system = system
            return file
        }
        let good = try TemporaryFolder()
        let counting = FaultySystem()
        try write(file(good, counting))
        let complete = try #require(good.bytes("new.realm"))
        expectEqual(good.names, ["new.realm"])
        expectEqual(counting.calls.suffix(2), ["rename", "synchronizeFolder"])
        for (number, call) in counting.calls.enumerated() {
            let folder = try TemporaryFolder()
            let file = try file(folder, FaultySystem(.init(call: number, code: ENOSPC)))
            let place: Comment = "call \(number), \(call)"
            do {
                try write(file)
                Issue.record("\(place): nothing was said")
            } catch WriteError.storage(let error) {
                expectEqual(error.code, ENOSPC, place)
                expectEqual(error.path, folder.file("new.realm"), place)
                expect(!error.action.isEmpty, place)
            }
            // When the last call fails, the file already has its name.
            let isComplete = call == "synchronizeFolder"
            expectEqual(folder.names, (isThere || isComplete ? ["new.realm"] : []), place)
            let left = folder.bytes("new.realm")
            expectEqual(left, (isComplete ? complete : isThere ? Self.old : nil), place)
        }
    }
}
