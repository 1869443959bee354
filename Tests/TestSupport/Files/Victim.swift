internal import Foundation

/// A small intact file, to be damaged in every place.
package enum Victim: CaseIterable, Sendable {
    /// Links and collections of every kind, Mixed, tombstones.
    case tombstones
    /// Clusters in a tree, with gaps.
    case clusterGaps
    /// Embedded objects, lists of links of the type before 24, hashed object keys.
    case format20
    /// Nested collections in a Mixed; no fixture with them is small.
    case nestedMixed
    /// A dictionary in the form before 23; no fixture with one is small.
    case clusterDictionary
    /// The smallest file of formats 2 to 9 with data.
    case oldRow
    /// Nested subtables of format 9.
    case oldSubtables
    /// A column of each type of format 9.
    case oldColumns

    /// The victims for this run: two of them under a sanitizer, which makes everything slow, otherwise all.
    package static let chosen: [Victim] = isSanitized ? [.tombstones, .oldColumns] : allCases

    /// Whether to make every change to every byte; in the other victims, each byte is changed once.
    package var isExhaustive: Bool { [.tombstones, .oldRow, .oldSubtables].contains(self) }

    /// Whether the tests run under a sanitizer, as set by `tools/test --sanitize`.
    package static let isSanitized = ProcessInfo.processInfo.environment["REALMFILE_SANITIZE"] == "1"

    /// Calls `check` with the prefixes of the file whose lengths are multiples of 8, if they are in the share.
    package func forEachPrefix(
        share: Share = .current, _ check: (_ bytes: [UInt8], _ what: String) -> Void
    ) throws {
        let bytes = try bytes()
        for count in stride(from: 0, through: bytes.count, by: 8) where share.contains(count / 8) {
            check(Array(bytes[..<count]), "the first \(count) bytes")
        }
    }

    /// Calls `check` with the file, with one byte replaced, for each change at the places of `spacing` in the share.
    package func forEachByte(
        replacedBy replacement: Replacement, _ spacing: Spacing = .every, share: Share = .current,
        _ check: (_ bytes: [UInt8], _ offset: Int, _ what: String) -> Void
    ) throws {
        Self.forEachByte(of: try bytes(), replacedBy: replacement, spacing, share: share, check)
    }

    /// Calls `check` with `original`, with one byte replaced, for each change at the places of `spacing` in the share.
    package static func forEachByte(
        of original: [UInt8], replacedBy replacement: Replacement, _ spacing: Spacing = .every, share: Share = .current,
        _ check: (_ bytes: [UInt8], _ offset: Int, _ what: String) -> Void
    ) {
        var bytes = original
        for offset in offsets(of: original, replacedBy: replacement, spacing, share: share) {
            bytes[offset] = replacement.byte(for: original[offset])
            check(bytes, offset, "byte \(offset) is \(bytes[offset])")
            bytes[offset] = original[offset]
        }
    }

    /// Returns the places at which a replacement changes something.
    package static func offsets(
        of bytes: [UInt8], replacedBy replacement: Replacement, _ spacing: Spacing, share: Share
    ) -> [Int] {
        // Bytes after the last node are never read.
        let end = (bytes.lastIndex { $0 != 0 } ?? 0) + 1
        return (0..<end).filter { offset in
            spacing.contains(offset, replacement) && share.contains(offset, of: replacement.number)
                && replacement.byte(for: bytes[offset]) != bytes[offset]
        }
    }

    package func bytes() throws -> [UInt8] {
        switch self {
        case .tombstones: try KnownFile.fixture("tombstones").bytes()
        case .clusterGaps: try KnownFile.fixture("cluster-gaps").bytes()
        case .format20: try KnownFile.fixture("format-20-people").bytes()
        case .nestedMixed: HandmadeFile.oneValue(.mixed, [.list, .nullable]) { Self.nestedList(&$0) }
        case .oldRow: try KnownFile.fixture("Legacy/format-3-row-stream").bytes()
        case .oldSubtables: try KnownFile.fixture("Legacy/format-9-subtables").bytes()
        case .oldColumns: LegacyFile.everything()
        case .clusterDictionary:
            HandmadeFile.oneValue(.mixed, [.dictionary, .nullable], format: 22) { Self.dictionary(&$0) }
        }
    }

    private static func nestedList(_ file: inout HandmadeFile) -> Int {
        let inner = file.mixed(
            [0, HandmadeFile.composite(.int, slot: 0, 7), HandmadeFile.composite(.string, slot: 3, 0)],
            strings: file.writer.shortStrings(["text"]))
        let keys = file.writer.shortStrings(["a", "b", "c"])
        let dictionary = file.writer.refs([keys, inner])
        let list = file.mixed(
            [
                HandmadeFile.composite(.dictionary, slot: 4, 0), HandmadeFile.composite(.list, slot: 4, 1),
                HandmadeFile.composite(.timestamp, slot: 2, 0),
            ],
            pairs: file.writer.integers([5, 6]), collections: [dictionary, 0])
        let tree = file.treeInner(count: 3, [list])
        return file.writer.refs([tree])
    }

    private static func dictionary(_ file: inout HandmadeFile) -> Int {
        let values = file.mixed(
            [HandmadeFile.composite(.int, slot: 1, 0), HandmadeFile.composite(.binary, slot: 3, 0)],
            integers: file.writer.integers([1 << 40]), strings: file.writer.shortStrings(["bytes"]))
        let keys = file.writer.shortStrings(["first", "second"])
        let cluster = file.writer.refs([file.writer.integers([11, 42]), keys, values])
        let tree = file.clusterInner(depth: 1, count: 2, [cluster])
        return file.writer.refs([tree])
    }
}

/// A replacement for a byte.
package enum Replacement: CaseIterable, Sendable {
    case zero
    case ones
    case lowestBitChanged
    case highestBitChanged
    case oneMore

    /// The position in the list of all cases.
    package var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    func byte(for byte: UInt8) -> UInt8 {
        switch self {
        case .zero: 0
        case .ones: 0xFF
        case .lowestBitChanged: byte ^ 1
        case .highestBitChanged: byte ^ 0x80
        case .oneMore: byte &+ 1
        }
    }
}

/// The places of a file at which a replacement is tried: every `step`-th, from a start that depends on the replacement.
package struct Spacing: Sendable {
    package let step: Int

    /// Every place.
    package static let every = Spacing(step: 1)
    /// The spacing with which all replacements together change each byte once.
    package static let once = Spacing(step: Replacement.allCases.count)

    package init(step: Int) { self.step = step }

    package func contains(_ offset: Int, _ replacement: Replacement) -> Bool {
        let start = replacement.number * step / Replacement.allCases.count
        return offset >= start && (offset - start) % step == 0
    }
}
