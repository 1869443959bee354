internal import RealmStorage
internal import Synchronization

/// Open transactions, by thread. A transaction that is still open when its thread ends is cancelled; otherwise other
/// writers would wait for ever.
///
/// They are found by thread instead of searching all databases: an ending thread would hold each database for a moment,
/// and its file could not be deleted.
private enum OpenTransactions {
    static let realms = Mutex<[UInt64: [RealmAnchor]]>([:])

    static func cancel(ofThread number: UInt64) {
        for anchor in realms.withLock({ $0.removeValue(forKey: number) }) ?? [] {
            if let realm = anchor.realm, realm.transaction != nil { realm.cancelWrite() }
        }
    }
}

extension Isolation {
    /// Records that the realm has an open transaction. Only threads can end before it does.
    func noteOpen(_ realm: RealmAnchor) {
        guard case .thread(let place) = self else { return }
        OpenTransactions.realms.withLock { $0[place.number, default: []].append(realm) }
        CurrentThread.whenItEnds { number in OpenTransactions.cancel(ofThread: number) }
    }

    /// Records that the transaction has ended.
    func noteEnd(_ realm: RealmAnchor) {
        guard case .thread(let place) = self else { return }
        OpenTransactions.realms.withLock { realms in
            realms[place.number]?.removeAll { $0 === realm }
            if realms[place.number]?.isEmpty ?? false { realms[place.number] = nil }
        }
    }
}
