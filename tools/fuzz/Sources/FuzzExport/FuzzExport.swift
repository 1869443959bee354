import HostileProperties
import Mutation

/// The entry point of libFuzzer, called with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzExport(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    // A low limit, because many small inputs find more than a few slow ones.
    let outcome = exportEverything(bytes, ExportCombination.chosen(by: bytes), limit: 100_000 + 64 * count)
    // Prints the reason in release builds too.
    if !outcome.violations.isEmpty { fatalError(outcome.violations.joined(separator: "\n")) }
    return 0
}
