internal import RealmStorage
internal import Synchronization

/// The transactions that threads have open. Those that a thread has left open when it ends are cancelled: others would wait for them for
/// ever.
///
/// Found by the thread, not among all databases: a thread that ends would hold each of them for a moment, and nobody could delete its file.
private enum OpenTransactions {
    static let realms = Mutex<[UInt64: [RealmAnchor]]>([:])

    static func cancel(ofThread number: UInt64) {
        for anchor in realms.withLock({ $0.removeValue(forKey: number) }) ?? [] {
            if let realm = anchor.realm, realm.transaction != nil { realm.cancelWrite() }
        }
    }
}

extension Isolation {
    /// Notes that the realm that belongs here has a transaction open. Places that are no threads do not end before it.
    func noteOpen(_ realm: RealmAnchor) {
        guard case .thread(let place) = self else { return }
        OpenTransactions.realms.withLock { $0[place.number, default: []].append(realm) }
        CurrentThread.whenItEnds { number in OpenTransactions.cancel(ofThread: number) }
    }

    /// Notes that the transaction is not open any more.
    func noteEnd(_ realm: RealmAnchor) {
        guard case .thread(let place) = self else { return }
        OpenTransactions.realms.withLock { realms in
            realms[place.number]?.removeAll { $0 === realm }
            if realms[place.number]?.isEmpty ?? false { realms[place.number] = nil }
        }
    }
}
