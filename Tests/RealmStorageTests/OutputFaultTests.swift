import Expectations
import Foundation
import HostileProperties
import RealmLayout
import RealmStorage
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Each system call fails once: existing files stay, no other files are left, and the error names the reason.
@Suite struct OutputFaultTests {
    private static let header = Array("0123456789abcdefT-DB".utf8) + [24, 24, 0, 1]
    private static let content = DatabaseOutputTests.content(2_500_000)

    private func write(_ folder: TemporaryFolder, _ key: [UInt8]?, _ system: FaultySystem) throws {
        let output = try DatabaseOutput(
            path: folder.file("db.realm"), overwrite: true, key: key.map { try EncryptionKey(bytes: $0) },
            system: system)
        for start in stride(from: 0, to: Self.content.count, by: 500_000) {
            let part = Array(Self.content[start..<start + 500_000])
            if start == 500_000 { try ByteView.with(part) { try output.write($0) } } else { try output.append(part) }
        }
        try output.finish(header: Self.header)
    }

    /// Returns the calls that write a file without a failure.
    private func calls(_ key: [UInt8]?, withLock: Bool) throws -> [String] {
        let folder = try TemporaryFolder()
        if withLock { try folder.write([1], "db.realm.lock") }
        let system = FaultySystem()
        try write(folder, key, system)
        return system.calls
    }

    @Test(arguments: [false, true], [false, true])
    func `a database that cannot be written keeps the old file`(isEncrypted: Bool, isThere: Bool) throws {
        let key = isEncrypted ? PageEncryptor.plainKey : nil
        let calls = try calls(key, withLock: isThere)
        expect(calls.filter { $0 == "write" }.count >= (key == nil ? 4 : 6))
        let end = ["synchronize", "lock", "close", "rename"] + (isThere ? ["truncate", "close"] : [])
        expectEqual(calls.suffix(end.count + 1), (end + ["synchronizeFolder"])[...])
        expectEqual(calls.prefix(3), (isThere ? ["lock", "close", "create"] : ["lock", "create", "write"]))
        // Releasing a lock file cannot fail, and a failure to shorten it has no effect.
        let harmless = isThere ? [1, calls.count - 3, calls.count - 2] : []
        for (number, call) in calls.enumerated() {
            for code in [ENOSPC, EIO] {
                let folder = try TemporaryFolder()
                let old = isThere ? [UInt8](1...200) : nil
                if let old {
                    try folder.write(old, "db.realm")
                    try folder.write([1], "db.realm.lock")
                }
                let system = FaultySystem(.init(call: number, code: code))
                if harmless.contains(number) {
                    try write(folder, key, system)
                    expectEqual(folder.names, ["db.realm", "db.realm.lock"])
                    continue
                }
                let error = #expect(throws: StorageError.self, "\(number) \(call)") {
                    try write(folder, key, system)
                }
                expectEqual(error?.code, code)
                expectEqual(error?.path, folder.file("db.realm"))
                expectEqual(error?.action.isEmpty, false)
                // The last call comes after the file has its name.
                let isComplete = call == "synchronizeFolder"
                expect((folder.bytes("db.realm") == old) != isComplete, "\(number) \(call)")
                let names = isThere ? ["db.realm", "db.realm.lock"] : isComplete ? ["db.realm"] : []
                expectEqual(folder.names, names, "\(number) \(call)")
            }
        }
    }

    @Test func `an output that cannot be written keeps the old file`() throws {
        func write(_ folder: TemporaryFolder, _ system: FaultySystem) throws {
            let output = try OutputFile(path: folder.file("out"), replacing: true, system: system)
            for part in [[UInt8](1...100), [UInt8](1...50)] { try ByteView.with(part) { try output.write($0) } }
            try output.synchronize()
            try output.commit()
        }
        let good = try TemporaryFolder()
        let system = FaultySystem()
        try write(good, system)
        expectEqual(good.bytes("out"), [UInt8](1...100) + [UInt8](1...50))
        expectEqual(system.calls, ["create", "write", "write", "synchronize", "close", "rename"])
        for number in system.calls.indices {
            let folder = try TemporaryFolder()
            try folder.write([1], "out")
            let error = #expect(throws: StorageError.self) {
                try write(folder, FaultySystem(.init(call: number, code: ENOSPC)))
            }
            expectEqual(error?.code, ENOSPC)
            expectEqual(folder.bytes("out"), [1])
            expectEqual(folder.names, ["out"])
        }
    }
}
