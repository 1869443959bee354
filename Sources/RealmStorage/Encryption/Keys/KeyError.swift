/// The reason why bytes are not a key. Reports their number, never their values.
///
/// ```swift
/// do {
///     _ = try EncryptionKey(text: "0123")
/// } catch {
///     print(error.kind, error)
/// }
/// ```
public struct KeyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The form of the bytes.
    public enum Kind: Equatable, Sendable {
        /// No bytes.
        case empty
        /// Hexadecimal digits, but not 128.
        case digits(Int)
        /// Base64, but not of 64 bytes.
        case base64(bytes: Int)
        /// A list of numbers, but not of 64 bytes.
        case numbers(Int)
        /// A description that leaves bytes out.
        case abbreviated
        /// A hex dump with offsets.
        case hexDump
        /// A string with escapes.
        case escapes
        /// Neither 64 bytes nor any of the other forms.
        case bytes(Int)
        /// More bytes than any form of a key has.
        case tooLong
        /// A certificate or key for something else.
        case pem
        /// A Realm file.
        case realmFile
    }

    /// The form of the bytes.
    public let kind: Kind

    package init(_ kind: Kind) { self.kind = kind }

    /// The form of the bytes, and the forms of a key, in one line.
    public var description: String {
        "\(found); a key has 64 bytes: as they are, as 128 hexadecimal digits, as base64 (88 characters), or as a list of 64 numbers"
    }

    private var found: String {
        switch kind {
        case .empty: "the key is empty"
        case .digits(let count): "not a key: \(count) hexadecimal \(count == 1 ? "digit" : "digits")"
        case .base64(let count): "not a key: base64 of \(count) \(count == 1 ? "byte" : "bytes")"
        case .numbers(EncryptionKey.byteCount):
            "not a key: a list of 64 numbers, not all of which are bytes, from -128 to 255"
        case .numbers(let count):
            "not a key: a list of \(count) \(count == 1 ? "number" : "numbers")"
        case .hexDump:
            "not a key: a hex dump with offsets; give the file that it shows, or the digits alone (`xxd -p`)"
        case .escapes: "not a key: a string with escapes; print its bytes as hexadecimal digits"
        case .abbreviated: "not a key: a description that leaves bytes out; print all of them"
        case .bytes(let count): "not a key: \(count) \(count == 1 ? "byte" : "bytes")"
        case .tooLong: "that is too long for a key"
        case .pem: "that is a PEM file (a certificate, or a key for something else), not the key of a Realm file"
        case .realmFile: "that is a Realm file, not a key (were two files mixed up?)"
        }
    }
}
