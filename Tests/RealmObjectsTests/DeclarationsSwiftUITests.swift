#if canImport(SwiftUI)
    import Foundation
    import RealmObjects
    import SwiftUI
    import Testing

    /// Declarations for views without other calls in the tests, in RealmSwift's spelling. Found by
    /// `tools/peer/spellings.py --apple`.
    @MainActor @Suite(.serialized) struct DeclarationsSwiftUITests {
        final class AgedPet: Projection<Pet>, ObjectKeyIdentifiable {
            @Projected(\Pet.age) var years
            @Projected(\Pet.name) var title
        }

        final class Pack: Object, ObjectKeyIdentifiable { @Persisted var pets: MutableSet<Pet> }

        private let file = TestRealm([Pet.self, Pack.self])

        private func pets() throws -> Realm {
            let realm = try file.open()
            try realm.write { realm.add([Pet(1, "B", age: 2), Pet(2, "A", age: 2), Pet(3, "C", age: 1)]) }
            return realm
        }

        @Test func `the order of results can be changed`() throws {
            _ = try pets()
            let shown = ObservedResults(Pet.self, configuration: file.configuration)
            shown.sortDescriptor = SortDescriptor(keyPath: "name", ascending: false)
            let names: [String] = shown.wrappedValue.map { (pet: ObservedResults<Pet>.Element) in pet.name }
            expect(
                names == ["C", "B", "A"] && shown.sortDescriptor == SortDescriptor(keyPath: "name", ascending: false))
            shown.sortDescriptor = SortDescriptor(keyPath: "id")
            expectEqual(shown.wrappedValue.map(\.id), [1, 2, 3])
        }

        @Test func `sections are created in all ways`() throws {
            _ = try pets()
            let configuration = file.configuration
            let byAge = ObservedSectionedResults(
                Pet.self, sectionKeyPath: \.age, sortDescriptors: [SortDescriptor(keyPath: "age", ascending: false)],
                filter: "name != 'A'", keyPaths: ["age"], configuration: configuration)
            expect(byAge.wrappedValue.map(\.key) == [2, 1] && byAge.wrappedValue.map(\.count) == [1, 1])
            byAge.filter = nil
            expectEqual(byAge.wrappedValue.map(\.count), [2, 1])
            byAge.where = { $0.age == 1 }
            expectEqual(byAge.wrappedValue.map(\.key), [1])
            byAge.where = nil
            byAge.sortDescriptors = [SortDescriptor(keyPath: "age"), SortDescriptor(keyPath: "name")]
            expect(byAge.wrappedValue.map(\.key) == [1, 2] && byAge.wrappedValue[1].map(\.name) == ["A", "B"])
            let plain = ObservedSectionedResults(
                Pet.self, sectionKeyPath: \.age, sortDescriptors: [SortDescriptor(keyPath: "age")], keyPaths: ["age"],
                configuration: configuration)
            plain.update()
            let first: ObservedSectionedResults<Int, Pet>.Element = plain.wrappedValue[0][0]
            expectEqual(first.name, "C")
            let byLetter = ObservedSectionedResults(
                Pet.self, sectionBlock: { String($0.name.prefix(1)) },
                sortDescriptors: [SortDescriptor(keyPath: "name")],
                filter: "age == 2", keyPaths: nil, configuration: configuration)
            expectEqual(byLetter.wrappedValue.map(\.key), ["A", "B"])
            let letters = ObservedSectionedResults(
                Pet.self, sectionBlock: { String($0.name.prefix(1)) },
                sortDescriptors: [SortDescriptor(keyPath: "name")],
                keyPaths: nil, configuration: configuration)
            expectEqual(letters.wrappedValue.allKeys, ["A", "B", "C"])
        }

        @Test func `sections of projections are created in all ways`() throws {
            _ = try pets()
            let configuration = file.configuration
            let byYears = ObservedSectionedResults(AgedPet.self, sectionKeyPath: \.years, configuration: configuration)
            expect(byYears.wrappedValue.map(\.key) == [1, 2] && byYears.wrappedValue[0].map(\.title) == ["C"])
            let sorted = ObservedSectionedResults(
                AgedPet.self, sectionKeyPath: \.years,
                sortDescriptors: [SortDescriptor(keyPath: "age", ascending: false)],
                filter: "name != 'A'", keyPaths: ["years"], configuration: configuration)
            expect(sorted.wrappedValue.map(\.key) == [2, 1] && sorted.wrappedValue[0].map(\.title) == ["B"])
            let blocks = ObservedSectionedResults(
                AgedPet.self, sectionBlock: { $0.years }, sortDescriptors: [SortDescriptor(keyPath: "age")],
                filter: "age > 1", configuration: configuration)
            expectEqual(blocks.wrappedValue.allKeys, [2])
        }

        private func count<B: BoundCollection>(_ bound: B) -> (Int, B.Element.Type) where B.Value == List<B.Element> {
            let value: B.Value = bound.wrappedValue
            return (value.count, B.Element.self)
        }

        private func count<B: BoundMap>(_ bound: B) -> Int {
            let value: B.Value = bound.wrappedValue
            return value.count
        }

        @Test func `bindings of collections are used by generic code`() throws {
            let realm = try file.open()
            let pet = Pet(1, "A")
            try realm.write { realm.add(pet) }
            let shown = ObservedRealmObject(wrappedValue: pet)
            let wrapper: ObservedRealmObject<Pet>.Wrapper = shown.projectedValue
            expectEqual(wrapper.wrappedValue.name, "A")
            wrapper.toys.append("ball")
            wrapper.prices.set(object: 3, for: "k")
            let (toys, type) = count(wrapper.toys)
            expect(toys == 1 && type == String.self && count(wrapper.prices) == 1)
            expectEqual(Binding<List<String>>.Element.self, String.self)
        }

        @Test func `views hold projections, sets and maps`() throws {
            let realm = try file.open()
            let pet = Pet(1, "A", age: 3)
            try realm.write { realm.add(pet) }
            let card = ObservedRealmObject(wrappedValue: AgedPet(projecting: pet))
            expect(card.wrappedValue.title == "A" && card.wrappedValue.isFrozen)
            card.projectedValue.title.wrappedValue = "B"
            let held = StateRealmObject(wrappedValue: AgedPet(projecting: pet))
            held.projectedValue.wrappedValue.bind(\.years).wrappedValue = 4
            expect(pet.name == "B" && pet.age == 4)
            let (tags, prices) = (StateRealmObject(wrappedValue: pet.tags), StateRealmObject(wrappedValue: pet.prices))
            tags.projectedValue.insert("x")
            tags.projectedValue.insert("y")
            tags.projectedValue.remove("x")
            prices.projectedValue.set(object: 5, for: "k")
            expect(Array(pet.tags) == ["y"] && pet.prices["k"] == 5)
            expect(tags.wrappedValue.isFrozen && prices.wrappedValue.isFrozen)
        }

        @Test func `properties are bound in all ways`() throws {
            let realm = try file.open()
            let (pet, friend) = (Pet(1, "A", age: 3), Pet(2, "B"))
            try realm.write { realm.add([pet, friend]) }
            let toys: Binding<List<String>> = pet.bind(\.toys)
            toys.append("ball")
            let card = AgedPet(projecting: pet)
            let years: Binding<Int> = card.bind(\.years)
            years.wrappedValue = 9
            let title: Binding<String> = card.bind(\.title)
            title.wrappedValue = "C"
            expect(
                pet.age == 9 && pet.name == "C" && Array(toys.wrappedValue) == ["ball"] && toys.wrappedValue.isFrozen)
            let (shared, other) = (Shared(pet), Shared(friend))
            let whole = Binding<Pet>(get: { shared.value }, set: { _ in })
            let age: Binding<Int> = whole.age
            age.wrappedValue = 10
            let friends: Binding<List<Pet>> = whole.friends
            friends.append(friend)
            friends.append(Pet(3, "D"))
            friends.remove(at: 0)
            expect(pet.age == 10 && pet.friends.map(\.name) == ["D"])
            let bound = Binding<AgedPet>(get: { AgedPet(projecting: other.value) }, set: { _ in })
            bound.delete()
            expect(friend.isInvalidated)
            whole.delete()
            expect(pet.isInvalidated)
        }

        @Test func `objects of sets are bound, and results are filtered by text`() throws {
            let realm = try file.open()
            let (pack, pet) = (Pack(), Pet(1, "A", age: 3))
            try realm.write { realm.add([pack, pet]) }
            let pets: Binding<MutableSet<Pet>> = pack.bind(\.pets)
            pets.insert(pet)
            pets.insert(Pet(2, "B", age: 1))
            expectEqual(pack.pets.count, 2)
            pets.remove(pet)
            expectEqual(pack.pets.map(\.name), ["B"])
            let shown = ObservedResults(
                Pet.self, configuration: file.configuration, filter: "age > 2", keyPaths: ["age"],
                sortDescriptor: SortDescriptor(keyPath: "name"))
            expectEqual(shown.wrappedValue.map(\.name), ["A"])
        }

        @Test func `results and sections are filtered by predicates, which a later condition replaces`() throws {
            _ = try pets()
            let (configuration, isTwo) = (file.configuration, RealmPredicate(format: "age == %d", 2))
            let byName = SortDescriptor(keyPath: "name")
            let shown = ObservedResults(Pet.self, configuration: configuration, filter: isTwo, sortDescriptor: byName)
            expect(shown.wrappedValue.map(\.name) == ["A", "B"] && shown.filter?.description == isTwo.description)
            shown.where = { $0.age == 1 }
            expectEqual(shown.wrappedValue.map(\.name), ["C"])
            shown.filter = RealmPredicate(format: "name IN %@", ["A", "C"])
            expectEqual(shown.wrappedValue.map(\.name), ["A", "C"])
            shown.where = nil
            expectEqual(shown.wrappedValue.count, 3)
            let aged = ObservedResults(AgedPet.self, configuration: configuration, filter: isTwo)
            expectEqual(aged.wrappedValue.map(\.years), [2, 2])
            let byText = ObservedResults(AgedPet.self, configuration: configuration, filter: "age == 1")
            expectEqual(byText.wrappedValue.map(\.title), ["C"])
            let byAge = ObservedSectionedResults(
                Pet.self, sectionKeyPath: \.age, filter: isTwo, configuration: configuration)
            let byBlock = ObservedSectionedResults(
                Pet.self, sectionBlock: { $0.age }, sortDescriptors: [byName], filter: isTwo,
                configuration: configuration)
            expect(byAge.wrappedValue.allKeys == [2] && byBlock.wrappedValue.allKeys == [2])
            let byYears = ObservedSectionedResults(
                AgedPet.self, sectionKeyPath: \.years, filter: isTwo, configuration: configuration)
            expectEqual(byYears.wrappedValue.allKeys, [2])
        }
    }
#endif
