import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import TestSupport
import Testing

/// A search finds what a walk over Realm Core's dump finds, value by value.
@Suite struct SearchTests {
    /// Files of today's format: in older ones the dumps are of upgraded copies, with sets in another order.
    static let files = (KnownFile.fixtures + KnownFile.encryptedFixtures).filter { file in
        file.dump != nil && ((try? ContentHashTests.snapshot(of: file))?.version.number ?? 0) == 24
    }

    @Test(arguments: files)
    func `the matches in a fixture are those in its dump`(_ file: KnownFile) throws {
        let snapshot = try ContentHashTests.snapshot(of: file)
        let oracle = SearchOracle(try TypedDump(contentsOf: #require(file.dump)))
        var random = Seeded(UInt64(oracle.texts.count))
        for text in Self.needles(oracle.texts, &random) {
            let types: Set<StoredPropertyType> = [.string, .int, .bool, .objectId, .uuid]
            try expectEqual(
                Self.matches(of: SearchPattern(text: text), in: snapshot, types), oracle.matches(of: text), "'\(text)'")
            // A matcher finds letters in identifiers too, and knows one case.
            let pattern = SearchPattern(PlainMatcher(text), binaryDigits: false)
            try expectEqual(
                Self.matches(of: pattern, in: snapshot, types.subtracting([.objectId, .uuid])),
                oracle.matches(of: text, inIdentifiers: false), "'\(text)'")
        }
    }

    /// Texts of the dump, parts of them, and texts that many values have.
    private static func needles(_ texts: [String], _ random: inout Seeded) -> [String] {
        var needles = ["a", "e", "1", "0", "true", "false", " ", "-1", "\u{0}", "none has this"]
        for text in texts.shuffled(using: &random).prefix(25) where !text.isEmpty {
            needles.append(text)
            let start = Int.random(in: 0..<text.count, using: &random)
            needles.append(String(text.dropFirst(start).prefix(Int.random(in: 1...5, using: &random))))
        }
        return needles
    }

    /// Returns the matches in values of some types, as the oracle writes them, without very long values.
    private static func matches(
        of pattern: SearchPattern, in snapshot: Snapshot, _ types: Set<StoredPropertyType>
    ) throws -> [String] {
        var scope = SearchScope()
        scope.mostBytes = .max
        let sink = Matches()
        let outcome = try ContentSearch(pattern, in: snapshot, scope, sink).run()
        expectEqual(outcome.damage, [])
        return sink.matches.compactMap { match -> String? in
            guard let type = match.type, types.contains(type), match.text.utf8.count <= DumpValue.longest,
                case .object(let object, let path, let part) = match.place
            else { return nil }
            return "class_\(object.className) \(object.key) \(path)\(part == .key ? " key" : "") \(match.text)"
        }.sorted()
    }

    /// The bytes at the offset of a match are those of the value.
    @Test func `offsets lead to the values`() throws {
        let file = try KnownFile.fixture("kennel")
        let bytes = try file.bytes()
        let sink = Matches()
        _ = try ContentSearch(
            SearchPattern(text: "Laika"), in: ContentHashTests.snapshot(of: file), SearchScope(), sink
        ).run()
        expectEqual(sink.matches.map(\.text), ["Laika"])
        let offset = try #require(sink.matches[0].offset)
        expectEqual(String(decoding: bytes[offset..<offset + 5], as: UTF8.self), "Laika")
    }

    @Test func `a sink that wants no more ends the search`() throws {
        let snapshot = try ContentHashTests.snapshot(of: .fixture("string-leaves"))
        let sink = Matches(most: 3)
        _ = try ContentSearch(SearchPattern(text: "1"), in: snapshot, SearchScope(), sink).run()
        expectEqual(sink.matches.count, 3)
    }

    @Test func `bytes are found at every place`() {
        for length in 1...20 {
            for count in length...44 {
                for place in 0...(count - length) {
                    // The first and the last byte of the pattern are everywhere, but not at its distance.
                    var text = [UInt8](repeating: 1, count: count)
                    let pattern = (0..<length).map { UInt8($0 == length / 2 ? 2 : 1) }
                    text.replaceSubrange(place..<place + length, with: pattern)
                    let found = ByteView.with(text) { view in
                        ByteView.with(pattern) { view.firstIndex(of: $0) }
                    }
                    expectEqual(found, place, "\(length) \(count)")
                }
            }
        }
    }
}

/// Keeps matches.
private final class Matches: SearchSink {
    private(set) var matches: [SearchMatch] = []
    private let most: Int

    init(most: Int = .max) { self.most = most }

    func add(_ match: SearchMatch) -> Bool {
        matches.append(match)
        return matches.count < most
    }
}

/// Finds a text byte by byte, so that the search takes its way for matchers.
private final class PlainMatcher: TextMatcher {
    private let pattern: [UInt8]

    init(_ text: String) { pattern = Array(text.utf8) }

    func firstMatch(in text: ByteView) -> Range<Int>? {
        guard text.count >= pattern.count else { return nil }
        let start = (0...(text.count - pattern.count)).first { start in
            pattern.indices.allSatisfy { text[start + $0] == pattern[$0] }
        }
        return start.map { $0..<$0 + pattern.count }
    }

    func canMatch(onlyOf alphabet: ByteSet) -> Bool { pattern.allSatisfy { alphabet.contains($0) } }
}
