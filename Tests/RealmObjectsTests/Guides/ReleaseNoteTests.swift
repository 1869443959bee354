import Expectations
import Foundation
import RealmObjects
import Testing

/// Statements of RealmSwift's release notes and guides about values, predicates and realms.
@Suite struct ReleaseNoteTests {
    final class Item: Object {
        @Persisted var name = ""
        @Persisted var count = 0
        @Persisted var found = false
        @Persisted var small: Int8 = 0
        @Persisted var price: Decimal128
        @Persisted var due: Date?
        @Persisted var marks: List<Int>
        @Persisted(originProperty: "items") var boxes: LinkingObjects<Box>
    }

    final class Box: Object {
        @Persisted var label = ""
        @Persisted var items: List<Item>
        @Persisted var best: Map<String, Item?>
        @Persisted var inner: Box?
    }

    private static func open() throws -> Realm {
        try Realm(configuration: .init(inMemoryIdentifier: "notes-\(UUID())", objectTypes: [Item.self, Box.self]))
    }

    private static func says(_ text: String, _ result: ExitTest.Result?) -> Bool {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
    }

    /// Returns a box of items with these numbers.
    private static func box(_ realm: Realm, _ counts: [Int]) throws -> Box {
        try realm.write {
            realm.create(Box.self, value: ["items": counts.map { ["name": "n\($0)", "count": $0] as [String: Any] }])
        }
    }

    // MARK: Predicates

    @Test func `one single object must lie in a range, not two together`() throws {
        let realm = try Self.open()
        let wide = try Self.box(realm, [3, 7])
        let near = try Self.box(realm, [5])
        try realm.write {
            wide.inner = near
            wide.best["k"] = near.items[0]
            near.items[0].marks.append(objectsIn: [1, 9])
        }
        let boxes = realm.objects(Box.self)
        expectEqual(boxes.filter("ANY items.count BETWEEN {4, 6}").map(\.items.count), [1])
        expectEqual(boxes.filter("ANY items.count BETWEEN %@", [3, 6]).count, 2)
        expectEqual(boxes.filter("NOT ANY items.count BETWEEN {4, 6}").map(\.items.count), [2])
        expectEqual(boxes.filter("NONE items.count BETWEEN {4, 6}").map(\.items.count), [2])
        expectEqual(boxes.filter("ANY inner.items.count BETWEEN {4, 6}").count, 1)
        expectEqual(boxes.filter("ANY best.count BETWEEN {4, 6}").count, 1)
        expectEqual(realm.objects(Item.self).filter("ANY boxes.inner.items.count BETWEEN {4, 6}").count, 2)
        expectEqual(boxes.filter("SUBQUERY(items, $i, ANY $i.boxes.items.count BETWEEN {4, 6}).@count == 1").count, 1)
        // For values, two may be in a range together.
        expectEqual(realm.objects(Item.self).filter("ANY marks BETWEEN {4, 6}").count, 1)
        expectEqual(boxes.filter("ANY items.marks BETWEEN %@", [4, 6]).count, 1)
        expect(boxes.filter("ANY items.marks BETWEEN {10, 12}").isEmpty)
    }

    @Test(
        arguments: [
            ("found == yes", 1), ("found == Yes", 1), ("found == True", 1), ("found != NO", 1), ("YES == found", 1),
            ("false == found", 2),
            ("found == no", 2), ("found IN {YES}", 1), ("found IN {no, Yes}", 3), ("NOT found IN {NO}", 1),
            ("ANY boxes.items.found == Yes", 3),
            ("count == yes", 1),
        ] as [(String, Int)])
    func `truth values have several names`(predicate: String, count: Int) throws {
        let realm = try Self.open()
        let box = try Self.box(realm, [1, 2, 3])
        try realm.write { box.items[0].found = true }
        expectEqual(realm.objects(Item.self).filter(predicate).count, count)
    }

    // MARK: Key-value coding

