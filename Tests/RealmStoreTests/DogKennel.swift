import RealmCore
import RealmStore
import TestSupport

/// A file with the class Dog, whose primary key is `_id`.
enum DogKennel {
    static let schema = SchemaDefinition([
        TableDefinition(
            class: "Dog", primaryKey: "_id",
            [
                PropertyDefinition("_id", .int, index: .general),
                PropertyDefinition("name", .string, index: .general),
                PropertyDefinition("age", .int),
                PropertyDefinition("friend", .link, isNullable: true, target: "class_Dog"),
            ])
    ])

    /// Creates the file, with dogs whose keys count from 0.
    ///
    /// - Returns: its path.
    static func make(
        _ folder: TemporaryFolder, dogs: Int = 100, name: String = "kennel.realm"
    ) throws -> String {
        let path = folder.file(name)
        let builder = try RealmBuilder(schema, at: NewFile(path))
        for number in 0..<dogs {
            _ = try builder.add("Dog", ["_id": .int(Int64(number)), "name": .string("dog \(number % 7)"), "age": 1])
        }
        try builder.finish()
        return path
    }

    /// Returns the keys of all dogs, in order.
    static func keys(_ snapshot: Snapshot) throws -> [Int] {
        var keys: [Int] = []
        var dogs = try snapshot.table(named: "Dog").objects
        while let dog = try dogs.next() { keys.append(try dog.get("_id", as: Int.self)) }
        return keys.sorted()
    }
}

extension WriteTransaction {
    /// Adds a dog.
    func addDog(_ key: Int) throws { _ = try add("Dog", ["_id": .int(Int64(key)), "name": "new", "age": 2]) }
}
