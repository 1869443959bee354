internal import RealmLayout
internal import RealmSystem

/// The 64-byte key of an encrypted Realm file: 32 bytes for AES-256, 32 for HMAC-SHA-224.
///
/// ```swift
/// let key = try EncryptionKey(contentsOfFile: "app.key")
/// print(try RealmDatabase(path: "app.realm", key: key).snapshot().classes.count)
/// ```
///
/// Its bytes have memory of their own, are never copied into a Swift array or string, and are overwritten when the last
/// reference is released. They appear in no description, mirror or error.
///
/// Copies outside this object cannot be overwritten: an array or string passed in stays the caller's, other processes
/// of the same user can read the environment as long as the process lives, libcrypto keeps keys in its own contexts
/// (and overwrites them when the file is closed), and the system may write memory to swap.
@safe
public final class EncryptionKey: @unchecked Sendable {
    /// The size of a key in bytes.
    public static let byteCount = 64
    /// The size of each half in bytes: the first for AES, the second for HMAC.
    package static let halfCount = 32

    /// Written by initialisers only.
    private let memory: UnsafeMutableRawPointer

    private init() {
        unsafe memory = UnsafeMutableRawPointer.allocate(byteCount: Self.byteCount, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: Self.byteCount)
    }

    deinit {
        unsafe SystemCrypto.cleanse(memory, Self.byteCount)
        unsafe memory.deallocate()
    }

    /// Creates a key from its bytes.
    ///
    /// - Throws: `KeyError` unless there are 64.
    public convenience init(bytes: [UInt8]) throws(KeyError) {
        guard bytes.count == Self.byteCount else {
            throw KeyError(bytes.isEmpty ? .empty : .bytes(bytes.count))
        }
        self.init()
        unsafe memory.copyMemory(from: bytes, byteCount: Self.byteCount)
    }

    /// Parses a key: 128 hexadecimal digits, base64 of 64 bytes, or a list of 64 numbers as programs print it.
    ///
    /// Digits may be separated by spaces, line breaks, colons, commas and hyphens, and groups of them may begin with
    /// `0x`. Base64 may use either alphabet, contain line breaks, and lack the `=` at its end. Numbers are from -128 to
    /// 255, separated by commas, or hexadecimal in brackets: `[11, 48, -97, …]`, `{0x0b, 0x30, …}`, `<0b30557a …>`.
    ///
    /// - Throws: `KeyError` for any other text.
    public convenience init(text: String) throws(KeyError) {
        let buffer = KeyBuffer()
        let count = buffer.fill(from: text)
        self.init()
        try read(KeyText(buffer.view(count)))
    }

    /// Reads a key from the file at `path`.
    ///
    /// - 64 bytes are the key itself, whatever they look like: no other form of a key is that short. A line break after
    ///   them, which editors add, is ignored.
    /// - Anything else is text: 128 hexadecimal digits, base64 or a list of numbers, as for `init(text:)`.
    ///
    /// - Throws: `StorageError` if the file cannot be read, `KeyError` if it does not contain a key.
    public convenience init(contentsOfFile path: String) throws {
        let buffer = KeyBuffer()
        let count = try buffer.fill(fromFile: path)
        self.init()
        try read(file: buffer.view(count))
    }

    /// Reads a key from an environment variable, in one of the forms of `init(text:)`.
    ///
    /// - Returns: nil if the variable is missing or empty.
    /// - Throws: `KeyError` if its value is not a key.
    public static func fromEnvironment(_ name: String) throws(KeyError) -> EncryptionKey? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        let key = EncryptionKey()
        let view = unsafe ByteView(base: UnsafeRawPointer(value), count: strlen(value))
        try key.read(KeyText(view))
        return key
    }

    /// Reads the content of a key file.
    private func read(file: ByteView) throws(KeyError) {
        var count = file.count
        if count == Self.byteCount + 2, file[count - 2] == 0x0D, file[count - 1] == 0x0A { count -= 2 }
        if count == Self.byteCount + 1, file[count - 1] == 0x0A { count -= 1 }
        guard count == Self.byteCount else { return try read(KeyText(file)) }
        unsafe memory.copyMemory(from: file.base, byteCount: Self.byteCount)
    }

    private func read(_ text: KeyText) throws(KeyError) {
        let bytes = unsafe memory.assumingMemoryBound(to: UInt8.self)
        try text.decode { index, byte in unsafe bytes[index] = byte }
    }

    /// Whether both keys are equal. Takes constant time.
    public func isSame(as other: EncryptionKey) -> Bool {
        unsafe SystemCrypto.areEqual(memory, other.memory, Self.byteCount)
    }

    /// Calls `body` with the halves for AES and HMAC, which are valid only during the call.
    @unsafe
    func withHalves<R>(_ body: (_ aes: UnsafePointer<UInt8>, _ hmac: UnsafePointer<UInt8>) -> R) -> R {
        let bytes = unsafe UnsafePointer(memory.assumingMemoryBound(to: UInt8.self))
        return unsafe body(bytes, bytes + Self.halfCount)
    }
}

extension EncryptionKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Reveals nothing of the key.
    public var description: String { "EncryptionKey(…)" }
    /// Reveals nothing of the key.
    public var debugDescription: String { description }
    /// Has no children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Memory for the content of a key file, overwritten when it is released.
@safe
private final class KeyBuffer {
    /// One byte more than the longest form of a key, with room for separators and line breaks.
    private static let size = 4097
    private let memory = UnsafeMutableRawPointer.allocate(byteCount: KeyBuffer.size, alignment: 16)

    deinit {
        unsafe SystemCrypto.cleanse(memory, Self.size)
        unsafe memory.deallocate()
    }

    func view(_ count: Int) -> ByteView { unsafe ByteView(base: UnsafeRawPointer(memory), count: count) }

    /// Copies the bytes of the text up to the size of the buffer, without an array in between; returns their number.
    func fill(from text: String) -> Int {
        var count = 0
        for byte in text.utf8 {
            guard count < Self.size else { break }
            unsafe memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            count += 1
        }
        return count
    }

    /// Reads the file, which may be a pipe, up to the size of the buffer; returns the number of bytes.
    func fill(fromFile path: String) throws(StorageError) -> Int {
        let descriptor = unsafe open(path.native, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last("cannot open the key file", path) }
        defer { close(descriptor) }
        var count = 0
        while count < Self.size {
            let got = unsafe read(descriptor, memory + count, Self.size - count)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .last("cannot read the key file", path) }
            if got == 0 { break }
            count += got
        }
        return count
    }
}
