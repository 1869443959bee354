internal import RealmLayout

/// A test of strings, applied to their bytes in place.
struct TextTest: Sendable {
    let elements: [Element]
    let quantifier: Quantifier
    /// The sought strings of a long list, by hash; nil for other tests.
    private let equals: [UInt64: [Int]]?

    /// A comparison of a string with one constant.
    enum Element: Sendable {
        case constant(Bool)
        /// Comparison in byte order.
        case order(Bytes, less: Bool, equal: Bool, greater: Bool)
        /// Equality ignoring case; `isWanted` is false for `!=`.
        case equalFolded(Needle, isWanted: Bool)
        case begins(Needle)
        case ends(Needle)
        case contains(Needle)
        case like(Needle)
        /// A pattern without `?`.
        case pieces(WildcardPieces)
    }

    /// The cost of testing a string. Long lists are looked up by hash; a long pattern may be compared at each position.
    var work: Int {
        guard equals == nil else { return 1 }
        return elements.reduce(1) { sum, element in
            switch element {
            case .constant, .order: sum + 1
            case .equalFolded, .begins, .ends: sum + 1
            case .contains(let needle), .like(let needle): sum + 2 + needle.count >> 4
            case .pieces(let pieces): sum + 2 + pieces.fewest >> 4
            }
        }
    }

    /// A needle in upper and lower case; both are the same if case matters.
    struct Needle: Sendable {
        let sought: Sought
        /// The bytes that `sought` refers to.
        private let bytes: [Bytes]
        var count: Int { sought.count }
        var isFolded: Bool { sought.isFolded }

        /// - Returns: nil for text that cannot be folded, which matches nothing.
        init?(_ text: [UInt8], caseInsensitive: Bool) {
            if caseInsensitive {
                guard let upper = TextMatch.folded(text, upper: true), let lower = TextMatch.folded(text, upper: false)
                else { return nil }
                bytes = [Bytes(upper), Bytes(lower)]
            } else {
                bytes = [Bytes(text)]
            }
            sought = Sought(upper: bytes[0].view, lower: bytes[bytes.count - 1].view, isFolded: caseInsensitive)
        }
    }

    /// A view of a needle that loops can copy without counting references. The needle owns the bytes.
    struct Sought: Sendable, BitwiseCopyable {
        let upper: ByteView
        let lower: ByteView
        let isFolded: Bool
        @inline(__always) var count: Int { upper.count }
    }

    /// Bytes at a fixed address.
    final class Bytes: Sendable {
        let view: ByteView
        var count: Int { view.count }

        init(_ bytes: [UInt8]) { view = ByteView.copy(of: bytes) }

        deinit { unsafe view.deallocateCopy() }
    }

    /// Longer lists are looked up by hash.
    private static let mostCompared = 8

    init(_ elements: [Element], _ quantifier: Quantifier) {
        self.elements = elements
        self.quantifier = quantifier
        var places: [UInt64: [Int]] = [:]
        if elements.count > Self.mostCompared, quantifier != .all {
            for (index, element) in elements.enumerated() {
                guard case .order(let bytes, false, true, false) = element else {
                    places = [:]
                    break
                }
                places[Self.hash(bytes.view), default: []].append(index)
            }
        }
        equals = places.isEmpty ? nil : places
    }

    /// All matching texts, if they form a list; nil for other tests.
    var equalTexts: [[UInt8]]? {
        guard quantifier == .any || elements.count == 1 && quantifier == .all else { return nil }
        var texts: [[UInt8]] = []
        for element in elements {
            switch element {
            case .order(let bytes, less: false, equal: true, greater: false): texts.append(bytes.view.bytes)
            case .constant(false): break
            default: return nil
            }
        }
        return texts
    }

    /// The only matching text; nil for other tests. The test owns its bytes.
    var onlyEqual: ByteView? {
        guard elements.count == 1, quantifier != .none,
            case .order(let bytes, less: false, equal: true, greater: false) = elements[0]
        else { return nil }
        return bytes.view
    }

    /// The common beginning of all matching texts; nil for other tests.
    var beginning: [UInt8]? {
        guard elements.count == 1, quantifier != .none, case .begins(let needle) = elements[0], !needle.isFolded,
            needle.count > 0
        else { return nil }
        return needle.sought.upper.bytes
    }

