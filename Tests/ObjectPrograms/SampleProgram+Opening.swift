import Foundation
import RealmForensics
import RealmObjects
import RealmStorage

// Closes the database and reopens it, as it is, compacted, or as a copy.
extension SampleProgram {
    func openAgain() throws {
        let way = world.dice.roll(4)
        // Frozen realms keep the database open.
        if world.dice.roll(2) == 0 { frozen = [] }
        try onQueue {
            watch?.stop()
            watch = nil
            world.live = [:]
            if configuration.fileURL == nil {
                world.realm.invalidate()
            } else {
                if way == 0 { try goOnWithCopy() }
                world.realm = nil
            }
        }
        // Objects held by observers are released after the last block of the queue.
        try onQueue {
            var configuration = configuration
            if way == 1, configuration.fileURL != nil { configuration.shouldCompactOnLaunch = { _, _ in true } }
            if world.realm == nil { world.realm = try Realm(configuration: configuration, queue: queue) }
            compare(all: true)
            watch = Watch(world, world.sample(0))
        }
    }

    /// Writes a copy, with another key or none, and continues with it as the database.
    private func goOnWithCopy() throws {
        let old = configuration.fileURL
        let key = world.dice.roll(2) == 0 ? nil : Data(repeating: UInt8(world.dice.roll(256)), count: 64)
        let url = folder.appending(path: "\(UUID()).realm")
        try world.realm.writeCopy(toFile: url, encryptionKey: key)
        (configuration.fileURL, configuration.encryptionKey) = (url, key)
        if let old { Self.remove(old) }
    }

    /// Checks that the file has no damage, and that reopening it gives the same content.
    func lookAtFile() throws {
        guard let url = configuration.fileURL else { return }
        let key = try configuration.encryptionKey.map { try EncryptionKey(bytes: [UInt8]($0)) }
        let (verification, source) = (Verification(level: .deep), try ByteSource(path: url.path))
        let report = try key.map { try verification.run(on: source, key: $0) } ?? verification.run(on: source)
        for finding in report.findings where finding.severity != .info { world.fail("\(finding)") }
        onAnotherThread { [self] in
            do {
                world.realm = try Realm(configuration: configuration)
                compare(all: true)
                world.live = [:]
                world.realm = nil
            } catch { world.fail("\(error)") }
        }
        Self.remove(url)
    }

    private static func remove(_ url: URL) {
        for suffix in ["", ".lock", ".management", ".note"] {
            try? FileManager.default.removeItem(atPath: url.path + suffix)
        }
    }
}
