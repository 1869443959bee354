package import RealmCore
internal import RealmLayout
package import RealmStore
import WriterTestSupport

/// A database whose content shows whether it is from a single commit: accounts with a constant sum, entries that are
/// added and removed, and a head with the number of the commit and the sum of the entries.
package enum Ledger {
    package static let accounts = 64
    private static let balance: Int64 = 1000

    package static let schema = SchemaDefinition([
        TableDefinition(
            class: "Account",
            [PropertyDefinition("balance", .int), PropertyDefinition("last", .link, target: "class_Entry")]),
        TableDefinition(
            class: "Entry", primaryKey: "id",
            [
                PropertyDefinition("id", .int), PropertyDefinition("amount", .int),
                PropertyDefinition("text", .string, index: .general),
            ]),
        TableDefinition(
            class: "Head",
            [PropertyDefinition("commit", .int), PropertyDefinition("entries", .int), PropertyDefinition("sum", .int)]),
    ])

    /// Creates the file.
    package static func make(_ file: NewFile) throws {
        let builder = try RealmBuilder(schema, at: file)
        for _ in 0..<accounts { _ = try builder.add("Account", ["balance": .int(balance)]) }
        _ = try builder.add("Head", ["commit": 0, "entries": 0, "sum": 0])
        try builder.finish()
    }

    /// Returns the number of the last commit.
    package static func number(_ snapshot: Snapshot) throws -> Int64 {
        let head = try snapshot.table(named: "Head").object(ObjectKey(0))
        guard let head else { throw ProgramFailure("the ledger has no head") }
        return try int(head["commit"])
    }

    /// Makes the next commit: moves money between accounts, adds entries, and removes some of the oldest.
    ///
    /// - Returns: its number.
    @discardableResult
    package static func commit(_ store: RealmStore) throws -> Int64 {
        try store.write { transaction in
            let before = try transaction.snapshot()
            guard let head = try before.table(named: "Head").object(ObjectKey(0)) else {
                throw ProgramFailure("the ledger has no head")
            }
            let number = try int(head["commit"]) + 1
            var (entries, sum) = (try int(head["entries"]), try int(head["sum"]))
            var random = Numbers(state: UInt64(number))
            let table = try before.table(named: "Account")
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let id = number * 10 + Int64(entries % 10)
                let amount = Int64.random(in: 1...100, using: &random)
                if try transaction.object("Entry", primaryKey: .int(id)) != nil { continue }
                let text = String(repeating: "entry \(id) ", count: Int.random(in: 0...40, using: &random))
                let entry = try transaction.add(
                    "Entry", ["id": .int(id), "amount": .int(amount), "text": .string(text)])
                (entries, sum) = (entries + 1, sum + amount)
                let account = ObjectReference(
                    "Account", ObjectKey(Int64.random(in: 0..<Int64(accounts), using: &random)))
                try transaction.set(account, "last", .link(entry))
            }
            let (from, to) = (Int64(number) % Int64(accounts), Int64.random(in: 0..<Int64(accounts), using: &random))
            if from != to {
                for (key, change) in [(from, -number % 7), (to, number % 7)] {
                    guard let account = try table.object(ObjectKey(key)) else {
                        throw ProgramFailure("an account is missing")
                    }
                    let reference = ObjectReference("Account", ObjectKey(key))
                    try transaction.set(reference, "balance", .int(try int(account["balance"]) + change))
                }
            }
            // About as many are removed as added.
            var oldest = try before.table(named: "Entry").objects
            for _ in 0..<(entries > 200 ? Int.random(in: 1...6, using: &random) : 0) {
                guard let entry = try oldest.next() else { break }
                (entries, sum) = (entries - 1, sum - (try int(entry["amount"])))
                try transaction.delete(ObjectReference("Entry", entry.key))
            }
            let reference = ObjectReference("Head", ObjectKey(0))
            for (name, value) in [("commit", number), ("entries", entries), ("sum", sum)] {
                try transaction.set(reference, name, .int(value))
            }
            return number
        }
    }

    /// Checks that everything is from one commit.
    ///
    /// - Returns: its number.
    /// - Throws: `ProgramFailure` if it is not.
    @discardableResult
    package static func check(_ snapshot: Snapshot) throws -> Int64 {
        var total: Int64 = 0
        var accounts = try snapshot.table(named: "Account").objects
        while let account = try accounts.next() { total += try int(account["balance"]) }
        guard total == Int64(Self.accounts) * balance else { throw ProgramFailure("the accounts hold \(total)") }
        var (count, sum): (Int64, Int64) = (0, 0)
        var entries = try snapshot.table(named: "Entry").objects
        while let entry = try entries.next() {
            let id = try int(entry["id"])
            guard case .string(let text) = try entry["text"], text.isEmpty || text.hasPrefix("entry \(id) ") else {
                throw ProgramFailure("the text of entry \(id) is another one")
            }
            (count, sum) = (count + 1, sum + (try int(entry["amount"])))
        }
        guard let head = try snapshot.table(named: "Head").object(ObjectKey(0)) else {
            throw ProgramFailure("the ledger has no head")
        }
        let (entriesOfHead, sumOfHead) = (try int(head["entries"]), try int(head["sum"]))
        guard count == entriesOfHead, sum == sumOfHead else {
            throw ProgramFailure("\(count) entries of \(sum), and not \(entriesOfHead) of \(sumOfHead)")
        }
        return try int(head["commit"])
    }

    private static func int(_ value: RealmCore.Value) throws -> Int64 {
        guard case .int(let number) = value else { throw ProgramFailure("\(value) is not a number") }
        return number
    }
}
