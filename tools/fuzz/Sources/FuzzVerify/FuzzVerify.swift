import HostileProperties
import Mutation

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzVerify(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    let outcome = verifyEverything(bytes, ExportCombination.chosen(by: bytes))
    // Says why in release builds too.
    if !outcome.violations.isEmpty { fatalError(outcome.violations.joined(separator: "\n")) }
    return 0
}
