import CChild
import Foundation
import RealmFile

/// A measured job of transactions.
struct LiveJob: Sendable {
    enum Body: Sendable {
        case plain(@Sendable (Stage) throws -> Measurement)
        case tasks(@Sendable (Stage) async throws -> Measurement)
    }

    let name: String
    /// The unit that is counted.
    let unit: String
    /// The time of Realm Core 14.14 for a million objects, and the target, as written in the table.
    var core = ""
    var target = ""
    var durability = RealmStore.Durability.none
    /// Whether the wall time counts.
    var isOnClock = false
    /// The symbol in the plot.
    var sign: Character = " "
    let body: Body

    func run(on stage: Stage) async throws -> Measurement {
        switch body {
        case .plain(let run): try run(stage)
        case .tasks(let run): try await run(stage)
        }
    }

    static let commits = 2000
    static let writers = 32

    /// The jobs after the first one, which creates the file (`Stage.make`).
    static let all = [
        LiveJob(
            name: "2,000 commits of one object", unit: "a commit", core: "0.63 s", target: "≤ 0.2 s", sign: "c",
            body: .plain { try commits(of: 1, .none, $0) }),
        LiveJob(
            name: "the same, full sync: processor", unit: "a commit", core: "0.92 s", durability: .full,
            body: .plain { try commits(of: 1, .full, $0) }),
        LiveJob(
            name: "the same, full sync: wall", unit: "a commit", core: "2.56 s", target: "≤ 1.8 s", durability: .full,
            isOnClock: true, body: .plain { try commits(of: 1, .full, $0) }),
        LiveJob(
            name: "the disk alone: two small writes and syncs: wall", unit: "a commit", durability: .full,
            isOnClock: true, body: .plain { try syncs($0) }),
        LiveJob(
            name: "full sync, \(writers) tasks: wall", unit: "a commit", target: "≤ 1/10 of one by one",
            durability: .full, isOnClock: true, body: .tasks { try await sharedCommits($0) }),
        LiveJob(
            name: "100,000 updates by random primary key, one commit", unit: "an update", core: "0.19 s",
            target: "≤ 0.1 s", sign: "u", body: .plain { try updates(100_000, commits: 1, $0) }),
        LiveJob(
            name: "1,000 commits of 10 random updates", unit: "a commit", core: "1.42 s", target: "≤ 0.6 s", sign: "t",
            body: .plain { try updates(10, commits: 1000, $0) }),
        LiveJob(
            name: "10,000 commits of an update, a snapshot kept of each", unit: "a commit",
            body: .plain { try pinnedCommits($0) }),
        LiveJob(
            name: "a tenth removed, one commit", unit: "an object", core: "0.74 s", target: "≤ 0.3 s", sign: "r",
            body: .plain { try removals($0) }),
        LiveJob(
            name: "changes(since:), 10 changes", unit: "a call", target: "≤ 100 µs a call", sign: "d",
            body: .plain { try differences($0) }),
    ]

    /// The first job, as shown in tables.
    static let making = LiveJob(
        name: "all objects in one commit", unit: "an object", core: "5.1 s", target: "≤ 1.0 s", sign: "a",
        body: .plain { try $0.make() })

    /// The same job with values in other forms than literals.
    static let makingOtherwise: [(form: Stage.Form, job: LiveJob)] = [
        (.dictionary, "a dictionary an object"), (.ordered, "values in the order of names"),
    ].map { form, name in
        let job = LiveJob(
            name: "the same, \(name)", unit: "an object", core: "5.1 s", target: "≤ 1.0 s",
            body: .plain { try $0.make(form) })
        return (form, job)
    }

    private static func commits(
        of objects: Int, _ durability: RealmStore.Durability, _ stage: Stage
    ) throws -> Measurement {
        let store = try stage.store(durability)
        let owners = try store.write { try PersonTable.owners($0) }
        return try Measurement(commits) {
            for number in 0..<commits {
                let values = PersonTable.values(stage.objects + number, owners[number % owners.count])
                try store.write { _ = try $0.add("Person", values) }
            }
        }
    }

    /// Measures the minimum disk work of a durable commit: its nodes and the header, with a sync after each.
    private static func syncs(_ stage: Stage) throws -> Measurement {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: stage.freshCopy(on: .full)))
        defer { try? file.close() }
        let size = 16384
        return try Measurement(commits) {
            for number in 0..<commits {
                // Existing bytes are overwritten.
                for (place, count) in [(1 + number % 32, size), (0, 24)] {
                    try file.seek(toOffset: UInt64(place * size))
                    let bytes = try file.read(upToCount: count) ?? Data()
                    try file.seek(toOffset: UInt64(place * size))
                    try file.write(contentsOf: bytes)
                    try file.synchronize()
                }
            }
        }
    }

    private static func sharedCommits(_ stage: Stage) async throws -> Measurement {
        let store = try stage.store(.full)
        let owners = try await store.write { try PersonTable.owners($0) }
        return try await Measurement(commits) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        for number in stride(from: writer, to: commits, by: writers) {
                            let values = PersonTable.values(stage.objects + number, owners[number % owners.count])
                            try await store.write { _ = try $0.add("Person", values) }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func updates(_ updates: Int, commits: Int, _ stage: Stage) throws -> Measurement {
        let store = try stage.store()
        var random = SameNumbers()
        return try Measurement(commits == 1 ? updates : commits) {
            for commit in 0..<commits {
                try store.write { transaction in
                    for number in 0..<updates {
                        let id = Int.random(in: 0..<stage.objects, using: &random)
                        try PersonTable.update(id, Double(commit + number), in: transaction)
                    }
                }
            }
        }
    }

    /// Measures commits whose states are all kept.
    private static func pinnedCommits(_ stage: Stage) throws -> Measurement {
        let store = try stage.store()
        var random = SameNumbers()
        var kept: [Snapshot] = []
        let commits = 10_000
        return try Measurement(commits) {
            for commit in 0..<commits {
                let id = Int.random(in: 0..<stage.objects, using: &random)
                try store.write { try PersonTable.update(id, Double(commit), in: $0) }
                kept.append(store.snapshot())
            }
            guard Set(kept.map(\.commitNumber)).count == commits else { throw CocoaError(.coderValueNotFound) }
        }
    }

    private static func removals(_ stage: Stage) throws -> Measurement {
        let store = try stage.store()
        var random = SameNumbers()
        let ids = Array(0..<stage.objects).shuffled(using: &random).prefix(stage.objects / 10)
        return try Measurement(ids.count) {
            try store.write { transaction in
                for id in ids { try PersonTable.remove(id, in: transaction) }
            }
        }
    }

    private static func differences(_ stage: Stage) throws -> Measurement {
        let store = try stage.store()
        var random = SameNumbers()
        let before = store.snapshot()
        try store.write { transaction in
            for _ in 0..<10 {
                try PersonTable.update(Int.random(in: 0..<stage.objects, using: &random), -1, in: transaction)
            }
        }
        let after = store.snapshot()
        let calls = 200
        return try Measurement(calls) {
            for _ in 0..<calls {
                let changes = try after.changes(since: before)
                guard changes.tables.count == 1 else { throw CocoaError(.coderValueNotFound) }
            }
        }
    }
}
