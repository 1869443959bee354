package import RealmLayout
internal import RealmSystem
internal import Synchronization

/// The data of an encrypted file: pages are decrypted where they are needed, and only so many are kept.
///
/// `view` has room for all data, but holds only what was admitted: whoever reads must admit the bytes first, and must hold
/// a lease from before that until the last look at them. Each page's authentication code is checked before any byte of it
/// can be seen. All threads may admit at once; a page is decrypted by the first that asks, without a lock around the work.
///
/// What keeps a page from being dropped under a reader: a clock counts the rounds in which pages were dropped. A lease
/// remembers the time at which it began; each use of a page notes the time in the page's word. A round drops only pages
/// that were last used before the oldest lease began, and it does so by exchanging the word that it judged: who uses the
/// page in the meantime has changed the word. What is used without a lease, or admitted through the pinning gate, stays
/// until the file is closed.
///
/// So a lease keeps what others use as well, as long as it lasts: leases are to be short. In return a use costs no more than
/// a look at a word; counting the users of each page would cost two writes that all threads contend for.
package final class EncryptedPages: Sendable {
    /// Bytes of decrypted pages that are kept at most, unless leases need more: 64 MiB.
    package static let defaultLimit = 64 << 20

    /// The data. Only what was admitted may be read.
    package var view: ByteView { memory.view.slice(unchecked: 0, count: file.geometry.dataSize) }
    /// The file as it is.
    package let file: EncryptedFile

    let memory: PageMemory
    package let source: ByteSource
    package let key: EncryptionKey
    /// How many looks at failing pages may still find nothing new; none where nobody else can change the bytes.
    private let patience: Atomic<Int>
    private let interruptedRewrites = Atomic<Int>(0)
    /// Ciphers that no thread is using.
    private let ciphers: Mutex<[PageCipher]>
    let leases = Mutex(LeaseTable())
    /// The time: how many rounds there were.
    let epoch = Atomic<UInt64>(1)
    let leaseCount = Atomic<Int>(0)
    let store: PageStore
    /// What was found around pages that failed: who reads on asks for the same ones many times.
    let neighbourhoods = Mutex<[Int: String]>([:])
    /// Pages without data that were asked for.
    let wanted = Mutex<Set<Int>>([])

    /// Prepares for reading the encrypted file in `source` with `key`. Decrypts nothing yet.
    ///
    /// - Parameters:
    ///   - size: the bytes that the file has, for one that grows; the others of the source are there later.
    ///   - limit: the bytes of decrypted pages to keep.
    /// - Throws: `StorageError` when there is no address space for the data, or libcrypto lacks an algorithm.
    package init(
        _ source: ByteSource, size: Int? = nil, key: EncryptionKey, limit: Int = defaultLimit
    ) throws(StorageError) {
        file = EncryptedFile(source.view, size: size)
        guard let cipher = PageCipher(key) else {
            throw .withoutCipher
        }
        let room = PageGeometry(fileSize: source.count).pageCount
        memory = try PageMemory(pageCount: room, path: "an encrypted file")
        self.source = source
        self.key = key
        patience = Atomic(source.mappedFile == nil ? 0 : 32)
        ciphers = Mutex([cipher])
        store = PageStore(limit: max(1, limit / PageGeometry.pageSize))
    }

    /// Makes sure that `count` bytes, one or more, from `offset` on are there.
    ///
    /// - Precondition: they are inside of `view`, and the caller holds a lease or `pins`.
    /// - Throws: `damagedPage`, `unwrittenPage`.
    func admit(_ offset: Int, _ count: Int, pins: Bool) throws(FormatError) {
        assert(pins || leaseCount.load(ordering: .relaxed) > 0, "bytes of an encrypted file are used without a lease")
        let now = epoch.load(ordering: .relaxed)
        let last = PageGeometry.page(ofData: offset &+ count &- 1)
        var page = PageGeometry.page(ofData: offset)
        while page <= last {
            let word = memory.word(page)
            // A page that was used since the last round stays at least as long as any lease of now.
            if !word.isPresent || !(word.isPinned || (word.epoch == now && !pins)) {
                do throws(FormatError) {
                    try bring(page, pins: pins)
                } catch {
                    noteWanted(page...last, error)
                    throw error
                }
            }
            page &+= 1
        }
    }

    /// Makes all pages present that have data, for as long as the pages live.
    ///
    /// - Parameter failed: called for each page that fails; pages without data do not count as that.
    package func admitAll<E: Error>(orElse failed: (FormatError) throws(E) -> Void) throws(E) {
        for page in 0..<file.geometry.pageCount where !file.isNeverWritten(page) {
            let failure = { () -> FormatError? in
                do throws(FormatError) {
                    try admit(page * PageGeometry.pageSize, PageGeometry.pageSize, pins: true)
                    return nil
                } catch {
                    return error
                }
            }()
            if let failure, failure.code != .unwrittenPage { try failed(failure) }
        }
    }

    /// Makes page `index` present and notes its use.
    @inline(never)
    private func bring(_ index: Int, pins: Bool) throws(FormatError) {
        while true {
            let word = memory.word(index)
            let now = epoch.load(ordering: .relaxed)
            let pins = pins || leaseCount.load(ordering: .relaxed) == 0
            if word.isPresent {
                let used = PageWord.present(at: max(now, word.epoch), isPinned: word.isPinned || pins)
                if used == word || memory.exchange(index, word, for: used) { return }
            } else if word == .absent, memory.exchange(index, .absent, for: .busy) {
                do throws(FormatError) {
                    try withCipher { cipher throws(FormatError) in
                        try decrypt(index, to: memory.page(index), cipher)
                    }
                } catch {
                    memory.set(index, .absent)
                    throw error
                }
                present(index, pins: pins)
                if store.isFull { dropUnused() }
                return
            } else {
                // Another thread is at it: a few microseconds.
                sched_yield()
            }
        }
    }

    /// Fills a page that is the caller's own: with what one write of it left, although another process may write it.
    func decrypt(_ index: Int, to page: PageMemory.Page, _ cipher: PageCipher) throws(FormatError) {
        var pause = Self.shortestPause
        var looks = 0
        while true {
            looks += 1
            // Copies, so that what is authenticated is what is decrypted, whatever happens to the file meanwhile.
            let (entry, encrypted) = cipher.copy(entry: file.entry(index), page: file.encrypted(index))
            let state = EncryptedFile.state(entry, encrypted, cipher)
            if state.hasData, entry.hasBytes(of: file.entry(index)) {
                let counters = EncryptedFile.counters(entry)
                if state == .interruptedRewrite { interruptedRewrites.add(1, ordering: .relaxed) }
                let counter = state == .written ? counters.last : counters.before
                return try decryptCopy(of: index, to: page, counter: counter, cipher)
            }
            // A process that writes the file leaves entry and page apart for a moment, longer when it has to wait for a
            // processor. In a file at rest that is damaged in many places this is not waited for again and again. Of what was
            // committed all is written, so that only the first page of a new file is waited for before its first write.
            guard looks < Self.mostLooks, pause <= Self.longestPause, patience.load(ordering: .relaxed) > 0,
                state != .neverWritten || index == 0
            else {
                if index == 0, let torn = try tornFirstPage(cipher) {
                    return ByteView.with(torn.data) { page.fill($0) }
                }
                throw failure(ofPage: index, state, cipher)
            }
            usleep(pause)
            if entry.hasBytes(of: file.entry(index)), encrypted.hasBytes(of: file.encrypted(index)) {
                patience.subtract(1, ordering: .relaxed)
                pause *= 2
            }
        }
    }

    /// Decrypts the page that the cipher has copied last.
    ///
    /// - Throws: `encrypted` when libcrypto has no memory; the page is zeros then.
    func decryptCopy(
        of index: Int, to page: PageMemory.Page, counter: UInt32, _ cipher: PageCipher
    ) throws(FormatError) {
        guard cipher.decrypt(to: page, counter: counter, offset: index * PageGeometry.pageSize) else {
            page.clear()
            throw FormatError(.encrypted, "libcrypto has no memory for a page")
        }
    }

    /// Notes that a page is there, which the caller has filled.
    func present(_ index: Int, pins: Bool) {
        memory.set(index, .present(at: epoch.load(ordering: .relaxed), isPinned: pins))
        store.add(frame: index / memory.pagesInFrame, in: memory)
    }

    /// How many pages that were decrypted held what the write before the last left; those that were dropped and decrypted
    /// again count again.
    package var interruptedRewriteCount: Int { interruptedRewrites.load(ordering: .relaxed) }

    /// The microseconds between two looks at a page that another process may be writing.
    private static let shortestPause: UInt32 = 250
    private static let longestPause: UInt32 = 64_000
    /// How often a page is looked at that changes each time.
    private static let mostLooks = 1000

    /// Calls `body` with a cipher that nobody else is using.
    func withCipher<R>(_ body: (PageCipher) throws(FormatError) -> R) throws(FormatError) -> R {
        let idle = ciphers.withLock { $0.popLast() }
        guard let cipher = idle ?? PageCipher(key) else {
            throw FormatError(.encrypted, "libcrypto has no memory for another thread")
        }
        defer { ciphers.withLock { $0.append(cipher) } }
        return try body(cipher)
    }
}
