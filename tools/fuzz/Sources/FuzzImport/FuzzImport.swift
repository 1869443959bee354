import HostileProperties
import Mutation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder for this process, in memory if possible.
private let folder: String = {
    var template = Array("\(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")/realmfile-fuzz-XXXXXX".utf8CString)
    _ = mkdtemp(&template)
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}()

/// The entry point of libFuzzer, called with each input: the first byte selects the form of the rest.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzImport(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let violations = importEverything([UInt8](UnsafeBufferPointer(start: start, count: count)), in: folder)
    // Prints the reason in release builds too.
    if !violations.isEmpty { fatalError(violations.joined(separator: "\n")) }
    return 0
}
