internal import CLibCrypto

/// Creates encrypted files from plain ones, with pages in any state that a writer can leave (Spec 130). Shares no code
/// with the reader.
public struct PageEncryptor {
    /// The state of a page.
    public enum Form: Sendable {
        /// Written last with the first counter, before that with the second one; 0 for never.
        case written(_ last: UInt32, before: UInt32 = 0)
        /// The entry of the write `last` exists, but the page is still that of `before`.
        case interruptedRewrite(_ last: UInt32, before: UInt32)
        /// The entry of the first write exists, but the page contains something else.
        case interruptedFirstWrite
        /// Nothing was written.
        case neverWritten
        /// The entry exists, but the page is zeros.
        case zeroed(_ last: UInt32, before: UInt32)
    }

    /// The number of bytes in a page.
    public static let pageSize = 4096

    /// 64 bytes.
    public let key: [UInt8]
    /// The pages that were not simply written once.
    public var forms: [Int: Form] = [:]
    /// Whether an entry page without data pages follows at the end.
    public var hasTrailingTable = false

    /// Encrypts with `key`.
    public init(key: [UInt8], _ forms: [Int: Form] = [:]) {
        self.key = key
        self.forms = forms
    }

    /// A key whose bytes are 1, 2, 3, ….
    public static let plainKey = [UInt8](1...64)

    /// Returns the encrypted file; an incomplete last page is filled with zeros, in streaming form before the footer.
    public func encrypt(_ plain: [UInt8]) -> [UInt8] {
        let data = Self.padded(plain)
        let count = data.count / Self.pageSize
        var file: [UInt8] = []
        for first in stride(from: 0, to: count, by: 64) {
            var table: [UInt8] = []
            var pages: [UInt8] = []
            for index in first..<min(first + 64, count) {
                let start = index * Self.pageSize
                let (entry, page) = page(index, Array(data[start..<start + Self.pageSize]))
                table += entry
                pages += page
            }
            file += table + [UInt8](repeating: 0, count: Self.pageSize - table.count) + pages
        }
        return hasTrailingTable ? file + [UInt8](repeating: 0, count: Self.pageSize) : file
    }

    /// Returns the plain file, padded to whole pages.
    public static func padded(_ plain: [UInt8], to size: Int = pageSize) -> [UInt8] {
        let missing = (size - plain.count % size) % size
        let cookie: [UInt8] = [0xC8, 0x26, 0xE5, 0x37, 0x52, 0x12, 0x34, 0x30]
        let isStreaming =
            plain.count >= 40 && plain[..<8].allSatisfy { $0 == 0xFF } && plain.suffix(8).elementsEqual(cookie)
        let end = isStreaming ? plain.count - 16 : plain.count
        return plain[..<end] + [UInt8](repeating: 0, count: missing) + plain[end...]
    }

    /// Returns a page's entry of 64 bytes, and its encrypted bytes.
    private func page(_ index: Int, _ plain: [UInt8]) -> (entry: [UInt8], page: [UInt8]) {
        // The content of an earlier or later write, whose bytes are missing.
        let other = plain.map { $0 ^ 0x5A }
        func encrypted(_ bytes: [UInt8], _ counter: UInt32) -> [UInt8] { aes(bytes, counter, index) }
        func half(_ counter: UInt32, _ page: [UInt8]) -> [UInt8] {
            counter == 0 ? [UInt8](repeating: 0, count: 32) : Self.bytes(counter) + code(page)
        }
        let zeros = [UInt8](repeating: 0, count: Self.pageSize)
        switch forms[index] ?? .written(1) {
        case .written(let last, let before):
            let page = encrypted(plain, last)
            return (half(last, page) + half(before, encrypted(other, before)), page)
        case .interruptedRewrite(let last, let before):
            let page = encrypted(plain, before)
            return (half(last, encrypted(other, last)) + half(before, page), page)
        case .interruptedFirstWrite:
            return (half(1, encrypted(other, 1)) + half(0, []), encrypted(plain, 1))
        case .neverWritten:
            return ([UInt8](repeating: 0, count: 64), zeros)
        case .zeroed(let last, let before):
            return (half(last, encrypted(plain, last)) + half(before, encrypted(other, before)), zeros)
        }
    }

    private static func bytes(_ counter: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: counter >> UInt32(8 * $0)) }
    }

    /// Returns the bytes encrypted with AES-256-CBC with the page's initialisation vector.
    private func aes(_ bytes: [UInt8], _ counter: UInt32, _ index: Int) -> [UInt8] {
        let offset = UInt64(index * Self.pageSize)
        let vector =
            Self.bytes(counter) + (0..<8).map { UInt8(truncatingIfNeeded: offset >> UInt64(8 * $0)) } + [0, 0, 0, 0]
        var output = [UInt8](repeating: 0, count: bytes.count + 16)
        var written: CInt = 0
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        precondition(EVP_EncryptInit_ex(context, EVP_aes_256_cbc(), nil, Array(key[..<32]), vector) == 1)
        precondition(EVP_CIPHER_CTX_set_padding(context, 0) == 1)
        precondition(EVP_EncryptUpdate(context, &output, &written, bytes, CInt(bytes.count)) == 1)
        precondition(Int(written) == bytes.count)
        return Array(output[..<bytes.count])
    }

    /// HMAC-SHA-224.
    private func code(_ bytes: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 28)
        var written = 0
        let result = EVP_Q_mac(
            nil, "HMAC", nil, "SHA224", nil, Array(key[32...]), 32, bytes, bytes.count, &code, code.count, &written)
        precondition(result != nil && written == code.count)
        return code
    }
}
