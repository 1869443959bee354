internal import RealmFile

/// The outcome of reading an encrypted file.
public struct EncryptedOutcome: Sendable {
    /// The result of reading.
    public var outcome: Outcome
    /// Violations: differences between reading the encrypted and the plain file.
    public var violations: [String] = []
}

/// Encrypts `bytes` and reads everything. For any bytes, this returns an outcome without `violations`.
///
/// A hash of the bytes determines how often pages were written, which of them have the content of the previous write,
/// and how many pages the reader may cache. For half of all inputs, it also determines damage to the encrypted file:
/// pages without data, changed bytes in tables and pages, truncation. The fuzzer therefore changes plain bytes, which
/// reach every part of the reader, and failures are reproducible. Without damage to the encryption, the outcome for the
/// encrypted file equals that for the plain one.
public func readEncrypted(_ bytes: [UInt8], limit: Int? = nil) -> EncryptedOutcome {
    var chance = Chance(bytes)
    let (file, isDamaged) = encrypted(bytes, &chance)
    let kept = [1, 3, 1000][chance.next(3)] * PageEncryptor.pageSize
    let limit = limit ?? 100_000 + 64 * bytes.count
    var result = EncryptedOutcome(
        outcome: readEverything(limit: limit) { () throws(FormatError) in
            try open(file, keeping: kept)
        })
    let plain = PageEncryptor.padded(bytes)
    if !isDamaged, !file.isEmpty, hasHeader(plain) {
        let expected = readEverything(plain, limit: limit)
        if result.outcome != expected { result.violations.append("\(result.outcome), plain \(expected)") }
    }
    return result
}

/// Encrypts `bytes` in one of many ways, and damages half of the results.
func encrypted(_ bytes: [UInt8], _ chance: inout Chance) -> (file: [UInt8], isDamaged: Bool) {
    let plain = PageEncryptor.padded(bytes)
    let pageCount = plain.count / PageEncryptor.pageSize
    var encryptor = PageEncryptor(key: PageEncryptor.plainKey)
    let isDamaged = chance.next(2) == 1
    for page in 0..<pageCount { encryptor.forms[page] = form(&chance, isDamaged: isDamaged && chance.next(8) == 0) }
    encryptor.hasTrailingTable = pageCount % 64 == 0 && chance.next(2) == 0
    var file = encryptor.encrypt(plain)
    if isDamaged { damage(&file, &chance) }
    return (file, isDamaged)
}

/// Whether bytes begin like a Realm file. Other content has different error messages when it is encrypted.
private func hasHeader(_ bytes: [UInt8]) -> Bool { bytes.count >= 24 && bytes[16..<20].elementsEqual("T-DB".utf8) }

private func open(_ file: [UInt8], keeping limit: Int) throws(FormatError) -> RealmDatabase {
    do {
        let key = try EncryptionKey(bytes: PageEncryptor.plainKey)
        return try RealmDatabase(source: ByteSource(bytes: file), key: key, decryptedLimit: limit)
    } catch let error as FormatError {
        throw error
    } catch {
        // Out of memory: not the subject of the test, so that the file counts as empty.
        return try RealmDatabase(bytes: [])
    }
}

private func form(_ chance: inout Chance, isDamaged: Bool) -> PageEncryptor.Form {
    let counter = UInt32(truncatingIfNeeded: chance.next(1 << 32)) | 1
    let before = counter == 1 ? UInt32.max : counter - 1
    if isDamaged {
        switch chance.next(3) {
        case 0: return .neverWritten
        case 1: return .interruptedFirstWrite
        default: return .zeroed(counter, before: before)
        }
    }
    switch chance.next(3) {
    case 0: return .written(1)
    case 1: return .written(counter, before: before)
    default: return .interruptedRewrite(counter, before: before)
    }
}

/// Changes some bytes, or removes the end or a table of entries.
private func damage(_ file: inout [UInt8], _ chance: inout Chance) {
    if chance.next(4) == 0 {
        for index in 0..<min(file.count, PageEncryptor.pageSize) { file[index] = 0 }
    }
    for _ in 0..<chance.next(4) where !file.isEmpty {
        switch chance.next(4) {
        case 0: file.removeLast(min(file.count, chance.next(3 * PageEncryptor.pageSize)))
        case 1: file += [UInt8](repeating: 7, count: chance.next(2 * PageEncryptor.pageSize))
        // A byte of an entry, or any byte.
        case 2: file[min(file.count - 1, chance.next(1024))] ^= UInt8(1 << chance.next(8))
        default: file[chance.next(file.count)] ^= UInt8(1 << chance.next(8))
        }
    }
}

/// Random numbers that depend only on the input.
struct Chance {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ bytes: [UInt8]) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
        state |= 1
    }

    mutating func next(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(truncatingIfNeeded: state >> 11) % bound
    }
}
