internal import RealmLayout
public import RealmReader
package import RealmStorage
internal import RealmWriter
internal import Synchronization

/// A database that is open for writing: one transaction at a time, and snapshots that stay as they are on all threads.
///
/// Files of format 24 that are not encrypted, and that no server or client of a synchronisation follows.
public final class RealmStore: Sendable {
    /// When a commit is on the disk.
    public enum Durability: Sendable {
        /// When `write` returns.
        case full
        /// When the system likes. After a loss of power the file may be damaged.
        case none
    }

    private let device: any DatabaseDevice
    private let durability: Durability
    /// Held for as long as the store is open; nil for memory.
    private let lock: ExclusiveSession?
    /// Held by who writes.
    private let writing = Mutex<Void>(())
    /// The thread that writes; 0 for none.
    private let writer = Atomic<UInt64>(0)
    private let state: Mutex<State>

    private struct State: Sendable {
        var header: FileHeader
        var current: Snapshot
        var pinned: [Pin] = []
        /// For the nodes of the next transaction.
        var spareMemory: ReservedMemory?
        /// Why nothing can be written any more.
        var failure: StorageError?

        /// Notes that somebody may read a snapshot from now on.
        mutating func pin(_ snapshot: Snapshot) {
            if pinned.last?.snapshot !== snapshot {
                pinned.append(Pin(version: snapshot.commitNumber, snapshot: snapshot))
            }
        }
    }

    /// A snapshot that was handed out.
    private struct Pin: Sendable {
        let version: UInt64
        weak var snapshot: Snapshot?
    }

    /// Opens the file at `path`.
    ///
    /// - Throws: `StorageError` when it cannot be opened, `EBUSY` when a process has it open; `FormatError` when it is not a
    ///   database that can be changed in place; `WriteError` when the system refuses.
    public convenience init(path: String, durability: Durability = .full) throws {
        let lock = try ExclusiveSession(path)
        try self.init(FileDevice(path: path), durability: durability, lock: lock)
    }

    /// A database in memory, with the content of a file.
    ///
    /// - Throws: as `init(path:durability:)`.
    public convenience init(bytes: [UInt8]) throws {
        try self.init(MemoryDevice(bytes), durability: .none, lock: nil)
    }

    /// Opens what lies on a device.
    package convenience init(on device: any DatabaseDevice) throws {
        try self.init(device, durability: .full, lock: nil)
    }

    private init(_ device: any DatabaseDevice, durability: Durability, lock: ExclusiveSession?) throws {
        self.device = device
        self.durability = durability
        self.lock = lock
        let database = try RealmDatabase(source: device.map(device.size()))
        let snapshot = try database.snapshot()
        try Self.check(database, snapshot)
        let header =
            database.isStreaming
            ? try Self.madeUpdatable(snapshot, device, isDurable: durability == .full) : database.header
        state = Mutex(State(header: header, current: snapshot))
    }

    /// Whether the database can be changed where it lies.
    ///
    /// - Throws: `unsupported` where it cannot.
    private static func check(_ database: RealmDatabase, _ snapshot: Snapshot) throws(FormatError) {
        guard snapshot.topRef != nil else {
            throw FormatError(.noCommit, "the database is empty: there are no classes whose objects could change")
        }
        guard snapshot.version.number == 24 else {
            throw FormatError(
                .unknownFormat, at: FileHeader.Offset.format0.rawValue + snapshot.slot,
                "a database of format \(snapshot.version) is not changed in place; only those of format 24 are")
        }
        switch snapshot.history.type {
        case .some(.none), .some(.inRealm), .some(.outOfRealm): break
        case nil, .some(.syncClient), .some(.syncServer):
            throw FormatError(
                .badGroup, at: snapshot.topRef?.offset ?? 0,
                "the database is synchronised: a change that its history does not tell of would never reach the others")
        }
    }

    /// Makes the root of a file in streaming form that of slot 1: the footer, which leads to it, is about to be overwritten.
    private static func madeUpdatable(
        _ snapshot: Snapshot, _ device: any DatabaseDevice, isDurable: Bool
    ) throws -> FileHeader {
        guard let root = snapshot.topRef else { throw FormatError.emptyDatabase }
        try HeaderUpdate.write(root, format: snapshot.version.number, slot: 1, to: device)
        if isDurable { try device.synchronize() }
        try HeaderUpdate.select(1, flags: 0, on: device)
        if isDurable { try device.synchronize() }
        return try readHeader(device)
    }

