package import RealmLayout
import RealmStorage
import Synchronization

/// The real system, except that one of its calls fails, and that it may write fewer bytes than requested.
package final class FaultySystem: OutputSystem {
    /// The failure of a call.
    package struct Fault {
        /// The number of the call, from 0 on.
        let call: Int
        let code: Int32

        package init(call: Int, code: Int32) {
            self.call = call
            self.code = code
        }
    }

    private let real = RealSystem()
    private let fault: Fault?
    private let longestWrite: Int?
    private let names = Mutex([String]())

    package init(_ fault: Fault? = nil, longestWrite: Int? = nil) {
        self.fault = fault
        self.longestWrite = longestWrite
    }

    /// The calls so far.
    package var calls: [String] { names.withLock { $0 } }

    private func call(_ name: String, _ body: () -> Int) -> Int {
        let number = names.withLock { names in
            names.append(name)
            return names.count - 1
        }
        guard let fault, fault.call == number else { return body() }
        // A descriptor is closed and a lock file is released whatever the call returns.
        if name == "close" { _ = body() }
        return -Int(fault.code)
    }

    package func createFile(_ path: String, permissions: UInt32) -> Int {
        call("create") { real.createFile(path, permissions: permissions) }
    }
    package func openFile(_ path: String) -> Int { call("open") { real.openFile(path) } }
    package func writeBytes(_ bytes: ByteView, to descriptor: Int32, at offset: Int?) -> Int {
        call("write") {
            let count = min(bytes.count, longestWrite ?? .max)
            return real.writeBytes(bytes.slice(at: 0, count: count) ?? bytes, to: descriptor, at: offset)
        }
    }
    package func synchronize(_ descriptor: Int32) -> Int { call("synchronize") { real.synchronize(descriptor) } }
    package func growFile(_ descriptor: Int32, to size: Int) -> Int {
        call("grow") { real.growFile(descriptor, to: size) }
    }
    package func closeFile(_ descriptor: Int32) -> Int { call("close") { real.closeFile(descriptor) } }
    package func renameFile(_ path: String, to other: String) -> Int {
        call("rename") { real.renameFile(path, to: other) }
    }
    package func linkFile(_ path: String, as other: String) -> Int { call("link") { real.linkFile(path, as: other) } }
    package func removeFile(_ path: String) -> Int {
        // Not counted: a failure here has no remedy.
        real.removeFile(path)
    }
    package func synchronizeFolder(_ path: String) -> Int { call("synchronizeFolder") { real.synchronizeFolder(path) } }
    package func lockFile(_ path: String) -> Int { call("lock") { real.lockFile(path) } }
    package func unlockFile(_ descriptor: Int32) -> Int { call("close") { real.unlockFile(descriptor) } }
    package func truncateFile(_ descriptor: Int32) -> Int { call("truncate") { real.truncateFile(descriptor) } }
}
