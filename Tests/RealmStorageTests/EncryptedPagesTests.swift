import Expectations
import HostileProperties
import RealmLayout
import RealmStorage
import Synchronization
import TestSupport
import Testing

/// Pages are decrypted on demand, each according to its state, and evicted when they are not in use.
@Suite struct EncryptedPagesTests {
    /// Returns a page of bytes that differ from those of other pages.
    private static func page(_ index: Int) -> [UInt8] {
        var state = UInt64(index) &* 0x9E37_79B9_7F4A_7C15 | 1
        return (0..<4096).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 32)
        }
    }

    private static func data(_ count: Int) -> [UInt8] { (0..<count).flatMap { page($0) } }

    private func open(_ file: [UInt8], limit: Int = .max) throws -> EncryptedPages {
        try EncryptedPages(ByteSource(bytes: file), key: EncryptionKey(bytes: PageEncryptor.plainKey), limit: limit)
    }

    private func encrypt(_ count: Int, _ forms: [Int: PageEncryptor.Form] = [:], trailing: Bool = false) -> [UInt8] {
        var encryptor = PageEncryptor(key: PageEncryptor.plainKey, forms)
        encryptor.hasTrailingTable = trailing
        return encryptor.encrypt(Self.data(count))
    }

    /// Returns the content of a page.
    private func read(_ index: Int, of pages: EncryptedPages) throws(FormatError) -> [UInt8] {
        try pages.leased { () throws(FormatError) in
            try PageAccess(pages, pins: false).admit(index * 4096, 4096)
            return pages.view.slice(unchecked: index * 4096, count: 4096).bytes
        }
    }

    private func error(_ index: Int, of pages: EncryptedPages) -> FormatError? {
        do throws(FormatError) {
            _ = try read(index, of: pages)
            return nil
        } catch {
            return error
        }
    }

    /// If the data is a multiple of 64 pages, files end with or without a table that has no pages.
    @Test(
        arguments: [
            (1, false), (2, false), (63, false), (64, false), (64, true), (65, false), (128, true), (130, false),
        ] as [(Int, Bool)])
    func `every page is decrypted`(_ count: Int, _ trailing: Bool) throws {
        let pages = try open(encrypt(count, trailing: trailing))
        expectEqual(pages.view.count, count * 4096)
        for index in 0..<count { try expectEqual(read(index, of: pages), Self.page(index)) }
        expectEqual(pages.statistics.now, count)
        expectEqual(pages.statistics.total, count)
    }

    /// Ranges that span pages and blocks are contiguous.
    @Test func `ranges that span pages are contiguous`() throws {
        let data = Self.data(130)
        let pages = try open(encrypt(130))
        for (offset, count) in [(0, 1), (4095, 2), (0, 4096), (4096 * 63, 8192), (4096 * 64 - 8, 16), (5, 4096 * 129)] {
            try pages.leased { try PageAccess(pages, pins: false).admit(offset, count) }
            expectEqual(pages.view.slice(unchecked: offset, count: count).bytes, Array(data[offset..<offset + count]))
        }
    }

    @Test func `pages in every state are distinguished`() throws {
        let forms: [Int: PageEncryptor.Form] = [
            1: .written(7, before: 6), 2: .written(9, before: 7), 3: .written(5, before: 5),
            4: .written(1, before: .max),
            5: .interruptedRewrite(8, before: 7), 6: .interruptedRewrite(1, before: .max),
            7: .neverWritten, 8: .interruptedFirstWrite, 9: .zeroed(3, before: 2),
        ]
        let pages = try open(encrypt(12, forms))
        for index in [0, 1, 2, 3, 4, 5, 6, 10, 11] {
            try expectEqual(read(index, of: pages), Self.page(index), "\(index)")
        }
        expectEqual(error(7, of: pages)?.code, .unwrittenPage)
        expectEqual(error(8, of: pages)?.code, .damagedPage)
        expectEqual(error(9, of: pages)?.code, .unwrittenPage)
        expectEqual(pages.countNeverWritten(), 1)
        let census = try pages.census()
        expectEqual(census.written, 7)
        expectEqual(census.interrupted, 2)
        expectEqual(census.begun, 1)
        expectEqual(census.empty, 2)
        expectEqual(census.failing, 0)
        expectEqual(census.withoutData, [8])
        // Refused pages contain zeros, even if they are read nevertheless.
        for index in 7...9 {
            expect(pages.view.slice(unchecked: index * 4096, count: 4096).bytes.allSatisfy { $0 == 0 })
        }
        let first = try #require(error(8, of: pages))
        expectEqual(first.offset, 8 * 4096)
        expect(first.detail.contains("page 8, at 0x9000 in the encrypted file,"))
        expect(first.detail.contains("pages 0-6 and 10-11 verify"), "\(first.detail)")
    }

    /// The effect of a change of one byte depends on its position.
    @Test func `the effect of a change of one byte depends on its position`() throws {
        let forms: [Int: PageEncryptor.Form] = [
            1: .written(7, before: 6), 2: .interruptedRewrite(7, before: 6), 3: .written(1),
        ]
        let file = encrypt(70, forms)
        func check(_ page: Int, at offset: Int, _ code: FormatError.Code?, _ what: String) throws {
            var changed = file
            changed[offset] ^= 0x10
            let pages = try open(changed)
            expectEqual(error(page, of: pages)?.code, code, "\(what)")
            // No other page is affected.
            for other in [0, 5, 69] where other != page { try expectEqual(read(other, of: pages), Self.page(other)) }
        }
        func entry(_ page: Int) -> Int { page / 64 * 266_240 + page % 64 * 64 }
        func start(_ page: Int) -> Int { (page + page / 64 + 1) * 4096 }
        for page in [1, 2, 3, 66] {
            for offset in [0, 15, 16, 2048, 4095] {
                try check(page, at: start(page) + offset, .damagedPage, "encrypted byte \(offset) of page \(page)")
            }
        }
        for offset in [4, 17, 31] {
            // The current code of a page: its bytes are not those of the previous write.
            try check(1, at: entry(1) + offset, .damagedPage, "code")
            try check(66, at: entry(66) + offset, .damagedPage, "code")
            // In an interrupted write, the current code is irrelevant and the previous one is decisive.
            try check(2, at: entry(2) + offset, nil, "code of an interrupted write")
            try check(2, at: entry(2) + 32 + offset, .damagedPage, "code before an interrupted write")
            // As long as the current code matches, the previous one is not checked.
            try check(1, at: entry(1) + 32 + offset, nil, "code before")
        }
        // The code matches, so that the page is accepted; the counter is not authenticated, and its bits affect four
        // decrypted bytes.
        var changed = file
        changed[entry(1)] ^= 0x10
        let found = try read(1, of: open(changed))
        expectEqual(Array(found[1...]), Array(Self.page(1)[1...]))
        expectEqual(found[0], Self.page(1)[0] ^ 0x10)
        // A counter of 0 means "never written", whatever the rest.
        changed = file
        changed[entry(3)] = 0
        expectEqual(error(3, of: try open(changed))?.code, .unwrittenPage)
        // Without a previous counter, a mismatched code means a first write that was interrupted.
        changed = file
        changed[entry(3) + 4] ^= 1
        let first = try #require(error(3, of: try open(changed)))
        expectEqual(first.code, .damagedPage)
        expect(first.detail.contains("only write"))
    }

    /// A page that matches only the code in the second half of its entry is in the state of the previous write. Both
    /// counters are equal here.
    @Test func `the code in the second slot is that of the previous write`() throws {
        var file = encrypt(3, [1: .written(4, before: 4)])
        let entry = 64
        let (current, before) = (Array(file[entry..<entry + 32]), Array(file[entry + 32..<entry + 64]))
        file.replaceSubrange(entry..<entry + 64, with: before + current)
        try expectEqual(read(1, of: open(file)), Self.page(1))
    }

    @Test func `a wrong key is reported`() throws {
        var key = PageEncryptor.plainKey
        key[63] ^= 1
        let source = ByteSource(bytes: encrypt(5))
        let pages = try EncryptedPages(source, key: EncryptionKey(bytes: key))
        try expect(pages.isWrongKey())
        expect(pages.isFirstPageFirstWrite)
        expectEqual(error(0, of: pages)?.code, .damagedPage)
        expectEqual(error(0, of: pages)?.detail.contains("no other of the pages 0 to 4 verifies"), true)
        // Damage to page 0 is identified by the pages around it.
        var damaged = encrypt(5)
        damaged[5000] ^= 1
        try expect(!open(damaged).isWrongKey())
    }

    // The cache

    @Test func `unused pages are evicted`() throws {
        let pages = try open(encrypt(200), limit: 16 * 4096)
        for round in 0..<3 {
            for index in 0..<200 { try expectEqual(read(index, of: pages), Self.page(index), "\(round)") }
            expect(pages.statistics.now <= 17)
        }
        expect(pages.statistics.peak <= 17)
        expect(pages.statistics.total > 500)
        // The most recently used page is still there.
        let before = pages.statistics.total
        _ = try read(199, of: pages)
        expectEqual(pages.statistics.total, before)
    }

    /// A lease keeps all pages that were admitted since it began, however many.
    @Test func `leases keep pages`() throws {
        let pages = try open(encrypt(200), limit: 16 * 4096)
        for index in 0..<40 { _ = try read(index, of: pages) }
        let lease = pages.beginLease()
        let gate = PageAccess(pages, pins: false)
        for index in 100..<180 { try gate.admit(index * 4096, 4096) }
        for index in 0..<90 { _ = try read(index, of: pages) }
        for index in 100..<180 {
            expectEqual(pages.view.slice(unchecked: index * 4096, count: 4096).bytes, Self.page(index))
        }
        expect(pages.statistics.now >= 80)
        expect(pages.wantsLeasesBack)
        pages.end(lease)
        expect(pages.statistics.now <= 17)
        expect(!pages.wantsLeasesBack)
    }

    /// A parked lease keeps pages as long as there is space, and releases them when other readers need it.
    @Test func `parked leases keep pages as long as there is space`() throws {
        let pages = try open(encrypt(200), limit: 16 * 4096)
        let gate = PageAccess(pages, pins: false)
        let kept = OwnedLease(pages)
        expect(!kept.resume())
        for index in 0..<6 { try gate.admit(index * 4096, 4096) }
        kept.park()
        for index in 10..<16 { _ = try read(index, of: pages) }
        expect(kept.resume())
        for index in 0..<6 {
            expectEqual(pages.view.slice(unchecked: index * 4096, count: 4096).bytes, Self.page(index))
        }
        // In use, it keeps its pages however much other readers read.
        for index in 20..<60 { _ = try read(index, of: pages) }
        for index in 0..<6 {
            expectEqual(pages.view.slice(unchecked: index * 4096, count: 4096).bytes, Self.page(index))
        }
        // Parked while there are too many pages, it ends.
        kept.park()
        expect(pages.statistics.now <= 17)
        expect(!kept.resume())
        for index in 0..<6 { try gate.admit(index * 4096, 4096) }
        kept.park()
        // It does not block other readers.
        for index in 100..<160 {
            _ = try read(index, of: pages)
            expect(pages.statistics.now <= 17)
        }
        expect(!kept.resume())
        kept.park()
    }

    /// No lease remains after its holder is released, in use or parked.
    @Test(arguments: [true, false]) func `leases are released with their holder`(_ isParked: Bool) throws {
        let pages = try open(encrypt(200), limit: 16 * 4096)
        do {
            let kept = OwnedLease(pages)
            expect(!kept.resume())
            for index in 0..<10 { try PageAccess(pages, pins: false).admit(index * 4096, 4096) }
            if isParked { kept.park() }
        }
        for index in 100..<160 { _ = try read(index, of: pages) }
        expect(pages.statistics.now <= 17)
    }

    @Test func `pinned pages are kept`() throws {
        let pages = try open(encrypt(200), limit: 16 * 4096)
        for index in 10..<14 { try PageAccess(pages, pins: true).admit(index * 4096, 4096) }
        for index in 0..<200 { _ = try read(index, of: pages) }
        for index in 10..<14 {
            expectEqual(pages.view.slice(unchecked: index * 4096, count: 4096).bytes, Self.page(index))
        }
        expect(pages.statistics.now <= 17)
        // More pinned pages than the limit.
        for index in 0..<100 { try PageAccess(pages, pins: true).admit(index * 4096, 4096) }
        try expectEqual(read(150, of: pages), Self.page(150))
        for index in 0..<100 {
            expectEqual(pages.view.slice(unchecked: index * 4096, count: 4096).bytes, Self.page(index))
        }
    }

    /// Threads whose leases are parked between pieces of work find their pages, or are notified that these were
    /// evicted.
    @Test func `threads find the pages of their parked leases, or are notified`() async throws {
        let count = 130
        let pages = try open(encrypt(count), limit: 40 * 4096)
        let expected = (0..<count).map { Self.page($0) }
        let (wrong, resumed) = (Counter(), Counter())
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    var generator = Seeded(UInt64(thread))
                    let gate = PageAccess(pages, pins: false)
                    let kept = OwnedLease(pages)
                    var held: [Int] = []
                    for _ in 0..<1500 {
                        if kept.resume() { resumed.add() } else { held.removeAll() }
                        let index = Int(generator.next() % UInt64(count))
                        if (try? gate.admit(index * 4096, 4096)) != nil { held.append(index) } else { wrong.add() }
                        for index in held {
                            let found = pages.view.slice(unchecked: index * 4096, count: 4096)
                            if found.bytes != expected[index] { wrong.add() }
                        }
                        kept.park()
                    }
                }
            }
        }
        expectEqual(wrong.count, 0)
        expect(resumed.count > 0)
    }

    /// Threads that read at random with far too small a cache always see the correct data.
    @Test func `threads with a small cache see only correct data`() async throws {
        let count = 130
        let pages = try open(encrypt(count, [7: .neverWritten]), limit: 12 * 4096)
        let expected = (0..<count).map { Self.page($0) }
        let wrong = Counter()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<6 {
                group.addTask {
                    var generator = Seeded(UInt64(thread))
                    let gate = PageAccess(pages, pins: false)
                    for _ in 0..<1500 {
                        let lease = pages.beginLease()
                        let chosen = (0..<3).map { _ in Int(generator.next() % UInt64(count)) }
                        var admitted: [Int] = []
                        for index in chosen where (try? gate.admit(index * 4096, 4096)) != nil {
                            admitted.append(index)
                        }
                        for index in admitted {
                            let found = pages.view.slice(unchecked: index * 4096, count: 4096)
                            if found.bytes != expected[index] { wrong.add() }
                        }
                        if chosen.contains(7), admitted.contains(7) { wrong.add() }
                        pages.end(lease)
                    }
                }
            }
        }
        expectEqual(wrong.count, 0)
        // While a thread with a lease waits to run, pages of other threads stay too; in the end none do.
        expect(pages.statistics.now <= 13)
    }
}

/// A counter shared by threads.
private final class Counter: Sendable {
    private let value = Atomic<Int>(0)
    var count: Int { value.load(ordering: .relaxed) }
    func add() { value.add(1, ordering: .relaxed) }
}
