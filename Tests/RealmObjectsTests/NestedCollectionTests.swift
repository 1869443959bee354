import RealmObjects
import Testing

class Note: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var content: AnyRealmValue
}

/// Collections inside of mixed values, at any depth.
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
        #expect(other[0].listValue.map(Array.init) == [.int(1), .int(2), .double(2.5)])
        #expect(other[2].dictionaryValue?["a"]?.listValue?[0].dictionaryValue?["k"] == .string("v"))
        #expect(other[2].dictionaryValue?["b"] == .int(7))
        #expect(other[0] == outer[0] && other[0] != other[2])
        _ = try file.verified()
    }

    @Test func `nested collections stay the ones they are while others come and go`() throws {
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
        #expect(inner.map(\.intValue) == [1, 2, 3, 4])
        #expect(outer[0].dictionaryValue?["c"] == .int(9) && outer[1].listValue?.count == 4)
        // A transaction that is cancelled has moved nothing.
        realm.beginWrite()
        outer.removeAll()
        #expect(inner.isInvalidated && map.isInvalidated)
        realm.cancelWrite()
        #expect(!inner.isInvalidated && inner.count == 4 && map["c"] == .int(9))
        try realm.write { outer.remove(at: 1) }
        #expect(inner.isInvalidated && inner.isEmpty && !map.isInvalidated)
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
        #expect(notes.heard() == ["3 [] [2] [0]"])
    }
}
