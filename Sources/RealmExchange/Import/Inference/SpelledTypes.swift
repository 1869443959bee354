internal import RealmCore
internal import RealmLayout

/// The types that all texts of a column can be parsed as.
struct SpelledTypes {
    private var candidates: [StoredPropertyType] = [.int, .double, .bool, .timestamp, .uuid]
    private var isEmpty = true

    /// The type of the column. It is a string if there are no texts, or no other type matches all of them.
    var type: StoredPropertyType { isEmpty ? .string : candidates.first ?? .string }

    /// Takes a text of the column.
    mutating func note(_ text: ByteView) {
        isEmpty = false
        guard !candidates.isEmpty else { return }
        guard text.count < 64, let text = text.string else {
            candidates = []
            return
        }
        candidates.removeAll { !Self.isSpelled($0, by: text) }
    }

    /// Whether a text converts to a type without loss: `007`, for example, is not a number.
    private static func isSpelled(_ type: StoredPropertyType, by text: String) -> Bool {
        switch type {
        case .int: return Int64(text).map { String($0) } == text
        case .double:
            if let integer = Int64(text) {
                return String(integer) == text && Int64(exactly: Double(integer)) == integer
            }
            let digits = text.drop { $0 == "-" }
            let hasLeadingZero = digits.hasPrefix("0") && !digits.hasPrefix("0.")
            // Digits with an `e` in the middle are more often a name than a number.
            let isName = text.utf8.allSatisfy {
                $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-")
            }
            let isWord = ["NaN", "Infinity", "-Infinity"].contains(text)
            return Double(spelled: text) != nil && !hasLeadingZero && text.first != "+" && (isWord || !isName)
        case .bool: return Bool(spelled: text) != nil
        case .timestamp: return Timestamp(iso8601: text) != nil
        case .uuid: return text.utf8.count == 36 && Hexadecimal.uuid(text) != nil
        default: return false
        }
    }
}
