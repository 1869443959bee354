/// A kind of damage that occurs in practice.
enum Kind: String, CaseIterable {
    case bitFlip = "one bit flipped"
    case byteChange = "one byte changed"
    case wordWrite = "eight bytes written"
    case zeroedPage = "4 KiB page zeroed"
    case swappedPages = "two 4 KiB pages swapped"
    case stalePage = "4 KiB page of an older commit"
    case truncation = "cut off"
    case foreignHeader = "TLS record over the header"

    /// Damages a copy of `bytes`.
    ///
    /// - Parameter older: an earlier state of the same file.
    /// - Returns: nil when this kind does not apply to the file, or did not change it.
    func apply(to bytes: [UInt8], older: [UInt8]?, _ random: inout SplitMix64) -> [UInt8]? {
        var copy = bytes
        switch self {
        case .bitFlip:
            copy[random.below(copy.count)] ^= 1 << UInt8(random.below(8))
        case .byteChange:
            copy[random.below(copy.count)] = UInt8(random.below(256))
        case .wordWrite:
            let offset = random.below(copy.count / 8) * 8
            for index in 0..<8 { copy[offset + index] = UInt8(random.below(256)) }
        case .zeroedPage:
            guard let page = Self.page(copy, &random) else { return nil }
            copy.replaceSubrange(page, with: [UInt8](repeating: 0, count: page.count))
        case .swappedPages:
            guard let first = Self.page(copy, &random), let second = Self.page(copy, &random) else { return nil }
            copy.replaceSubrange(first, with: bytes[second])
            copy.replaceSubrange(second, with: bytes[first])
        case .stalePage:
            guard let older, let page = Self.page(copy, &random), page.upperBound <= older.count else { return nil }
            copy.replaceSubrange(page, with: older[page])
        case .truncation:
            copy.removeSubrange((random.below(copy.count))...)
        case .foreignHeader:
            Self.writeForeignHeader(&copy, &random)
        }
        return copy == bytes ? nil : copy
    }

    private static let pageSize = 4096

    private static func page(_ bytes: [UInt8], _ random: inout SplitMix64) -> Range<Int>? {
        guard bytes.count >= pageSize else { return nil }
        let start = random.below(bytes.count / pageSize) * pageSize
        return start..<(start + pageSize)
    }

    /// Writes bytes as network code does that confuses a file's descriptor with its own: a handshake at the start, or
    /// an alert after the fifth byte.
    private static func writeForeignHeader(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        if random.below(2) == 0 {
            let alert: [UInt8] = [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, UInt8(random.below(2)) == 0 ? 0x46 : 0x28]
            bytes.replaceSubrange(5..<12, with: alert)
        } else {
            var record: [UInt8] = [0x16, 0x03, 0x03, 0x00, 0x46, 0x10, 0x00, 0x00, 0x42, 0x41, 0x04]
            record += (0..<64).map { _ in UInt8(random.below(256)) }
            let count = min(record.count, bytes.count)
            bytes.replaceSubrange(0..<count, with: record[..<count])
        }
    }
}

/// Random numbers determined by a seed.
struct SplitMix64 {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// Returns a number from 0 to less than `limit`.
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }
}
