import HostileProperties
import Mutation

/// What libFuzzer calls with each input: the bytes as a file of one of the formats 2 to 9, whatever they were before.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLegacy(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    // The format numbers of both slots.
    for offset in 20..<22 where bytes.count > offset && !(2...9).contains(bytes[offset]) {
        bytes[offset] = 2 + bytes[offset] % 8
    }
    // A low limit, because many small inputs find more than a few that take long.
    _ = readEverything(bytes, limit: 10_000 + 8 * count)
    return 0
}
