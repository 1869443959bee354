import Expectations
import Foundation
import RealmObjects
import Testing

/// Details of notifications, following RealmSwift's own tests.
@Suite struct ToldDetailTests {
    final class Node: Object {
        @Persisted var number = 0
        @Persisted var next: Node?
        @Persisted var inner: Inner?
        @Persisted var any: AnyRealmValue
        @Persisted var nodes: List<Node>
        @Persisted var words: List<String>
        @Persisted(originProperty: "nodes") var owners: LinkingObjects<Node>
    }

    final class Inner: EmbeddedObject {
        @Persisted var number = 0
    }

    private static func nodes() throws -> QueueRealm {
        let nodes = try QueueRealm([Node.self, Inner.self])
        try nodes { realm in
            try realm.write {
                for number in 0..<4 { realm.create(Node.self, value: ["number": number]) }
                let all = realm.objects(Node.self)
                all[0].nodes.append(objectsIn: [all[1], all[2], all[1]])
            }
        }
        return nodes
    }

    private static func words<T>(_ change: RealmCollectionChange<T>) -> String {
        guard case .update(_, let deletions, let insertions, let modifications) = change else { return "initial" }
        return "\(deletions) \(insertions) \(modifications)"
    }

    @Test func `modifications are reported for each place of a repeated object`() throws {
        let nodes = try Self.nodes()
        nodes { realm in
            nodes.keep(realm.objects(Node.self)[0].nodes.observe { nodes.told.append("nodes " + Self.words($0)) })
            nodes.keep(realm.objects(Node.self)[1].owners.observe { nodes.told.append("owners " + Self.words($0)) })
        }
        expectEqual(nodes.heard().sorted(), ["nodes initial", "owners initial"])
        try nodes.elsewhere { realm in
            let all = realm.objects(Node.self)
            try realm.write {
                all[1].number = 10
                all[2].number = 20
                all[0].nodes.append(all[3])
            }
        }
        expectEqual(nodes.heard(), ["nodes [] [3] [0, 1, 2]", "owners [] [] [0, 1]"])
        try nodes.elsewhere { realm in
            let all = realm.objects(Node.self)
            try realm.write {
                all[2].number = 21
                all[0].nodes.remove(at: 0)
            }
        }
        expectEqual(nodes.heard(), ["nodes [0] [] [1]", "owners [1] [] [0]"])
        try nodes.elsewhere { realm in
            let all = realm.objects(Node.self)
            try realm.write { all[0].nodes.append(all[1]) }
        }
        expectEqual(nodes.heard(), ["nodes [] [3] []", "owners [] [1] [0]"])
    }

    @Test func `old values of objects and mixed properties are reported`() throws {
        let nodes = try Self.nodes()
        func name(_ value: Any?) -> String {
            switch value {
            case nil: "nil"
            case let node as Node: node.isInvalidated ? "a node that was deleted" : "node \(node.number)"
            case let inner as Inner: inner.isInvalidated ? "an inner one that was deleted" : "inner \(inner.number)"
            case let other?: "\(other)"
            }
        }
        nodes { realm in
            let node = realm.objects(Node.self)[0]
            nodes.keep(
                node.observe { (change: ObjectChange<Node>) in
                    guard case .change(_, let properties) = change else { return }
                    nodes.told += properties.map { "\($0.name): \(name($0.oldValue)) -> \(name($0.newValue))" }
                })
        }
        try nodes.elsewhere { realm in
            let all = realm.objects(Node.self)
            try realm.write {
                (all[0].next, all[0].any, all[0].inner) = (all[1], .string("one"), Inner(value: [1]))
            }
        }
        expectEqual(nodes.heard(), ["next: nil -> node 1", "inner: nil -> inner 1", "any: nil -> one"])
        try nodes.elsewhere { realm in
            let all = realm.objects(Node.self)
            try realm.write {
                // An object obtained earlier has the current values.
                all[1].number = 10
                (all[0].next, all[0].any, all[0].inner) = (all[2], .object(all[3]), Inner(value: [2]))
            }
        }
        expectEqual(
            nodes.heard(),
            [
                "next: node 10 -> node 2", "inner: an inner one that was deleted -> inner 2", "any: one -> node 3",
            ])
        try nodes.elsewhere { realm in try realm.write { realm.delete(realm.objects(Node.self)[2...3]) } }
        expectEqual(
            nodes.heard(),
            [
                "next: a node that was deleted -> nil", "any: a node that was deleted -> nil", "nodes: nil -> nil",
            ])
        try nodes { realm in try realm.write { realm.objects(Node.self)[0].next = realm.objects(Node.self)[1] } }
        expectEqual(nodes.heard(), ["next: nil -> node 10"])
    }

