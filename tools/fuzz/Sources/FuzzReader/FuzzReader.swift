import HostileProperties
import Mutation

/// The entry point of libFuzzer, called with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // A low limit, because many small inputs find more than a few slow ones.
    _ = readEverything([UInt8](UnsafeBufferPointer(start: start, count: count)), limit: 10_000 + 8 * count)
    return 0
}
