import HostileProperties
import Mutation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder of this process, in memory where there is one that is.
private let folder: String = {
    var template = Array("\(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")/realmfile-fuzz-XXXXXX".utf8CString)
    _ = mkdtemp(&template)
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}()

/// What libFuzzer calls with each input: the first byte says what the rest is taken for.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzImport(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let violations = importEverything([UInt8](UnsafeBufferPointer(start: start, count: count)), in: folder)
    // Says why in release builds too.
    if !violations.isEmpty { fatalError(violations.joined(separator: "\n")) }
    return 0
}
