import Expectations
import Foundation
import RealmObjects
import Synchronization
import Testing

/// The limit on kept versions, and log messages.
@Suite(.serialized) struct VersionLimitTests {
    /// As in RealmSwift: four versions exist when a transaction begins that a limit of three refuses.
    @Test func `a transaction is refused when too many versions are kept`() throws {
        let file = TestRealm(kennelTypes)
        file.configuration.maximumNumberOfActiveVersions = 3
        let realm = try file.open()
        var kept = [realm.freeze()]
        for age in 0..<3 {
            try realm.write { realm.add(Dog(name: "Rex", age: age)) }
            kept.append(realm.freeze())
        }
        let error = #expect(throws: Realm.Error.self) { try realm.write { realm.deleteAll() } }
        expectEqual(error?.message, "Number of active versions (4) in the Realm exceeded the limit of 3")
        expectEqual(error?.code, .fail)
        expectEqual(kept.map { $0.objects(Dog.self).count }, [0, 1, 2, 3])
        kept.removeFirst(2)
        try realm.write { realm.deleteAll() }
        expect(realm.isEmpty)
    }

    @Test func `any number of versions is kept without a limit`() throws {
        let realm = try TestRealm(kennelTypes).open()
        var kept = [realm.freeze()]
        for age in 0..<20 {
            try realm.write { realm.add(Dog(name: "Rex", age: age)) }
            kept.append(realm.freeze())
        }
        expectEqual(kept.last?.objects(Dog.self).count, 20)
    }

    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        func add(_ line: String) { lines.withLock { $0.append(line) } }
        func take() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    @Test func `a logger receives the messages of its level`() throws {
        let before = Logger.shared
        defer { Logger.shared = before }
        let (file, lines) = (TestRealm(kennelTypes), Lines())
        // Other tests have realms too.
        let isMine = file.path
        let logger = Logger(level: .off) { level, message in lines.add("\(level) \(message)") }
        Logger.shared = logger
        expect(Logger.shared === logger && Logger.shared.level == .off)
        _ = try file.open()
        expectEqual(lines.take(), [])
        logger.level = .detail
        _ = try file.open()
        let told = lines.take()
        expect(told.contains { $0 == "detail DB: Open file: \(isMine)" })
        expect(told.allSatisfy { $0.hasPrefix("detail") })
        logger.level = .all
        let realm = try file.open()
        try realm.write { realm.add(Dog(name: "Rex", age: 1)) }
        let all = lines.take()
        expect(all.contains { $0.hasPrefix("trace DB: Start read") })
        expect(all.contains { $0.hasPrefix("debug DB: Commit of version") })
        expectEqual(LogLevel.allCases.map(\.rawValue), Array(0...8))
    }

    @Test func `frozen objects of one version share a realm`() throws {
        let before = Logger.shared
        defer { Logger.shared = before }
        let (file, lines) = (TestRealm(kennelTypes), Lines())
        let configuration = file.configuration
        try onAnotherThread {
            // A name that a thread gives itself can be lost while it is being started.
            let thread = ObjectIdentifier(Thread.current)
            let logger = Logger(level: .trace) { _, message in
                guard ObjectIdentifier(Thread.current) == thread, message.hasPrefix("DB: Start read") else { return }
                lines.add(message)
            }
            let realm = try Realm(configuration: configuration)
            try realm.write { for age in 0..<10 { realm.add(Dog(name: "Rex", age: age)) } }
            let dogs = realm.objects(Dog.self)
            var begun: [Int] = []
            // Another test may set a logger of its own meanwhile.
            for age in 100..<120 where begun != [1, 1] {
                Logger.shared = logger
                try realm.write { dogs[1].age = age }
                _ = lines.take()
                let frozen = dogs.map { $0.freeze() } + [dogs.freeze()[0]]
                begun = [lines.take().count]
                try realm.write { dogs[0].age = age }
                expect(dogs[0].freeze().age == age && frozen[0].age != age && frozen[10].age != age)
                begun.append(lines.take().count)
            }
            expectEqual(begun, [1, 1])
        }
    }

    final class Walk: Object, ObjectKeyIdentifiable {
        @Persisted var metres = 0
    }

    @Test func `instances of one object have the same identifier`() throws {
        let file = TestRealm([Walk.self])
        let realm = try file.open()
        let (first, second) = (Walk(value: ["metres": 1]), Walk(value: ["metres": 2]))
        expect(first.id == first.id && first.id != second.id)
        try realm.write { realm.add([first, second]) }
        let seen = realm.objects(Walk.self).map(\.id)
        expect(seen == [first.id, second.id] && Set(seen).count == 2)
        let before = first.id
        try realm.write { first.metres = 7 }
        expect(first.id == before && first.freeze().id == before)
    }
}
