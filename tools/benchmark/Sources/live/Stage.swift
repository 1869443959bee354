import CChild
import Foundation
import RealmFile
import RealmForensics

/// The cost of a job.
struct Measurement {
    /// Seconds of processor time, in user and system mode.
    var processor: Double
    /// Seconds of wall time.
    var wall: Double
    /// The number of objects, commits or updates.
    var count: Int

    init(_ count: Int, _ body: () throws -> Void) rethrows {
        let (processor, wall) = (process_cpu_seconds(), wall_seconds())
        try body()
        self.processor = process_cpu_seconds() - processor
        self.wall = wall_seconds() - wall
        self.count = count
    }

    init(_ count: Int, _ body: () async throws -> Void) async rethrows {
        let (processor, wall) = (process_cpu_seconds(), wall_seconds())
        try await body()
        self.processor = process_cpu_seconds() - processor
        self.wall = wall_seconds() - wall
        self.count = count
    }
}

/// The environment of a job: a file of `objects` persons, of which each job gets a copy.
struct Stage {
    let objects: Int
    private let original: String
    private let copy: String
    private let synced: String

    /// - Parameters:
    ///   - file: the file to copy; nil for one in `folder`.
    ///   - folder: for files of jobs that do not synchronise.
    ///   - disk: for files of jobs that do.
    init(_ objects: Int, _ file: String?, in folder: URL, disk: URL) {
        self.objects = objects
        original = file ?? folder.appending(path: "original.realm").path
        copy = folder.appending(path: "copy.realm").path
        synced = disk.appending(path: "synced.realm").path
    }

    /// The form in which values are passed to the store.
    enum Form {
        /// By name in a literal, in a dictionary, or in the order of names.
        case literal, dictionary, ordered
    }

    /// Creates the file that the other jobs copy.
    ///
    /// - Returns: the cost of adding all persons in one commit.
    func make(_ form: Form = .literal) throws -> Measurement {
        try PersonTable.make(at: original)
        let store = try RealmStore(path: original, options: .init(durability: .none))
        let owners = try store.write { try PersonTable.owners($0) }
        return try Measurement(objects) {
            try store.write { transaction in
                for id in 0..<objects {
                    let owner = owners[id % owners.count]
                    switch form {
                    case .literal: try PersonTable.add(id, owner, to: transaction)
                    case .dictionary: _ = try transaction.add("Person", PersonTable.values(id, owner))
                    case .ordered:
                        let values = PersonTable.ordered(id, owner)
                        _ = try transaction.add("Person", properties: PersonTable.names, values: values)
                    }
                }
            }
        }
    }

    /// Whether the file already exists.
    var isMade: Bool { FileManager.default.fileExists(atPath: original) }

    var fileSize: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: original)
        return (attributes?[.size] as? Int) ?? 0
    }

    /// Opens a copy.
    ///
    /// - Parameter durability: the durability of each commit; the copy is on disk if commits synchronise.
    func store(_ durability: RealmStore.Durability = .none) throws -> RealmStore {
        try RealmStore(path: freshCopy(on: durability), options: .init(durability: durability))
    }

    /// Returns the path of a copy for a job with the durability.
    func freshCopy(on durability: RealmStore.Durability = .none) throws -> String {
        let path = path(durability)
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: original, toPath: path)
        guard durability != .none else { return path }
        // Otherwise the first commit would wait for the whole copy.
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.synchronize()
        try file.close()
        return path
    }

    private func path(_ durability: RealmStore.Durability) -> String { durability == .none ? copy : synced }

    /// Removes all files.
    func remove() throws {
        for path in [original, copy, synced] where FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    /// Returns the number of findings in a check of the file that a job changed.
    func findings(_ durability: RealmStore.Durability) throws -> Int {
        Verification(level: .deep).run(on: try ByteSource(path: path(durability))).findings.count
    }
}
