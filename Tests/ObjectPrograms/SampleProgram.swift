import Foundation
import RealmObjects
import Synchronization

/// Random changes of live objects, compared with the same changes of values in memory.
package final class SampleProgram: @unchecked Sendable {
    let world: World
    private let seed: UInt64
    var configuration: Realm.Configuration
    let folder: URL
    let queue = DispatchQueue(label: "realm of a program")
    var watch: Watch?
    var frozen: [(realm: Realm, records: [Int: Record])] = []

    /// The storage of the objects.
    package enum Place: CaseIterable, Sendable { case memory, file, encrypted }
    private let place: Place

    /// - Parameter folder: the folder for the files.
    package init(seed: UInt64, in folder: URL) {
        self.seed = seed
        self.folder = folder
        world = World(seed: seed)
        place = [.memory, .memory, .memory, .file, .encrypted][world.dice.roll(5)]
        var configuration = Realm.Configuration(objectTypes: [Sample.self, Piece.self])
        switch place {
        case .memory: configuration.inMemoryIdentifier = "program \(seed) \(UUID())"
        case .encrypted:
            configuration.encryptionKey = Data(repeating: UInt8(truncatingIfNeeded: seed), count: 64)
            fallthrough
        case .file: configuration.fileURL = folder.appending(path: "\(UUID()).realm")
        }
        self.configuration = configuration
    }

    package var failures: [String] { world.failures.map { "seed \(seed), \(place): \($0)" } }
    package var tally: Tally { world.tally }

    /// Runs a block on the realm's queue, and waits for its notifications.
    func onQueue(_ body: () throws -> Void) rethrows {
        try queue.sync(execute: body)
        queue.sync {}
    }

    package func run(transactions: Int = 40) throws {
        try onQueue {
            let realm = try Realm(configuration: configuration, queue: queue)
            world.realm = realm
            try realm.write { realm.add(Sample(value: ["id": 0])) }
            world.records[0] = SampleProperty.record(Sample())
            world.renew()
            watch = Watch(world, world.sample(0))
        }
        for _ in 0..<transactions where world.failures.isEmpty {
            switch world.dice.roll(40) {
            case 0...5: try changeElsewhere()
            case 6, 7: try changeLater()
            case 8, 9: try changeTogether()
            case 10: try openAgain()
            default: try onQueue { try change() }
            }
            onQueue {
                compare()
                watch?.check(world)
                if world.dice.roll(6) == 0, frozen.count < 3 { frozen.append((world.realm.freeze(), world.records)) }
            }
            if world.dice.roll(8) == 0 { lookAtFrozen() }
        }
        lookAtFrozen()
        onQueue {
            compare(all: true)
            watch?.stop()
            world.live = [:]
            world.realm = nil
        }
        if place != .memory { try lookAtFile() }
        world.tally.programs += 1
    }

    // MARK: Changing

    /// Runs a transaction in the current realm.
    func change() throws {
        let past = world.past
        world.realm.beginWrite()
        changeSome()
        // Inside the transaction, its changes are visible.
        if world.dice.roll(3) == 0 { compare() }
        if world.dice.roll(6) == 0 {
            world.realm.cancelWrite()
            world.goBack(to: past)
        } else {
            try world.realm.commitWrite()
        }
        world.tally.transactions += 1
    }

    func changeSome() {
        for _ in 0...world.dice.roll(6) {
            changeOne()
            world.tally.changes += 1
        }
    }

    private func changeOne() {
        let roll = world.dice.roll(24)
        switch roll {
        case 0 where world.records.count < 24, 1 where world.records.count < 24: add()
        case 2 where world.records.count > 1: delete()
        case 3: update()
        default:
            let id = world.dice.one(of: world.ids)
            change(world.sample(id), &world.records[id, default: [:]])
        }
    }

    private func change(_ sample: Sample, _ record: inout Record) {
        let property = world.dice.one(of: SampleProperty.all)
        var plain = record[property.name] ?? .null
        property.change(sample, &plain, world)
        record[property.name] = plain
    }

    private func add() {
        let id = world.newID()
        let sample = Sample(value: ["id": id])
        var record = SampleProperty.record(sample)
        if world.dice.roll(2) == 0 {
            let (age, name) = (id % 7, String.random(world))
            (record["age"], record["name"]) = (age.plain, name.plain)
            world.live[id] = world.realm.create(Sample.self, value: ["id": id, "age": age, "name": name])
        } else {
            for _ in 0..<world.dice.roll(6) { change(sample, &record) }
            world.realm.add(sample)
            world.live[id] = sample
        }
        world.records[id] = record
        world.renew()
    }

    /// Adds an object with an existing key.
    private func update() {
        let id = world.dice.one(of: world.ids)
        let policy: Realm.UpdatePolicy = world.dice.roll(2) == 0 ? .modified : .all
        if world.dice.roll(2) == 0 {
            let (age, name, texts) = (world.dice.roll(9), String.random(world), ["a", String.random(world)])
            world.realm.create(
                Sample.self, value: ["id": id, "age": age, "name": name, "texts": texts], update: policy)
            world.records[id]?["age"] = age.plain
            world.records[id]?["name"] = name.plain
            world.records[id]?["texts"] = .list(texts.map(\.plain))
        } else {
            let sample = Sample(value: ["id": id])
            sample.long = world.sample(id).long
            var record = SampleProperty.record(sample)
            for _ in 0..<world.dice.roll(6) { change(sample, &record) }
            world.realm.add(sample, update: policy)
            // Sets and dictionaries keep their content in that case.
            let known = policy == .modified ? world.records[id] ?? [:] : [:]
            world.records[id] = record.merging(known.filter { $0.key != "any" }) { $0.merged(into: $1) }
        }
    }

    func delete() {
        let id = world.dice.one(of: world.ids.filter { $0 != 0 })
        world.realm.delete(world.sample(id))
        world.live[id] = nil
        world.records[id] = nil
        for key in world.records.keys {
            for name in world.records[key, default: [:]].keys { world.records[key]?[name]?.forget(id) }
        }
        world.renew()
    }

    // MARK: Comparing

    /// Checks that the current realm has the expected content.
    ///
    /// - Parameter all: whether to check all objects; otherwise chance decides, which leaves time for more programs.
    func compare(all: Bool = false) {
        let count = world.realm.objects(Sample.self).count
        world.expect(count == world.records.count, "\(count) objects instead of \(world.records.count)")
        let all = all || world.dice.roll(3) == 0
        for id in world.ids where all || world.dice.roll(4) == 0 { compare(world.sample(id), id) }
        for id in world.ids where world.dice.roll(8) == 0 {
            guard let found = world.realm.object(ofType: Sample.self, forPrimaryKey: id) else {
                return world.fail("\(id) is gone")
            }
            world.expect(found.isSameObject(as: world.sample(id)), "\(id) is two")
            compare(found, id)
        }
        SampleQuestions.ask(world)
    }

    private func compare(_ sample: Sample, _ id: Int) {
        guard let record = world.records[id] else { return }
        if world.dice.roll(2) == 0 {
            let property = world.dice.one(of: SampleProperty.collections)
            world.expect(
                property.elementsAgree(sample, record[property.name] ?? .null, world),
                "elements of \(id).\(property.name) are others than those of \(record[property.name] ?? .null)")
        }
        let now = SampleProperty.record(sample)
        world.tally.values += now.count
        if now != record {
            for (name, value) in record where now[name] != value {
                world.fail("\(id).\(name) is \(now[name] ?? .null) instead of \(value)")
            }
        }
        func linking(_ name: String, _ count: (Record) -> Int) -> [Int] {
            world.records.flatMap { id, record in Array(repeating: id, count: count(record)) }.sorted()
        }
        if world.dice.roll(4) == 0 {
            let friends = linking("friends") { $0["friends"]?.list.count { $0 == .object(id) } ?? 0 }
            world.expect(sample.befriended.map(\.id).sorted() == friends, "\(id) is befriended by \(friends)")
            let previous = linking("next") { $0["next"] == .object(id) ? 1 : 0 }
            world.expect(sample.previous.map(\.id).sorted() == previous, "\(id) is next of \(previous)")
            let property = world.dice.one(of: SampleProperty.all)
            let dynamic = (sample[property.name] as? any SampleValue)?.plain ?? .null
            if property.name != "any" {
                world.expect(
                    dynamic == record[property.name],
                    "\(id)[\(property.name)] is \(dynamic) instead of \(record[property.name] ?? .null)")
            }
        }
    }

    /// Checks that frozen realms show their old content, on any thread, and on two threads that read the same objects
    /// at the same time.
    private func lookAtFrozen() {
        let past = frozen
        frozen = []
        for (realm, records) in past {
            let samples = Array(realm.objects(Sample.self))
            world.expect(samples.count == records.count, "\(samples.count) frozen objects instead of \(records.count)")
            nonisolated(unsafe) let shared = samples
            let seen = Mutex<[[Int: Record]]>([])
            DispatchQueue.concurrentPerform(iterations: 2) { turn in
                var found: [Int: Record] = [:]
                for sample in turn == 0 ? shared : shared.reversed() {
                    found[sample.id] = SampleProperty.record(sample)
                }
                seen.withLock { $0.append(found) }
            }
            for found in seen.withLock({ $0 }) {
                world.tally.values += found.values.reduce(0) { $0 + $1.count }
                for (id, record) in found {
                    world.expect(record == records[id], "frozen \(id) is \(record)")
                }
            }
        }
    }

    /// Runs a block on a new thread and waits for it.
    func onAnotherThread(_ body: @escaping () -> Void) {
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) let work = body
        Thread.detachNewThread {
            work()
            done.signal()
        }
        done.wait()
    }
}
