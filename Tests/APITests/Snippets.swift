// Made by tools/api --update of the examples in README, in docs and in the documentation.
// swift-format-ignore-file
import Foundation
import RealmExchange
import RealmFile
import RealmForensics

enum Snippets {

    // README.md
    func README_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {

            let snapshot = try RealmDatabase(path: "Fixtures/kennel.realm").snapshot()
            let people = try snapshot.table(named: "Person")
            try people.objects.forEach { person in
                let name = try person.get("name", as: String.self)
                let dogs = try person.get("dogs", as: [StoredObject].self)
                print(name, "has", dogs.count, "dogs")
            }
        }
    }

    // Sources/RealmCore/Copy/Compaction.swift
    func RealmCore_Compaction_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let store = try RealmStore(inMemory: schema)
            try store.snapshot().write(to: NewFile("saved.realm"))
        }
    }

    // Sources/RealmCore/Copy/TableSelection.swift
    func RealmCore_TableSelection_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for links in try await snapshot.rebuild(to: NewFile("dogs.realm"), classes: ["Dog"]) {
                print(links.table, links.property, links.count)
            }
        }
    }

    // Sources/RealmCore/Differences/ContentComparisonError.swift
    func RealmCore_ContentComparisonError_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            do {
                _ = try snapshot.contentDifference(to: database.snapshot(.otherSlot))
            } catch let error as ContentComparisonError {
                print(error.isOfSecond, error.error)
            }
        }
    }

    // Sources/RealmCore/Differences/DifferingValues.swift
    func RealmCore_DifferingValues_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            if let versions = try store.snapshot().changes(since: snapshot).schemaVersions {
                print(versions.first ?? 0, versions.second ?? 0)
            }
        }
    }

    // Sources/RealmCore/Differences/SchemaDifference.swift
    func RealmCore_SchemaDifference_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for table in try database.snapshot(.otherSlot).contentDifference(to: snapshot).tables {
                for change in table.schema { print(change.part, change.first ?? "", change.second ?? "") }
            }
        }
    }

    // Sources/RealmCore/Opening/RealmDatabase.swift
    func RealmCore_RealmDatabase_1(
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

    // Sources/RealmCore/Opening/Remedy.swift
    func RealmCore_Remedy_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            do {
                _ = try database.snapshot()
            } catch {
                print(error, error.remedies())
            }
        }
    }

    // Sources/RealmCore/Opening/Snapshot.swift
    func RealmCore_Snapshot_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try database.snapshot(.otherSlot).commitNumber)
        }
    }

    // Sources/RealmCore/Opening/Snapshot.swift
    func RealmCore_Snapshot_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let snapshot = try database.snapshot()
            print(snapshot.commitNumber, snapshot.classes.map(\.name))
        }
    }

    // Sources/RealmCore/Opening/Snapshot.swift
    func RealmCore_Snapshot_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(snapshot.history.schemaVersion, snapshot.history.entryCount ?? 0)
        }
    }

    // Sources/RealmCore/Tables/ObjectRange.swift
    func RealmCore_ObjectRange_1(
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

    // Sources/RealmCore/Tables/StoredSchema.swift
    func RealmCore_StoredSchema_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for table in snapshot.schema.classes { print(table.name, table.properties.map(\.name)) }
        }
    }

    // Sources/RealmCore/Tables/StoredSchema.swift
    func RealmCore_StoredSchema_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(people.schema.name, people.schema.primaryKeyName ?? "without a primary key")
        }
    }

    // Sources/RealmCore/Tables/StoredSchema.swift
    func RealmCore_StoredSchema_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for property in people.schema.properties { print(property.name, property.type, property.isNullable) }
        }
    }

    // Sources/RealmCore/Tables/StoredSchema.swift
    func RealmCore_StoredSchema_4(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(people.schema.properties.filter { $0.type == .link }.map(\.name))
        }
    }

    // Sources/RealmCore/Tables/StoredSchema.swift
    func RealmCore_StoredSchema_5(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(people.schema.properties.filter { $0.index == .fullText }.map(\.name))
        }
    }

    // Sources/RealmCore/Tables/StoredSchema.swift
    func RealmCore_StoredSchema_6(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for incoming in dog.table.schema.incoming { print(incoming.tableName, try dog.linkingObjects(incoming).count) }
        }
    }

    // Sources/RealmCore/Tables/Table+Objects.swift
    func RealmCore_Table_Objects_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            var people = try snapshot.table(named: "Person").objects
            while let person = try people.next() { print(try person["name"]) }
        }
    }

    // Sources/RealmCore/Tables/Table+Objects.swift
    func RealmCore_Table_Objects_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            var cursor = try snapshot.table(named: "Person").objects
            while let person = try cursor.next() { print(try person["name"]) }
        }
    }

    // Sources/RealmCore/Tables/Table.swift
    func RealmCore_Table_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let people = try snapshot.table(named: "Person")
            print(try people.count, try people.object(primaryKey: .int(1))?.description ?? "nobody")
        }
    }

    // Sources/RealmCore/Values/Identifiers.swift
    func RealmCore_Identifiers_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(ObjectID("507f1f77bcf86cd799439011")?.bytes ?? [])
        }
    }

    // Sources/RealmCore/Values/Identifiers.swift
    func RealmCore_Identifiers_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(UUIDBytes(UUID()))
        }
    }

    // Sources/RealmCore/Values/StoredObject+Typed.swift
    func RealmCore_StoredObject_Typed_1(
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

    // Sources/RealmCore/Values/StoredObject+Typed.swift
    func RealmCore_StoredObject_Typed_2(
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

    // Sources/RealmCore/Values/StoredObject.swift
    func RealmCore_StoredObject_1(
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

    // Sources/RealmCore/Values/StoredObject.swift
    func RealmCore_StoredObject_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for index in 0..<person.propertyCount { print(try person.value(at: index)) }
        }
    }

    // Sources/RealmCore/Values/StoredObject.swift
    func RealmCore_StoredObject_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for incoming in dog.table.schema.incoming { print(incoming.propertyName, try dog.linkingObjects(incoming)) }
        }
    }

    // Sources/RealmCore/Values/StoredValueConvertible.swift
    func RealmCore_StoredValueConvertible_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            enum Size: String, StoredValueConvertible { case small, large }
            print(try dog.get("size", as: Size.self))
        }
    }

    // Sources/RealmCore/Values/Value.swift
    func RealmCore_Value_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            switch try person["name"] {
            case .string(let name): print(name)
            case .null: print("without a name")
            case let other: print("not a string:", other)
            }
        }
    }

    // Sources/RealmCore/Values/Value.swift
    func RealmCore_Value_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            if case .dictionary(let entries) = try person["ratings"] {
                for entry in entries { print(entry.key, entry.value) }
            }
        }
    }

    // Sources/RealmCore/Values/Value.swift
    func RealmCore_Value_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            if case .link(let link) = try person["best"], let dog = try link.object() { print(dog) }
        }
    }

    // Sources/RealmCore/Writing/InvalidValue.swift
    func RealmCore_InvalidValue_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
            do {
                try builder.add("Dog", ["age": "old"])
            } catch {
                if case .misfit(let misfit) = error { print(misfit.code, misfit.property ?? "", misfit) }
            }
        }
    }

    // Sources/RealmCore/Writing/InvalidValue.swift
    func RealmCore_InvalidValue_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            do {
                try snapshot.write(to: NewFile("new.realm"))
            } catch {
                if case .storage(let error) = error { print(error.reason) }
            }
        }
    }

    // Sources/RealmCore/Writing/NewFile.swift
    func RealmCore_NewFile_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            try snapshot.write(to: NewFile("new.realm", key: EncryptionKey(bytes: key)))
        }
    }

    // Sources/RealmCore/Writing/NewFile.swift
    func RealmCore_NewFile_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let file = NewFile("new.realm", overwrite: true, key: try EncryptionKey(bytes: key))
            print(file.path)
        }
    }

    // Sources/RealmCore/Writing/SchemaDefinition.swift
    func RealmCore_SchemaDefinition_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let schema = SchemaDefinition([TableDefinition(class: "Dog", [PropertyDefinition("name", .string)])], version: 1)
            print(schema.tables.map(\.name))
        }
    }

    // Sources/RealmCore/Writing/SchemaDefinition.swift
    func RealmCore_SchemaDefinition_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let address = TableDefinition(class: "Address", kind: .embedded, [PropertyDefinition("street", .string)])
            print(address.tableName)
        }
    }

    // Sources/RealmCore/Writing/SchemaDefinition.swift
    func RealmCore_SchemaDefinition_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let tags = PropertyDefinition("tags", .string, collection: .set)
            print(tags.name)
        }
    }

    // Sources/RealmCore/Writing/Values/NewValue+Stored.swift
    func RealmCore_NewValue_Stored_1(
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

    // Sources/RealmCore/Writing/Values/NewValue.swift
    func RealmCore_NewValue_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let values: [NewValue] = [1, "x", true, .null, .float(1.5), .binary([1, 2]), ["k": 2.5]]
            print(values.count)
        }
    }

    // Sources/RealmCore/Writing/Values/NewValue.swift
    func RealmCore_NewValue_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let ratings = NewValue.dictionary([NewEntry("best", 5), NewEntry("worst", 1)])
            print(ratings)
        }
    }

    // Sources/RealmCore/Writing/Values/NewValue.swift
    func RealmCore_NewValue_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            try await store.write { transaction in
                let rex = try transaction.add("Dog", ["_id": 3, "name": "Rex"])
                try transaction.set(rex, "name", "Max")
            }
        }
    }

    // Sources/RealmCore/Writing/Values/NewValueConvertible.swift
    func RealmCore_NewValueConvertible_1(
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

    // Sources/RealmExchange/Documents/Loss.swift
    func RealmExchange_Loss_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = try await Exporter(snapshot).export(toFolder: "dump", database: "kennel")
            print(report.losses.filter { $0.kind == .subMilliseconds }.map(\.count))
        }
    }

    // Sources/RealmExchange/Export/Documents/DocumentChunks.swift
    func RealmExchange_DocumentChunks_1(
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

    // Sources/RealmExchange/Export/Documents/DocumentChunks.swift
    func RealmExchange_DocumentChunks_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            var options = ExportOptions()
            options.format = .json
            print(String(decoding: try Exporter(snapshot, options).document(of: person), as: UTF8.self))
        }
    }

    // Sources/RealmExchange/Export/Documents/DocumentChunks.swift
    func RealmExchange_DocumentChunks_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(String(decoding: try person.document(as: .json), as: UTF8.self))
        }
    }

    // Sources/RealmExchange/Export/ExportOptions.swift
    func RealmExchange_ExportOptions_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let options = ExportOptions(.json, keepsNulls: true, classNames: ["Dog"])
            print(try await Exporter(snapshot, options).documents(ofClass: "Dog").bytes.count)
        }
    }

    // Sources/RealmExchange/Export/ExportOptions.swift
    func RealmExchange_ExportOptions_2(
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
    func RealmExchange_ExportOptions_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let options = ExportOptions(.json, keepsNulls: true, classNames: ["Dog"], jobs: 4)
            print(try await Exporter(snapshot, options).documents(ofClass: "Dog").report.objects)
        }
    }

    // Sources/RealmExchange/Export/ExportReport.swift
    func RealmExchange_ExportReport_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = try await Exporter(snapshot).export(toFolder: "dump", database: "kennel")
            print(report.objects, report.isComplete, report.unreadableCount)
        }
    }

    // Sources/RealmExchange/Export/Exporter+Stream.swift
    func RealmExchange_Exporter_Stream_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = try await Exporter(snapshot).exportDocuments(ofClass: "Dog") { bytes in print(bytes.count) }
            print(report.objects)
        }
    }

    // Sources/RealmExchange/Export/Exporter+Stream.swift
    func RealmExchange_Exporter_Stream_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            _ = try await Exporter(snapshot).exportArchive(database: "kennel") { bytes in print(bytes.count) }
        }
    }

    // Sources/RealmExchange/Export/Exporter.swift
    func RealmExchange_Exporter_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let snapshot = try RealmDatabase(path: "kennel.realm").snapshot()
            let report = try await Exporter(snapshot).export(toFolder: "dump", database: "kennel")
            for loss in report.losses { print(loss) }
        }
    }

    // Sources/RealmExchange/Import/DocumentError.swift
    func RealmExchange_DocumentError_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            do {
                _ = try await Importer(["dogs.json"]).run(to: "new.realm")
            } catch {
                if case .document(let error) = error { print(error.code, error.file ?? "", error.line ?? 0) }
            }
        }
    }

    // Sources/RealmExchange/Import/DocumentError.swift
    func RealmExchange_DocumentError_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            do {
                _ = try await Importer(["dump"], ImportOptions(allowsLosses: false)).run(to: "new.realm")
            } catch {
                if case .losses(let report) = error { print(report.lossCount) }
            }
        }
    }

    // Sources/RealmExchange/Import/ImportInput.swift
    func RealmExchange_ImportInput_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try await Importer(["dogs.txt"], ImportOptions(format: .tsv)).run(to: "new.realm").objects)
        }
    }

    // Sources/RealmExchange/Import/ImportLoss.swift
    func RealmExchange_ImportLoss_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = try await Importer(["dump"]).run(to: "new.realm")
            print(report.losses.filter { $0.kind == .inexactNumber }.map(\.count))
        }
    }

    // Sources/RealmExchange/Import/ImportOptions.swift
    func RealmExchange_ImportOptions_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let options = ImportOptions(allowsLosses: false, className: "Dog", format: .csv)
            print(try await Importer(["dogs.csv"], options).run(to: "new.realm").objects)
        }
    }

    // Sources/RealmExchange/Import/ImportOptions.swift
    func RealmExchange_ImportOptions_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let options = ImportOptions(className: "Dog", format: .json)
            print(try await Importer(["dogs.txt"], options).run(to: "dogs.realm").objects)
        }
    }

    // Sources/RealmExchange/Import/ImportProgress.swift
    func RealmExchange_ImportProgress_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            var importer = Importer(["dump"])
            importer.progress = { if case .written(let count) = $0 { print(count) } }
            print(try await importer.run(to: "new.realm").objects)
        }
    }

    // Sources/RealmExchange/Import/ImportReport.swift
    func RealmExchange_ImportReport_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = try await Importer(["dump"]).run(to: "new.realm")
            for table in report.tables { print(table.name, table.objects) }
        }
    }

    // Sources/RealmExchange/Import/ImportStream.swift
    func RealmExchange_ImportStream_1(
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
    func RealmExchange_Importer_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = try await Importer(["dump"]).run(to: "kennel.realm")
            for table in report.tables { print(table) }
        }
    }

    // Sources/RealmExchange/Import/Importer.swift
    func RealmExchange_Importer_2(
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

    // Sources/RealmExchange/JSON/JSONValue.swift
    func RealmExchange_JSONValue_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let rex: JSONValue = ["name": "Rex", "age": 3]
            print(rex.compact, rex["name"] == "Rex")
        }
    }

    // Sources/RealmExchange/RealmExchange.docc/RealmExchange.md
    func RealmExchange_RealmExchange_1(
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
    func RealmExchange_RealmExchange_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = try await Importer(["dump"]).run(to: "copy.realm")
            for loss in report.losses { print(loss) }
        }
    }

    // Sources/RealmExchange/RealmExchange.docc/RealmExchange.md
    func RealmExchange_RealmExchange_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let dogs = ImportStream("Dog.bson", try Exporter(snapshot).chunks(ofClass: "Dog"))
            let report = try await Importer([dogs]).run(to: "dogs.realm")
            print(report.objects)
        }
    }

    // Sources/RealmExchange/Schema/DocumentSchema.swift
    func RealmExchange_DocumentSchema_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(DocumentSchema(snapshot.schema, dialect: .mongoValidator).document(for: people.schema).pretty)
        }
    }

    // Sources/RealmExchange/Schema/RealmSchemaJSON.swift
    func RealmExchange_RealmSchemaJSON_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let options = ImportOptions(schema: RealmSchemaJSON.document(of: snapshot))
            print(try await Importer(["dump"], options).run(to: "new.realm").objects)
        }
    }

    // Sources/RealmExchange/Schema/Relationships.swift
    func RealmExchange_Relationships_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(Relationships(snapshot.schema, database: "kennel").document(for: people.schema).pretty)
        }
    }

    // Sources/RealmExchange/Schema/SchemaText.swift
    func RealmExchange_SchemaText_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(
                SchemaText.text(
                    of: snapshot.schema.classes, version: snapshot.version, schemaVersion: snapshot.schema.version, details: false))
        }
    }

    // Sources/RealmExchange/Schema/SwiftModel.swift
    func RealmExchange_SwiftModel_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(SwiftModel(snapshot.schema).source(for: snapshot.schema.classes, origin: "kennel.realm"))
        }
    }

    // Sources/RealmFile/Cursors/Cursor.swift
    func RealmFile_Cursor_1(
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

    // Sources/RealmFile/Cursors/CursorSteps.swift
    func RealmFile_CursorSteps_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try people.objects.map { try $0.get("name", as: String.self) }.collect())
        }
    }

    // Sources/RealmFile/Cursors/CursorSteps.swift
    func RealmFile_CursorSteps_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try people.objects.filter { try $0.get("age", as: Int.self) > 30 }.count())
        }
    }

    // Sources/RealmFile/Cursors/CursorSteps.swift
    func RealmFile_CursorSteps_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try people.objects.compactMap { try $0.get("best", as: StoredObject?.self) }.collect())
        }
    }

    // Sources/RealmFile/Cursors/CursorSteps.swift
    func RealmFile_CursorSteps_4(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try people.objects.prefix(3).collect())
        }
    }

    // Sources/RealmFile/Decoding/DecodingRules.swift
    func RealmFile_DecodingRules_1(
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
    func RealmFile_DecodingRules_2(
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
    func RealmFile_DecodingRules_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            struct Dog: Decodable { var name: String; var age: Int }
            print(try snapshot.table(named: "Dog").decode(Dog.self).map(\.name))
        }
    }

    // Sources/RealmFile/Decoding/DecodingRules.swift
    func RealmFile_DecodingRules_4(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            struct Dog: Decodable { var name: String; var age: Int }
            print(try snapshot.table(named: "Dog").objects.decode(Dog.self).first()?.name ?? "none")
        }
    }

    // Sources/RealmFile/Encoding/RealmBuilder+Encodable.swift
    func RealmFile_RealmBuilder_Encodable_1(
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

    // Sources/RealmFile/Operations/Snapshot+Operations.swift
    func RealmFile_Snapshot_Operations_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            try await snapshot.compact(to: NewFile("compact.realm"))
        }
    }

    // Sources/RealmFile/Operations/Snapshot+Operations.swift
    func RealmFile_Snapshot_Operations_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let leftOut = try await snapshot.rebuild(to: NewFile("dogs.realm"), classes: ["Dog"])
            print(leftOut.count)
        }
    }

    // Sources/RealmFile/RealmFile.docc/RealmFile.md
    func RealmFile_RealmFile_1(
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
    func RealmFile_RealmFile_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let key = try EncryptionKey(contentsOfFile: "app.key")
            let database = try RealmDatabase(path: "app.realm", key: key)
            print(database.isEncrypted, try database.snapshot().classes.count)
        }
    }

    // Sources/RealmFile/RealmFile.docc/Recipes.md
    func RealmFile_Recipes_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let before = try database.snapshot(.otherSlot)
            let (old, new) = (try before.table(named: "Person").count, try snapshot.table(named: "Person").count)
            print("commit \(before.commitNumber) has \(old) people, commit \(snapshot.commitNumber) has \(new)")
        }
    }

    // Sources/RealmFile/RealmFile.docc/Recipes.md
    func RealmFile_Recipes_2(
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
    func RealmFile_Recipes_3(
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
    func RealmFile_Recipes_4(
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
    func RealmFile_Recipes_5(
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
    func RealmFile_Writing_1(
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
                        PropertyDefinition("dogs", .link, collection: .list, target: "Dog"),
                        PropertyDefinition("address", .link, target: "Address"),
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
    func RealmFile_Writing_2(
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
    func RealmFile_FoundationValues_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            enum Size: Int, RealmConvertible { case small, large }
            print(try dog.get("size", as: Size.self))
        }
    }

    // Sources/RealmForensics/Content/Difference/ContentDifference.swift
    func RealmForensics_ContentDifference_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let difference = try database.snapshot(.otherSlot).contentDifference(to: snapshot)
            print(difference.isEmpty, difference.tables.map(\.name))
        }
    }

    // Sources/RealmForensics/Content/Difference/ContentDifference.swift
    func RealmForensics_ContentDifference_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for table in try database.snapshot(.otherSlot).contentDifference(to: snapshot).tables {
                print(table.name, table.added, table.changed, table.removed)
            }
        }
    }

    // Sources/RealmForensics/Content/Difference/ContentDifference.swift
    func RealmForensics_ContentDifference_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for table in try database.snapshot(.otherSlot).contentDifference(to: snapshot).tables {
                for object in table.objects { print(object.kind, object.changes.map(\.path)) }
            }
        }
    }

    // Sources/RealmForensics/Content/Hash/ContentDigest.swift
    func RealmForensics_ContentDigest_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try snapshot.contentHash().total == database.snapshot(.otherSlot).contentHash().total)
        }
    }

    // Sources/RealmForensics/Content/Hash/ContentHash.swift
    func RealmForensics_ContentHash_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let original = try RealmDatabase(path: "app.realm").snapshot().contentHash()
            let copy = try RealmDatabase(path: "copy.realm").snapshot().contentHash()
            print(original.total == copy.total)
        }
    }

    // Sources/RealmForensics/Content/Hash/ContentIdentity.swift
    func RealmForensics_ContentIdentity_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try snapshot.contentHash(by: .primaryKey).total)
        }
    }

    // Sources/RealmForensics/Operations/RealmDatabase+Operations.swift
    func RealmForensics_RealmDatabase_Operations_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = try await database.verify(.deep)
            for finding in report.findings { print(finding.check.rawValue, finding.message) }
            print(report.isSound)
        }
    }

    // Sources/RealmForensics/Operations/RealmDatabase+Operations.swift
    func RealmForensics_RealmDatabase_Operations_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let result = try await database.salvage(to: NewFile("salvaged.realm"))
            for table in result.report.tables { print(table.name, table.objects, table.isIntact) }
        }
    }

    // Sources/RealmForensics/Operations/RealmDatabase+Operations.swift
    func RealmForensics_RealmDatabase_Operations_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            if let report = try await database.repair(.otherSlot, to: NewFile("before.realm")) { print(report.isSound) }
        }
    }

    // Sources/RealmForensics/Operations/RealmDatabase+Operations.swift
    func RealmForensics_RealmDatabase_Operations_4(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let hash = try await snapshot.hash(by: .primaryKey) { hashed, total in print("\(hashed) of \(total) objects") }
            print(hash.total)
        }
    }

    // Sources/RealmForensics/RealmForensics.docc/RealmForensics.md
    func RealmForensics_RealmForensics_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {

            let database = try RealmDatabase(path: "kennel.realm")
            let report = try await database.verify(.deep)
            for finding in report.findings { print(finding.check.rawValue, finding.message) }
            print(report.isSound, try await database.snapshot().hash().total)
        }
    }

    // Sources/RealmForensics/Rescue/Encryption/EncryptionChange.swift
    func RealmForensics_EncryptionChange_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let change = try EncryptionChange(ByteSource(path: "plain.realm"))
            let report = try change.write(to: NewFile("encrypted.realm", key: EncryptionKey(bytes: key)))
            print(report.isComplete)
        }
    }

    // Sources/RealmForensics/Rescue/Encryption/EncryptionChange.swift
    func RealmForensics_EncryptionChange_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = try EncryptionChange(ByteSource(path: "plain.realm")).write(to: NewFile("new.realm"))
            print(report.isComplete, report.newSize)
        }
    }

    // Sources/RealmForensics/Rescue/Roots/CommitLocation.swift
    func RealmForensics_CommitLocation_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try FileRepair(ByteSource(path: "broken.realm")).snapshot(.number(12)).classes.count)
        }
    }

    // Sources/RealmForensics/Rescue/Roots/FileCheckup.swift
    func RealmForensics_FileCheckup_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let checkup = try FileCheckup(ByteSource(path: "broken.realm"))
            print(checkup.best?.way ?? "nothing can be done")
        }
    }

    // Sources/RealmForensics/Rescue/Roots/FileRepair+Snapshot.swift
    func RealmForensics_FileRepair_Snapshot_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let before = try FileRepair(ByteSource(path: "app.realm")).snapshot(.number(12))
            print(before.classes)
        }
    }

    // Sources/RealmForensics/Rescue/Roots/FileRepair.swift
    func RealmForensics_FileRepair_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let repair = FileRepair(try ByteSource(path: "broken.realm"))
            let plan = try repair.plan(.findRoot)
            if plan.isComplete { try repair.write(plan, to: NewFile("repaired.realm")) }
        }
    }

    // Sources/RealmForensics/Rescue/Roots/RepairPlan.swift
    func RealmForensics_RepairPlan_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try FileRepair(ByteSource(path: "broken.realm")).plan(.otherSlot).isComplete)
        }
    }

    // Sources/RealmForensics/Rescue/Roots/RepairPlan.swift
    func RealmForensics_RepairPlan_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let plan = try FileRepair(ByteSource(path: "broken.realm")).plan(.findRoot)
            for candidate in plan.candidates { print(candidate.commit, candidate.state, candidate.objectCount) }
            print(plan.chosen?.commit ?? 0, plan.isComplete, plan.isLossless)
        }
    }

    // Sources/RealmForensics/Rescue/Roots/RootCandidate.swift
    func RealmForensics_RootCandidate_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for candidate in try FileRepair(ByteSource(path: "broken.realm")).plan(.findRoot).candidates {
                print(candidate.commit, candidate.state, candidate.objectCount)
            }
        }
    }

    // Sources/RealmForensics/Rescue/Roots/RootOrigin.swift
    func RealmForensics_RootOrigin_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try FileRepair(ByteSource(path: "broken.realm")).plan(.findRoot).candidates.map(\.origin))
        }
    }

    // Sources/RealmForensics/Rescue/Salvage/Salvage.swift
    func RealmForensics_Salvage_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let result = try Salvage(ByteSource(path: "broken.realm")).write(to: NewFile("salvaged.realm"))
            for table in result.report.tables { print(table.name, table.objects) }
        }
    }

    // Sources/RealmForensics/Rescue/Salvage/SalvageReport.swift
    func RealmForensics_SalvageReport_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = try Salvage(ByteSource(path: "broken.realm")).rehearse()
            for table in report.tables { print(table.name, table.objects, table.expected ?? 0) }
        }
    }

    // Sources/RealmForensics/Verification/Report/Finding.swift
    func RealmForensics_Finding_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for finding in try await database.verify().findings { print(finding.place, finding.message, finding.consequence) }
        }
    }

    // Sources/RealmForensics/Verification/Report/VerificationReport.swift
    func RealmForensics_VerificationReport_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = try await database.verify()
            print(report.isSound, report.total(.error), report.tables.map(\.readable))
        }
    }

    // Sources/RealmForensics/Verification/Rules/CheckIdentifier.swift
    func RealmForensics_CheckIdentifier_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try await database.verify().totalsByCheck[.leak] ?? 0)
        }
    }

    // Sources/RealmForensics/Verification/Rules/CheckIdentifier.swift
    func RealmForensics_CheckIdentifier_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try await database.verify().findings.filter { $0.severity >= .error }.count)
        }
    }

    // Sources/RealmForensics/Verification/Rules/CheckIdentifier.swift
    func RealmForensics_CheckIdentifier_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try await database.verify(.quick).isReadable)
        }
    }

    // Sources/RealmForensics/Verification/Verification.swift
    func RealmForensics_Verification_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let report = Verification(level: .standard).run(on: try ByteSource(path: "kennel.realm"))
            for finding in report.findings { print(finding.check.rawValue, finding.message) }
        }
    }

    // Sources/RealmLayout/FormatError.swift
    func RealmLayout_FormatError_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            do {
                _ = try people.object(primaryKey: .int(1))
            } catch {
                print(error.code, error.offset ?? 0, error.table ?? "", error.isUsage)
            }
        }
    }

    // Sources/RealmLayout/Header/FormatVersion.swift
    func RealmLayout_FormatVersion_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(snapshot.version, snapshot.version.isLegacy)
        }
    }

    // Sources/RealmLayout/Header/HistoryType.swift
    func RealmLayout_HistoryType_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            if snapshot.history.type == .syncClient { print("the app was synchronised") }
        }
    }

    // Sources/RealmLayout/Numbers.swift
    func RealmLayout_Numbers_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let commit = try FileRepair(ByteSource(path: "app.realm")).snapshot(.root(Ref(4096)))
            print(commit.commitNumber)
        }
    }

    // Sources/RealmLayout/Numbers.swift
    func RealmLayout_Numbers_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try people.object(ObjectKey(4))?.description ?? "no such object")
        }
    }

    // Sources/RealmLayout/Numbers.swift
    func RealmLayout_Numbers_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(people.schema.key.slot)
        }
    }

    // Sources/RealmLayout/Schema/CollectionKind.swift
    func RealmLayout_CollectionKind_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for property in people.schema.properties where property.collection == .list { print(property.name) }
        }
    }

    // Sources/RealmLayout/Schema/CollectionKind.swift
    func RealmLayout_CollectionKind_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for property in people.schema.properties {
                if case .dictionary(let keys)? = property.collection { print(property.name, keys) }
            }
        }
    }

    // Sources/RealmLayout/Schema/TableKind.swift
    func RealmLayout_TableKind_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(snapshot.classes.filter { $0.schema.kind == .embedded }.map(\.name))
        }
    }

    // Sources/RealmLayout/Values/Decimal128Bits.swift
    func RealmLayout_Decimal128Bits_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(Decimal128Bits("1.50")?.description ?? "no number")
        }
    }

    // Sources/RealmLayout/Values/Timestamp.swift
    func RealmLayout_Timestamp_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            if let born = Timestamp(seconds: 1_700_000_000, nanoseconds: 5) { print(born, born.date) }
        }
    }

    // Sources/RealmQuery/Aggregates/QueryResults+Aggregates.swift
    func RealmQuery_QueryResults_Aggregates_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let summary = try people.objects(matching: "age > 30").summary(of: "age")
            print(summary.average, summary.max)
        }
    }

    // Sources/RealmQuery/Aggregates/QueryResults+Aggregates.swift
    func RealmQuery_QueryResults_Aggregates_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for group in try people.objects(matching: "age > 18").grouped(by: ["city"], summarizing: ["age"]) {
                print(group.values[0], group.count, group.summaries[0].average)
            }
        }
    }

    // Sources/RealmQuery/Aggregates/QueryResults+Aggregates.swift
    func RealmQuery_QueryResults_Aggregates_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let all = try people.objects(matching: "TRUEPREDICATE")
            for group in try await all.grouped(by: ["dogs.@count"], jobs: 4) { print(group.values[0], group.count) }
        }
    }

    // Sources/RealmQuery/Aggregates/Table+Aggregates.swift
    func RealmQuery_Table_Aggregates_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let summary = try snapshot.table(named: "Person").summary(of: "age")
            print(summary.count, summary.sum, summary.average, summary.min, summary.max)
        }
    }

    // Sources/RealmQuery/Aggregates/ValueSummary.swift
    func RealmQuery_ValueSummary_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let ages = try people.summary(of: "age")
            print(ages.count, ages.min, ages.max)
        }
    }

    // Sources/RealmQuery/Aggregates/ValueSummary.swift
    func RealmQuery_ValueSummary_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for group in try people.objects(matching: "TRUEPREDICATE").grouped(by: ["age"]) { print(group.values, group.count) }
        }
    }

    // Sources/RealmQuery/Binding/QueryArgument.swift
    func RealmQuery_QueryArgument_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try people.objects(matching: "name == $0 AND age > $1", "Ann", 30).count)
        }
    }

    // Sources/RealmQuery/Binding/QueryError.swift
    func RealmQuery_QueryError_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            do {
                print(try people.objects(matching: "agee > 1").count)
            } catch {
                if case .binding(let what) = error { print(what) }
            }
        }
    }

    // Sources/RealmQuery/Building/QueryCondition.swift
    func RealmQuery_QueryCondition_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            func isGrown(_ person: QueryTerm) -> QueryCondition { person["age"] >= 18 && person["name"] != nil }
            print(try people.where(isGrown).count)
        }
    }

    // Sources/RealmQuery/Building/QueryCondition.swift
    func RealmQuery_QueryCondition_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let query = ObjectQuery { $0["age"] > 30 && $0["dogs"].count > 1 }.sorted { $0["name"] }.limited(to: 10)
            print(query)  // age > 30 AND dogs.@count > 1 SORT(name ASC) LIMIT(10)
        }
    }

    // Sources/RealmQuery/Building/QueryCondition.swift
    func RealmQuery_QueryCondition_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for key in try people.where({ $0["age"] > 30 && $0["dogs"]["name"].contains("rex") }).keys { print(key) }
        }
    }

    // Sources/RealmQuery/Building/QueryOperand.swift
    func RealmQuery_QueryOperand_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let limit: any QueryOperand = 18
            print(limit.queryTerm.expression)
        }
    }

    // Sources/RealmQuery/Building/QueryOperand.swift
    func RealmQuery_QueryOperand_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let wanted: [any QueryValue] = [18, "adult"]
            for value in wanted { print(value.queryConstant) }
        }
    }

    // Sources/RealmQuery/Building/QueryTerm.swift
    func RealmQuery_QueryTerm_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let found = try people.where { $0["age"] > 30 && $0["dogs"]["name"].any.begins(with: "re", caseInsensitive: true) }
            let many = try people.where { $0["dogs"].count { $0["age"] >= 5 } > 1 || $0["name"] == nil }
            print(found.count, many.count)
        }
    }

    // Sources/RealmQuery/QueryCursor.swift
    func RealmQuery_QueryCursor_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            if let person = try people.first(matching: "age > $0 SORT(age DESC)", 60) { print(person.key) }
        }
    }

    // Sources/RealmQuery/QueryCursor.swift
    func RealmQuery_QueryCursor_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let third = try people.objects(matching: ObjectQuery("age > 60"), page: 40..<60)
            print(third.keys)
        }
    }

    // Sources/RealmQuery/QueryCursor.swift
    func RealmQuery_QueryCursor_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            var cursor = try people.cursor(matching: ObjectQuery("name CONTAINS[c] 'ann'"))
            while let person = try cursor.next() { print(person.key) }
        }
    }

    // Sources/RealmQuery/QueryCursor.swift
    func RealmQuery_QueryCursor_4(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            var cursor = try people.cursor(matching: ObjectQuery("age > 60"))
            while let person = try cursor.next() { print(person.key) }
        }
    }

    // Sources/RealmQuery/QueryExplanation.swift
    func RealmQuery_QueryExplanation_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try people.explain(try ObjectQuery("city == 'Oslo' AND age > 30 SORT(name ASC)")))
        }
    }

    // Sources/RealmQuery/QueryOptions.swift
    func RealmQuery_QueryOptions_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try people.count(matching: ObjectQuery("age > 60"), options: QueryOptions(usesIndexes: false)))
        }
    }

    // Sources/RealmQuery/QueryOptions.swift
    func RealmQuery_QueryOptions_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let careful = QueryOptions(budget: QueryBudget(work: 10_000_000, results: 100_000, time: .seconds(2)))
            let found = try people.objects(matching: ObjectQuery("ANY dogs.name LIKE $0"), arguments: ["*e*"], options: careful)
            print(found.count)
        }
    }

    // Sources/RealmQuery/QueryResults.swift
    func RealmQuery_QueryResults_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let people = try snapshot.table(named: "Person")
            for key in try people.objects(matching: "age > $0 SORT(name ASC)", 30).keys { print(key) }
        }
    }

    // Sources/RealmQuery/QueryResults.swift
    func RealmQuery_QueryResults_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let adults = try await people.objects(matching: ObjectQuery("age >= 18"), jobs: 4)
            print(adults.count)
        }
    }

    // Sources/RealmQuery/QueryResults.swift
    func RealmQuery_QueryResults_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try await people.count(matching: ObjectQuery("name CONTAINS[c] 'ann'"), jobs: 4))
        }
    }

    // Sources/RealmQuery/QueryResults.swift
    func RealmQuery_QueryResults_4(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let old = try people.objects(matching: "age > $0", 60)
            print(old.count, old.keys)
        }
    }

    // Sources/RealmQuery/Syntax/ObjectQuery.swift
    func RealmQuery_ObjectQuery_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let query = try ObjectQuery("age > 30 AND ANY dogs.name BEGINSWITH[c] 're' SORT(name ASC)")
            print(try people.objects(matching: query).keys.count)
        }
    }

    // Sources/RealmQuery/Syntax/ObjectQuery.swift
    func RealmQuery_ObjectQuery_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let young = QueryPredicate.comparison(
                .property(try QueryPath("age")), .less, .constant(.integer("18")), caseInsensitive: false)
            print(try people.count(matching: ObjectQuery(.not(young))))
        }
    }

    // Sources/RealmQuery/Syntax/ObjectQuery.swift
    func RealmQuery_ObjectQuery_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let young = QueryPredicate.comparison(
                .property(try QueryPath("age")), .less, .constant(.integer("18")), caseInsensitive: false)
            print(young)
        }
    }

    // Sources/RealmQuery/Syntax/ObjectQuery.swift
    func RealmQuery_ObjectQuery_4(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(QueryExpression.property(try QueryPath("dogs.age")))
        }
    }

    // Sources/RealmQuery/Syntax/ObjectQuery.swift
    func RealmQuery_ObjectQuery_5(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(QueryExpression.arithmetic(.property(try QueryPath("age")), .plus, .constant(.integer("1"))))
        }
    }

    // Sources/RealmQuery/Syntax/ObjectQuery.swift
    func RealmQuery_ObjectQuery_6(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(QueryExpression.aggregate(try QueryPath("dogs"), .average, property: "age"))
        }
    }

    // Sources/RealmQuery/Syntax/ObjectQuery.swift
    func RealmQuery_ObjectQuery_7(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(QueryPath([.name("dogs"), .name("age")], quantifier: .all))
        }
    }

    // Sources/RealmQuery/Syntax/ObjectQuery.swift
    func RealmQuery_ObjectQuery_8(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(try QueryPath("dogs.age"))
        }
    }

    // Sources/RealmQuery/Syntax/ObjectQuery.swift
    func RealmQuery_ObjectQuery_9(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(QueryConstant.timestamp(seconds: 1_700_000_000, nanoseconds: 0))
        }
    }

    // Sources/RealmQuery/Syntax/ObjectQuery.swift
    func RealmQuery_ObjectQuery_10(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(GeoShape.circle(GeoPosition(longitude: .number(2.3), latitude: .number(48.9)), radius: .number(0.01)))
        }
    }

    // Sources/RealmQuery/Syntax/ObjectQuery.swift
    func RealmQuery_ObjectQuery_11(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(GeoPosition(longitude: .number(2.3), latitude: .number(48.9)))
        }
    }

    // Sources/RealmQuery/Syntax/ObjectQuery.swift
    func RealmQuery_ObjectQuery_12(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(GeoPosition(longitude: .number(2.3), latitude: .argument(0)))
        }
    }

    // Sources/RealmQuery/Syntax/ObjectQuery.swift
    func RealmQuery_ObjectQuery_13(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(ObjectQuery(.constant(true), steps: [.sort([SortKey(path: try QueryPath("age"), ascending: false)]), .limit(10)]))
        }
    }

    // Sources/RealmQuery/Syntax/ObjectQuery.swift
    func RealmQuery_ObjectQuery_14(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(ObjectQuery(.constant(true), steps: [.sort([SortKey(path: try QueryPath("name"), ascending: true)])]))
        }
    }

    // Sources/RealmQuery/Syntax/QuerySyntaxError.swift
    func RealmQuery_QuerySyntaxError_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            do {
                _ = try ObjectQuery("age >")
            } catch {
                print(error.message, error.offset)
            }
        }
    }

    // Sources/RealmStorage/ByteSource.swift
    func RealmStorage_ByteSource_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            print(Verification().run(on: try ByteSource(path: "broken.realm")).isSound)
        }
    }

    // Sources/RealmStorage/Encryption/Keys/EncryptionKey.swift
    func RealmStorage_EncryptionKey_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let key = try EncryptionKey(contentsOfFile: "app.key")
            print(try RealmDatabase(path: "app.realm", key: key).snapshot().classes.count)
        }
    }

    // Sources/RealmStorage/Encryption/Keys/KeyError.swift
    func RealmStorage_KeyError_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            do {
                _ = try EncryptionKey(text: "0123")
            } catch {
                print(error.kind, error)
            }
        }
    }

    // Sources/RealmStorage/StorageError.swift
    func RealmStorage_StorageError_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            do {
                _ = try ByteSource(path: "none.realm")
            } catch {
                print(error.action, error.path, error.reason)
            }
        }
    }

    // Sources/RealmStorage/SystemLocks.swift
    func RealmStorage_SystemLocks_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            do {
                try snapshot.write(to: NewFile("app.realm", overwrite: true))
            } catch {
                guard case .storage(let error) = error else { return }
                for holder in error.holders { print(holder.processID, holder.name ?? "") }
            }
        }
    }

    // Sources/RealmStore/Builder/NewObject.swift
    func RealmStore_NewObject_1(
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

    // Sources/RealmStore/Builder/NewObject.swift
    func RealmStore_NewObject_2(
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

    // Sources/RealmStore/Builder/RealmBuilder.swift
    func RealmStore_RealmBuilder_1(
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

    // Sources/RealmStore/Builder/RealmBuilder.swift
    func RealmStore_RealmBuilder_2(
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

    // Sources/RealmStore/Differences/ListChanges.swift
    func RealmStore_ListChanges_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for object in try store.snapshot().changes(since: snapshot).table(named: "Person")?.modified ?? [] {
                for property in object.properties { print(property.name, property.elements?.insertions ?? []) }
            }
        }
    }

    // Sources/RealmStore/Differences/SnapshotChanges.swift
    func RealmStore_SnapshotChanges_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let changes = try store.snapshot().changes(since: snapshot)
            print(changes.isEmpty, changes.tables.map(\.name))
        }
    }

    // Sources/RealmStore/Differences/SnapshotChanges.swift
    func RealmStore_SnapshotChanges_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            if let dogs = try store.snapshot().changes(since: snapshot).table(named: "Dog") {
                print(dogs.inserted, dogs.modified.map(\.key), dogs.deleted)
            }
        }
    }

    // Sources/RealmStore/Differences/SnapshotChanges.swift
    func RealmStore_SnapshotChanges_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for object in try store.snapshot().changes(since: snapshot).table(named: "Dog")?.modified ?? [] {
                print(object.key, object.properties.map(\.name))
            }
        }
    }

    // Sources/RealmStore/Differences/SnapshotChanges.swift
    func RealmStore_SnapshotChanges_4(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for object in try store.snapshot().changes(since: snapshot).table(named: "Dog")?.modified ?? [] {
                for property in object.properties where property.elements == nil { print(property.name) }
            }
        }
    }

    // Sources/RealmStore/RealmStore.swift
    func RealmStore_RealmStore_1(
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

    // Sources/RealmStore/RealmStore.swift
    func RealmStore_RealmStore_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let count = try store.read { snapshot in try snapshot.table(named: "Dog").count }
            print(count)
        }
    }

    // Sources/RealmStore/Schema/SchemaStep.swift
    func RealmStore_SchemaStep_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            for step in snapshot.schema.steps(to: schema) { print(step, step.isAdditive) }
        }
    }

    // Sources/RealmStore/Schema/SchemaStep.swift
    func RealmStore_SchemaStep_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let steps = store.snapshot().schema.steps(to: schema)
            if steps.allSatisfy(\.isAdditive) { /* nothing has to be migrated */ }
        }
    }

    // Sources/RealmStore/Schema/WriteTransaction+Apply.swift
    func RealmStore_WriteTransaction_Apply_1(
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

    // Sources/RealmStore/Store/RealmStore+Opening.swift
    func RealmStore_RealmStore_Opening_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let store = try RealmStore(inMemory: schema)
            try await store.write { _ = try $0.add("Dog", ["_id": 1, "name": "Rex"]) }
            try store.snapshot().write(to: NewFile("saved.realm"))
        }
    }

    // Sources/RealmStore/Store/RealmStore+Writing.swift
    func RealmStore_RealmStore_Writing_1(
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

    // Sources/RealmStore/Store/RealmStore+Writing.swift
    func RealmStore_RealmStore_Writing_2(
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

    // Sources/RealmStore/Store/SnapshotStream.swift
    func RealmStore_SnapshotStream_1(
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

    // Sources/RealmStore/Store/StoreOptions.swift
    func RealmStore_StoreOptions_1(
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

    // Sources/RealmStore/TransactionCollections.swift
    func RealmStore_TransactionCollections_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            try await store.write { transaction in
                let person = ObjectReference("Person", ObjectKey(0))
                try transaction.mutableList(of: person, "dogs").append(.link("Dog", primaryKey: 1))
            }
        }
    }

    // Sources/RealmStore/TransactionCollections.swift
    func RealmStore_TransactionCollections_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            try await store.write { transaction in
                let person = ObjectReference("Person", ObjectKey(0))
                try transaction.mutableSet(of: person, "tags").removeAll()
            }
        }
    }

    // Sources/RealmStore/TransactionCollections.swift
    func RealmStore_TransactionCollections_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            try await store.write { transaction in
                let person = ObjectReference("Person", ObjectKey(0))
                try transaction.mutableDictionary(of: person, "ratings").set("best", 5)
            }
        }
    }

    // Sources/RealmStore/WriteTransaction+Adding.swift
    func RealmStore_WriteTransaction_Adding_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            try await store.write { transaction in
                let rex = try transaction.add("Dog", ["_id": 5, "name": "Rex"])
                try transaction.set(rex, "age", 4)
            }
        }
    }

    // Sources/RealmStore/WriteTransaction+Adding.swift
    func RealmStore_WriteTransaction_Adding_2(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let names = ["_id", "name"]
            try await store.write { transaction in
                for id in 10..<20 { _ = try transaction.add("Dog", properties: names, values: [.int(Int64(id)), "Rex"]) }
            }
        }
    }

    // Sources/RealmStore/WriteTransaction.swift
    func RealmStore_WriteTransaction_1(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            try await store.write { transaction in
                guard let rex = try transaction.object("Dog", primaryKey: 1) else { return }
                try transaction.set(rex, "name", "Max")
            }
        }
    }

    // docs/library.md
    func library_1(
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

    // docs/library.md
    func library_2(
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

    // docs/library.md
    func library_3(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let grown = try people.objects(matching: "age >= $0 AND ANY dogs.name BEGINSWITH[c] 're' SORT(name ASC)", 18)
            let same = try people.where { $0["age"] >= 18 && $0["dogs"]["name"].any.begins(with: "re", caseInsensitive: true) }
            let few = ObjectQuery { $0["dogs"].count { $0["age"] > 5 } > 0 }.sorted { $0["name"] }.limited(to: 10)
            print(grown.count, same.keys, try people.objects(matching: few).count)
        }
    }

    // docs/library.md
    func library_4(
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

    // docs/library.md
    func library_5(
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

    // docs/library.md
    func library_6(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {

            print(try await database.verify(.deep).isSound, try await snapshot.hash().total)
            try await snapshot.compact(to: NewFile("compact.realm", overwrite: true))
        }
    }

    // docs/library.md
    func library_7(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            do {
                print(try person.get("nmae", as: String.self))
            } catch where error.isUsage {
                print("mistake:", error)  // Person: there is no property called nmae; did you mean name?
            } catch {
                print("damage:", error, error.offset ?? 0)
            }
        }
    }

    // docs/library.md
    func library_8(
        _ database: RealmDatabase, _ snapshot: Snapshot, _ people: Table, _ person: StoredObject, _ dog: StoredObject,
        _ schema: SchemaDefinition, _ key: [UInt8], _ store: RealmStore
    ) async throws {
        do {
            let key = try EncryptionKey(contentsOfFile: "app.key")
            let database = try RealmDatabase(path: "app.realm", key: key)
            print(database.isEncrypted, try database.snapshot().classes.count)
        }
    }
}
