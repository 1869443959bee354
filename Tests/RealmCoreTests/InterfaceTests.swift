import Expectations
import RealmCore
import RealmLayout
import TestSupport
import Testing

/// The public interface, with the example of the README.
@Suite struct InterfaceTests {
    private func kennel() throws -> Snapshot {
        try RealmDatabase(path: KnownFile.fixture("kennel").url.path).snapshot()
    }

    @Test func `a path and the bytes of its file give the same content`() throws {
        let file = try KnownFile.fixture("kennel")
        let mapped = try TypedDump(RealmDatabase(path: file.url.path).snapshot())
        let copied = try TypedDump(RealmDatabase(bytes: file.bytes()).snapshot())
        expect(mapped.differences(to: copied).isEmpty)
        expectEqual(mapped.tables.count, 5)
    }

    @Test func `a path that does not exist is an error`() {
        #expect(throws: (any Error).self) { try RealmDatabase(path: "/no/such/file.realm") }
    }

    @Test func `format, slot, history and classes of a file are returned`() throws {
        let database = try RealmDatabase(path: KnownFile.fixture("kennel").url.path)
        let snapshot = try database.snapshot()
        expectEqual(snapshot.version, FormatVersion(24))
        expectEqual(snapshot.slot, database.header.selectedSlot)
        expect(!database.isStreaming)
        expectEqual(snapshot.history.type, .inRealm)
        expectEqual(snapshot.schema.version, 0)
        expectEqual(snapshot.classes.map(\.name), ["Address", "Dog", "DogClub", "Person"])
        try expect(RealmDatabase(path: KnownFile.fixture("links-stream").url.path).isStreaming)
    }

    @Test func `an empty database has no tables`() throws {
        let snapshot = try RealmDatabase(path: KnownFile.fixture("empty-new").url.path).snapshot()
        expect(snapshot.tables.isEmpty)
        expectEqual(snapshot.topRef, nil)
        expectEqual(snapshot.schema.version, nil)
        try expectEqual(snapshot.freeBytes(), nil)
    }

    @Test func `an object is found by its key`() throws {
        let dogs = try kennel().table(named: "Dog")
        var cursor = dogs.objects
        var count = 0
        while let dog = try cursor.next() {
            try expectEqual(dogs.object(dog.key), dog)
            count += 1
        }
        try expectEqual(count, dogs.count)
        try expectEqual(dogs.object(ObjectKey(Int64(count))), nil)
        try expectEqual(dogs.object(ObjectKey(.max)), nil)
        try expectEqual(dogs.object(.null), nil)
        try expectEqual(dogs.tombstone(ObjectKey(-2)), nil)
    }

    /// In a cluster tree with gaps, existing keys are found and missing ones are not.
    @Test func `only existing keys are found in a tree with gaps`() throws {
        let snapshot = try RealmDatabase(path: KnownFile.fixture("cluster-gaps").url.path).snapshot()
        for table in snapshot.classes {
            var keys: Set<Int64> = []
            var cursor = table.objects
            while let object = try cursor.next() { keys.insert(object.key.value) }
            try expectEqual(keys.count, table.count)
            for key in Int64(-2)...300 {
                try expectEqual((table.object(ObjectKey(key)) != nil), keys.contains(key), "key \(key)")
            }
        }
    }

    @Test func `an object is found by its primary key`() throws {
        let snapshot = try RealmDatabase(path: KnownFile.fixture("primary-keys-stream").url.path).snapshot()
        var found = 0
        for table in snapshot.classes where table.schema.primaryKeyName != nil {
            var cursor = table.objects
            while let object = try cursor.next(), object.key.value < 20 {
                let key = try #require(try object.primaryKey)
                try expectEqual(table.object(primaryKey: key), object)
                found += 1
            }
            // A key of another type is a programming error, and reported immediately.
            do throws(FormatError) {
                _ = try table.object(primaryKey: .binary([1]))
                Issue.record("a key of another type is sought")
            } catch {
                expect(error.code == .wrongType && error.isUsage && error.table == table.schema.tableName)
                expectEqual(error.property, table.schema.primaryKeyName)
            }
        }
        expect(found > 20)
    }

    /// "é" as one scalar and as letter and accent are two primary keys.
    @Test func `primary keys that look alike are different`() throws {
        var file = HandmadeFile()
        let leaf = file.writer.shortStrings(["e\u{301}", "\u{E9}"])
        let cluster = file.cluster(2, [leaf])
        let top = file.addTable("class_Hostile", [HandmadeFile.Column("id", .string)], objects: cluster)
        file.writer.set(11, of: top, to: NodeWriter.tagged(ColumnType.string.rawValue << 16))
        let table = try RealmDatabase(bytes: file.bytes()).snapshot().table(named: "Hostile")
        try expectEqual(table.object(primaryKey: .string("\u{E9}"))?.key, ObjectKey(1))
        try expectEqual(table.object(primaryKey: .string("e\u{301}"))?.key, ObjectKey(0))
    }

    /// The same applies to properties.
    @Test func `properties that look alike are different`() throws {
        var file = HandmadeFile()
        let cluster = file.cluster(1, [file.writer.integers([1]), file.writer.integers([2])])
        let columns = [HandmadeFile.Column("e\u{301}", .int), HandmadeFile.Column("\u{E9}", .int, index: 1)]
        file.addTable("class_Hostile", columns, objects: cluster)
        let object = try #require(try RealmDatabase(bytes: file.bytes()).snapshot().classes[0].object(ObjectKey(0)))
        try expectEqual(object["e\u{301}"], .int(1))
        try expectEqual(object["\u{E9}"], .int(2))
    }

