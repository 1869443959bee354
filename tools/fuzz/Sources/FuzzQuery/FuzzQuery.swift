import HostileProperties
import Mutation

/// The entry point of libFuzzer, called with each input: a file, if it has the mnemonic, otherwise the text of a query.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzQuery(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    let isFile = count >= 24 && bytes[16..<20].elementsEqual("T-DB".utf8)
    let violations = isFile ? queryEverything(bytes) : queryText(bytes)
    // Prints the reason in release builds too.
    if !violations.isEmpty { fatalError(violations.joined(separator: "\n")) }
    return 0
}