    private static func readHeader(_ device: any DatabaseDevice) throws -> FileHeader {
        let source = try device.map(FileHeader.size)
        guard let header = FileHeader(source.view) else { throw FormatError(.truncated, "the header is missing") }
        return header
    }

    // MARK: Reading

    /// The state after the last commit, which stays as it is for as long as the snapshot lives.
    public func snapshot() -> Snapshot {
        state.withLock { state in
            state.pin(state.current)
            return state.current
        }
    }

    // MARK: Writing

    /// Runs a transaction and commits it. Other threads that write wait meanwhile, those that read do not.
    ///
    /// - Parameter body: makes the changes. What it throws is thrown on, and nothing has changed.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; `WriteError` when the commit fails, or where `body` of another transaction calls this.
    public func write<R>(_ body: (WriteTransaction) throws -> R) throws -> R {
        let thread = CurrentThread.number
        guard writer.load(ordering: .relaxed) != thread else {
            throw WriteError.storage(StorageError.insideOfAnother(device.path))
        }
        return try writing.withLock { _ in
            writer.store(thread, ordering: .relaxed)
            defer { writer.store(0, ordering: .relaxed) }
            let (base, header, failure) = state.withLock { ($0.current, $0.header, $0.failure) }
            if let failure { throw WriteError.storage(failure) }
            var memory = try takeMemory()
            defer { keep(&memory) }
            let transaction = WriteTransaction(base, in: memory) { snapshot in
                self.state.withLock { $0.pin(snapshot) }
            }
            let result = try body(transaction)
            if let failure = transaction.failure { throw failure }
            try transaction.settle()
            try commit(transaction, over: base, header)
            return result
        }
    }

    /// Memory for the nodes of a transaction: that of the one before, if nobody has it any more.
    private func takeMemory() throws(WriteError) -> ReservedMemory {
        let spare = state.withLock { state in
            defer { state.spareMemory = nil }
            return state.spareMemory
        }
        if let spare { return spare }
        do throws(StorageError) { return try ReservedMemory() } catch { throw .storage(error) }
    }

    /// Keeps memory for the next transaction, unless a snapshot has it.
    private func keep(_ memory: inout ReservedMemory) {
        guard isKnownUniquelyReferenced(&memory) else { return }
        memory.forget(behind: Self.keptMemory)
        state.withLock { [memory] in $0.spareMemory = memory }
    }

    /// Bytes that stay in memory between transactions at most.
    private static let keptMemory = 1 << 20

    private func commit(_ transaction: WriteTransaction, over base: Snapshot, _ header: FileHeader) throws {
        guard let group = base.group, let new = transaction.base.group, transaction.base !== base else { return }
        let root = try DatabaseRoot(group)
        let oldest = state.withLock { state in
            state.pinned.removeAll { $0.snapshot == nil }
            return state.pinned.map(\.version).min() ?? base.commitNumber
        }
        let commit = Commit(
            device: device, base: root, oldest: min(oldest, base.commitNumber), isDurable: durability == .full)
        let (names, tables) = try new.roots()
        // Until the header changes nothing has happened, whatever fails: another transaction may find more room.
        let written = try commit.write(
            names: names, tables: tables, in: transaction.space, size: transaction.size,
            released: transaction.released)
        do throws(StorageError) {
            try commit.select(written.root, header)
        } catch {
            // What came to the disk of it is not known, and asking the system again tells nothing.
            state.withLock { $0.failure = error }
            throw WriteError.storage(error)
        }
        try publish(written, after: base)
    }

    /// Makes a commit the state that is read.
    private func publish(_ result: Commit.Result, after base: Snapshot) throws(WriteError) {
        do {
            let source = try device.map(result.logicalSize)
            guard let header = FileHeader(source.view) else { throw FormatError(.truncated, "the header is missing") }
            let snapshot = try Snapshot(
                following: base, in: DatabaseImage(source: source, pages: nil), slot: header.selectedSlot,
                topRef: result.root)
            state.withLock { state in
                state.header = header
                // The last one is pinned if somebody else has it.
                state.pin(state.current)
                state.current = snapshot
            }
        } catch let error as StorageError {
            throw .storage(error)
        } catch {
            throw .unsound("the commit cannot be read: \(error)")
        }
    }
}
