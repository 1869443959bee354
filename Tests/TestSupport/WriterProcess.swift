package import Foundation

/// A program of this package that runs in a separate process.
package enum BuiltProgram {
    /// Returns the path of an executable that was built together with the tests.
    package static func url(_ name: String) throws -> URL {
        #if os(macOS)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
            let folder = (bundle?.bundleURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
        #else
            let folder = Bundle.main.bundleURL
        #endif
        let url = folder.appending(path: name)
        guard FileManager.default.isExecutableFile(atPath: url.path) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
        }
        return url
    }
}

/// A process that commits to a file as `LiveFile` does until it is ended.
package final class WriterProcess {
    private let process = Process()

    /// Starts the process and waits until the file exists.
    package convenience init(path: String, objects: Int) throws { try self.init([path, String(objects)]) }

    /// The number of the process.
    package var number: Int32 { process.processIdentifier }

    /// Starts the process with the given arguments, and waits until it reports that it is ready.
    package init(_ arguments: [String]) throws {
        let output = Pipe()
        process.executableURL = try BuiltProgram.url("LiveWriter")
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let said = try output.fileHandleForReading.read(upToCount: 6) ?? Data()
        precondition(String(decoding: said, as: UTF8.self) == "ready\n", "the writer did not begin")
    }

    /// Ends the process.
    package func end() {
        // The only signal that cannot be blocked; threads that run tests block other signals.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
