#if canImport(SwiftUI)
    import Foundation
    import RealmObjects
    import SwiftUI
    import Testing

    final class Pet: Object, ObjectKeyIdentifiable {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name = ""
        @Persisted var age = 0
        @Persisted var toys: List<String>
        @Persisted var friends: List<Pet>
        @Persisted var tags: MutableSet<String>
        @Persisted var prices: Map<String, Int>

        convenience init(_ id: Int, _ name: String, age: Int = 0) {
            self.init()
            (self.id, self.name, self.age) = (id, name, age)
        }
    }

    final class PetCard: Projection<Pet>, ObjectKeyIdentifiable {
        @Projected(\Pet.name) var title
    }

    /// Code of an app; it only has to compile.
    @MainActor private struct PetList {
        @ObservedResults(Pet.self, where: { $0.age > 1 }, sortDescriptor: SortDescriptor(keyPath: "name")) var pets
        @ObservedResults(Pet.self) var all
        @ObservedResults(PetCard.self) var cards
        @ObservedSectionedResults(Pet.self, sectionKeyPath: \.age) var byAge
        @ObservedRealmObject var pet: Pet
        @StateRealmObject var draft = Pet()
        @Environment(\.realm) var realm

        init(pet: Pet) { self.pet = pet }

        var delete: (IndexSet) -> Void { $pets.remove }
        var move: (IndexSet, Int) -> Void { $pet.friends.move }
        var name: Binding<String> { $pet.name }
        func add() { $all.append(Pet(7, "new")) }
    }

    /// Counts how often a view with some properties would be redrawn.
    @MainActor private final class Draws {
        private(set) var count = 0
        private var subscriptions: [AnyCancellable] = []

        init(_ property: Any) { follow(property) }

        private func follow(_ any: Any) {
            for child in Mirror(reflecting: any).children {
                if let observed = child.value as? any Followed {
                    subscriptions.append(observed.follow { [unowned self] in count += 1 })
                }
            }
        }

        /// Waits for a number of redraws.
        func reach(_ count: Int) async throws {
            for _ in 0..<500 where self.count < count { try await Task.sleep(for: .milliseconds(10)) }
            expect(self.count >= count)
        }
    }

    @MainActor private protocol Followed {
        func follow(_ body: @escaping () -> Void) -> AnyCancellable
    }
    extension ObservedObject: Followed {
        fileprivate func follow(_ body: @escaping () -> Void) -> AnyCancellable {
            wrappedValue.objectWillChange.sink { _ in body() }
        }
    }
    extension StateObject: Followed {
        fileprivate func follow(_ body: @escaping () -> Void) -> AnyCancellable {
            wrappedValue.objectWillChange.sink { _ in body() }
        }
    }

    /// Values that views show and change.
    @MainActor @Suite(.serialized) struct SwiftUITests {
        private let file = TestRealm([Pet.self])

        @Test func `results are shown in order, and redrawn when they change`() async throws {
            let realm = try file.open()
            try realm.write { realm.add([Pet(1, "B", age: 2), Pet(2, "A", age: 2), Pet(3, "C", age: 1)]) }
            let pets = ObservedResults(
                Pet.self, configuration: file.configuration, where: { $0.age > 1 },
                sortDescriptor: SortDescriptor(keyPath: "name"))
            let draws = Draws(pets)
            let before = pets.wrappedValue
            expect(before.isFrozen && before.map(\.name) == ["A", "B"])
            pets.projectedValue.append(Pet(4, "D", age: 9))
            try await draws.reach(1)
            expect(pets.wrappedValue.map(\.name) == ["A", "B", "D"] && before.count == 2)
            pets.projectedValue.remove(atOffsets: [0, 1])
            try await draws.reach(2)
            expectEqual(pets.wrappedValue.map(\.name), ["D"])
            pets.projectedValue.remove(pets.wrappedValue[0])
            try await draws.reach(3)
            expect(pets.wrappedValue.isEmpty && realm.objects(Pet.self).map(\.name) == ["C"])
            pets.projectedValue.where = { $0.age == 1 }
            expect(draws.count == 4 && pets.wrappedValue.map(\.name) == ["C"])
            pets.where = nil
            pets.filter = RealmPredicate(format: "age > %d", 100)
            expect(pets.wrappedValue.isEmpty)
        }

        @Test func `deletion by offsets deletes the objects that the view shows`() throws {
            let realm = try file.open()
            try realm.write { realm.add([Pet(1, "B"), Pet(2, "C")]) }
            let pets = ObservedResults(
                Pet.self, configuration: file.configuration, sortDescriptor: SortDescriptor(keyPath: "name"))
            expectEqual(pets.wrappedValue.map(\.name), ["B", "C"])
            let configuration = file.configuration
            try onAnotherThread {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(Pet(3, "A")) }
            }
            pets.projectedValue.remove(atOffsets: [0])
            expectEqual(Set(realm.objects(Pet.self).map(\.name)), ["A", "C"])
        }

        @Test func `an object is shown, changed through bindings, and deleted`() async throws {
            let realm = try file.open()
            let pet = Pet(1, "A")
            try realm.write { realm.add(pet) }
            let shown = ObservedRealmObject(wrappedValue: pet)
            let draws = Draws(shown)
            let name = shown.projectedValue.name
            expect(name.wrappedValue == "A" && shown.wrappedValue.isFrozen)
            name.wrappedValue = "B"
            try await draws.reach(1)
            expect(pet.name == "B" && name.wrappedValue == "B" && shown.wrappedValue.name == "B")
            name.wrappedValue = "B"
            shown.projectedValue.toys.append("ball")
            shown.projectedValue.tags.insert("x")
            shown.projectedValue.prices.set(object: 3, for: "k")
            expect(shown.projectedValue.prices["k"] == 3 && shown.projectedValue.toys.wrappedValue.isFrozen)
            expect(Array(pet.toys) == ["ball"] && Array(pet.tags) == ["x"])
            shown.projectedValue.friends.append(Pet(2, "C"))
            shown.projectedValue.friends.append(shown.wrappedValue)
            shown.projectedValue.friends.move(fromOffsets: [1], toOffset: 0)
            expectEqual(pet.friends.map(\.name), ["B", "C"])
            shown.projectedValue.friends.remove(atOffsets: [0])
            expectEqual(pet.friends.map(\.name), ["C"])
            // Bindings use an open transaction instead of beginning another one.
            try realm.write { name.wrappedValue = "D" }
            expectEqual(pet.name, "D")
            let other = pet.bind(\.age)
            other.wrappedValue = 4
            expectEqual(pet.age, 4)
            let told = draws.count
            shown.projectedValue.delete()
            try await draws.reach(told + 1)
            expect(pet.isInvalidated && shown.wrappedValue.name == "" && name.wrappedValue == "D")
        }

        @Test func `an object in memory is redrawn after a change through a binding`() async throws {
            let shown = ObservedRealmObject(wrappedValue: Pet(1, "A"))
            let draws = Draws(shown)
            shown.projectedValue.name.wrappedValue = "B"
            expect(draws.count == 1 && shown.wrappedValue.name == "B")
            let realm = try file.open()
            try realm.write { realm.add(shown.wrappedValue) }
            expect(shown.wrappedValue.isFrozen)
            shown.projectedValue.name.wrappedValue = "C"
            try await draws.reach(2)
            expectEqual(realm.objects(Pet.self).map(\.name), ["C"])
        }

        @Test func `the object of a view is created once`() async throws {
            let draft = StateRealmObject(wrappedValue: Pet(1, "A"))
            let draws = Draws(draft)
            draft.projectedValue.name.wrappedValue = "B"
            expectEqual(draft.wrappedValue.name, "B")
            let realm = try file.open()
            try realm.write { realm.add(draft.wrappedValue) }
            expect(draft.wrappedValue.isFrozen)
            draft.projectedValue.name.wrappedValue = "C"
            try await draws.reach(1)
            draft.projectedValue.delete()
            expect(realm.isEmpty && draft.wrappedValue.name == "")
        }

        @Test func `lists are shown, changed and redrawn`() async throws {
            let realm = try file.open()
            let pet = Pet(1, "A")
            try realm.write { realm.add(pet) }
            let toys = ObservedRealmObject(wrappedValue: pet.toys)
            let draws = Draws(toys)
            try realm.write { pet.toys.append("ball") }
            try await draws.reach(1)
            expect(Array(toys.wrappedValue) == ["ball"] && toys.wrappedValue.isFrozen)
            let held = StateRealmObject(wrappedValue: pet.toys)
            held.projectedValue.append("bone")
            try await draws.reach(2)
            held.projectedValue.move(fromOffsets: [1], toOffset: 0)
            held.projectedValue.remove(at: 1)
            expectEqual(Array(pet.toys), ["bone"])
        }

        @Test func `sections are unchanged until they are redrawn`() async throws {
            let realm = try file.open()
            try realm.write { realm.add([Pet(1, "B", age: 2), Pet(2, "A", age: 2), Pet(3, "C", age: 1)]) }
            let pets = ObservedSectionedResults(Pet.self, sectionKeyPath: \.age, configuration: file.configuration)
            let draws = Draws(pets)
            let before = pets.wrappedValue
            expect(before.map(\.key) == [1, 2] && before[1].map(\.name) == ["B", "A"])
            pets.projectedValue.remove(atOffsets: [0], section: before[1])
            try await draws.reach(1)
            expect(pets.wrappedValue[1].map(\.name) == ["A"] && before[1].count == 2)
            let letters = ObservedSectionedResults(
                Pet.self, sectionBlock: { String($0.name.prefix(1)) },
                sortDescriptors: [SortDescriptor(keyPath: "name", ascending: false)], where: { $0.id > 2 },
                configuration: file.configuration)
            expectEqual(letters.wrappedValue.map(\.key), ["C"])
        }

        @Test func `projections are shown, and views have a realm`() throws {
            let realm = try file.open()
            try realm.write { realm.add(Pet(1, "A")) }
            let cards = ObservedResults(PetCard.self, configuration: file.configuration)
            expectEqual(cards.wrappedValue.map(\.title), ["A"])
            cards.projectedValue.append(PetCard(projecting: Pet(2, "B")))
            expectEqual(cards.wrappedValue.map(\.title), ["A", "B"])
            var values = EnvironmentValues()
            values.realmConfiguration = file.configuration
            expectEqual(values.realm, realm)
            let all = ObservedResults(Pet.self, configuration: file.configuration)
            all.update()
            let list = PetList(pet: try #require(all.wrappedValue.first))
            expectEqual(list.name.wrappedValue, "A")
        }
    }
#endif
