import Expectations
import Foundation
import RealmObjects
import Testing

/// Notifications for elements that are assigned, exchanged, or stored in a map.
@Suite struct ReplacedTests {
    final class Shelf: Object {
        @Persisted var books: List<Book>
        @Persisted var notes: List<Note>
        @Persisted var marks: Map<String, Note?>
        @Persisted var any: AnyRealmValue
        @Persisted var ranks: List<Int>
        @Persisted var kinds: MutableSet<Int>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Book: Object {
        @Persisted var number = 0
        @Persisted var isRead = false
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Note: EmbeddedObject {
        @Persisted var number = 0
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private static func shelf() throws -> QueueRealm {
        let shelf = try QueueRealm([Shelf.self, Book.self, Note.self])
        try shelf { realm in
            try realm.write {
                let shelf = realm.create(Shelf.self)
                shelf.books.append(objectsIn: (0..<6).map { Book(value: ["number": $0 * 10]) })
                shelf.notes.append(objectsIn: (0..<3).map { Note(value: [$0]) })
                shelf.marks["a"] = Note(value: [10])
                shelf.marks["b"] = Note(value: [20])
            }
        }
        return shelf
    }

    private static func indexes<T>(_ change: RealmCollectionChange<T>) -> String {
        guard case .update(_, let deletions, let insertions, let modifications) = change else { return "initial" }
        return "\(deletions) \(insertions) \(modifications)"
    }

    private static func told(
        _ shelf: QueueRealm, _ change: @escaping @Sendable (Realm, Shelf) -> Void
    ) throws -> [String] {
        try shelf { realm in try realm.write { change(realm, realm.objects(Shelf.self)[0]) } }
        return shelf.heard()
    }

    @Test(arguments: [nil, []] as [[String]?]) func `a replaced element is modified`(paths: [String]?) throws {
        let shelf = try Self.shelf()
        shelf { realm in
            let books = realm.objects(Shelf.self)[0].books
            shelf.keep(books.observe(keyPaths: paths) { shelf.told.append(Self.indexes($0)) })
        }
        expectEqual(shelf.heard(), ["initial"])
        try expectEqual(Self.told(shelf) { _, shelf in shelf.books[2] = Book() }, ["[] [] [2]"])
        // Moved elements are not modified, nor are those that follow deleted objects.
        try expectEqual(Self.told(shelf) { _, shelf in shelf.books.swapAt(1, 2) }, ["[2] [1] []"])
        try expectEqual(
            Self.told(shelf) { realm, shelf in
                realm.delete(shelf.books[3])
                shelf.books.insert(Book(), at: 3)
            }, ["[3] [3] []"])
        // Also with an object that is already in the list, once or several times.
        try expectEqual(Self.told(shelf) { _, shelf in shelf.books[4] = shelf.books[0] }, ["[] [] [4]"])
        try expectEqual(
            Self.told(shelf) { _, shelf in
                shelf.books[1] = Book()
                shelf.books[3] = Book()
                shelf.books.insert(Book(), at: 0)
                shelf.books.removeLast()
            }, ["[5] [0] [1, 3]"])
    }

    @Test func `a replaced embedded object in a list is modified`() throws {
        let shelf = try Self.shelf()
        shelf { realm in
            let notes = realm.objects(Shelf.self)[0].notes
            shelf.keep(notes.observe { shelf.told.append("list \(Self.indexes($0))") })
            // Results are compared by content.
            shelf.keep(notes.sorted(byKeyPath: "number").observe { shelf.told.append("sorted \(Self.indexes($0))") })
        }
        expectEqual(shelf.heard(), ["list initial", "sorted initial"])
        try expectEqual(
            Self.told(shelf) { _, shelf in shelf.notes[1] = Note(value: [1]) }, ["list [] [] [1]", "sorted [1] [1] []"])
        try expectEqual(
            Self.told(shelf) { _, shelf in shelf.notes.remove(at: 0) }, ["list [0] [] []", "sorted [0] [] []"])
    }

    @Test(arguments: [true, false]) func `the modified one of two swapped objects has moved`(isLimited: Bool) throws {
        let shelf = try Self.shelf()
        shelf { realm in
            let sorted = realm.objects(Book.self).sorted(byKeyPath: "number")
            // With a limit, results are evaluated again.
            let books = isLimited ? sorted.filter("TRUEPREDICATE LIMIT(100)") : sorted
            shelf.keep(books.observe { shelf.told.append(Self.indexes($0)) })
        }
        expectEqual(shelf.heard(), ["initial"])
        func told(_ number: Int, _ new: Int) throws -> [String] {
            try Self.told(shelf) { realm, _ in realm.objects(Book.self).first { $0.number == number }?.number = new }
        }
        try expectEqual(told(20, 35), ["[2] [3] []"])
        try expectEqual(told(35, 20), ["[3] [2] []"])
        try expectEqual(told(20, 5), ["[2] [1] []"])
        try expectEqual(told(0, 6), ["[0] [1] []"])
        try expectEqual(
            Self.told(shelf) { realm, shelf in
                shelf.books[0].number = 0
                shelf.books[5].isRead = true
            }, ["[1] [0] [5]"])
    }

    @Test func `an embedded object in a map is modified only by its own changes`() throws {
        let shelf = try Self.shelf()
        shelf { realm in
            shelf.keep(
                realm.objects(Shelf.self)[0].marks.observe { change in
                    guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
                    shelf.told.append("\(deletions) \(insertions) \(modifications)")
                })
        }
        expectEqual(shelf.heard(), [])
        try expectEqual(Self.told(shelf) { _, shelf in shelf.notes[0].number = 5 }, [])
        try expectEqual(Self.told(shelf) { realm, _ in realm.create(Book.self) }, [])
        try expectEqual(Self.told(shelf) { _, shelf in shelf.marks["b"]??.number = 5 }, ["[] [] [\"b\"]"])
        try expectEqual(Self.told(shelf) { _, shelf in shelf.marks["a"] = Note() }, ["[] [] [\"a\"]"])
        try expectEqual(Self.told(shelf) { _, shelf in shelf.marks.removeObject(for: "b") }, ["[\"b\"] [] []"])
    }

    @Test func `values of a list are modified, those of a set are inserted and deleted`() throws {
        let shelf = try Self.shelf()
        try shelf { realm in
            let shelves = realm.objects(Shelf.self)[0]
            try realm.write {
                shelves.ranks.append(objectsIn: [1, 2, 3])
                shelves.kinds.insert(objectsIn: [1, 2, 3])
            }
            shelf.keep(shelves.ranks.observe { shelf.told.append("list \(Self.indexes($0))") })
            shelf.keep(shelves.kinds.observe { shelf.told.append("set \(Self.indexes($0))") })
            shelf.keep(shelves.kinds.sorted().observe { shelf.told.append("sorted \(Self.indexes($0))") })
        }
        expectEqual(shelf.heard(), ["list initial", "set initial", "sorted initial"])
        try expectEqual(
            Self.told(shelf) { _, shelf in
                shelf.ranks[2] = 4
                shelf.kinds.remove(3)
                shelf.kinds.insert(4)
            }, ["list [] [] [2]", "set [2] [2] []", "sorted [2] [2] []"])
    }

    @Test func `an observer may invalidate the realm and continue`() throws {
        let shelf = try Self.shelf()
        try shelf { realm in
            let books = realm.objects(Book.self)
            shelf.keep(
                books.observe { _ in
                    realm.invalidate()
                    shelf.told.append("\(books.isInvalidated) \(realm.isInWriteTransaction)")
                })
            // Beginning a transaction delivers notifications first.
            try realm.write { expect(realm.isInWriteTransaction && books.count == 6) }
        }
        expectEqual(shelf.heard(), ["false true"])
    }

    @Test func `a list in a mixed value is invalidated with its value`() throws {
        let shelf = try Self.shelf()
        try shelf { realm in
            let shelf = realm.objects(Shelf.self)[0]
            try realm.write { shelf.any = .fromArray([.int(1), .fromDictionary(["a": .int(2)])]) }
            let (list, map) = (shelf.any.listValue, shelf.any.listValue?[1].dictionaryValue)
            expect(list?.isInvalidated == false && map?.isInvalidated == false)
            try realm.write { shelf.any = .int(4) }
            expect(list?.isInvalidated == true && map?.isInvalidated == true && list?.count == 0)
        }
    }
}
