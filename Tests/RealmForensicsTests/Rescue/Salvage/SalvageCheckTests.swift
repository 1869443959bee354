import Expectations
import Foundation
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// The new file is checked before it gets its name.
@Suite struct SalvageCheckTests {
    /// The real system, except that it writes one wrong byte.
    private final class WrongByte: OutputSystem {
        private let real = RealSystem()
        private let offset: Int

        init(at offset: Int) { self.offset = offset }

        func writeBytes(_ bytes: ByteView, to descriptor: Int32, at start: Int?) -> Int {
            var copy = bytes.bytes
            if let start, (start..<(start + copy.count)).contains(offset) { copy[offset - start] ^= 0x18 }
            return ByteView.with(copy) { real.writeBytes($0, to: descriptor, at: start) }
        }
        func createFile(_ path: String, permissions: UInt32) -> Int {
            real.createFile(path, permissions: permissions)
        }
        func openFile(_ path: String) -> Int { real.openFile(path) }
        func synchronize(_ descriptor: Int32) -> Int { real.synchronize(descriptor) }
        func growFile(_ descriptor: Int32, to size: Int) -> Int { real.growFile(descriptor, to: size) }
        func closeFile(_ descriptor: Int32) -> Int { real.closeFile(descriptor) }
        func renameFile(_ path: String, to other: String) -> Int { real.renameFile(path, to: other) }
        func linkFile(_ path: String, as other: String) -> Int { real.linkFile(path, as: other) }
        func removeFile(_ path: String) -> Int { real.removeFile(path) }
        func synchronizeFolder(_ path: String) -> Int { real.synchronizeFolder(path) }
        func lockFile(_ path: String) -> Int { real.lockFile(path) }
        func unlockFile(_ descriptor: Int32) -> Int { real.unlockFile(descriptor) }
        func truncateFile(_ descriptor: Int32) -> Int { real.truncateFile(descriptor) }
    }

    /// Existing files stay, and no other files are left.
    @Test(arguments: [false, true])
    func `existing files stay and no other files are left`(_ isEncrypted: Bool) throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/new.realm"
        let before = [UInt8]("what was there".utf8)
        try Data(before).write(to: URL(filePath: path))
        var file = NewFile(path)
        file.overwrite = true
        file.key = isEncrypted ? try EncryptionKey(bytes: [UInt8](repeating: 9, count: 64)) : nil
        // The width type of the first node, or a byte of the first page in an encrypted file.
        file.system = WrongByte(at: isEncrypted ? 4096 + 100 : FileHeader.size + 4)
        let bytes = try KnownFile.fixture("kennel").bytes()
        let error = #expect(throws: WriteError.self) { try Salvage(ByteSource(bytes: bytes)).write(to: file) }
        guard case .internalInconsistency? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        try expectEqual([UInt8](Data(contentsOf: URL(filePath: path))), before)
        try expect(
            FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { $0.hasPrefix("new.realm") })
    }
}
