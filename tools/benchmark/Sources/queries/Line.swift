import MadeData
import RealmCore
import RealmFile
import RealmLayout

extension Line {
    /// Returns the measured queries.
    static func all(_ table: Table, objects: Int) -> [Line] {
        func count(_ text: String, _ target: Double?) -> Line {
            Line(name: text, target: target) { try table.count(matching: try ObjectQuery(text)) }
        }
        func results(_ text: String, _ target: Double?) -> Line {
            Line(name: text, target: target) { try table.objects(matching: text).count }
        }
        let name = MadeTable.name(5, 123)
        // Each value of an indexed property in turn: none is repeated before all were used.
        var city = 0
        return [
            count("age > 50", 0.5), count("age == 50", 0.5), count("score > 100 AND active == true", 5),
            count("age IN {1, 7, 12, 25, 33, 48, 51, 66, 78, 90}", 2), count("city == 'city77'", 0.05),
            count("name == '\(name)'", 3.5), count("name BEGINSWITH 'frida 12'", 5.6),
            count("name CONTAINS '345'", 5.4), count("name CONTAINS[c] 'A 45'", 7.3), count("name LIKE '*a*7'", 25),
            count("owner.age > 500", 10), count("time > T1650000000:0", nil), count("name == 'x' OR age == 3", nil),
            Line(name: "city == 'city0', 'city1' and so on, each the first time in the snapshot", target: 0.05) {
                city = (city + 1) % MadeTable.cities
                return try table.count(matching: try ObjectQuery("city == 'city\(city)'"))
            },
            Line(name: "the first of age > 50") { try table.first(matching: "age > 50") == nil ? 0 : 1 },
            Line(name: "the first of name == '\(name)'") {
                try table.first(matching: "name == $0", .value(.string(name))) == nil ? 0 : 1
            },
            results("age > 50 LIMIT(20)", nil),
            Line(name: "age > 50, its keys") { try table.objects(matching: "age > 50").keys.count },
            Line(name: "age > 50, one after the other, score of each") {
                let score = try table.property("score", as: Double.self)
                var (total, count) = (0.0, 0)
                var cursor = try table.cursor(matching: try ObjectQuery("age > 50"))
                while let object = try cursor.next() {
                    total += try object[score]
                    count += 1
                }
                return total < 0 ? 0 : count
            },
            results("TRUEPREDICATE SORT(name ASC)", 250), results("age > 50 SORT(score DESC)", 60),
            results("age > 50 SORT(score DESC) LIMIT(10)", nil), results("TRUEPREDICATE SORT(time DESC)", nil),
            results("TRUEPREDICATE SORT(city ASC, age DESC)", nil), results("TRUEPREDICATE DISTINCT(city)", nil),
            results("TRUEPREDICATE DISTINCT(owner.age)", nil), results("TRUEPREDICATE DISTINCT(name)", nil),
            Line(name: "sum, average, min, max of score", target: 2) { try table.summary(of: "score").count },
            Line(name: "sum, average, min, max of age", target: 2) { try table.summary(of: "age").count },
            Line(name: "age > 50, grouped by city, average of score") {
                try table.objects(matching: "age > 50").grouped(by: ["city"], summarizing: ["score"]).count
            },
            Line(name: "iterating, three properties (age, score, active) by typed handles", target: 47) {
                let age = try table.property("age", as: Int.self)
                let score = try table.property("score", as: Double.self)
                let active = try table.property("active", as: Bool.self)
                var (sum, total, count) = (0, 0.0, 0)
                var cursor = table.objects
                while let object = try cursor.next() {
                    sum &+= try object[age]
                    total += try object[score]
                    if try object[active] { count += 1 }
                }
                return sum &+ Int(total) &+ count
            },
            Line(name: "a million look-ups by primary key", target: 500) {
                var found = 0
                for number in 0..<1_000_000 {
                    let key = MadeTable.primaryKey(number &* 7919 % objects, of: objects)
                    if try table.object(primaryKey: .int(key)) != nil { found += 1 }
                }
                return found
            },
        ]
    }
}