    @Test func `values are equal only with the same type and bytes`() {
        expectEqual(Value.double(.nan), .double(.nan))
        expect(Value.float(0) != .float(-0.0))
        expect(Value.string("e\u{301}") != .string("\u{E9}"))
        expect(Value.int(1) != .bool(true))
        expectEqual(Value.list([.int(1), .null]), .list([.int(1), .null]))
        expect(Value.list([]) != .set([]))
    }

    @Test func `links lead to their objects`() throws {
        let snapshot = try kennel()
        var cursor = try snapshot.table(named: "Person").objects
        var followed = 0
        while let person = try cursor.next() {
            guard case .list(let dogs) = try person["dogs"] else { throw TestSupportError("dogs is no list") }
            for dog in dogs {
                guard case .link(let link) = dog else { throw TestSupportError("no link: \(dog)") }
                let object = try #require(try link.object())
                try expectEqual(link.primaryKey(), object.primaryKey)
                let incoming = try #require(
                    object.table.schema.incoming.first { $0.tableName == "class_Person" && $0.propertyName == "dogs" })
                try expect(object.backlinks(incoming).contains(person.key))
                followed += 1
            }
        }
        expect(followed > 0)
    }

    @Test func `tombstones are listed with their keys`() throws {
        let snapshot = try RealmDatabase(path: KnownFile.fixture("tombstones").url.path).snapshot()
        let targets = try snapshot.table(named: "TombTarget")
        try expectEqual(targets.tombstoneCount, 2)
        var cursor = targets.tombstones
        var keys: [ObjectKey] = []
        while let tombstone = try cursor.next() {
            expect(tombstone.key.isUnresolved)
            try expectEqual(targets.tombstone(tombstone.key)?.primaryKey, tombstone.primaryKey)
            keys.append(tombstone.key)
        }
        expectEqual(keys.count, 2)
        // The dump has null here, because Realm Core's interface hides links to tombstones.
        let key = ObjectKey(-4_518_358_569_969_027_408)
        expect(keys.contains(key))
        let origin = try #require(try snapshot.table(named: "TombOrigin").object(ObjectKey(0)))
        guard case .dictionary(let entries) = try origin["dict"], case .link(let link) = entries[1].value else {
            throw TestSupportError("no link in the dictionary")
        }
        expect(link.isUnresolved && link.objectKey == key)
        try expectEqual(link.object(), nil)
        try expectEqual(link.primaryKey(), .string("id1"))
    }

    @Test func `a request for a missing table or property is an error`() throws {
        let snapshot = try kennel()
        func error(_ body: () throws -> Void) throws -> FormatError {
            try #require(throws: FormatError.self, performing: body)
        }
        try expectEqual(error { _ = try snapshot.table(named: "Cat") }.code, .noSuchTable)
        let dogs = try snapshot.table(named: "class_Dog")
        let dog = try #require(try dogs.object(ObjectKey(0)))
        let property = try error { _ = try dog["wings"] }
        expect((property.code, property.table) == (.noSuchProperty, "class_Dog"))
        let unknown = try #require(try snapshot.table(named: "Address").schema.incoming.first)
        try expectEqual(error { _ = try dog.backlinks(unknown) }.code, .noSuchProperty)
        let addresses = try snapshot.table(named: "Address")
        try expectEqual(error { _ = try addresses.object(primaryKey: .int(1)) }.code, .noSuchProperty)
    }

    @Test func `a dangling link is reported`() throws {
        var file = HandmadeFile()
        let cluster = file.cluster(1, [file.writer.integers([9])])
        file.addTable("class_Hostile", [HandmadeFile.Column("to", .link, .nullable, target: 0)], objects: cluster)
        let snapshot = try RealmDatabase(bytes: file.bytes()).snapshot()
        guard case .link(let link)? = try snapshot.classes[0].object(ObjectKey(0))?["to"] else {
            throw TestSupportError("no link")
        }
        expectEqual(link.objectKey, ObjectKey(8))
        let error = try #require(throws: FormatError.self) { try link.object() }
        expect((error.code, error.table) == (.noSuchObject, "class_Hostile"))
        try expectEqual(link.primaryKey(), nil)
    }

    /// An error names its place; everything undamaged can still be read.
    @Test func `an error names its place, and everything else can be read`() throws {
        var bytes = try KnownFile.fixture("kennel").bytes()
        let intact = try RealmDatabase(bytes: bytes).snapshot()
        let dogs = try intact.table(named: "Dog")
        // Turns the leaf of the names into one of the unknown width type 3.
        let position = try #require(dogs.schema.properties.propertyIndex { $0.name == "name" })
        let cluster = try #require(try dogs.core.objects.find(ObjectKey(0))?.cluster)
        let leaf = try cluster.leaf(of: dogs.core.columns[position], in: intact.space)
        bytes[leaf.ref.offset + 4] |= 0x18
        let table = try RealmDatabase(bytes: bytes).snapshot().table(named: "Dog")
        let dog = try #require(try table.object(ObjectKey(3)))
        let error = try #require(throws: FormatError.self) { try dog["name"] }
        expectEqual(error.code, .badNode)
        expectEqual(error.offset, leaf.ref.offset)
        expect((error.table, error.property, error.objectKey) == ("class_Dog", "name", ObjectKey(3)))
        try expectEqual(dog["age"], dogs.object(ObjectKey(3))?["age"])
    }

    /// Open files can be read from many threads at once.
    @Test func `an open file can be read by many threads at once`() async throws {
        let snapshot = try RealmDatabase(path: KnownFile.fixture("collections-stream").url.path).snapshot()
        let expected = try TypedDump(snapshot)
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<8 { group.addTask { expected.differences(to: try TypedDump(snapshot)) } }
            for try await differences in group { expect(differences.isEmpty) }
        }
    }
}
