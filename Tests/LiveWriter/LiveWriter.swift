import RealmStore
import TestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A process that commits to a file until it is stopped: `LiveWriter FILE OBJECTS`, or `LiveWriter store FILE` to
/// change dogs of one age in transactions. `LiveWriter hold FILE MILLISECONDS` keeps the file open for that time
/// instead.
///
/// Bursts of commits and pauses alternate, so that reads coincide with no, one and many changes.
@main
enum LiveWriter {
    static func main() {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "store": return write(to: arguments[2])
        case "hold": return hold(arguments[2], milliseconds: Int(arguments[3]) ?? 0)
        default: break
        }
        guard arguments.count == 3, let objects = Int(arguments[2]) else { exit(64) }
        let file = LiveFile(path: arguments[1], objects: objects)
        sayReady()
        var random = SystemRandomNumberGenerator()
        // Ends with its parent process, however that ends.
        let parent = getppid()
        while getppid() == parent {
            for _ in 0..<Int.random(in: 1...20, using: &random) { file.commitNext() }
            usleep(UInt32.random(in: 0...20_000, using: &random))
        }
    }

    private static func sayReady() {
        print("ready")
        fflush(nil)
    }

    /// Moves years between dogs, so that their sum stays constant.
    private static func write(to path: String) {
        guard let store = try? RealmStore(path: path, options: .init(durability: .none)) else { exit(1) }
        sayReady()
        var random = SystemRandomNumberGenerator()
        let parent = getppid()
        while getppid() == parent {
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let years = Int64.random(in: 1...9, using: &random)
                do {
                    try store.write { transaction in
                        for number in 0..<100 {
                            guard let dog = try transaction.object("Dog", primaryKey: .int(Int64(number))) else {
                                exit(1)
                            }
                            try transaction.set(dog, "age", .int(number % 2 == 0 ? 1 + years : 1 - years))
                            try transaction.set(dog, "name", .string("\(years)"))
                        }
                    }
                } catch { exit(1) }
            }
            usleep(UInt32.random(in: 0...5_000, using: &random))
        }
    }

    private static func hold(_ path: String, milliseconds: Int) {
        guard let store = try? RealmStore(path: path, options: .init(durability: .none)) else { exit(1) }
        sayReady()
        usleep(UInt32(milliseconds * 1000))
        withExtendedLifetime(store) {}
    }
}
