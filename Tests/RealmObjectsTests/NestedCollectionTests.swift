import Expectations
import Foundation
import RealmObjects
import Testing

class Note: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var content: AnyRealmValue
}

/// Collections inside mixed values, at any depth.
@Suite struct NestedCollectionTests {
    private func open() throws -> (TestRealm, Realm, Note) {
        let file = TestRealm([Note.self])
        let realm = try file.open()
        let note = Note()
        note.content = .fromArray([
            .fromArray([.int(1), .int(2)]), .string("text"), .fromDictionary(["a": .fromArray([.bool(true)])]),
        ])
        try realm.write { realm.add(note) }
        return (file, realm, note)
    }

    @Test func `nested collections are live`() throws {
        let (file, realm, note) = try open()
        let outer = try #require(note.content.listValue)
        let inner = try #require(outer[0].listValue)
        let deep = try #require(outer[2].dictionaryValue?["a"]?.listValue)
        try realm.write {
            inner.append(.double(2.5))
            deep[0] = .fromDictionary(["k": .string("v")])
            outer[2].dictionaryValue?["b"] = .int(7)
        }
        let other = try #require(realm.object(ofType: Note.self, forPrimaryKey: 0)?.content.listValue)
        expectEqual(other[0].listValue.map(Array.init), [.int(1), .int(2), .double(2.5)])
        expectEqual(other[2].dictionaryValue?["a"]?.listValue?[0].dictionaryValue?["k"], .string("v"))
        expectEqual(other[2].dictionaryValue?["b"], .int(7))
        expect(other[0] == outer[0] && other[0] != other[2])
        _ = try file.verified()
    }

    @Test func `nested collections keep their identity when others are inserted and removed`() throws {
        let (_, realm, note) = try open()
        let outer = try #require(note.content.listValue)
        let (inner, map) = (try #require(outer[0].listValue), try #require(outer[2].dictionaryValue))
        try realm.write {
            outer.insert(.string("new"), at: 0)
            inner.append(.int(3))
            outer.move(from: 3, to: 0)
            map["c"] = .int(9)
            outer.remove(at: 1)
            inner.append(.int(4))
        }
        expectEqual(inner.map(\.intValue), [1, 2, 3, 4])
        expect(outer[0].dictionaryValue?["c"] == .int(9) && outer[1].listValue?.count == 4)
        // A cancelled transaction has moved nothing.
        realm.beginWrite()
        outer.removeAll()
        expect(inner.isInvalidated && map.isInvalidated)
        realm.cancelWrite()
        expect(!inner.isInvalidated && inner.count == 4 && map["c"] == .int(9))
        try realm.write { outer.remove(at: 1) }
        expect(inner.isInvalidated && inner.isEmpty && !map.isInvalidated)
    }

    @Test func `nested collections are observed`() throws {
        let notes = try QueueRealm([Note.self])
        try notes { realm in
            try realm.write { realm.create(Note.self, value: ["content": [[1, 2], "x"] as [Any]]) }
            let inner = try #require(realm.objects(Note.self)[0].content.listValue?[0].listValue)
            notes.keep(
                inner.observe { change in
                    if case .update(let list, let deletions, let insertions, let modifications) = change {
                        notes.told.append("\(list.count) \(deletions) \(insertions) \(modifications)")
                    }
                })
        }
        try notes { realm in
            let list = realm.objects(Note.self)[0].content.listValue
            try realm.write {
                list?[0].listValue?[0] = .string("other")
                list?[0].listValue?.append(.int(3))
                list?[1] = .none
            }
        }
        expectEqual(notes.heard(), ["3 [] [2] [0]"])
    }

    @Test func `a removed collection is not written as an empty one`() async throws {
        let messages = await [
            #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (_, realm, note) = try NestedCollectionTests().open()
                let list = try #require(note.content.listValue)
                try realm.write {
                    let item = list[0]
                    list.remove(at: 0)
                    list.append(item)
                }
            },
            #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (_, realm, note) = try NestedCollectionTests().open()
                let map = try #require(note.content.listValue?[2].dictionaryValue)
                try realm.write {
                    realm.delete(note)
                    realm.create(Note.self, value: ["id": 7, "content": AnyRealmValue.dictionary(map)])
                }
            },
        ]
        for message in messages {
            let text = message.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
            expect(text.contains("Object has been deleted or invalidated."))
        }
    }

    @Test func `collections of a value are invalidated when the property is set`() throws {
        let (_, realm, note) = try open()
        let outer = try #require(note.content.listValue)
        let inner = try #require(outer[0].listValue)
        try realm.write { note.content = note.content }
        expect(!inner.isInvalidated && inner.count == 2 && outer.count == 3)
        realm.beginWrite()
        note.content = .fromArray([.fromArray([.int(9)])])
        expect(inner.isInvalidated && inner.isEmpty && outer.count == 1 && outer[0].listValue?[0] == .int(9))
        realm.cancelWrite()
        expect(!inner.isInvalidated && inner.map(\.intValue) == [1, 2])
        try realm.write { note.content = .string("none") }
        expect(inner.isInvalidated && outer.isInvalidated)
    }

    @Test func `long nested collections grow and are iterated`() throws {
        let (file, realm, note) = try open()
        let rows = try #require(note.content.listValue)
        let count = 1500
        try realm.write {
            rows.removeAll()
            for number in 0..<count { rows.append(.fromDictionary(["n": .int(number), "t": .string("row")])) }
            let last = try #require(rows[count - 1].dictionaryValue)
            for number in 0..<200 { last["key \(number)"] = .int(number) }
            expect(last.count == 202 && rows.count == count)
        }
        expectEqual(rows.compactMap { $0.dictionaryValue?["n"]?.intValue }, Array(0..<count))
        let frozen = try #require(note.freeze().content.listValue)
        expectEqual(frozen.map { $0.dictionaryValue?.count }, Array(repeating: 2, count: count - 1) + [202])
        // An instance that was read before sees later changes.
        let row = try #require(rows[5].dictionaryValue)
        expectEqual(row["n"], .int(5))
        try realm.write { rows[5].dictionaryValue?["n"] = .int(-5) }
        expect(row["n"] == .int(-5) && frozen[5].dictionaryValue?["n"] == .int(5))
        _ = try file.verified()
    }
}
