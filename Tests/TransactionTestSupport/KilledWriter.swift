package import Foundation
package import RealmCore
internal import RealmForensics
internal import RealmStorage
internal import RealmStore

/// A process that writes a ledger until it is killed, repeatedly: `CrashTool write PATH KEY DURABILITY LIMIT`.
package struct KilledWriter {
    package let program: URL
    package let path: String
    package let isEncrypted: Bool

    package init(_ program: URL, path: String, isEncrypted: Bool) throws {
        (self.program, self.path, self.isEncrypted) = (program, path, isEncrypted)
        var file = NewFile(path)
        file.key = try key
        try Ledger.make(file)
    }

    private var key: EncryptionKey? { get throws { try Self.key(isEncrypted) } }

    private static func key(_ isEncrypted: Bool) throws -> EncryptionKey? {
        isEncrypted ? try EncryptionKey(bytes: [UInt8](repeating: 33, count: 64)) : nil
    }

    /// Opens the file as another process would.
    package func database() throws -> RealmDatabase {
        try key.map { try RealmDatabase(path: path, key: $0) } ?? RealmDatabase(path: path)
    }

    /// Starts the process, and kills it after a while.
    ///
    /// - Returns: the number of the last commit that it reported, and the one in the file.
    /// - Throws: `ProgramFailure` if the file contains no complete commit, or an older one.
    package func kill(after seconds: Double) throws -> (told: Int64, found: Int64) {
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments = ["write", path, isEncrypted ? "encrypted" : "plain", "0"]
        process.standardOutput = output
        try process.run()
        // Waits for the first commit, so that there is something to kill.
        var said = try output.fileHandleForReading.read(upToCount: 1) ?? Data()
        Thread.sleep(forTimeInterval: seconds)
        Foundation.kill(process.processIdentifier, SIGKILL)
        said += try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        // The last line may be incomplete.
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard let told = lines.dropLast().last.flatMap({ Int64($0) }) else {
            throw ProgramFailure("the process said nothing but: \(lines)")
        }
        let found = try Ledger.check(database().snapshot())
        // The next commit may have completed without being reported.
        guard found == told || found == told + 1 else {
            throw ProgramFailure("commit \(told) was told of, and \(found) is in the file")
        }
        return (told, found)
    }

    /// Runs the process until its file cannot grow any more.
    ///
    /// - Returns: its last output.
    package func write(upTo size: Int) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments = ["write", path, isEncrypted ? "encrypted" : "plain", String(size)]
        process.standardOutput = output
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self).split(separator: "\n").last.map { String($0) } ?? ""
    }

    /// Checks every page and node of a file.
    package func verify() throws {
        let (source, verification) = (try ByteSource(path: path), Verification(level: .deep))
        let report = try key.map { try verification.run(on: source, key: $0) } ?? verification.run(on: source)
        if let finding = report.findings.first(where: { $0.severity == .error }) {
            throw ProgramFailure("\(finding.check.rawValue) \(finding.place): \(finding.message)")
        }
    }

    /// The code of the process: commits, and reports the number of each commit when it is on disk. Ends with its parent
    /// process.
    ///
    /// - Parameter limit: the maximum size of the file in bytes; 0 for no limit.
    /// - Throws: the error of opening the store.
    package static func run(path: String, isEncrypted: Bool, limit: Int) throws {
        let store = try RealmStore(path: path, options: .init(key: key(isEncrypted)))
        func say(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8)) }
        if limit > 0 {
            signal(SIGXFSZ, SIG_IGN)
            var bound = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &bound)
        }
        let parent = getppid()
        while getppid() == parent {
            do {
                say("\(try Ledger.commit(store))")
            } catch WriteError.storage(let error) where limit > 0 {
                // Nothing has changed, and the next commit fails for the same reason, if it needs as much.
                let last = try Ledger.check(store.snapshot())
                if let next = try? Ledger.commit(store), next != last + 1 { return say("commit \(next) after \(last)") }
                return say("full after \(last): \(error)")
            }
        }
    }
}
