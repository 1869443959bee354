import Dispatch
import Expectations
import Foundation
import ObjectPrograms
import RealmObjects
import Synchronization
import Testing

private final class Account: Object {
    @Persisted(primaryKey: true) var number: Int
    @Persisted(indexed: true) var balance: Int
    @Persisted var partners: List<Account>
    @Persisted(originProperty: "partners") var partnerOf: LinkingObjects<Account>
}

/// Money is moved between accounts by actors, queues and threads at the same time. All readers always see the same
/// total, and observers can follow the changes.
@Suite struct BankTests {
    private static let accounts = 20
    private static let total = accounts * 100

    /// The errors found.
    private final class Complaints: Sendable {
        let lines = Mutex<[String]>([])
        let told = Atomic(0)
        func add(_ line: String) { lines.withLock { if $0.count < 10 { $0.append(line) } } }
    }

    /// Makes a change in an open transaction.
    private static func change(_ realm: Realm, _ dice: inout Dice) {
        let all = realm.objects(Account.self)
        let (from, to) = (all[dice.roll(all.count)], all[dice.roll(all.count)])
        let amount = dice.roll(50)
        from.balance -= amount
        to.balance += amount
        switch dice.roll(5) {
        case 0:
            let new = Account()
            new.number = accounts + dice.roll(1000)
            if realm.object(ofType: Account.self, forPrimaryKey: new.number) == nil {
                new.partners.append(to)
                realm.add(new)
            }
        case 1:
            guard let old = all.where({ $0.number >= accounts }).sorted(by: \.balance).last else { break }
            all[0].balance += old.balance
            if all[0].isSameObject(as: old) { all[1].balance += old.balance }
            realm.delete(old)
        case 2: from.partners.append(to)
        case 3: if !from.partners.isEmpty { from.partners.remove(at: dice.roll(from.partners.count)) }
        default: break
        }
    }

    /// Checks the content of a realm.
    private static func check(_ realm: Realm, _ complaints: Complaints, _ who: String) {
        let all = realm.objects(Account.self)
        let sum: Int = all.sum(of: \.balance)
        if sum != total { complaints.add("\(who): \(sum) instead of \(total)") }
        if all.reduce(0, { $0 + $1.partners.count }) != all.reduce(0, { $0 + $1.partnerOf.count }) {
            complaints.add("\(who): links and inverse links")
        }
    }

    /// Applies the notifications about the accounts in one place.
    private final class Follower {
        private var token: NotificationToken?
        private var numbers: [Int] = []

        init(_ realm: Realm, _ complaints: Complaints, _ who: String) {
            token = realm.objects(Account.self).sorted(by: \.balance).observe { [unowned self] change in
                complaints.told.wrappingAdd(1, ordering: .relaxed)
                switch change {
                case .initial(let all): numbers = all.map(\.number)
                case .update(let all, let deletions, let insertions, let modifications):
                    // Modifications are indices in the previous content.
                    let isInside = modifications.allSatisfy { numbers.indices.contains($0) }
                    for index in deletions.reversed() { numbers.remove(at: index) }
                    for index in insertions { numbers.insert(all[index].number, at: index) }
                    if numbers != all.map(\.number) || !isInside {
                        complaints.add("\(who): changes that do not lead there")
                    }
                    check(realm, complaints, who)
                case .error(let error): complaints.add("\(who): \(error)")
                }
            }
        }

        func end() {
            token?.invalidate()
            token = nil
        }
    }

    private actor Teller {
        private var realm: Realm!
        private var follower: Follower?
        private var dice: Dice
        private let complaints: Complaints

        init(_ seed: UInt64, _ complaints: Complaints) { (dice, self.complaints) = (Dice(seed: seed), complaints) }

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
            follower = Follower(realm, complaints, "an actor")
        }

        func transfer() async throws {
            switch dice.roll(6) {
            case 0: try realm.write { change(realm, &dice) }
            case 1:
                await realm.asyncRefresh()
                let frozen = realm.freeze()
                let complaints = complaints
                let box = Shared(frozen)
                await Task.detached { check(box.value, complaints, "a frozen realm") }.value
            default: try await realm.asyncWrite { change(realm, &dice) }
            }
            check(realm, complaints, "an actor")
        }

        func close() {
            follower?.end()
            (follower, realm) = (nil, nil)
        }
    }

    /// A realm on a queue.
    private final class Counter: @unchecked Sendable {
        private let queue = DispatchQueue(label: "counter")
        private var realm: Realm!
        private var follower: Follower?
        private var dice: Dice
        private let complaints: Complaints

        init(_ seed: UInt64, _ configuration: Realm.Configuration, _ complaints: Complaints) throws {
            (dice, self.complaints) = (Dice(seed: seed), complaints)
            try queue.sync {
                realm = try Realm(configuration: configuration, queue: queue)
                follower = Follower(realm, complaints, "a queue")
            }
        }

        func transfer() async {
            await withCheckedContinuation { done in
                queue.async { [self] in
                    realm.writeAsync {
                        change(self.realm, &self.dice)
                    } onComplete: { error in
                        if let error { self.complaints.add("a queue: \(error)") }
                        check(self.realm, self.complaints, "a queue")
                        done.resume()
                    }
                }
            }
        }

        func close() {
            queue.sync {
                follower?.end()
                (follower, realm) = (nil, nil)
            }
        }
    }

    @Test(.timeLimit(.minutes(60))) func `the total amount stays the same, and all observers follow`() async throws {
        let rounds = ProcessInfo.processInfo.environment["REALMFILE_EXHAUSTIVE"] == "1" ? 200 : 10
        let file = TestRealm([Account.self])
        let (configuration, complaints) = (file.configuration, Complaints())
        try onAnotherThread {
            let realm = try Realm(configuration: configuration)
            try realm.write {
                for number in 0..<Self.accounts {
                    realm.create(Account.self, value: ["number": number, "balance": 100])
                }
            }
        }
        let tellers = (0..<3).map { Teller(UInt64($0), complaints) }
        for teller in tellers { try await teller.open(configuration) }
        let counters = try (0..<2).map { try Counter(UInt64(10 + $0), configuration, complaints) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for teller in tellers {
                for _ in 0..<2 { group.addTask { for _ in 0..<rounds { try await teller.transfer() } } }
            }
            for counter in counters { group.addTask { for _ in 0..<rounds { await counter.transfer() } } }
            for thread in 0..<3 {
                group.addTask {
                    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
                        Thread.detachNewThread {
                            done.resume(
                                with: Result {
                                    var dice = Dice(seed: UInt64(20 + thread))
                                    for round in 0..<rounds {
                                        let realm = try Realm(configuration: configuration)
                                        if round % 3 == 0 { realm.refresh() }
                                        try realm.write { Self.change(realm, &dice) }
                                        Self.check(realm, complaints, "a thread")
                                    }
                                })
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for teller in tellers { await teller.close() }
        for counter in counters { counter.close() }
        expectEqual(complaints.lines.withLock { $0 }, [])
        expect(complaints.told.load(ordering: .relaxed) > 5)
        let accounts = try file.verified().table(named: "Account")
        try expect(accounts.count >= Self.accounts)
    }
}
