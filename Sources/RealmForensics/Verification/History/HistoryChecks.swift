internal import RealmCore
internal import RealmLayout

/// Checks the history of commits (Y; Spec 80).
struct HistoryChecks {
    let scope: SnapshotScope

    /// Compares the number of changesets with that of commits, and parses them if `isDeep`.
    func run(isDeep: Bool) {
        guard let root = scope.root.ref(.history) else { return }
        switch scope.root.historyType {
        case .inRealm: checkChangesets(root, isDeep: isDeep)
        case .syncClient: SyncHistoryChecks(scope: scope, changesets: self).run(root, isDeep: isDeep)
        default:
            if isDeep { scope.sink.report(.syncHistory, at: root.offset, in: scope.place, "the history was not read") }
        }
    }

    /// Checks the changesets of this file, one for each commit.
    func checkChangesets(_ root: Ref, isDeep: Bool) {
        var entries = 0
        forEachLeaf(root) { leaf in
            if isDeep { check(leaf, first: entries) }
            entries += leaf.count
        }
        if UInt64(entries) > scope.root.version {
            scope.sink.report(
                .historyCount, at: root.offset, in: scope.place,
                "the history has \(entries) changesets, but there were only \(scope.root.version) commits")
        }
    }

    /// Visits the leaves of a tree of changesets.
    ///
    /// - Returns: the number of changesets; nil when a part of the tree cannot be read.
    @discardableResult
    func forEachLeaf(_ root: Ref, _ body: (ColumnLeaf) -> Void) -> Int? {
        var walk = TreeWalk(scope, root: root) { check, ref, message in
            scope.sink.report(.historyShape, at: ref.offset, in: scope.place, "the history: \(message)")
        }
        let type = scope.format.isLegacy ? LeafType.legacyBinary(nullable: true) : .binary
        var entries = 0
        var count: Int?
        while let node = walk.next(count: count) {
            guard let leaf = scope.leaf(node.ref, as: type) else {
                count = nil
                guard !scope.hasUnsoundParts(node) else { continue }
                scope.sink.report(
                    .historyShape, at: node.ref.offset, in: scope.place, "\(node.summary) is not a leaf of changesets")
                continue
            }
            count = leaf.count
            entries += leaf.count
            body(leaf)
        }
        return walk.isComplete ? entries : nil
    }

    private func check(_ leaf: ColumnLeaf, first: Int) {
        for index in 0..<leaf.count {
            guard let blob = changeset(index, leaf, "changeset \(first + index)") else { continue }
            // Changesets of older formats have other instructions; those stored in parts exceed 16 MB.
            guard scope.format.isClustered, blob.parts == nil, let problem = Changeset.problem(in: blob.view) else {
                continue
            }
            report(.historyContent, leaf, "changeset \(first + index): \(problem)")
        }
    }

    /// The bytes of a changeset; nil when it is missing, which is reported.
    func changeset(_ index: Int, _ leaf: ColumnLeaf, _ name: @autoclosure () -> String) -> Blob? {
        do throws(FormatError) {
            if let blob = try leaf.binary(at: index, in: scope.space) { return blob }
            report(.historyShape, leaf, "\(name()) is null")
        } catch {
            report(.historyShape, leaf, "\(name()) cannot be read: \(error.detail)")
        }
        return nil
    }

    private func report(_ check: CheckIdentifier, _ leaf: ColumnLeaf, _ message: String) {
        scope.sink.report(check, at: leaf.ref.offset, in: scope.place, message)
    }
}

/// Parses the instructions of a changeset of an in-Realm history (Spec 80): one byte each, with operands of seven bits
/// per byte.
struct Changeset {
    private let bytes: ByteView
    private var offset = 0

    private init(_ bytes: ByteView) { self.bytes = bytes }

    /// The reason why a changeset cannot be parsed; nil when all of it can be.
    static func problem(in bytes: ByteView) -> String? {
        var parser = Changeset(bytes)
        while parser.offset < bytes.count {
            let start = parser.offset
            guard parser.instruction() else { return "no instruction that is known at byte \(start)" }
        }
        return nil
    }

    /// Parses an instruction; returns false when it is not valid.
    private mutating func instruction() -> Bool {
        let code = bytes[offset]
        offset += 1
        switch code {
        // Insert, erase or rename a table; create or remove an object; insert, erase or rename a column; insert, set,
        // erase or clear in a collection, in a set; clear a dictionary.
        case 1, 2, 3, 11, 12, 15, 20, 21, 22, 31, 32, 35, 36, 40, 41, 42, 44: return numbers(1)
        // Select a table; set a value; select a collection; move in a list; change the target of links in a Mixed.
        case 10, 13, 14, 23, 30, 33, 34, 43: return numbers(2)
        // Insert, set or erase in a dictionary: type and bytes of the key, index.
        case 37, 38, 39:
            guard number() != nil, let length = number(), length >= 0, length <= Int64(bytes.count - offset) else {
                return false
            }
            offset += Int(length)
            return numbers(1)
        // Select a nested collection.
        case 45:
            guard numbers(2), let depth = number(), depth >= 0, depth <= Int64(Limits.nestingDepth) else {
                return false
            }
            return numbers(Int(depth))
        default: return false
        }
    }

    private mutating func numbers(_ count: Int) -> Bool {
        for _ in 0..<count where number() == nil { return false }
        return true
    }

    /// Parses a number: seven bits per byte, the lowest first. The eighth bit means that more bytes follow; in the last
    /// byte, the seventh bit is the sign.
    private mutating func number() -> Int64? {
        var value: UInt64 = 0
        for position in 0..<10 {
            guard offset < bytes.count else { return nil }
            let byte = bytes[offset]
            offset += 1
            guard byte & 0x80 == 0 else {
                value |= UInt64(byte & 0x7F) << UInt64(7 * position)
                continue
            }
            value |= UInt64(byte & 0x3F) << UInt64(7 * position)
            return byte & 0x40 == 0 ? Int64(bitPattern: value) : Int64(bitPattern: ~value)
        }
        return nil
    }
}
