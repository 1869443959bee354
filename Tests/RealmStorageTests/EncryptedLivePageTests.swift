import Foundation
import HostileProperties
import RealmLayout
import RealmStorage
import Synchronization
import TestSupport
import Testing

/// A page that another process writes again and again is read as one write left it.
@Suite struct EncryptedLivePageTests {
    /// The entry and the bytes that each write leaves; the data of write `n` consists of the number `n`.
    private static let writes: [(entry: [UInt8], page: [UInt8])] = {
        let encryptor = { (number: UInt32) in PageEncryptor(key: PageEncryptor.plainKey, [0: .written(number)]) }
        let files = (1...150).map { (number: UInt8) in
            encryptor(UInt32(number)).encrypt([UInt8](repeating: number, count: 4096))
        }
        // The last write comes before the first one again.
        return files.indices.map { index in
            let before = files[(index + files.count - 1) % files.count]
            return (Array(files[index][..<32] + before[..<32]), Array(files[index][4096..<8192]))
        }
    }()

    /// The file's only page is written without a rest: first its entry, then itself.
    @Test func everyReadIsOfOneWrite() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/page"
        try Data(Self.writes[0].entry + [UInt8](repeating: 0, count: 4032) + Self.writes[0].page)
            .write(to: URL(filePath: path))
        let descriptor = open(path, O_RDWR)
        defer { close(descriptor) }
        let flag = WriterFlag()
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var number = 0
            while !flag.isSet {
                number = (number + 1) % Self.writes.count
                _ = Self.writes[number].entry.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, 64, 0) }
                _ = Self.writes[number].page.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, 4096, 4096) }
            }
            ended.signal()
        }
        defer {
            flag.set()
            ended.wait()
        }
        try readOften(path)
    }

    private func readOften(_ path: String) throws {
        let source = try ByteSource(path: path)
        var seen: Set<UInt8> = []
        for _ in 0..<3000 {
            let pages = try EncryptedPages(source, key: EncryptionKey(bytes: PageEncryptor.plainKey))
            let bytes = try pages.leased { () throws(FormatError) in
                try PageGate(pages, pins: false).admit(0, 4096)
                return pages.view.slice(unchecked: 0, count: 4096).bytes
            }
            #expect(bytes.allSatisfy { $0 == bytes[0] })
            seen.insert(bytes[0])
        }
        #expect(seen.count > 10)
    }
}

/// Tells a thread to end.
private final class WriterFlag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}
