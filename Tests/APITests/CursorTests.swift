import Expectations
import RealmFile
import Testing

/// Iteration over objects with cursors, whole and in part.
@Suite struct CursorTests {
    @Test func `a cursor steps like a sequence`() throws {
        let dogs = try Kennel.dogs()
        let ages = dogs.objects.map { try $0.get("age", as: Int.self) }
        try expectEqual(ages.collect(), Array(0..<10))
        try expectEqual(ages.filter { $0 % 3 == 0 }.collect(), [0, 3, 6, 9])
        try expectEqual(ages.prefix(3).collect(), [0, 1, 2])
        try expectEqual(ages.prefix(0).collect(), [])
        try expectEqual(ages.first(), 0)
        try expectEqual(ages.first { $0 > 5 }, 6)
        try expectEqual(ages.contains { $0 == 11 }, false)
        try expectEqual(ages.reduce(into: 0) { $0 += $1 }, 45)
        try expectEqual(ages.compactMap { $0 < 2 ? "\($0)" : nil }.collect(), ["0", "1"])
        var seen: [Int] = []
        try ages.forEach { seen.append($0) }
        expectEqual(seen, Array(0..<10))
        try expectEqual(dogs.objects.count(), dogs.count)
    }

    @Test func `parts of a table contain each object once`() async throws {
        for (file, name) in [
            ("primary-keys-stream", "PkInt"), ("string-leaves", ""), ("cluster-gaps", ""), ("kennel", ""),
        ] {
            let path = Kennel.project.appending(path: "Fixtures/\(file).realm").path
            for table in try RealmDatabase(path: path).snapshot().classes where name.isEmpty || table.name == name {
                let keys = try table.objects.map(\.key).collect()
                for count in [1, 2, 3, 100] {
                    let parts = try table.split(into: count)
                    expect(parts.count <= count && !parts.isEmpty)
                    try expectEqual(parts.flatMap { try $0.objects.map(\.key).collect() }, keys)
                }
                guard keys.count > 2 else { continue }
                let middle = keys[1]...keys[keys.count - 2]
                try expectEqual(table.objects(in: middle).map(\.key).collect(), Array(keys[1...(keys.count - 2)]))
            }
        }
    }

    @Test func `backlinks lead to objects, links to their properties`() throws {
        let dog = try #require(try Kennel.dogs().object(ObjectKey(7)))
        let incoming = try #require(dog.table.schema.incoming.first)
        let owners = try dog.linkingObjects(incoming)
        try expectEqual(owners.map { try $0.get("name", as: String.self) }, ["Bjørn"])
        let link = try #require(try owners[0].get("dogs", as: [Link].self).last)
        try expectEqual(link["name"], .string("코코"))
        try expectEqual(link.get("age", as: Int.self), 8)
    }
}

extension Cursor {
    fileprivate func map<Result>(_ path: KeyPath<Element, Result>) -> MappedCursor<Self, Result> {
        map { $0[keyPath: path] }
    }
}
