internal import RealmLayout

/// Encodes the first bytes of texts as numbers of the same order.
///
/// Texts usually use few different bytes: with a few bits for each, a dozen bytes of a text fit into a word.
struct TextNumbers: Sendable {
    /// The code of each byte that occurs; 0 stands for the end of a text.
    private var codes: [UInt8] = Array(repeating: 0, count: 256)
    private var bits: UInt64 = 8
    /// Whether texts that end within a word have a different word from those that continue.
    private(set) var hasEnd = true

    /// The number of bytes of a text that two words can cover at most.
    private static let counted = 32

    /// The number of bytes per word.
    var perWord: Int { 64 / Int(bits) }

    /// - Parameter occurring: results of `bytes(of:)`, one for each part.
    init(_ occurring: [[Bool]]) {
        let occurs = (0..<256).map { byte in occurring.contains { $0[byte] } }
        // With all 256 values there is no code for the end; words of unchanged bytes then do not distinguish all texts.
        guard occurs.count(where: { $0 }) < 255 else {
            for byte in 0..<256 { codes[byte] = UInt8(byte) }
            hasEnd = false
            return
        }
        var count: UInt8 = 0
        for byte in 0..<256 where occurs[byte] {
            count += 1
            codes[byte] = count
        }
        bits = max(UInt64(8 - count.leadingZeroBitCount), 4)
    }

    /// Marks the bytes that occur within the encoded part of texts.
    static func bytes(of texts: [ByteView]) -> [Bool] {
        var occurs = [Bool](repeating: false, count: 256)
        for text in texts {
            var offset = 0
            while offset < text.count, offset < counted {
                occurs[Int(text.byte(unchecked: offset))] = true
                offset &+= 1
            }
        }
        return occurs
    }

    /// Encodes the bytes of a text from an offset on.
    ///
    /// - Parameter start: 0, or the end of the first word.
    @inline(__always)
    func word(_ text: ByteView, from start: Int) -> UInt64 {
        var word: UInt64 = 0
        let end = min(text.count, start &+ perWord)
        var offset = start
        while offset < end {
            word = word &<< bits | UInt64(codes[Int(text.byte(unchecked: offset))])
            offset &+= 1
        }
        let missing = UInt64(truncatingIfNeeded: start &+ perWord &- max(end, start))
        return missing &* bits >= 64 ? 0 : word &<< (missing &* bits)
    }
}
