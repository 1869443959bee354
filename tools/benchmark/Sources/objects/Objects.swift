import ArgumentParser
import CChild
import Foundation
import MadeData
import RealmCore
import RealmLayout
import RealmObjects
import RealmStore

/// Measures live objects in a table created for the purpose, by processor time on one thread.
@main
struct Objects: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "objects", abstract: "Measures live objects of a table of a million.")

    @Option(help: "How many objects.")
    var objects = 1_000_000

    @Option(help: "How often each line is measured.")
    var rounds = 9

    @Option(help: ArgumentHelp("Only lines whose name contains this.", valueName: "text"))
    var filter: String?

    func run() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "realmfile-objects-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "objects.realm")
        try MadeTable.write(objects, to: file.path)
        let configuration = Realm.Configuration(fileURL: file, objectTypes: [Item.self, Owner.self])
        let realm = try Realm(configuration: configuration)
        let measurement = Measurement(rounds: rounds)
        measurement.begin("\(realm.objects(Item.self).count) objects", "what")
        let lines = reading(realm) + adding()
        for line in lines where isWanted(line.name) { try measurement.run(line) }
        try notify(realm, configuration)
    }

    private func isWanted(_ name: String) -> Bool { filter.map { name.contains($0) } ?? true }

    private func reading(_ realm: Realm) -> [Line] {
        guard let one = realm.objects(Item.self).first else { return [] }
        let all = realm.objects(Item.self)
        let some = all.where { $0.age > 50 }
        let count = objects
        func million(_ name: String, _ body: @escaping () -> Int) -> Line {
            Line(name: "a million reads of \(name) of one object", target: 30) {
                var sum = 0
                for _ in 0..<1_000_000 { sum &+= body() }
                return sum
            }
        }
        return [
            million("an Int") { one.age }, million("a Double") { Int(one.score) },
            million("a Bool") { one.active ? 1 : 0 },
            Line(name: "a million reads of a String of one object") {
                var sum = 0
                for _ in 0..<1_000_000 { sum &+= one.name.utf8.count }
                return sum
            },
            Line(name: "iterating all objects, three properties (Int, Double, Bool)", target: 235) {
                sum(all) { $0.age &+ Int($0.score) &+ ($0.active ? 1 : 0) }
            },
            Line(name: "iterating all objects, three properties (Int, Double, String)") {
                sum(all) { $0.age &+ Int($0.score) &+ $0.name.utf8.count }
            },
            Line(name: "iterating all objects, no property") { sum(all) { _ in 1 } },
            Line(name: "iterating age > 50, three properties (Int, Double, Bool)") {
                sum(some) { $0.age &+ Int($0.score) &+ ($0.active ? 1 : 0) }
            },
            Line(name: "iterating all objects, age of the owner") { sum(all) { $0.owner?.age ?? 0 } },
            Line(name: "100,000 objects by primary key, one property") {
                var sum = 0
                for number in 0..<100_000 {
                    let key = Int(MadeTable.primaryKey(number &* 7919 % count, of: count))
                    sum &+= realm.object(ofType: Item.self, forPrimaryKey: key)?.age ?? 0
                }
                return sum
            },
        ]
    }

    private func sum<Elements: Sequence>(_ elements: Elements, _ body: (Elements.Element) -> Int) -> Int {
        var sum = 0
        for element in elements { sum &+= body(element) }
        return sum
    }

    // MARK: Adding

    private static let added = 100_000

    private func adding() -> [Line] {
        guard let time = Timestamp(seconds: 0, nanoseconds: 0) else { return [] }
        func value(_ number: Int) -> (name: String, age: Int, city: String) {
            (MadeTable.name(UInt64(number), number), number % 97, "city\(number % 1000)")
        }
        return [
            Line(name: "adding 100,000 objects to the store, and committing") {
                let store = try RealmStore(bytes: try emptyFile())
                let transaction = try store.begin()
                for number in 0..<Self.added {
                    let (name, age, city) = value(number)
                    _ = try transaction.add(
                        "Item",
                        [
                            "_id": .int(Int64(number)), "name": .string(name), "age": .int(Int64(age)),
                            "score": .double(Double(number)), "active": .bool(number & 1 == 1),
                            "time": .timestamp(time), "city": .string(city),
                        ])
                }
                _ = try transaction.commit()
                return Self.added
            },
            Line(name: "adding 100,000 live objects, and committing") {
                let configuration = Realm.Configuration(
                    inMemoryIdentifier: "added \(UUID())", objectTypes: [Item.self, Owner.self])
                let realm = try Realm(configuration: configuration)
                try realm.write {
                    for number in 0..<Self.added {
                        let (name, age, city) = value(number)
                        let item = Item()
                        item._id = number
                        item.name = name
                        item.age = age
                        item.score = Double(number)
                        item.active = number & 1 == 1
                        item.city = city
                        realm.add(item)
                    }
                }
                return realm.objects(Item.self).count
            },
        ]
    }

    private func emptyFile() throws -> [UInt8] {
        let path = FileManager.default.temporaryDirectory.appending(path: "realmfile-empty-\(getpid()).realm").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try MadeTable.write(0, to: path)
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    // MARK: Notifications

    /// Ten objects are changed by another realm; measures from the end of the commit to the end of the last block.
    private func notify(_ realm: Realm, _ configuration: Realm.Configuration) throws {
        let all = realm.objects(Item.self)
        func observing(_ results: Results<Item>, _ told: @escaping (Int) -> Void) -> [NotificationToken] {
            [results.observe { if case .update(_, _, _, let modifications) = $0 { told(modifications.count) } }]
        }
        let cases: [(String, target: String, ((@escaping (Int) -> Void) -> [NotificationToken]))] = [
            ("all objects", "≤ 1.0", { observing(all, $0) }),
            ("age > 50", "≤ 1.0", { observing(all.where { $0.age > 50 }, $0) }),
            ("all objects, sorted by name", "≤ 1.0", { observing(all.sorted(byKeyPath: "name"), $0) }),
            (
                "100 observers of age > 50", "",
                { told in
                    (0..<100).flatMap { _ in observing(all.where { $0.age > 50 }, told) }
                }
            ),
            (
                "1,000 observed objects", "",
                { told in
                    (0..<1000).compactMap { number in
                        let key = Int(MadeTable.primaryKey(number &* 99_991 % objects, of: objects))
                        return realm.object(ofType: Item.self, forPrimaryKey: key)?.observe { _ in told(1) }
                    }
                }
            ),
        ]
        for (name, target, observe) in cases where isWanted("notification of \(name)") {
            var told = 0
            let tokens = observe { told += $0 }
            realm.refresh()
            _ = RunLoop.main.run(mode: .default, before: Date().addingTimeInterval(0.01))
            var times: [Double] = []
            for round in 0..<rounds {
                try change(configuration, round)
                let start = process_cpu_seconds()
                realm.refresh()
                times.append((process_cpu_seconds() - start) * 1000)
            }
            for token in tokens { token.invalidate() }
            times.sort()
            print(
                "| notification of 10 changes, \(name) | \(told) | \(String(format: "%.3f", times[0])) "
                    + "| \(String(format: "%.3f", times[times.count / 2])) | \(target) |")
        }
    }

    private func change(_ configuration: Realm.Configuration, _ round: Int) throws {
        let done = DispatchSemaphore(value: 0)
        let count = objects
        Thread.detachNewThread {
            autoreleasepool {
                if let other = try? Realm(configuration: configuration) {
                    try? other.write {
                        for number in 0..<10 {
                            let key = Int(MadeTable.primaryKey(number &* 99_991 % count, of: count))
                            other.object(ofType: Item.self, forPrimaryKey: key)?.score = Double(round) + 0.5
                        }
                    }
                }
            }
            done.signal()
        }
        done.wait()
    }
}

#if !canImport(Darwin)
    private func autoreleasepool(_ body: () -> Void) { body() }
#endif
