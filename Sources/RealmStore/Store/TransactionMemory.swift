internal import RealmCore
internal import RealmStorage
internal import Synchronization

/// A pool of memory for the nodes of transactions, shared by all stores: thousands of stores need only as much as the
/// number of concurrent transactions.
enum TransactionMemory {
    private static let spare = Mutex<[ReservedMemory]>([])
    /// The maximum number of pieces that are kept.
    private static let mostSpare = 4
    /// The number of bytes of each that stay in memory.
    private static let keptBytes = 1 << 20

    /// Returns unused memory.
    ///
    /// - Throws: `storage` if the system has none.
    static func take() throws(WriteError) -> ReservedMemory {
        if let memory = takeSpare() { return memory }
        do throws(StorageError) { return try ReservedMemory() } catch { throw .storage(error) }
    }

    @inline(never)
    private static func takeSpare() -> ReservedMemory? { spare.withLock { $0.popLast() } }

    /// Keeps memory for the next transaction, unless a snapshot still uses it.
    ///
    /// - Parameter used: the number of bytes that may have been used.
    static func giveBack(_ memory: inout ReservedMemory, used: Int) {
        guard isKnownUniquelyReferenced(&memory) else { return }
        // Large pages extend beyond the used bytes. After small transactions nothing is released: the call would cost
        // more than they do.
        if used > keptBytes { memory.forget(behind: keptBytes) }
        spare.withLock { [memory] spare in
            if spare.count < mostSpare { spare.append(memory) }
        }
    }
}
