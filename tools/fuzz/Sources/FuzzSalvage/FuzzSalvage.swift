import HostileProperties
import Mutation
import RealmFile

/// The entry point of libFuzzer, called with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSalvage(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    // One in four is encrypted, depending only on the bytes.
    let isEncrypted = bytes.reduce(UInt8(0)) { $0 &* 31 &+ $1 } & 3 == 0
    let violations =
        isEncrypted
        ? salvageEncrypted(bytes, in: folderForSalvage)
        : salvageEverything(bytes, root: .chosen(by: bytes), in: folderForSalvage)
    // Prints the reason in release builds too.
    if !violations.isEmpty { fatalError(violations.joined(separator: "\n")) }
    return 0
}
