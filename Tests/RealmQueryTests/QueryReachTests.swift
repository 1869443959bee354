import Expectations
import RealmCore
import RealmQuery
import TestSupport
import Testing

/// The properties that queries depend on.
@Suite struct QueryReachTests {
    private static let queries: [(query: String, reach: [String: Set<String>], isWithinObject: Bool)] = [
        ("TRUEPREDICATE", [:], true),
        ("name == 'a' OR NOT numbers['x'] > 3", ["Keeper": ["name", "numbers"]], true),
        ("mix.a.b == 1 AND anys[0] == anySet.@count", ["Keeper": ["mix", "anys", "anySet"]], true),
        ("pet == NULL AND petList.@count > 2", ["Keeper": ["pet", "petList"]], true),
        ("pets.@keys == 'a' AND words.@values == 'b'", ["Keeper": ["pets", "words"]], true),
        ("numbers.@sum > 4", ["Keeper": ["numbers"]], true),
        ("pet.name == 'a'", ["Keeper": ["pet"], "Pet": ["name"]], false),
        ("boss.name == 'a'", ["Keeper": ["boss", "name"]], false),
        ("boss.boss == NULL", ["Keeper": ["boss"]], false),
        (
            "ANY homes.street == 'a' AND pets['x'].weight > 1",
            ["Keeper": ["homes", "pets"], "Home": ["street"], "Pet": ["weight"]], false
        ),
        ("petSet.@avg.weight > 3", ["Keeper": ["petSet"], "Pet": ["weight"]], false),
        ("@links.Keeper.boss.name == 'a'", ["Keeper": ["boss", "name"]], false),
        ("boss.@links.Keeper.boss.@count > 1", ["Keeper": ["boss"]], false),
        ("@links.@count == 0", ["Keeper": ["boss"]], false),
        (
            "SUBQUERY(petList, $pet, $pet.weight > 3 AND mix == $pet.mix).@count > 0",
            ["Keeper": ["petList"], "Pet": ["weight", "mix"]], false
        ),
        ("pet == obj('Pet', 3)", ["Keeper": ["pet"], "Pet": ["_id"]], false),
        (
            "name != '' SORT(boss.pet.born ASC) DISTINCT(name, pet.about) LIMIT(3)",
            ["Keeper": ["name", "boss", "pet"], "Pet": ["born", "about"]], false
        ),
        ("TRUEPREDICATE SORT(name ASC)", ["Keeper": ["name"]], true),
    ]

    @Test func `the properties of all paths are included`() throws {
        let keepers = try RealmDatabase(bytes: TruthFile.keyed.build()).snapshot().table(named: "Keeper")
        for (query, properties, isWithinObject) in Self.queries {
            let reach = QueryReach()
            try reach.add(try ObjectQuery(query), [], of: keepers)
            expectEqual(reach.properties, properties, "\(query)")
            expectEqual(reach.isWithinObject, isWithinObject, "\(query)")
        }
    }

    @Test func `a place is a separate object`() throws {
        let places = try RealmDatabase(bytes: TruthFile.places.build()).snapshot().table(named: "Place")
        let reach = QueryReach()
        try reach.add(try ObjectQuery("ANY stops GEOWITHIN geoBox([0, 0], [2, 2])"), [], of: places)
        expect(reach.properties == ["Place": ["stops"], "Point": ["type", "coordinates"]] && !reach.isWithinObject)
    }

    @Test func `several queries are combined`() throws {
        let keepers = try RealmDatabase(bytes: TruthFile.keyed.build()).snapshot().table(named: "Keeper")
        let reach = QueryReach()
        reach.add("Home")
        reach.add("numbers", of: "Keeper")
        try reach.add(try ObjectQuery("name == $0"), ["a"], of: keepers)
        expect(reach.properties == ["Home": [], "Keeper": ["numbers", "name"]] && reach.isWithinObject)
        #expect(throws: QueryError.self) { try reach.add(try ObjectQuery("no == 1"), [], of: keepers) }
    }
}