    @Test func `key paths support calculations`() throws {
        let realm = try Self.open()
        let box = try Self.box(realm, [3, 1, 3])
        let items = realm.objects(Item.self)
        try realm.write {
            items[0].due = Date(timeIntervalSince1970: 5)
            items[0].marks.append(objectsIn: [4, 2])
            items[1].marks.append(2)
        }
        expectEqual(items.value(forKeyPath: "@count") as? Int, 3)
        expectEqual(items.value(forKeyPath: "@sum.count") as? Int, 7)
        expectEqual(items.value(forKeyPath: "@avg.small") as? Double, 0)
        expectEqual(items.value(forKeyPath: "@min.count") as? Int, 1)
        expectEqual(items.value(forKeyPath: "@max.due") as? Date, Date(timeIntervalSince1970: 5))
        expect(items.filter("count > 9").value(forKeyPath: "@max.count") == nil)
        expectEqual(items.filter("count > 9").value(forKeyPath: "@sum.count") as? Int, 0)
        expectEqual(items.value(forKeyPath: "@unionOfObjects.name") as? [String], ["n3", "n1", "n3"])
        expectEqual(items.value(forKeyPath: "@distinctUnionOfObjects.name") as? [String], ["n3", "n1"])
        expectEqual(items.value(forKeyPath: "@unionOfArrays.marks") as? [Int], [4, 2, 2])
        expectEqual(items.value(forKeyPath: "@distinctUnionOfArrays.marks") as? [Int], [4, 2])
        expectEqual(items.value(forKeyPath: "name") as? [String], ["n3", "n1", "n3"])
        expectEqual(box.value(forKeyPath: "items.@sum.count") as? Int, 7)
        expectEqual(box.value(forKeyPath: "items.name") as? [String], ["n3", "n1", "n3"])
        expectEqual(items[0].value(forKeyPath: "marks.@max.self") as? Int, 4)
        expectEqual(box.items.value(forKeyPath: "@unionOfObjects.count") as? [Int], [3, 1, 3])
        let own = List<Int>()
        own.append(objectsIn: [1, 2])
        expectEqual(AnyRealmCollection(own).value(forKeyPath: "@avg.self") as? Double, 1.5)
    }

