import HostileProperties

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = readEverything([UInt8](UnsafeBufferPointer(start: start, count: count)))
    return 0
}
