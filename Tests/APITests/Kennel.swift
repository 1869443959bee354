import Foundation
import RealmFile

/// `Fixtures/kennel.realm`; `Fixtures/kennel.jsonl` has its content as reported by Realm Core.
enum Kennel {
    static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let path = project.appending(path: "Fixtures/kennel.realm").path

    static func snapshot() throws -> Snapshot { try RealmDatabase(path: path).snapshot() }
    static func people() throws -> Table { try snapshot().table(named: "Person") }
    static func dogs() throws -> Table { try snapshot().table(named: "Dog") }

    static let names = ["Minjun", "Seoyeon", "Alice", "Bjørn", "지우"]
    static let dogNames = ["Rex", "Bori", "코코", "Fido", "Laika", "Max", "Rex", "Bori", "코코", "Fido"]
    /// The dogs of each person, by object key.
    static let dogsOfPeople: [[Int64]] = [[], [2], [4, 5], [6, 7, 8], []]
    static let streets: [String?] = ["0 Main St", "1 Main St", nil, "3 Main St", nil]
    static let cities: [String?] = ["Seoul", "Busan", nil, "Berlin", "東京"]
}
