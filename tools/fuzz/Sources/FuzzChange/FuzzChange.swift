import HostileProperties
import Mutation

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzChange(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    let violations = changeEverything(bytes, in: folderForSalvage)
    // Says why in release builds too.
    if !violations.isEmpty { fatalError(violations.joined(separator: "\n")) }
    return 0
}
