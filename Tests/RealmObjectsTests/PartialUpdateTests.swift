import Expectations
import Foundation
import RealmObjects
import Testing

/// Dictionaries with some properties of existing objects: the rest are unchanged, also in nested objects.
@Suite struct PartialUpdateTests {
    final class Author: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = "nobody"
        @Persisted var best: Book?
        @Persisted var books: List<Book>
        @Persisted var byTitle: Map<String, Book?>
        @Persisted var shelf: MutableSet<Book>
        @Persisted var address: Place?
        @Persisted var places: List<Place>
    }

    final class Book: Object {
        @Persisted(primaryKey: true) var number = 0
        @Persisted var title = "untitled"
        @Persisted var pages: Int? = 10
        @Persisted var follows: Book?
        @Persisted var tags: List<String>
    }

    final class Place: EmbeddedObject {
        @Persisted var town = "here"
        @Persisted var street: String?
    }

    static let policies: [Realm.UpdatePolicy] = [.modified, .all]

    /// Returns an existing author with books whose values differ from the defaults.
    private func author() throws -> Author {
        let realm = try TestRealm([Author.self, Book.self, Place.self]).open()
        return try realm.write {
            let books: [[String: Any]] = (1...4).map {
                ["number": $0, "title": "t\($0)", "pages": $0 * 100, "tags": ["a", "b"]]
            }
            for book in books { realm.create(Book.self, value: book) }
            return realm.create(
                Author.self,
                value: [
                    "id": 7, "name": "Ann", "address": ["town": "Rome", "street": "Via"],
                    "places": [["town": "Pisa", "street": "Corso"]],
                ])
        }
    }

    private func expectBooks(_ books: Results<Book>, _ titles: [String]) {
        let four = books.filter("number < 5").sorted(byKeyPath: "number")
        expectEqual(Array(four.map(\.title)), titles)
        expect(Array(four.map(\.pages)) == [100, 200, 300, 400] && four.allSatisfy { Array($0.tags) == ["a", "b"] })
    }

    private static var inside: [String: Any] {
        [
            "best": ["number": 1, "title": "new", "follows": ["number": 2]] as [String: Any],
            "books": [["number": 3], ["number": 9, "pages": 1]], "byTitle": ["x": ["number": 4]],
            "shelf": [["number": 4, "title": "four"]],
        ]
    }

    @Test(arguments: [7, 8], policies)
    func `partial values keep the other properties of nested objects, in new and existing objects`(
        _ id: Int, _ policy: Realm.UpdatePolicy
    ) throws {
        let realm = try #require(try author().realm)
        try realm.write {
            let author = realm.create(Author.self, value: Self.inside.merging(["id": id]) { $1 }, update: policy)
            expectEqual(author.name, (id == 7 ? "Ann" : "nobody"))
            expect(author.best?.follows?.number == 2 && Array(author.books.map(\.number)) == [3, 9])
        }
        expectBooks(realm.objects(Book.self), ["new", "t2", "t3", "four"])
        let made = try #require(realm.object(ofType: Book.self, forPrimaryKey: 9))
        expect(made.title == "untitled" && made.pages == 1)
    }

    @Test(arguments: [7, 8], policies)
    func `partial values of dynamic objects keep the other properties`(_ id: Int, _ policy: Realm.UpdatePolicy) throws {
        let realm = try #require(try author().realm)
        try realm.write {
            realm.dynamicCreate("Author", value: Self.inside.merging(["id": id]) { $1 }, update: policy)
        }
        expectBooks(realm.objects(Book.self), ["new", "t2", "t3", "four"])
        expectEqual(realm.object(ofType: Book.self, forPrimaryKey: 9)?.title, "untitled")
        expectEqual(realm.object(ofType: Author.self, forPrimaryKey: id)?.books.count, 2)
    }

    @Test func `embedded objects that stay keep the other properties`() throws {
        let author = try author()
        let realm = try #require(author.realm)
        let values: [String: Any] = [
            "id": 7, "address": ["town": "Bari"], "places": [["street": "Lungo"], ["street": "Ponte"]],
        ]
        try realm.write { realm.create(Author.self, value: values, update: .modified) }
        expect(author.address?.town == "Bari" && author.address?.street == "Via")
        expect(author.places.map(\.town) == ["Pisa", "here"] && author.places.map(\.street) == ["Lungo", "Ponte"])
        try realm.write { realm.create(Author.self, value: values, update: .all) }
        expect(author.address?.town == "Bari" && author.address?.street == nil)
        expectEqual(author.places.map(\.town), ["here", "here"])
    }

    @Test(arguments: policies)
    func `arrays set the first properties, and objects all`(_ policy: Realm.UpdatePolicy) throws {
        let realm = try #require(try author().realm)
        try realm.write {
            realm.create(
                Author.self, value: ["id": 7, "best": [1, "one"] as [Any], "books": [Book(value: ["number": 2])]],
                update: policy)
        }
        let books = realm.objects(Book.self)
        expect(books[0].title == "one" && books[0].pages == 100 && books[0].tags.count == 2)
        expect(books[1].title == "untitled" && books[1].pages == 10 && books[1].tags.isEmpty)
    }
}
