import Expectations
import Foundation
import HostileProperties
import RealmLayout
import RealmStorage
import Synchronization
import TestSupport
import Testing

/// A page that another process writes repeatedly is read in the state after one of the writes.
@Suite struct EncryptedLivePageTests {
    /// The entry and the bytes after each write; the data of write `n` consists of the number `n`.
    private static let writes: [(entry: [UInt8], page: [UInt8])] = {
        let encryptor = { (number: UInt32) in PageEncryptor(key: PageEncryptor.plainKey, [0: .written(number)]) }
        let files = (1...150).map { (number: UInt8) in
            encryptor(UInt32(number)).encrypt([UInt8](repeating: number, count: 4096))
        }
        // The last write precedes the first one in the cycle.
        return files.indices.map { index in
            let before = files[(index + files.count - 1) % files.count]
            return (Array(files[index][..<32] + before[..<32]), Array(files[index][4096..<8192]))
        }
    }()

    /// The file's only page is written repeatedly: first its entry, then its data.
    @Test func `every read has the data of one write`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("page")
        try Data(Self.writes[0].entry + [UInt8](repeating: 0, count: 4032) + Self.writes[0].page)
            .write(to: URL(filePath: path))
        let descriptor = open(path, O_RDWR)
        defer { close(descriptor) }
        let writer = Writer()
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var number = 0
            while !writer.shallEnd {
                number = (number + 1) % Self.writes.count
                _ = Self.writes[number].entry.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, 64, 0) }
                _ = Self.writes[number].page.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, 4096, 4096) }
                writer.didWrite()
                // A page that is constantly being written can hardly ever be read. One in several dozen reads meets a
                // write.
                usleep(UInt32(number % 4) * 20)
            }
            ended.signal()
        }
        defer {
            writer.end()
            ended.wait()
        }
        try readOften(path, writer)
    }

    /// There are no refs to a page before its first write: reading such pages, as a check of all pages does, must not
    /// use up the time for waiting for a page that is being written.
    @Test func `reads do not wait for pages that were never written`() throws {
        let data = [UInt8](repeating: 7, count: 12 * 4096)
        var forms: [Int: PageEncryptor.Form] = [:]
        for page in 1...10 { forms[page] = .neverWritten }
        let whole = PageEncryptor(key: PageEncryptor.plainKey, forms).encrypt(data)
        forms[11] = .interruptedFirstWrite
        let file = PageEncryptor(key: PageEncryptor.plainKey, forms).encrypt(data)
        let folder = try TemporaryFolder()
        let path = folder.file("pages")
        let entry = 11 * 64
        /// Whether the last page, whose entry follows after 5 ms, is read.
        func isRead() throws -> Bool {
            try Data(file).write(to: URL(filePath: path))
            let pages = try EncryptedPages(ByteSource(path: path), key: EncryptionKey(bytes: PageEncryptor.plainKey))
            return pages.leased {
                let gate = PageAccess(pages, pins: false)
                for page in 1...10 {
                    let error = #expect(throws: FormatError.self) { try gate.admit(page * 4096, 4096) }
                    expectEqual(error?.code, .unwrittenPage)
                }
                let ended = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    usleep(5000)
                    let descriptor = open(path, O_WRONLY)
                    _ = whole[entry..<entry + 64].withUnsafeBytes {
                        pwrite(descriptor, $0.baseAddress, 64, off_t(entry))
                    }
                    close(descriptor)
                    ended.signal()
                }
                defer { ended.wait() }
                do throws(FormatError) {
                    try gate.admit(11 * 4096, 4096)
                } catch {
                    return false
                }
                return pages.view.slice(unchecked: 11 * 4096, count: 4096).bytes == Array(data[..<4096])
            }
        }
        // On a busy machine, the other thread may be suspended for longer than a page is waited for.
        try expect((0..<20).contains { _ in try isRead() })
    }

    /// On a busy machine, the writing thread may be suspended within a write for longer than the reader waits: such a
    /// page is correctly refused. An accepted page must be from one write.
    private func readOften(_ path: String, _ writer: Writer) throws {
        let source = try ByteSource(path: path)
        let key = try EncryptionKey(bytes: PageEncryptor.plainKey)
        var seen: Set<UInt8> = []
        var accepted = 0
        let wanted = 3000
        for attempt in 1...30_000 where accepted < wanted || seen.count <= 10 {
            // Ensures new content, however little the other thread runs.
            if attempt.isMultiple(of: 100) { writer.waitForWrites(2) }
            let pages = try EncryptedPages(source, key: key)
            do throws(FormatError) {
                let bytes = try pages.leased { () throws(FormatError) in
                    try PageAccess(pages, pins: false).admit(0, 4096)
                    return pages.view.slice(unchecked: 0, count: 4096).bytes
                }
                expect(bytes.allSatisfy { $0 == bytes[0] })
                accepted += 1
                seen.insert(bytes[0])
            } catch let refusal {
                expectEqual(refusal.code, .damagedPage, "\(refusal)")
            }
        }
        expect(accepted >= wanted)
        expect(seen.count > 10)
    }
}

/// Communication between two threads: the number of completed writes, and the request to end.
private final class Writer: Sendable {
    private let written = Atomic<Int>(0)
    private let ends = Atomic<Bool>(false)

    var shallEnd: Bool { ends.load(ordering: .relaxed) }
    func end() { ends.store(true, ordering: .relaxed) }
    func didWrite() { written.add(1, ordering: .relaxed) }

    /// Returns after `count` more writes have completed.
    func waitForWrites(_ count: Int) {
        let goal = written.load(ordering: .relaxed) + count
        while written.load(ordering: .relaxed) < goal { sched_yield() }
    }
}
