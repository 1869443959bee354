package import RealmLayout
internal import RealmSystem
internal import Synchronization

/// The data of an encrypted file: pages are decrypted on demand, and a limited number of them is kept.
///
/// `view` has room for all data, but holds only admitted bytes. Readers must admit bytes before they read them, and
/// must hold a lease from before that until their last access. The authentication code of a page is checked before any
/// byte of it is visible. All threads may admit at once; the first thread that needs a page decrypts it, without
/// holding a lock.
///
/// A clock protects pages that are in use. It counts the rounds in which pages were dropped. A lease remembers the time
/// at which it began; each use of a page stores the time in the page's word. A round drops only pages whose last use is
/// before the beginning of the oldest lease, by exchanging the word that it judged: a use in the meantime has changed
/// the word. Pages used without a lease, or admitted with pinning, stay until the file is closed.
///
/// A lease therefore also keeps pages that others use, and should be short. In return a use costs only a look at a
/// word; counting the users of each page would cost two writes that all threads contend for.
package final class EncryptedPages: Sendable {
    /// The default limit for decrypted pages, which leases may exceed: 64 MiB.
    package static let defaultLimit = 64 << 20

    /// The data. Only admitted bytes may be read.
    package var view: ByteView { memory.view.slice(unchecked: 0, count: file.geometry.dataSize) }
    /// The encrypted file.
    package let file: EncryptedFile

    let memory: PageMemory
    package let source: ByteSource
    package let key: EncryptionKey
    /// Remaining retries of failing pages that find nothing new; 0 if nobody else can change the bytes.
    private let patience: Atomic<Int>
    private let interruptedRewrites = Atomic<Int>(0)
    /// Ciphers that no thread is using.
    private let ciphers: Mutex<[PageCipher]>
    let leases = Mutex(LeaseTable())
    /// The clock: the number of rounds.
    let epoch = Atomic<UInt64>(1)
    let leaseCount = Atomic<Int>(0)
    let store: PageStore
    /// Descriptions of the pages around failing ones: a reader that continues requests the same ones many times.
    let neighbourhoods = Mutex<[Int: String]>([:])
    /// Requested pages that have no data.
    let wanted = Mutex<Set<Int>>([])

    /// Prepares to read the encrypted file in `source` with `key`. Decrypts nothing yet.
    ///
    /// - Parameters:
    ///   - size: the current size of a file that grows; the rest of the source becomes valid later.
    ///   - limit: the bytes of decrypted pages to keep.
    /// - Throws: `StorageError` if there is no address space for the data, or libcrypto lacks an algorithm.
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

    /// Makes `count` bytes from `offset` present, at least one.
    ///
    /// - Precondition: they are inside `view`, and the caller holds a lease or `pins`.
    /// - Throws: `damagedPage`, `unwrittenPage`.
    func admit(_ offset: Int, _ count: Int, pins: Bool) throws(FormatError) {
        assert(pins || leaseCount.load(ordering: .relaxed) > 0, "bytes of an encrypted file are used without a lease")
        let now = epoch.load(ordering: .relaxed)
        let last = PageGeometry.page(ofData: offset &+ count &- 1)
        var page = PageGeometry.page(ofData: offset)
        while page <= last {
            let word = memory.word(page)
            // A page used since the last round stays at least as long as any lease that exists now.
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

    /// Makes all pages that have data present, for as long as the pages live.
    ///
    /// - Parameter failed: called for each page that fails; pages without data do not count as failing.
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

    /// Makes page `index` present and records its use.
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
                // Another thread is changing it, which takes a few microseconds.
                sched_yield()
            }
        }
    }

    /// Fills a page that only the caller uses, with the result of a single write, even if another process is writing
    /// it.
    func decrypt(_ index: Int, to page: PageMemory.Page, _ cipher: PageCipher) throws(FormatError) {
        var pause = Self.shortestPause
        var looks = 0
        while true {
            looks += 1
            // Copies, so that the authenticated bytes are the decrypted ones, even if the file changes meanwhile.
            let (entry, encrypted) = cipher.copy(entry: file.entry(index), page: file.encrypted(index))
            let state = EncryptedFile.state(entry, encrypted, cipher)
            if state.hasData, entry.hasBytes(of: file.entry(index)) {
                let counters = EncryptedFile.counters(entry)
                if state == .interruptedRewrite { interruptedRewrites.add(1, ordering: .relaxed) }
                let counter = state == .written ? counters.last : counters.before
                return try decryptCopy(of: index, to: page, counter: counter, cipher)
            }
            // A writing process leaves entry and page inconsistent for a moment, longer if it has to wait for a
            // processor. `patience` limits the waiting in a file at rest that is damaged in many places. Committed
            // pages have always been written, so an unwritten page is waited for only if it is the first page of a new
            // file.
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

    /// Decrypts the page that the cipher copied last.
    ///
    /// - Throws: `encrypted` if libcrypto has no memory; the page is then zeros.
    func decryptCopy(
        of index: Int, to page: PageMemory.Page, counter: UInt32, _ cipher: PageCipher
    ) throws(FormatError) {
        guard cipher.decrypt(to: page, counter: counter, offset: index * PageGeometry.pageSize) else {
            page.clear()
            throw FormatError(.encrypted, "libcrypto has no memory for a page")
        }
    }

    /// Marks a page present after the caller has filled it.
    func present(_ index: Int, pins: Bool) {
        memory.set(index, .present(at: epoch.load(ordering: .relaxed), isPinned: pins))
        store.add(frame: index / memory.pagesInFrame, in: memory)
    }

    /// The number of decrypted pages that hold the result of the write before the last. Pages that were dropped and
    /// decrypted again count again.
    package var interruptedRewriteCount: Int { interruptedRewrites.load(ordering: .relaxed) }

    /// The pauses between two reads of a page that another process may be writing, in microseconds.
    private static let shortestPause: UInt32 = 250
    private static let longestPause: UInt32 = 64_000
    /// The maximum number of reads of a page that changes each time.
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
