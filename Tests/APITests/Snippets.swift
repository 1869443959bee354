// Made by tools/api --update of the examples in README and in the documentation.
// swift-format-ignore-file
import Foundation
import RealmExchange
import RealmFile
import RealmQuery

enum Snippets {

    // README.md
    func example0(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {

            let database = try RealmDatabase(path: "Fixtures/kennel.realm")
            let snapshot = try database.snapshot()

            for table in snapshot.classes {
                print(table.schema.name, table.schema.properties.map(\.name))
            }

            let people = try snapshot.table(named: "Person")
            try people.objects.forEach { person in
                let name = try person.get("name", as: String.self)
                let dogs = try person.get("dogs", as: [StoredObject].self)
                print(name, "has", dogs.count, "dogs")
            }
        }
    }

    // README.md
    func example1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {

            let grown = try people.objects(matching: "age >= $0 AND ANY dogs.name BEGINSWITH[c] 're' SORT(name ASC)", 18)
            let same = try people.where { $0["age"] >= 18 && $0["dogs"]["name"].any.begins(with: "re", caseInsensitive: true) }
            let few = Query { $0["dogs"].count { $0["age"] > 5 } > 0 }.sorted { $0["name"] }.limited(to: 10)
            print(grown.count, same.keys, try people.objects(matching: few).count)
        }
    }

    // README.md
    func example2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            struct Dog: Decodable { var name: String; var age: Int }
            struct Owner: Decodable { var name: String; var dogs: [Dog] }

            let owners = try snapshot.table(named: "Person").decode(Owner.self)
            print(owners.map(\.name))
        }
    }

    // README.md
    func example3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            do {
                print(try person.get("nmae", as: String.self))
            } catch where error.isUsage {
                print("mistake:", error)  // class_Person: there is no property called nmae; did you mean name?
            } catch {
                print("damage:", error, error.offset ?? 0)
            }
        }
    }

    // README.md
    func example4(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let schema = SchemaDefinition([
                TableDefinition(
                    class: "Dog", primaryKey: "_id",
                    [PropertyDefinition("_id", .int), PropertyDefinition("name", .string)]),
                TableDefinition(class: "Address", kind: .embedded, [PropertyDefinition("street", .string)]),
                TableDefinition(
                    class: "Person",
                    [
                        PropertyDefinition("name", .string, index: .general),
                        PropertyDefinition("dogs", .link, collection: .list, target: "class_Dog"),
                        PropertyDefinition("address", .link, target: "class_Address"),
                        PropertyDefinition("any", .mixed),
                    ]),
            ])
            let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
            let rex = try builder.add("Dog", ["_id": 1, "name": "Rex"])
            try builder.add(
                "Person",
                [
                    "name": "Ann", "dogs": [.link(rex), .link(primaryKey: 2)],
                    "address": .embedded(["street": "Main Street"]), "any": [1, "x", ["k": 2.5]],
                ])
            try builder.add("Dog", ["_id": 2, "name": "Fido"])
            try builder.finish()
        }
    }

    // README.md
    func example5(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            struct Dog: Codable { var _id: Int; var name: String }

            let builder = try RealmBuilder(SchemaDefinition(snapshot.schema), at: NewFile("new.realm"))
            let (id, name) = (7, "Laika")
            try builder.add("Dog", ["_id": id, "name": name])
            try builder.add("Dog", encoding: Dog(_id: 8, name: "Max"))
            var copy = try NewObject(person)
            copy["name"] = "Ann"
            try builder.add("Person", copy)
        }
    }

    // README.md
    func example6(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try await database.verify(.deep).isSound, try await snapshot.hash().total)
            try await snapshot.compact(to: NewFile("compact.realm", overwrite: true))
        }
    }

    // README.md
    func example7(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            var options = RealmStore.Options(schema: schema)  // makes the file if there is none
            options.upgrade = .withBackup  // of formats 2 to 23
            let store = try RealmStore(path: "app.realm", options: options)

            let before = store.snapshot()
            try await store.write { transaction in
                let rex = try transaction.add("Dog", ["_id": 1, "name": "Rex"])
                try transaction.set(rex, "name", "Rex II")
            }  // on the disk; what throws has changed nothing

            for table in try store.snapshot().changes(since: before).tables {
                print(table.name, table.inserted.count, "added")
            }
        }
    }

    // Sources/RealmContent/Hash/ContentHash.swift
    func example8(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let original = try RealmDatabase(path: "app.realm").snapshot().contentHash()
            let copy = try RealmDatabase(path: "copy.realm").snapshot().contentHash()
            print(original.total == copy.total)
        }
    }

    // Sources/RealmExchange/Export/DocumentChunks.swift
    func example9(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let exporter = Exporter(snapshot)
            for try await chunk in try exporter.chunks(ofClass: "Dog", whenDone: { print($0.losses.count) }) {
                print(chunk.count)  // bytes of whole documents, about a quarter of a megabyte
            }
        }
    }

    // Sources/RealmExchange/Export/DocumentChunks.swift
    func example10(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            var options = ExportOptions()
            options.format = .json
            print(String(decoding: try Exporter(snapshot, options).document(of: person), as: UTF8.self))
        }
    }

    // Sources/RealmExchange/Export/DocumentChunks.swift
    func example11(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(String(decoding: try person.document(as: .json), as: UTF8.self))
        }
    }

    // Sources/RealmExchange/Export/ExportOptions.swift
    func example12(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            var options = ExportOptions()
            options.classNames = ["Person"]
            options.chosenObjects = ["Person": try people.objects(matching: "age > 30 SORT(name ASC)").keys]
        }
    }

    // Sources/RealmExchange/Export/ExportOptions.swift
    func example13(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let options = ExportOptions(.json, keepsNulls: true, classNames: ["Dog"], jobs: 4)
            print(try await Exporter(snapshot, options).documents(ofClass: "Dog").report.objects)
        }
    }

    // Sources/RealmExchange/Export/Exporter+Stream.swift
    func example14(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = try await Exporter(snapshot).exportDocuments(ofClass: "Dog") { bytes in print(bytes.count) }
            print(report.objects)
        }
    }

    // Sources/RealmExchange/Export/Exporter+Stream.swift
    func example15(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            _ = try await Exporter(snapshot).exportArchive(database: "kennel") { bytes in print(bytes.count) }
        }
    }

    // Sources/RealmExchange/Export/Exporter.swift
    func example16(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let snapshot = try RealmDatabase(path: "kennel.realm").snapshot()
            let report = try await Exporter(snapshot).export(toFolder: "dump", database: "kennel")
            for loss in report.losses { print(loss) }
        }
    }

    // Sources/RealmExchange/Import/ImportOptions.swift
    func example17(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let options = ImportOptions(className: "Dog", format: .json)
            print(try await Importer(["dogs.txt"], options).run(to: "dogs.realm").objects)
        }
    }

    // Sources/RealmExchange/Import/ImportStream.swift
    func example18(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let dogs = ImportStream("Dog.bson", try Exporter(snapshot).chunks(ofClass: "Dog"))
            let people = ImportStream("Person.json", Array(#"{"_id": 1, "name": "Ann"}"#.utf8))
            let report = try await Importer([dogs, people]).run(to: "new.realm")
            print(report.objects)
        }
    }

    // Sources/RealmExchange/Import/Importer.swift
    func example19(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = try await Importer(["dump"]).run(to: "kennel.realm")
            for table in report.tables { print(table) }
        }
    }

    // Sources/RealmExchange/Import/Importer.swift
    func example20(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            var importer = Importer(["dump"])
            importer.progress = { print($0) }
            let report = try await importer.run(to: "kennel.realm")
            print(report.losses.count)
        }
    }

    // Sources/RealmExchange/RealmExchange.docc/RealmExchange.md
    func example21(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {

            let snapshot = try RealmDatabase(path: "kennel.realm").snapshot()
            let report = try await Exporter(snapshot).export(toFolder: "dump", database: "kennel")
            for loss in report.losses { print(loss.className, loss.property ?? "", loss.kind.text, loss.count) }
        }
    }

    // Sources/RealmExchange/RealmExchange.docc/RealmExchange.md
    func example22(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = try await Importer(["dump"]).run(to: "copy.realm")
            for loss in report.losses { print(loss) }
        }
    }

    // Sources/RealmExchange/RealmExchange.docc/RealmExchange.md
    func example23(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let dogs = ImportStream("Dog.bson", try Exporter(snapshot).chunks(ofClass: "Dog"))
            let report = try await Importer([dogs]).run(to: "dogs.realm")
            print(report.objects)
        }
    }

    // Sources/RealmFile/Cursors/Cursor.swift
    func example24(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let people = try snapshot.table(named: "Person")
            let names = try people.objects.map { try $0.get("name", as: String.self) }.collect()
            let oldest = try people.objects.filter { try $0.get("age", as: Int.self) > 90 }.first()
            print(names, oldest?.description ?? "nobody")
        }
    }

    // Sources/RealmFile/Decoding/DecodingRules.swift
    func example25(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let rules = DecodingRules(links: .keys)
            struct Club: Decodable { var name: String; var members: [Int] }
            let clubs = try snapshot.table(named: "DogClub").decode(Club.self, rules)
            print(clubs.count)
        }
    }

    // Sources/RealmFile/Decoding/DecodingRules.swift
    func example26(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            struct Dog: Decodable { var name: String; var age: Int }
            struct Person: Decodable { var name: String; var dogs: [Dog] }
            print(try people.object(primaryKey: .int(4))?.decode(Person.self).dogs.count ?? 0)
        }
    }

    // Sources/RealmFile/Decoding/DecodingRules.swift
    func example27(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            struct Dog: Decodable { var name: String; var age: Int }
            print(try snapshot.table(named: "Dog").decode(Dog.self).map(\.name))
        }
    }

    // Sources/RealmFile/Decoding/DecodingRules.swift
    func example28(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            struct Dog: Decodable { var name: String; var age: Int }
            print(try snapshot.table(named: "Dog").objects.decode(Dog.self).first()?.name ?? "none")
        }
    }

    // Sources/RealmFile/Encoding/RealmBuilder+Encodable.swift
    func example29(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            struct Address: Codable { var street: String }
            struct Person: Codable { var name: String; var address: Address?; var dogs: [Int] }
            let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
            try builder.add("Person", encoding: Person(name: "Ann", address: Address(street: "Main Street"), dogs: [1, 2]))
        }
    }

    // Sources/RealmFile/Operations/RealmDatabase+Operations.swift
    func example30(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = try await database.verify(.deep)
            for finding in report.findings { print(finding.check.rawValue, finding.message) }
            print(report.isSound)
        }
    }

    // Sources/RealmFile/Operations/RealmDatabase+Operations.swift
    func example31(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let result = try await database.salvage(to: NewFile("salvaged.realm"))
            for table in result.report.tables { print(table.name, table.objects, table.isIntact) }
        }
    }

    // Sources/RealmFile/Operations/RealmDatabase+Operations.swift
    func example32(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            if let report = try await database.repair(.otherSlot, to: NewFile("before.realm")) { print(report.isSound) }
        }
    }

    // Sources/RealmFile/Operations/RealmDatabase+Operations.swift
    func example33(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try await snapshot.hash(by: .primaryKey).total)
        }
    }

    // Sources/RealmFile/Operations/RealmDatabase+Operations.swift
    func example34(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            try await snapshot.compact(to: NewFile("compact.realm"))
        }
    }

    // Sources/RealmFile/Operations/RealmDatabase+Operations.swift
    func example35(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let leftOut = try await snapshot.rebuild(to: NewFile("dogs.realm"), classes: ["Dog"])
            print(leftOut.count)
        }
    }

    // Sources/RealmFile/RealmFile.docc/RealmFile.md
    func example36(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {

            let database = try RealmDatabase(path: "kennel.realm")
            let snapshot = try database.snapshot()

            for table in snapshot.classes {
                print(table.name, try table.count)
            }

            struct Dog: Decodable { var name: String; var age: Int }

            let dogs = try snapshot.table(named: "Dog").decode(Dog.self)
            let people = try snapshot.table(named: "Person")
            try people.objects.forEach { person in
                print(try person.get("name", as: String.self), try person["dogs"])
            }
            print(dogs.count)
        }
    }

    // Sources/RealmFile/RealmFile.docc/RealmFile.md
    func example37(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let key = try EncryptionKey(contentsOfFile: "app.key")
            let database = try RealmDatabase(path: "app.realm", key: key)
            print(database.encryption?.pageCount ?? 0)
        }
    }

    // Sources/RealmFile/RealmFile.docc/Recipes.md
    func example38(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = try await database.verify(.deep, jobs: 4)
            for finding in report.findings { print(finding.severity.name, finding.place, finding.message, finding.consequence) }
        }
    }

    // Sources/RealmFile/RealmFile.docc/Recipes.md
    func example39(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let before = try database.snapshot(.other)
            let (old, new) = (try before.table(named: "Person").count, try snapshot.table(named: "Person").count)
            print("commit \(before.commitNumber) has \(old) people, commit \(snapshot.commitNumber) has \(new)")
        }
    }

    // Sources/RealmFile/RealmFile.docc/Recipes.md
    func example40(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let ratings = try person.get("ratings", as: [String: Double].self)
            for (name, rating) in ratings { print(name, rating) }
            if case .dictionary(let entries) = try person["anything"] {
                for entry in entries { print(entry.key, entry.value) }  // in the order of the file, whatever the types
            }
        }
    }

    // Sources/RealmFile/RealmFile.docc/Recipes.md
    func example41(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let ages = try await withThrowingTaskGroup(of: Int.self) { group in
                for part in try people.split(into: 4) {
                    group.addTask { try part.objects.reduce(into: 0) { sum, person in sum += try person.get("age", as: Int.self) } }
                }
                return try await group.reduce(0, +)
            }
            print(ages)
        }
    }

    // Sources/RealmFile/RealmFile.docc/Recipes.md
    func example42(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            do {
                let name = try person.get("name", as: String.self)
                print(name)
            } catch where error.isUsage {
                print("the program asks for what is not there:", error)
            } catch {
                print("the file is damaged at", error.offset ?? 0, error)
            }
        }
    }

    // Sources/RealmFile/RealmFile.docc/Recipes.md
    func example43(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let builder = try RealmBuilder(SchemaDefinition(snapshot.schema), at: NewFile("copy.realm"))
            for table in snapshot.classes where table.schema.kind != .embedded {
                let hasPrimaryKey = table.schema.primaryKeyName != nil
                try table.objects.forEach { object in
                    try builder.add(table.name, NewObject(object), key: hasPrimaryKey ? nil : object.key)
                }
            }
            try builder.finish()
        }
    }

    // Sources/RealmFile/RealmFile.docc/Writing.md
    func example44(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let schema = SchemaDefinition([
                TableDefinition(
                    class: "Dog", primaryKey: "_id",
                    [PropertyDefinition("_id", .int), PropertyDefinition("name", .string)]),
                TableDefinition(class: "Address", kind: .embedded, [PropertyDefinition("street", .string)]),
                TableDefinition(
                    class: "Person",
                    [
                        PropertyDefinition("name", .string, index: .general),
                        PropertyDefinition("dogs", .link, collection: .list, target: "class_Dog"),
                        PropertyDefinition("address", .link, target: "class_Address"),
                        PropertyDefinition("any", .mixed),
                    ]),
            ])
            let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
            let rex = try builder.add("Dog", ["_id": 1, "name": "Rex"])
            try builder.add(
                "Person",
                [
                    "name": "Ann", "dogs": [.link(rex), .link(primaryKey: 2)],
                    "address": .embedded(["street": "Main Street"]), "any": [1, "x", ["k": 2.5]],
                ])
            try builder.add("Dog", ["_id": 2, "name": "Fido"])
            try builder.finish()
        }
    }

    // Sources/RealmFile/RealmFile.docc/Writing.md
    func example45(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
            let (id, name, born) = (1, "Ann", Date())
            let rex = try builder.add("Dog", ["_id": id, "name": "Rex"])
            try builder.add("Person", ["name": name, "born": born, "dogs": [rex], "address": .embedded(["street": name])])
        }
    }

    // Sources/RealmFile/Values/FoundationValues.swift
    func example46(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            enum Size: Int, RealmConvertible { case small, large }
            print(try dog.get("size", as: Size.self))
        }
    }

    // Sources/RealmQuery/Aggregates/QueryResults+Aggregates.swift
    func example47(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let summary = try people.objects(matching: "age > 30").summary(of: "age")
            print(summary.average, summary.max)
        }
    }

    // Sources/RealmQuery/Aggregates/QueryResults+Aggregates.swift
    func example48(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for group in try people.objects(matching: "age > 18").grouped(by: ["city"], summarizing: ["age"]) {
                print(group.values[0], group.count, group.summaries[0].average)
            }
        }
    }

    // Sources/RealmQuery/Aggregates/Table+Aggregates.swift
    func example49(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let summary = try snapshot.table(named: "Person").summary(of: "age")
            print(summary.count, summary.sum, summary.average, summary.min, summary.max)
        }
    }

    // Sources/RealmQuery/Building/QueryCondition.swift
    func example50(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let query = Query { $0["age"] > 30 && $0["dogs"].count > 1 }.sorted { $0["name"] }.limited(to: 10)
            print(query)  // age > 30 AND dogs.@count > 1 SORT(name ASC) LIMIT(10)
        }
    }

    // Sources/RealmQuery/Building/QueryCondition.swift
    func example51(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for key in try people.where({ $0["age"] > 30 && $0["dogs"]["name"].contains("rex") }).keys { print(key) }
        }
    }

    // Sources/RealmQuery/Building/QueryTerm.swift
    func example52(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let found = try people.where { $0["age"] > 30 && $0["dogs"]["name"].any.begins(with: "re", caseInsensitive: true) }
            let many = try people.where { $0["dogs"].count { $0["age"] >= 5 } > 1 || $0["name"] == nil }
            print(found.count, many.count)
        }
    }

    // Sources/RealmQuery/QueryExplanation.swift
    func example53(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try people.explain(try Query("city == 'Oslo' AND age > 30 SORT(name ASC)")))
        }
    }

    // Sources/RealmQuery/QueryOptions.swift
    func example54(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let careful = QueryOptions(budget: QueryBudget(work: 10_000_000, results: 100_000, time: .seconds(2)))
            let found = try people.objects(matching: Query("ANY dogs.name LIKE $0"), arguments: ["*e*"], options: careful)
            print(found.count)
        }
    }

    // Sources/RealmQuery/QueryResults.swift
    func example55(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let people = try snapshot.table(named: "Person")
            for key in try people.objects(matching: "age > $0 SORT(name ASC)", 30).keys { print(key) }
        }
    }

    // Sources/RealmQuery/QueryResults.swift
    func example56(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let adults = try await people.objects(matching: Query("age >= 18"), jobs: 4)
            print(adults.count)
        }
    }

    // Sources/RealmQuery/Syntax/Query.swift
    func example57(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let query = try Query("age > 30 AND ANY dogs.name BEGINSWITH[c] 're' SORT(name ASC)")
            print(try people.objects(matching: query).keys.count)
        }
    }

    // Sources/RealmReader/Opening/RealmDatabase.swift
    func example58(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let database = try RealmDatabase(path: "kennel.realm")
            for table in try database.snapshot().classes {
                print(table.name, try table.count)
            }
        }
    }

    // Sources/RealmReader/Tables/ObjectRange.swift
    func example59(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let people = try snapshot.table(named: "Person")
            let total = try await withThrowingTaskGroup(of: Int.self) { group in
                for part in try people.split(into: 2) {
                    group.addTask {
                        var sum = 0
                        var cursor = part.objects
                        while let person = try cursor.next() { sum += try person.get("id", as: Int.self) }
                        return sum
                    }
                }
                return try await group.reduce(0, +)
            }
            print(total)
        }
    }

    // Sources/RealmReader/Tables/Table+Objects.swift
    func example60(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            var people = try snapshot.table(named: "Person").objects
            while let person = try people.next() { print(try person["name"]) }
        }
    }

    // Sources/RealmReader/Tables/Table+Objects.swift
    func example61(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            var cursor = try snapshot.table(named: "Person").objects
            while let person = try cursor.next() { print(try person["name"]) }
        }
    }

    // Sources/RealmReader/Values/StoredObject+Typed.swift
    func example62(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let people = try snapshot.table(named: "Person")
            let age = try people.property("age", as: Int.self)
            var cursor = people.objects
            while let person = try cursor.next() { print(try person[age]) }
        }
    }

    // Sources/RealmReader/Values/StoredObject+Typed.swift
    func example63(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let age = try person.get("age", as: Int.self)
            let nickname = try person.get("nickname", as: String?.self)
            let scores: [Double] = try person.get("scores")
            print(age, nickname ?? "", scores)
        }
    }

    // Sources/RealmReader/Values/StoredObject.swift
    func example64(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let people = try snapshot.table(named: "Person")
            if let ann = try people.object(primaryKey: .int(1)) {
                print(try ann["name"], try ann.get("age", as: Int.self))
            }
        }
    }

    // Sources/RealmReader/Values/StoredObject.swift
    func example65(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for incoming in dog.table.schema.incoming { print(incoming.propertyName, try dog.linkingObjects(incoming)) }
        }
    }

    // Sources/RealmReader/Values/StoredValueConvertible.swift
    func example66(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            enum Size: String, StoredValueConvertible { case small, large }
            print(try dog.get("size", as: Size.self))
        }
    }

    // Sources/RealmRescue/Encryption/EncryptionChange.swift
    func example67(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let change = try EncryptionChange(ByteSource(path: "plain.realm"))
            try change.prepare(path: "encrypted.realm", key: EncryptionKey(bytes: key)).commit()
        }
    }

    // Sources/RealmRescue/Roots/FileCheckup.swift
    func example68(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let checkup = try FileCheckup(ByteSource(path: "broken.realm"))
            print(checkup.best?.way ?? "nothing can be done")
        }
    }

    // Sources/RealmRescue/Roots/FileRepair+Snapshot.swift
    func example69(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let before = try FileRepair(ByteSource(path: "app.realm")).snapshot(.number(12))
            print(before.classes)
        }
    }

    // Sources/RealmRescue/Roots/FileRepair.swift
    func example70(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let repair = FileRepair(try ByteSource(path: "broken.realm"))
            let plan = try repair.plan(.findRoot)
            if plan.isComplete { try repair.prepare(plan, to: NewFile("repaired.realm"))?.commit() }
        }
    }

    // Sources/RealmRescue/Salvage/Salvage.swift
    func example71(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let result = try Salvage(ByteSource(path: "broken.realm")).write(to: NewFile("salvaged.realm"))
            for table in result.report.tables { print(table.name, table.objects) }
        }
    }

    // Sources/RealmTransactions/RealmStore.swift
    func example72(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let store = try RealmStore(path: "kennel.realm")
            try await store.write { transaction in
                let rex = try transaction.add("Dog", ["_id": 1, "name": "Rex"])
                try transaction.set(rex, "age", 4)
            }
            print(try store.snapshot().table(named: "Dog").count)
        }
    }

    // Sources/RealmTransactions/RealmStore.swift
    func example73(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let count = try store.read { snapshot in try snapshot.table(named: "Dog").count }
            print(count)
        }
    }

    // Sources/RealmTransactions/Schema/SchemaStep.swift
    func example74(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let steps = store.snapshot().schema.steps(to: schema)
            if steps.allSatisfy(\.isAdditive) { /* nothing has to be migrated */ }
        }
    }

    // Sources/RealmTransactions/Schema/WriteTransaction+Apply.swift
    func example75(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            try await store.write { transaction in
                let left = try transaction.apply(schema)
                for step in left where step.kind != .removeClass { print(step) }
            }
        }
    }

    // Sources/RealmTransactions/Store/RealmStore+Opening.swift
    func example76(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let store = try RealmStore(inMemory: schema)
            try await store.write { _ = try $0.add("Dog", ["_id": 1, "name": "Rex"]) }
            try store.snapshot().write(to: NewFile("saved.realm"))
        }
    }

    // Sources/RealmTransactions/Store/RealmStore+Writing.swift
    func example77(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let count = try await store.write { transaction in
                _ = try transaction.add("Dog", ["_id": 2, "name": "Fido"])
                return try transaction.snapshot().table(named: "Dog").count
            }
            print(count)
        }
    }

    // Sources/RealmTransactions/Store/RealmStore+Writing.swift
    func example78(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let transaction = try await store.begin()
            _ = try transaction.add("Dog", ["_id": 3, "name": "Bello"])
            try transaction.commitAndContinue()
            _ = try transaction.add("Dog", ["_id": 4, "name": "Waldi"])
            transaction.cancel()
        }
    }

    // Sources/RealmTransactions/Store/SnapshotStream.swift
    func example79(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            var known = store.snapshot()
            for await snapshot in store.snapshots {
                print(try snapshot.changes(since: known))
                known = snapshot
            }
        }
    }

    // Sources/RealmTransactions/Store/StoreOptions.swift
    func example80(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            var options = RealmStore.Options(schema: schema)
            options.durability = .ordered
            options.waitLimit = .seconds(5)
            let store = try RealmStore(path: "app.realm", options: options)
            print(store.snapshot().commitNumber)
        }
    }

    // Sources/RealmVerifier/Verification.swift
    func example81(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = Verification(level: .standard).run(on: try ByteSource(path: "kennel.realm"))
            for finding in report.findings { print(finding.check.rawValue, finding.message) }
        }
    }

    // Sources/RealmWriter/Build/NewFile.swift
    func example82(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let file = NewFile("new.realm", overwrite: true, key: try EncryptionKey(bytes: key))
            print(file.path)
        }
    }

    // Sources/RealmWriter/Builder/NewObject.swift
    func example83(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
            let (id, name, nickname) = (1, "Rex", String?.none)
            let rex = try builder.add("Dog", ["_id": id, "name": name, "nickname": nickname])
            try builder.add("Person", ["name": "Ann", "age": UInt8(52), "dogs": [rex], "best": .link(primaryKey: id)])
        }
    }

    // Sources/RealmWriter/Builder/NewObject.swift
    func example84(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let builder = try RealmBuilder(SchemaDefinition(snapshot.schema), at: NewFile("new.realm"))
            var copy = try NewObject(person)
            copy["name"] = try person.get("name", as: String.self).uppercased()
            try builder.add("Person", copy)
        }
    }

    // Sources/RealmWriter/Builder/NewValue+Stored.swift
    func example85(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let builder = try RealmBuilder(SchemaDefinition(snapshot.schema), at: NewFile("copy.realm"))
            for table in snapshot.classes where table.schema.kind != .embedded {
                let hasPrimaryKey = table.schema.primaryKeyName != nil
                try table.objects.forEach { object in
                    try builder.add(table.name, NewObject(object), key: hasPrimaryKey ? nil : object.key)
                }
            }
            try builder.finish()
        }
    }

    // Sources/RealmWriter/Builder/NewValueConvertible.swift
    func example86(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            enum Size: String, NewValueConvertible { case small, large }
            let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
            let (name, age, size) = ("Rex", UInt8(3), Size.large)
            try builder.add("Dog", ["name": name, "age": age, "size": size])
        }
    }

    // Sources/RealmWriter/Builder/RealmBuilder.swift
    func example87(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
            let rex = try builder.add("Dog", ["_id": 1, "name": "Rex"])
            try builder.add("Person", ["name": "Ann", "dogs": [.link(rex), .link(primaryKey: 2)]])
            try builder.add("Dog", ["_id": 2, "name": "Fido"])
            try builder.finish()
        }
    }

    // Sources/RealmWriter/Builder/RealmBuilder.swift
    func example88(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
            for (id, name) in ["Rex", "Fido"].enumerated() {
                try builder.add("Dog", ["_id": id, "name": name])
            }
        }
    }

    // Sources/RealmWriter/Copy/Compaction.swift
    func example89(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let store = try RealmStore(inMemory: schema)
            try store.snapshot().write(to: NewFile("saved.realm"))
        }
    }
}
