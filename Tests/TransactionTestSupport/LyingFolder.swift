private import Foundation
package import RealmLayout
internal import RealmStorage
import Synchronization

/// The real system, with a record of the operations on the files of one folder, in order to compute its possible states
/// after a power failure.
///
/// Writes since a file was last synchronised may be lost, sector by sector. Changes of names since the folder was
/// synchronised may be lost individually.
package final class LyingFolder: OutputSystem {
    package enum Event: Sendable {
        /// An operation on a file, whatever its name.
        case file(Int, LyingDisk.Event)
        /// Names that are added, changed and removed atomically: the number of their file, nil for none.
        case names([String: Int?])
        case synchronizeNames
    }

    private struct State {
        /// The existing files by their system identifiers; identifiers of deleted files may be reused.
        var numbers: [UInt64: Int] = [:]
        /// The initial content of each file.
        var contents: [[UInt8]] = []
        var sizes: [Int] = []
        /// The initial names.
        var names: [String: Int] = [:]
        var events: [Event] = []

        mutating func add(_ identity: UInt64, _ content: [UInt8]) -> Int {
            contents.append(content)
            sizes.append(content.count)
            numbers[identity] = contents.count - 1
            return contents.count - 1
        }
    }

    private let real = RealSystem()
    private let state = Mutex(State())

    /// Starts recording the operations in a folder.
    package init(_ folder: String) throws {
        let manager = FileManager.default
        for name in try manager.contentsOfDirectory(atPath: folder).sorted() {
            let path = folder + "/" + name
            let content = [UInt8](try Data(contentsOf: URL(filePath: path)))
            guard let identity = Self.identity(path) else { continue }
            state.withLock { $0.names[name] = $0.add(identity, content) }
        }
    }

    package var count: Int { state.withLock { $0.events.count } }

    /// Returns the content of the folder after a power failure.
    ///
    /// - Parameters:
    ///   - end: the number of events that have happened.
    ///   - survives: whether an unsynchronised change reached the disk.
    package func image(upTo end: Int, sector: Int, survives: () -> Bool) -> [String: [UInt8]] {
        let (events, contents, start) = state.withLock { (Array($0.events[..<end]), $0.contents, $0.names) }
        let safe = events.lastIndex { if case .synchronizeNames = $0 { true } else { false } } ?? 0
        var names = start
        for (index, event) in events.enumerated() {
            guard case .names(let changes) = event, index < safe || survives() else { continue }
            for (name, file) in changes { names[name] = file }
        }
        return names.mapValues { file in
            let own = events.compactMap { event in
                if case .file(file, let event) = event { event } else { nil as LyingDisk.Event? }
            }
            return own.image(of: contents[file], upTo: own.count, sector: sector, survives: survives)
        }
    }

    // MARK: File identifiers

    private static func identity(_ path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    private static func identity(_ descriptor: Int32) -> UInt64? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    private static func name(_ path: String) -> String { path.split(separator: "/").last.map { String($0) } ?? path }

    private func note(_ descriptor: Int32, _ event: (inout State, Int) -> Void) {
        guard let identity = Self.identity(descriptor) else { return }
        state.withLock { state in
            guard let file = state.numbers[identity] else { return }
            event(&state, file)
        }
    }

    // MARK: Calls

    package func createFile(_ path: String, permissions: UInt32) -> Int {
        let result = real.createFile(path, permissions: permissions)
        guard result >= 0, let identity = Self.identity(Int32(result)) else { return result }
        state.withLock { $0.events.append(.names([Self.name(path): $0.add(identity, [])])) }
        return result
    }

    package func openFile(_ path: String) -> Int { real.openFile(path) }

    package func writeBytes(_ bytes: ByteView, to descriptor: Int32, at offset: Int?) -> Int {
        note(descriptor) { state, file in
            let start = offset ?? state.sizes[file]
            if start + bytes.count > state.sizes[file] {
                state.sizes[file] = start + bytes.count
                state.events.append(.file(file, .grow(start + bytes.count)))
            }
            state.events.append(.file(file, .write(offset: start, bytes: bytes.bytes)))
        }
        return real.writeBytes(bytes, to: descriptor, at: offset)
    }

    package func synchronize(_ descriptor: Int32) -> Int {
        note(descriptor) { state, file in state.events.append(.file(file, .synchronize)) }
        return real.synchronize(descriptor)
    }

    package func growFile(_ descriptor: Int32, to size: Int) -> Int {
        note(descriptor) { state, file in
            state.sizes[file] = max(state.sizes[file], size)
            state.events.append(.file(file, .grow(size)))
        }
        return real.growFile(descriptor, to: size)
    }

    package func closeFile(_ descriptor: Int32) -> Int { real.closeFile(descriptor) }

    package func renameFile(_ path: String, to other: String) -> Int {
        name(path) { [Self.name(path): nil, Self.name(other): $0] }
        return real.renameFile(path, to: other)
    }

    package func linkFile(_ path: String, as other: String) -> Int {
        let result = real.linkFile(path, as: other)
        if result >= 0 { name(path) { [Self.name(other): $0] } }
        return result
    }

    private func name(_ path: String, _ changes: (Int) -> [String: Int?]) {
        guard let identity = Self.identity(path) else { return }
        state.withLock { state in
            if let file = state.numbers[identity] { state.events.append(.names(changes(file))) }
        }
    }

    package func removeFile(_ path: String) -> Int {
        state.withLock { $0.events.append(.names([Self.name(path): nil])) }
        return real.removeFile(path)
    }

    package func synchronizeFolder(_ path: String) -> Int {
        state.withLock { $0.events.append(.synchronizeNames) }
        return real.synchronizeFolder(path)
    }

    package func lockFile(_ path: String) -> Int { real.lockFile(path) }
    package func unlockFile(_ descriptor: Int32) -> Int { real.unlockFile(descriptor) }
    package func truncateFile(_ descriptor: Int32) -> Int { real.truncateFile(descriptor) }
}
