import HostileProperties
import Mutation

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzExport(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    // A low limit, because many small inputs find more than a few that take long.
    let outcome = exportEverything(bytes, ExportCombination.chosen(by: bytes), limit: 100_000 + 64 * count)
    // Says why in release builds too.
    if !outcome.violations.isEmpty { fatalError(outcome.violations.joined(separator: "\n")) }
    return 0
}
