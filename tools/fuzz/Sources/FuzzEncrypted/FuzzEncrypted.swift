import HostileProperties
import Mutation

/// The entry point of libFuzzer, called with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEncrypted(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // A low limit, because many small inputs find more than a few slow ones.
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    let result = readEncrypted(bytes, limit: 10_000 + 8 * count)
    // Prints the reason in release builds too.
    if !result.violations.isEmpty { fatalError(result.violations.joined(separator: "\n")) }
    return 0
}
