import Expectations
import RealmCore
import RealmLayout
import RealmQuery
import RealmStorage
import Testing

/// Queries written in Swift equal those of their text.
@Suite struct QueryBuildingTests {
    private static func keepers() throws -> Table {
        try RealmDatabase(bytes: TruthFile.keyed.build()).snapshot().table(named: "Keeper")
    }

    /// Queries in Swift, with the text of the same meaning.
    private static let pairs: [(ObjectQuery, String)] = [
        (ObjectQuery { $0["name"] == "keeper 3" }, "name == 'keeper 3'"),
        (ObjectQuery { $0["pet"] == nil || $0["pet"] != nil }, "pet == NULL OR pet != NULL"),
        (
            ObjectQuery { $0["pet"]["weight"] > 2.5 && $0["pet"]["weight"] <= Float(5) },
            "pet.weight > 2.5 AND pet.weight <= 5.0f"
        ),
        (ObjectQuery { $0["pet"]["_id"].isIn([3, 6, 9]) }, "pet._id IN {3, 6, 9}"),
        (
            ObjectQuery { $0["pet"]["_id"].isIn(3...30) && $0["pet"]["_id"].isIn(0..<27) },
            "pet._id >= 3 AND pet._id <= 30 AND (pet._id >= 0 AND pet._id < 27)"
        ),
        (
            ObjectQuery { $0["pet"]["name"].isIn(["REX", "fido"], caseInsensitive: true) },
            "pet.name IN[c] {'REX', 'fido'}"
        ),
        (ObjectQuery { $0["name"].isIn(["keeper 3", nil]) }, "name IN {'keeper 3', NULL}"),
        (ObjectQuery { $0["petList"]["name"].any.contains("e") }, "ANY petList.name CONTAINS 'e'"),
        (ObjectQuery { $0["petList"]["weight"].all >= 1 }, "ALL petList.weight >= 1"),
        (ObjectQuery { $0["petSet"]["name"].none.like("r*", caseInsensitive: true) }, "NONE petSet.name LIKE[c] 'r*'"),
        (
            ObjectQuery { !($0["name"].begins(with: "keeper 1") && $0["name"].ends(with: "1")) },
            "NOT (name BEGINSWITH 'keeper 1' AND name ENDSWITH '1')"
        ),
        (ObjectQuery { $0["name"].equals("KEEPER 3", caseInsensitive: true) }, "name ==[c] 'KEEPER 3'"),
        (ObjectQuery { $0["petList"].count > 1 && $0["name"].count == 9 }, "petList.@count > 1 AND name.@count == 9"),
        (
            ObjectQuery { $0["petList"].sum(of: "weight") > $0["petSet"].max(of: "weight") },
            "petList.@sum.weight > petSet.@max.weight"
        ),
        (
            ObjectQuery { $0["numbers"].average() < 3 || $0["numbers"].min() == -3 },
            "numbers.@avg < 3 OR numbers.@min == -3"
        ),
        (
            ObjectQuery { $0["petList"].count { $0["weight"] > 2 && $0["name"] != nil } >= 1 },
            "SUBQUERY(petList, $1_, $1_.weight > 2 AND $1_.name != NULL).@count >= 1"
        ),
        (
            ObjectQuery {
                $0["petList"].count { pet in
                    pet.links(from: "Keeper", "pet").count { $0["pet"]["weight"] == pet["weight"] } > 0
                } > 0
            },
            "SUBQUERY(petList, $1_, SUBQUERY($1_.@links.Keeper.pet, $2_, $2_.pet.weight == $1_.weight).@count > 0).@count > 0"
        ),
        (
            ObjectQuery { $0["anyDict"][key: "a"] == 3 || $0["anyDict"].keys.any == "x y" },
            "anyDict['a'] == 3 OR ANY anyDict.@keys == 'x y'"
        ),
        (ObjectQuery { $0["words"].values.any == "Rex" }, "ANY words.@values == 'Rex'"),
        (
            ObjectQuery { $0["mix"].each.first == "Rex" || $0["mix"][1].last == 2 },
            "mix[*][FIRST] == 'Rex' OR mix[1][LAST] == 2"
        ),
        (ObjectQuery { $0["mix"].type == "string" }, "mix.@type == 'string'"),
        (ObjectQuery { $0["pet"].linkCount > 20 }, "pet.@links.@count > 20"),
        (ObjectQuery { $0["pet"]["about"].hasWords("quick -fox") }, "pet.about TEXT 'quick -fox'"),
        (ObjectQuery { ($0["pet"]["weight"] + 1) * 2 > 6 - 0.5 }, "(pet.weight + 1) * 2 > 5.5"),
        (
            ObjectQuery { $0["pet"]["born"] > Timestamp(seconds: 0, nanoseconds: 0).map { Value.timestamp($0) } },
            "pet.born > T0:0"
        ),
        (
            ObjectQuery { $0["pet"]["weight"] == Double.infinity || $0["pet"]["mix"] == true },
            "pet.weight == inf OR pet.mix == true"
        ),
        (
            ObjectQuery { $0["name"] != "x" }.sorted(ascending: false) { $0["pet"]["name"] }.distinct { $0["name"] }
                .limited(
                    to: 7),
            "name != 'x' SORT(pet.name DESC) DISTINCT(name) LIMIT(7)"
        ),
    ]

    @Test func `a query written in Swift equals its text`() throws {
        let table = try Self.keepers()
        var found = 0
        for (query, text) in Self.pairs {
            let read = try ObjectQuery(text)
            expectEqual(query.description, read.description, "\(text)")
            // Redundant brackets need not be in the tree: the printed text is parsed as the same query.
            try expectEqual(ObjectQuery(query.description).description, query.description)
            let keys = try table.objects(matching: query).keys
            try expectEqual(keys, table.objects(matching: text).keys, "\(text)")
            found += keys.isEmpty ? 0 : 1
        }
        expect(found > 20)
    }

    @Test func `a chain of any length is one level`() throws {
        let table = try Self.keepers()
        let names = (0..<2000).map { "keeper \($0)" }
        let any = ObjectQuery { term in names.dropFirst().reduce(term["name"] == names[0]) { $0 || term["name"] == $1 }
        }
        try expectEqual(table.objects(matching: any).count, 300)
        let none = ObjectQuery { term in names.dropFirst().reduce(term["name"] != names[0]) { $0 && term["name"] != $1 }
        }
        try expectEqual(table.objects(matching: none).count, 0)
        try expectEqual(ObjectQuery(any.description), any)
    }

    @Test func `a table is queried directly, within a budget`() throws {
        let table = try Self.keepers()
        try expectEqual(table.where { $0["name"] == "keeper 7" }.count, 6)
        #expect(throws: QueryError.self) {
            try table.where(options: QueryOptions(budget: QueryBudget(work: 10))) { $0["name"] == "keeper 7" }
        }
        #expect(throws: QueryError.self) { try table.where { $0["nothing"] == 1 } }
        #expect(throws: QueryError.self) { try table.where { $0["name"] == UInt64.max.description.count } }
    }
}
