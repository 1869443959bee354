import Foundation
import RealmObjects

extension SampleProgram {
    /// Changes objects in a realm on another thread, using references handed over from this one.
    func changeElsewhere() throws {
        var reference: ThreadSafeReference<Sample>?
        var numbers: ThreadSafeReference<List<Int>>?
        let id = world.dice.one(of: world.ids)
        onQueue {
            reference = ThreadSafeReference(to: world.sample(id))
            numbers = ThreadSafeReference(to: world.sample(id).numbers)
        }
        onAnotherThread { [self] in
            do {
                let realm = try Realm(configuration: configuration)
                try world.elsewhere(in: realm) {
                    let sample = reference.flatMap { realm.resolve($0) }
                    let list = numbers.flatMap { realm.resolve($0) }
                    world.expect(sample?.id == id, "\(id) is another one elsewhere")
                    world.expect(
                        list?.plain == world.records[id]?["numbers"], "the numbers of \(id) are others elsewhere")
                    for _ in 0...world.dice.roll(3) { try change() }
                    compare()
                }
            } catch { world.fail("\(error)") }
        }
        onQueue { _ = world.realm.refresh() }
    }

    /// Changes objects in an asynchronous transaction.
    func changeLater() throws {
        let done = DispatchSemaphore(value: 0)
        onQueue {
            world.realm.writeAsync {
                self.changeSome()
            } onComplete: { error in
                if let error { self.world.fail("\(error)") }
                done.signal()
            }
        }
        if done.wait(timeout: .now() + 600) == .timedOut { world.fail("a transaction did not come") }
        world.tally.transactions += 1
    }

    /// Changes objects in several threads at once: each has one object of its own, and all increment a common counter.
    func changeTogether() throws {
        let threads = 2 + world.dice.roll(2)
        let rounds = 1 + world.dice.roll(5)
        var own: [Int] = []
        try onQueue {
            try world.realm.write {
                for _ in 0..<threads {
                    let id = world.newID()
                    world.live[id] = world.realm.create(Sample.self, value: ["id": id])
                    world.records[id] = SampleProperty.record(Sample(value: ["id": id]))
                    own.append(id)
                }
            }
            world.renew()
        }
        let numbers = own.map { id in (0..<rounds).map { _ in (id, self.world.newID(), Int.random(self.world)) } }
        let group = DispatchGroup()
        let (configuration, lock) = (configuration, NSLock())
        nonisolated(unsafe) var errors: [String] = []
        for turns in numbers {
            group.enter()
            Thread.detachNewThread {
                do {
                    let realm = try Realm(configuration: configuration)
                    for (id, new, number) in turns {
                        try realm.write {
                            let sample = realm.object(ofType: Sample.self, forPrimaryKey: id)
                            let first = realm.object(ofType: Sample.self, forPrimaryKey: 0)
                            first?.long += 1
                            sample?.numbers.append(number)
                            sample?.next = realm.create(Sample.self, value: ["id": new, "next": sample as Any])
                        }
                        if realm.object(ofType: Sample.self, forPrimaryKey: id)?.next?.id != new {
                            lock.withLock { errors.append("\(new) is not next") }
                        }
                    }
                } catch { lock.withLock { errors.append("\(error)") } }
                group.leave()
            }
        }
        group.wait()
        for error in errors { world.fail(error) }
        for (id, new, number) in numbers.joined() {
            var record = SampleProperty.record(Sample(value: ["id": new]))
            record["next"] = .object(id)
            world.records[new] = record
            let numbers = world.records[id]?["numbers"]?.list ?? []
            world.records[id]?["next"] = .object(new)
            world.records[id]?["numbers"] = .list(numbers + [number.plain])
            let count = world.records[0]?["long"]?.int ?? 0
            world.records[0]?["long"] = .int(count + 1)
        }
        world.tally.transactions += 1 + threads * rounds
        world.tally.changes += threads * (1 + 4 * rounds)
        onQueue {
            _ = world.realm.refresh()
            world.renew()
            // Limits the number of objects that remain.
            compare()
        }
        try onQueue {
            try world.realm.write {
                while world.records.count > 16 { delete() }
            }
        }
        world.tally.transactions += 1
    }
}
