import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A process that commits to a file until it is told to end: `LiveWriter FILE OBJECTS`.
///
/// Bursts of commits and pauses take turns, so that there are reads during which nothing, one thing and much happens.
@main
enum LiveWriter {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let objects = Int(arguments[2]) else { exit(64) }
        let file = LiveFile(path: arguments[1], objects: objects)
        print("ready")
        fflush(nil)
        var random = SystemRandomNumberGenerator()
        // Ends with the process that started it, whatever becomes of that.
        let parent = getppid()
        while getppid() == parent {
            for _ in 0..<Int.random(in: 1...20, using: &random) { file.commitNext() }
            usleep(UInt32.random(in: 0...20_000, using: &random))
        }
    }
}
