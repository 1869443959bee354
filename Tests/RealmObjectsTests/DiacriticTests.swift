import Expectations
import Foundation
import RealmObjects
import Testing

/// String comparisons that ignore accents and case, and searches for an empty text or null.
@Suite struct DiacriticTests {
    private func names(_ query: (Results<Dog>) -> Results<Dog>) throws -> [String] {
        let realm = try TestRealm(kennelTypes).open()
        try realm.write {
            for name in ["Réx", "rex", "Bör", "bor", "", "Søren"] { realm.add(Dog(name: name, age: 1)) }
        }
        return query(realm.objects(Dog.self)).map(\.name)
    }

    @Test func `options ignore accents and case`() throws {
        try expectEqual(names { $0.where { $0.name.equals("Rex", options: .diacriticInsensitive) } }, ["Réx"])
        try expectEqual(
            names { $0.where { $0.name.equals("REX", options: [.diacriticInsensitive, .caseInsensitive]) } },
            ["Réx", "rex"])
        try expectEqual(
            names { $0.where { $0.name.notEquals("rèx", options: [.diacriticInsensitive, .caseInsensitive]) } },
            ["Bör", "bor", "", "Søren"])
        try expectEqual(
            names { $0.where { $0.name.starts(with: "BO", options: [.diacriticInsensitive, .caseInsensitive]) } },
            ["Bör", "bor"])
        try expectEqual(
            names { $0.where { $0.name.ends(with: "öŕ", options: .diacriticInsensitive) } }, ["Bör", "bor"])
        try expectEqual(
            names { $0.where { $0.name.contains("O", options: [.diacriticInsensitive, .caseInsensitive]) } },
            ["Bör", "bor"], "ø is a letter of its own")
    }

    @Test func `predicates in text support [cd] and [d]`() throws {
        try expectEqual(names { $0.filter("name CONTAINS[cd] %@", "RE") }, ["Réx", "rex", "Søren"])
        try expectEqual(names { $0.filter("name ==[d] 'Bor'") }, ["Bör"])
        try expectEqual(
            names { $0.filter("NOT name BEGINSWITH[cd] 'b' AND name IN[cd] {'REX', 'BOR'}") }, ["Réx", "rex"])
    }

    /// According to RLMQueryUtil, Foundation always returns false for substring operations with null or an empty text
    /// on the right.
    @Test func `an empty text finds nothing`() throws {
        for nothing in [String?.none, ""] {
            for operation in ["CONTAINS", "BEGINSWITH[c]", "ENDSWITH", "CONTAINS[cd]"] {
                try expectEqual(names { $0.filter("name \(operation) %@", nothing as Any) }, [])
            }
            try expectEqual(names { $0.where { $0.breed.contains(nothing) } }, [])
            try expectEqual(names { $0.where { !$0.breed.starts(with: nothing) } }.count, 6)
        }
        try expectEqual(names { $0.filter("name ENDSWITH ''") }, [])
    }
}