    @Test func `calculations on texts are refused`() async throws {
        let summed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let sum: Int = try Self.open().objects(Item.self).sum(ofProperty: "name")
            print(sum)
        }
        expect(Self.says("Operation 'sum' not supported for string property 'Item.name'", summed))
        let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Self.open().objects(Item.self).value(forKeyPath: "@median.count")
        }
        expect(Self.says("Unsupported KVC collection operator found in key path '@median.count'", unknown))
    }

    @Test func `uses of deleted objects, and deletions outside a transaction, are reported`() async {
        let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Self.open()
            try realm.write {
                let item = realm.create(Item.self)
                realm.delete(item)
                item.count = 1
            }
        }
        expect(Self.says("Object has been deleted or invalidated.", set))
        let emptied = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.open().deleteAll()
        }
        expect(Self.says("Can only add, remove, or create objects in a Realm in a write transaction", emptied))
    }

    // MARK: Values

    @Test func `decimal numbers keep 15 digits of a double`() throws {
        expectEqual(Decimal128(0.1 + 0.2), 0.3)
        expectEqual(Decimal128(value: 100.1 * 3), (try Decimal128(string: "300.3")))
        expectEqual(Decimal128(floatLiteral: 1.0 / 3).stringValue, "3.33333333333333E-1")
        let realm = try Self.open()
        let item = try realm.write { realm.create(Item.self, value: ["price": 0.1 + 0.2]) }
        expectEqual(realm.objects(Item.self).where { $0.price == 0.3 }.count, 1)
        expectEqual(item.price.stringValue, "3E-1")
    }

    @Test func `text that is not a number becomes NaN`() throws {
        try expect(Decimal128(string: "no number").isNaN)
        let read = try JSONDecoder().decode([Decimal128].self, from: Data(#"["1.5", "-"]"#.utf8))
        expectEqual(read.map(\.isNaN), [false, true])
    }

    // MARK: Lists

    @Test func `lists are sorted, reversed and shuffled in place`() throws {
        let realm = try Self.open()
        let box = try Self.box(realm, [3, 1, 2])
        try realm.write { box.items.sort { $0.count < $1.count } }
        expectEqual(box.items.map(\.count), [1, 2, 3])
        try realm.write { box.items.reverse() }
        expectEqual(box.items.map(\.count), [3, 2, 1])
        try realm.write {
            box.items[0].marks.append(objectsIn: [5, 4, 6])
            box.items[0].marks.sort()
            box.items[0].marks[0..<2] = box.items[0].marks[1..<3]
            box.items.shuffle()
            _ = box.items.partition { $0.count > 2 }
        }
        expect(box.items.last?.count == 3 && box.items.map(\.count).sorted() == [1, 2, 3])
        expectEqual(box.items.last.map { Array($0.marks) }, [5, 6, 6])
    }

    // MARK: Changes

    /// As in Realm Core's own test: when the last of a chain of twenty objects changes, the last four are modified.
    @Test func `changes are reported across three links`() throws {
        let realm = try Self.open()
        let boxes = (0..<20).map { Box(value: ["label": "\($0)"]) }
        try realm.write {
            realm.add(boxes)
            for (box, next) in zip(boxes, boxes.dropFirst()) { box.inner = next }
        }
        var told: [[Int]] = []
        let token = realm.objects(Box.self).observe { change in
            if case .update(_, _, _, let modifications) = change { told.append(modifications) }
        }
        let path = realm.objects(Box.self).observe(keyPaths: ["inner.inner.inner.inner.label"]) { change in
            if case .update(_, _, _, let modifications) = change { told.append(modifications) }
        }
        realm.refresh()
        try realm.write { boxes[19].label = "changed" }
        realm.refresh()
        expectEqual(told, [[16, 17, 18, 19], [15]])
        token.invalidate()
        path.invalidate()
    }

    // MARK: Realms

    @Test func `schemas and sort descriptors are passed to other tasks`() async throws {
        let (schema, order) = (try Self.open().schema, SortDescriptor(keyPath: "count"))
        let texts = await Task.detached {
            let item: ObjectSchema? = schema["Item"]
            let first: Property? = item?.properties.first
            return [item?.className, first?.name, order.keyPath]
        }.value
        expectEqual(texts, ["Item", "name", "count"])
    }

    @Test func `databases in memory are not encrypted`() {
        let configuration = Realm.Configuration(
            inMemoryIdentifier: "notes-key", encryptionKey: Data(count: 64), objectTypes: [Item.self, Box.self])
        let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        expectEqual(error?.message, "Encryption is not supported for in-memory realms")
    }

    @Test func `an open file is opened with its own version, whatever the requested one`() throws {
        let file = TestRealm([Item.self, Box.self], version: 3)
        try withExtendedLifetime(file.open()) {
            file.configuration.schemaVersion = 0
            let other = try file.open()
            try other.write { other.create(Item.self) }
            try expectEqual(file.verified().schema.version, 3)
            file.configuration.schemaVersion = 5
            try expectEqual(file.open().objects(Item.self).count, 1)
            try expectEqual(file.verified().schema.version, 3)
        }
        try expectEqual(file.open().objects(Item.self).count, 1)
        try expectEqual(file.verified().schema.version, 5)
        file.configuration.schemaVersion = 4
        let error = #expect(throws: Realm.Error.self) { try file.open() }
        expectEqual(error?.message, "Provided schema version 4 is less than last set version 5.")
    }

    @Test func `results of deleted objects are empty but not invalidated`() throws {
        let realm = try Self.open()
        let box = try Self.box(realm, [3, 1])
        let (items, found, boxes) = (box.items, box.items.filter("count == 3"), box.items[0].boxes)
        let item = items[0]
        try realm.write { realm.delete(box) }
        expect(items.isInvalidated && !found.isInvalidated && found.isEmpty && boxes.isEmpty)
        try realm.write { realm.delete(item) }
        expect(!boxes.isInvalidated && boxes.isEmpty)
        realm.invalidate()
        expect(found.isInvalidated && boxes.isInvalidated)
    }

    // MARK: Unchanged values

    @Test func `a frozen object is its own frozen version`() async throws {
        let realm = try Self.open()
        let box = try Self.box(realm, [1])
        let frozen = box.freeze()
        expect(frozen.freeze() === frozen && box.freeze() !== frozen && box.freeze() == frozen)
        let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Self.open()
            let box = try Self.box(realm, [1])
            try realm.write { realm.delete(box) }
            _ = box.freeze()
        }
        expect(Self.says("Object has been deleted or invalidated.", deleted))
        let observed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Self.box(try Self.open(), [1]).freeze().observe { (_: ObjectChange<Box>) in }
        }
        expect(Self.says("Frozen Realms do not change and do not have change notifications.", observed))
    }

    @Test func `a date of NaN becomes the start of 1970`() throws {
        let realm = try Self.open()
        let item = try realm.write {
            realm.create(Item.self, value: ["due": Date(timeIntervalSinceReferenceDate: .nan)])
        }
        expectEqual(item.due, Date(timeIntervalSince1970: 0))
    }

    @Test func `a class missing in a file that is only read has no objects`() throws {
        let file = TestRealm([Other.self])
        do {
            let realm = try file.open()
            try realm.write { _ = realm.create(Other.self) }
        }
        file.configuration.objectTypes = [Other.self, Item.self, Box.self]
        file.configuration.readOnly = true
        let realm = try file.open()
        let items = realm.objects(Item.self)
        expect(items.isEmpty && items.first == nil && items.filter("count == 5").sorted(by: \.name).isEmpty)
        expect(items.where { $0.boxes.label == "a" }.isEmpty && items.max(of: \.count) == nil && !items.isInvalidated)
        expect(items.sum(of: \.count) == 0 && items.index(matching: "count == 5") == nil)
        expectEqual(realm.objects(Box.self).map(\.label), [])
        let frozen = realm.freeze()
        expect(frozen.objects(Item.self).isEmpty && frozen.objects(Other.self).count == 1)
        expect(frozen == realm.freeze() && frozen != realm && items.freeze().isEmpty)
        _ = realm.refresh()
        expect(items.isEmpty && realm.objects(Other.self).count == 1)
    }

    @Test func `distinct applies after all conditions`() throws {
        let realm = try Self.open()
        try realm.write {
            for (name, count) in [("a", 1), ("a", 2), ("b", 2), ("c", 3)] {
                realm.create(Item.self, value: ["name": name, "count": count] as [String: Any])
            }
        }
        let items = realm.objects(Item.self)
        let names = items.distinct(by: ["name"])
        expectEqual(names.map(\.count), [1, 2, 3])
        expect(names.filter("count == 2").map(\.name) == ["a", "b"] && names.where { $0.count == 2 }.count == 2)
        let sorted = items.sorted(byKeyPath: "count", ascending: false).distinct(by: ["count"])
        expectEqual(sorted.filter("name != 'a'").map(\.name), ["c", "b"])
        expectEqual(sorted.filter("name != 'a'").sorted(byKeyPath: "name").filter("count < 3").map(\.name), ["b"])
        expectEqual(names.index(matching: "count == 2"), 1)
    }

    @Test func `backlinks of an unmanaged object can be queried, and are empty`() {
        let boxes = Item().boxes
        expect(boxes.filter("label == 'a'").isEmpty && boxes.sorted(byKeyPath: "label").first == nil)
        expect(boxes.where { $0.items.count > 1 }.isEmpty && boxes.distinct(by: ["label"]).isEmpty)
        expect(boxes.index(matching: "label == 'a'") == nil && boxes.realm == nil)
        expect((boxes.value(forKey: "label") as? [String])?.isEmpty ?? false)
    }

    final class Other: Object {
        @Persisted var number = 0
    }
}
