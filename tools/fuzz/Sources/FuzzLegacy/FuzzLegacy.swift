import HostileProperties
import Mutation

/// The entry point of libFuzzer, called with each input: the bytes are read as a file of one of the formats 2 to 9.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLegacy(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // A low limit, because many small inputs find more than a few slow ones.
    _ = readAsLegacy([UInt8](UnsafeBufferPointer(start: start, count: count)), limit: 10_000 + 8 * count)
    return 0
}
