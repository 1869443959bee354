import HostileProperties
import Mutation

/// What libFuzzer calls with each input: the bytes as a file of one of the formats 2 to 9, whatever they were before.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLegacy(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // A low limit, because many small inputs find more than a few that take long.
    _ = readAsLegacy([UInt8](UnsafeBufferPointer(start: start, count: count)), limit: 10_000 + 8 * count)
    return 0
}
