internal import RealmStorage
internal import RealmWriter
internal import Synchronization

/// Memory for the nodes of transactions. It is kept for the next one, of whichever store: thousands of stores need no more of it
/// than write at the same time.
enum TransactionMemory {
    private static let spare = Mutex<[ReservedMemory]>([])
    /// Pieces that are kept.
    private static let mostSpare = 4
    /// Bytes of each that stay in memory.
    private static let keptBytes = 1 << 20

    /// Memory that nobody else has.
    ///
    /// - Throws: `storage` when the system has none.
    static func take() throws(WriteError) -> ReservedMemory {
        if let memory = takeSpare() { return memory }
        do throws(StorageError) { return try ReservedMemory() } catch { throw .storage(error) }
    }

    @inline(never)
    private static func takeSpare() -> ReservedMemory? { spare.withLock { $0.popLast() } }

    /// Keeps memory for the next transaction, unless a snapshot has it.
    ///
    /// - Parameter used: how many bytes of it may have been used.
    static func giveBack(_ memory: inout ReservedMemory, used: Int) {
        guard isKnownUniquelyReferenced(&memory) else { return }
        // Large pages reach beyond what was used. Of small transactions nothing is to be given back: asking costs more than they do.
        if used > keptBytes { memory.forget(behind: keptBytes) }
        spare.withLock { [memory] spare in
            if spare.count < mostSpare { spare.append(memory) }
        }
    }
}