    @inline(__always)
    func holds(_ text: ByteView) -> Bool {
        if elements.count == 1, quantifier == .any { return Self.holds(elements[0], text) }
        if let equals {
            let isFound = equals[Self.hash(text)]?.contains { Self.holds(elements[$0], text) } ?? false
            return isFound == (quantifier == .any)
        }
        switch quantifier {
        case .any: return elements.contains { Self.holds($0, text) }
        case .all: return elements.allSatisfy { Self.holds($0, text) }
        case .none: return !elements.contains { Self.holds($0, text) }
        }
    }

    /// A hash of a string.
    private static func hash(_ text: ByteView) -> UInt64 {
        guard text.count >= 8 else { return text.shortWord &* 8 &+ UInt64(text.count) }
        let words = (text.uint64(unchecked: 0), text.uint64(unchecked: text.count &- 8))
        return (words.0 &* 0x9E37_79B9_7F4A_7C15) ^ words.1.byteSwapped ^ UInt64(text.count)
    }

    private static func holds(_ element: Element, _ text: ByteView) -> Bool {
        switch element {
        case .constant(let holds): return holds
        case .order(let bytes, let less, let equal, let greater):
            if less == greater { return text.elementsEqual(bytes.view) ? equal : less }
            let order = text.order(bytes.view)
            return order < 0 ? less : order > 0 ? greater : equal
        case .equalFolded(let needle, let isWanted):
            return (text.count == needle.count && matches(needle.sought, text, at: 0)) == isWanted
        case .begins(let needle): return text.count >= needle.count && matches(needle.sought, text, at: 0)
        case .ends(let needle):
            return text.count >= needle.count && matches(needle.sought, text, at: text.count &- needle.count)
        case .contains(let needle): return contains(needle.sought, text)
        case .like(let needle): return like(needle.sought, text)
        case .pieces(let pieces): return pieces.match(text)
        }
    }

    /// - Precondition: the text is long enough for a match at `start`.
    @inline(__always)
    static func matches(_ needle: Sought, _ text: ByteView, at start: Int) -> Bool {
        let (upper, lower) = (needle.upper, needle.lower)
        guard needle.isFolded || upper.count <= 2 else {
            return text.slice(unchecked: start, count: upper.count).elementsEqual(upper)
        }
        var index = 0
        while index < upper.count {
            let byte = text.byte(unchecked: start &+ index)
            guard byte == upper.byte(unchecked: index) || byte == lower.byte(unchecked: index) else { return false }
            index &+= 1
        }
        return true
    }

    private static func contains(_ needle: Sought, _ text: ByteView) -> Bool {
        firstPlace(of: needle, in: text, from: 0, to: text.count) != nil
    }

    /// The first position of a needle within a part of a text; nil if there is none.
    @inline(__always)
    static func firstPlace(of needle: Sought, in text: ByteView, from start: Int, to end: Int) -> Int? {
        guard needle.count > 0 else { return start }
        let (upper, lower) = (needle.upper.byte(unchecked: 0), needle.lower.byte(unchecked: 0))
        let last = end &- needle.count
        var place = start
        while place <= last {
            let byte = text.byte(unchecked: place)
            if byte == upper || byte == lower, needle.count == 1 || matches(needle, text, at: place) { return place }
            place &+= 1
        }
        return nil
    }

    /// Matches a pattern: `?` stands for one character, `*` for any number of them. Only the last star needs
    /// backtracking.
    private static func like(_ needle: Sought, _ text: ByteView) -> Bool {
        let (upper, lower) = (needle.upper, needle.lower)
        var (place, sign) = (0, 0)
        var retry: (place: Int, sign: Int)?
        while place < text.count {
            let wanted = sign < upper.count ? upper.byte(unchecked: sign) : nil
            if wanted == UInt8(ascii: "*") {
                sign &+= 1
                retry = (place, sign)
            } else if wanted == UInt8(ascii: "?") {
                place = endOfCharacter(at: place, text)
                sign &+= 1
            } else if let wanted,
                wanted == text.byte(unchecked: place) || lower.byte(unchecked: sign) == text.byte(unchecked: place)
            {
                place &+= 1
                sign &+= 1
            } else if let last = retry {
                retry = (last.place &+ 1, last.sign)
                (place, sign) = (last.place &+ 1, last.sign)
            } else {
                return false
            }
        }
        while sign < upper.count, upper.byte(unchecked: sign) == UInt8(ascii: "*") { sign &+= 1 }
        return sign == upper.count
    }

    private static func endOfCharacter(at place: Int, _ text: ByteView) -> Int {
        var end = place &+ 1
        while end < text.count, text.byte(unchecked: end) & 0xC0 == 0x80, text.byte(unchecked: end &- 1) & 0x80 != 0 {
            end &+= 1
        }
        return end
    }
}
