import HostileProperties
import Mutation
import RealmFile

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSalvage(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    let violations = salvageEverything(bytes, root: .chosen(by: bytes), in: folderForSalvage)
    // Says why in release builds too.
    if !violations.isEmpty { fatalError(violations.joined(separator: "\n")) }
    return 0
}
