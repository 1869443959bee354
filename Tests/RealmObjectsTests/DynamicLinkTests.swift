import Expectations
import Foundation
import RealmObjects
import Testing

/// Dynamic objects, found by class name, as values of properties of typed classes.
@Suite struct DynamicLinkTests {
    final class Garage: Object {
        @Persisted(primaryKey: true) var name = ""
        @Persisted var cars: List<Car>
        @Persisted var spaces: Map<String, Car?>
    }

    final class Car: Object {
        @Persisted(primaryKey: true) var number = 0
        @Persisted var garage: Garage?
        @Persisted var trailer: Car?
    }

    private func garage() throws -> Garage {
        let realm = try TestRealm([Garage.self, Car.self]).open()
        return try realm.write {
            for number in 1...3 { realm.create(Car.self, value: ["number": number]) }
            return realm.create(Garage.self, value: ["name": "old"])
        }
    }

    @Test func `links to objects of the same realm are kept`() throws {
        let garage = try garage()
        let realm = try #require(garage.realm)
        let car = try #require(realm.object(ofType: Car.self, forPrimaryKey: 1))
        try realm.write {
            car["garage"] = realm.dynamicObject(ofType: "Garage", forPrimaryKey: "old")
            garage.setValue(Array(realm.dynamicObjects("Car")), forKey: "cars")
            garage["spaces"] = ["a": realm.dynamicObject(ofType: "Car", forPrimaryKey: 2)]
            realm.create(Car.self, value: ["number": 4, "trailer": realm.dynamicObjects("Car")[2]])
        }
        expect(car.garage?.isSameObject(as: garage) == true && realm.objects(Garage.self).count == 1)
        expect(Array(garage.cars.map(\.number)) == [1, 2, 3] && garage.spaces["a"]??.number == 2)
        expectEqual(realm.objects(Car.self).where { $0.trailer.number == 3 }.first?.number, 4)
        expectEqual(realm.objects(Car.self).count, 4)
    }

    @Test func `objects in memory hold the object itself, and are added with a link to it`() throws {
        let garage = try garage()
        let realm = try #require(garage.realm)
        let car = Car()
        car.number = 9
        car.setValue(realm.dynamicObject(ofType: "Garage", forPrimaryKey: "old"), forKey: "garage")
        expectEqual(car.garage?.isSameObject(as: garage), true)
        try realm.write { realm.add(car) }
        expect(car.garage?.isSameObject(as: garage) == true && realm.objects(Garage.self).count == 1)
    }

    @Test func `an object of another class gives its values, like one of the program`() throws {
        let garage = try garage()
        let realm = try #require(garage.realm)
        let copy = Garage(value: try #require(realm.dynamicObject(ofType: "Garage", forPrimaryKey: "old")))
        expect(copy.realm == nil && copy.name == "old")
    }
}
