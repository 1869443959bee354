package import RealmLayout
internal import RealmStorage

/// Finds places in text by a rule other than equality of bytes: a regular expression, or text without regard to case.
package protocol TextMatcher: AnyObject {
    /// Returns the first match in a text, which need not be well-formed UTF-8; nil when there is none.
    func firstMatch(in text: ByteView) -> Range<Int>?

    /// Whether a text that consists only of bytes in `alphabet` can match. A wrong `true` costs time only.
    func canMatch(onlyOf alphabet: ByteSet) -> Bool
}

/// The rule that text must meet: bytes that it contains, or any other.
enum TextPattern {
    case bytes(PatternBytes)
    case matcher(any TextMatcher)

    @inline(__always)
    func firstMatch(in text: ByteView) -> Range<Int>? {
        switch self {
        case .bytes(let pattern):
            text.firstIndex(of: pattern.view).map { $0..<($0 &+ pattern.view.count) }
        case .matcher(let matcher):
            matcher.firstMatch(in: text)
        }
    }
}

/// Bytes to look for, in memory of their own.
final class PatternBytes {
    private let storage: GrowingBytes

    init(_ bytes: [UInt8]) {
        var storage = GrowingBytes()
        storage.append(bytes)
        self.storage = storage
    }

    /// The bytes; valid while this object lives.
    var view: ByteView { storage.view }
}
