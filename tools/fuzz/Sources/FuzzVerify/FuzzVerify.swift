import HostileProperties
import Mutation

/// The entry point of libFuzzer, called with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzVerify(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    let outcome = verifyEverything(bytes, ExportCombination.chosen(by: bytes))
    // Prints the reason in release builds too.
    if !outcome.violations.isEmpty { fatalError(outcome.violations.joined(separator: "\n")) }
    return 0
}