    @Test func `a list in a value is invalidated when a dictionary replaces it`() throws {
        let nodes = try Self.nodes()
        let list = { @Sendable in AnyRealmValue.fromArray([.int(1), .int(2)]) }
        let dictionary = { @Sendable in AnyRealmValue.fromDictionary(["a": .int(1), "b": .int(2)]) }
        try nodes { realm in
            let all = realm.objects(Node.self)
            try realm.write {
                all[0].any = list()
                all[1].any = dictionary()
            }
            let listed = try #require(all[0].any.listValue)
            let mapped = try #require(all[1].any.dictionaryValue)
            nodes.keep(listed.observe { nodes.told.append("list \(listed.count) " + Self.words($0)) })
            nodes.keep(
                mapped.observe { change in
                    guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
                    nodes.told.append(
                        "map \(mapped.count) \(deletions.sorted()) \(insertions.sorted()) \(modifications)")
                })
        }
        expectEqual(nodes.heard(), ["list 2 initial"])
        try nodes.elsewhere { realm in
            let all = realm.objects(Node.self)
            try realm.write { (all[0].any, all[1].any) = (dictionary(), list()) }
        }
        expectEqual(nodes.heard(), ["list 0 [0, 1] [] []", "map 0 [\"a\", \"b\"] [] []"])
        try nodes { realm in
            let all = realm.objects(Node.self)
            try realm.write { (all[0].any, all[1].any) = (list(), dictionary()) }
        }
        expectEqual(nodes.heard(), ["list 2 [] [0, 1] []", "map 2 [] [\"a\", \"b\"] []"])
    }

    @Test func `observers of a realm are notified when a transaction begins on another version`() throws {
        let nodes = try Self.nodes()
        nodes { realm in
            realm.autorefresh = false
            nodes.keep(
                realm.observe { notification, realm in
                    let count = realm.objects(Node.self).count
                    nodes.told.append("\(notification) \(count) \(realm.isInWriteTransaction)")
                })
        }
        try nodes.elsewhere { realm in try realm.write { _ = realm.create(Node.self) } }
        expectEqual(nodes.heard(), ["refreshRequired 4 false"])
        nodes { realm in
            realm.beginWrite()
            realm.cancelWrite()
        }
        expectEqual(nodes.heard(), ["didChange 5 true"])
        nodes { realm in
            realm.beginWrite()
            realm.cancelWrite()
        }
        expectEqual(nodes.heard(), [])
    }

    @Test func `an observer of a realm is not notified of its own commits`() throws {
        let nodes = try Self.nodes()
        nodes { realm in
            nodes.keep(
                realm.observe { notification, realm in
                    nodes.told.append("\(realm.objects(Node.self).count)")
                    guard realm.objects(Node.self).count < 10 else { return }
                    do { try realm.write { _ = realm.create(Node.self) } } catch { nodes.told.append("\(error)") }
                })
        }
        try nodes { realm in try realm.write { _ = realm.create(Node.self) } }
        expectEqual(nodes.heard(), ["5"])
        try nodes.elsewhere { realm in try realm.write { _ = realm.create(Node.self) } }
        expectEqual(nodes.heard(), ["7"])
        nodes { realm in expectEqual(realm.objects(Node.self).count, 8) }
    }

    @Test func `a replaced value of a section is modified`() throws {
        let nodes = try Self.nodes()
        try nodes { realm in
            let node = realm.objects(Node.self)[0]
            try realm.write { node.words.append(objectsIn: ["banana", "orange"]) }
            nodes.keep(
                node.words.sectioned { String($0.prefix(1)) }.observe { change in
                    guard case .update(_, let deletions, let insertions, let modifications, let new, let old) = change
                    else { return }
                    func places(_ paths: [IndexPath]) -> [[Int]] { paths.map { Array($0) } }
                    let told = [deletions, insertions, modifications].map { "\(places($0))" }
                    nodes.told.append("\(told.joined(separator: " ")) \(Array(new)) \(Array(old))")
                })
        }
        try nodes.elsewhere { realm in try realm.write { realm.objects(Node.self)[0].words[0] = "box" } }
        expectEqual(nodes.heard(), ["[] [] [[0, 0]] [] []"])
        try nodes.elsewhere { realm in try realm.write { realm.objects(Node.self)[0].words[0] = "zebra" } }
        expectEqual(nodes.heard(), ["[] [[1, 0]] [] [1] [0]"])
    }

    private static func open() throws -> Realm {
        try Realm(configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: [Node.self, Inner.self]))
    }

    private static func elsewhere(_ body: @escaping @Sendable (Shared<Node>) throws -> Void) throws {
        let realm = try Self.open()
        let node = Shared(try realm.write { realm.create(Node.self) })
        try onAnotherThread { try body(node) }
    }

    @Test func `observing and passing on from another thread is refused`() async {
        let results = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Self.open()
            let nodes = Shared(realm.objects(Node.self))
            try onAnotherThread { _ = nodes.value.observe { _ in } }
        }
        let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Self.open()
            let list = Shared(try realm.write { realm.create(Node.self) }.nodes)
            try onAnotherThread { _ = list.value.observe(on: DispatchQueue(label: "q")) { _ in } }
        }
        let object = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.elsewhere { node in _ = node.value.observe { (_: ObjectChange<Node>) in } }
        }
        let reference = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.elsewhere { node in _ = ThreadSafeReference(to: node.value) }
        }
        for result in [results, list, object, reference] {
            let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            expect(said.contains("Realm accessed from incorrect thread."))
        }
    }

    @Test func `deleted objects cannot be passed on`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Self.open()
            let node = try realm.write { realm.create(Node.self) }
            try realm.write { realm.delete(node) }
            _ = ThreadSafeReference(to: node)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expect(said.contains("Cannot construct reference to invalidated object"))
    }
}
