internal import RealmCore
internal import RealmLayout

/// Compares search indexes with the indexed values (I; Spec 80).
struct IndexChecks {
    /// Objects with different values share a list when this many bytes are equal.
    static let longestPrefix = 200

    let scope: SnapshotScope
    let content: ContentChecks

    func run() {
        for (position, table) in content.tables.indexed {
            for column in table.columns {
                guard let root = column.index, let clusters = table.clusters else { continue }
                let check = SingleIndexCheck(
                    scope: scope, table: table, column: column, root: root, clusters: clusters,
                    shift: content.shifts[position], isTableIncomplete: content.incomplete.contains(table.key),
                    budget: StringBudget(scope))
                check.run()
            }
        }
    }

    /// Checks one index.
    private struct SingleIndexCheck {
        let scope: SnapshotScope
        let table: CheckedTable
        let column: CheckedColumn
        let root: Ref
        let clusters: Ref
        let shift: Int
        let isTableIncomplete: Bool
        let budget: StringBudget

        /// Whether entries are words, of which an object has several. A general index finds values by their first
        /// bytes.
        private var hasWords: Bool { column.isFullText || column.collection != nil }

        func run() {
            let (found, isComplete) = sumOfEntries()
            guard isComplete, !isTableIncomplete else { return }
            let expected = sumOfObjects()
            guard !budget.isExhausted else {
                return report(.workLimit, root, nil, "the strings of the column take too long to read again and again")
            }
            guard found != expected else { return }
            MultisetDifference.find(count: found.count + expected.count) { take in
                withoutActuallyEscaping(take) { take in
                    forEachObject { take($0, false) }
                    var walk = IndexWalk(scope, root: root) { _, _, _ in }
                    while let entry = walk.next() {
                        for object in distinctObjects(entry) { take(pair(object, entry.chunks), true) }
                    }
                }
            } report: { pair, isMissing in
                let object = ObjectKey(pair.first)
                report(
                    .indexContent, root, object,
                    isMissing
                        ? "the object is missing in the search index\(hasWords ? " for one of its words" : "")"
                        : "the search index has the object \(object) more often than it should")
            }
        }

        private func report(_ check: CheckIdentifier, _ ref: Ref, _ object: ObjectKey?, _ message: String) {
            scope.sink.report(check, at: ref.offset, in: scope.place(table.name, column.name, object), message)
        }

        private func pair(_ object: ObjectKey, _ chunks: [Int32]) -> MultisetDifference.Pair {
            var hash: UInt64 = 0
            if hasWords {
                // The end chunk exists only where longer words begin with the same bytes.
                let word = chunks.count > 1 && chunks.last == IndexChunk.end ? chunks.dropLast() : chunks[...]
                for chunk in word { hash = MultisetSum.mix(hash ^ UInt64(UInt32(bitPattern: chunk))) }
            }
            return MultisetDifference.Pair(first: object.value, second: Int64(bitPattern: hash))
        }

        /// Visits the index, comparing each entry with the value of its object.
        private func sumOfEntries() -> (MultisetSum, isComplete: Bool) {
            var sum = MultisetSum()
            var finder = ObjectFinder(scope, root: clusters, shift: shift)
            var walk = IndexWalk(scope, root: root) { check, ref, message in report(check, ref, nil, message) }
            while let entry = walk.next() {
                let objects = distinctObjects(entry)
                if !isMixed, entry.chunks.count * 4 <= IndexChecks.longestPrefix { checkOrder(objects, entry) }
                for object in objects {
                    let pair = pair(object, entry.chunks)
                    sum.add(MultisetSum.hash(pair.first, pair.second))
                    if !hasWords { check(object, entry, &finder) }
                }
                if !hasWords, entry.objects.count > 1, entry.chunks.count * 4 <= IndexChecks.longestPrefix {
                    checkSameValue(entry, &finder)
                }
                if isLongString(entry) { checkLongOrder(entry, &finder) }
            }
            return (sum, walk.isComplete)
        }

        private var isMixed: Bool { column.type == .mixed }

        /// Whether elements of lists are the words of the index.
        private var isOfLists: Bool { column.collection != nil && !column.isFullText }

        /// The objects of an entry, without duplicates. An object whose list contains a string twice may appear twice:
        /// Realm Core adds it again if no object with a higher key has the string (Spec 80).
        private func distinctObjects(_ entry: IndexWalk.Entry) -> [ObjectKey] {
            guard isOfLists else { return entry.objects }
            var distinct: [ObjectKey] = []
            for object in entry.objects where object != distinct.last { distinct.append(object) }
            return distinct
        }

        private func checkOrder(_ objects: [ObjectKey], _ entry: IndexWalk.Entry) {
            for index in objects.indices.dropFirst() where objects[index - 1] >= objects[index] {
                report(.indexShape, entry.ref, objects[index], "the objects in a list of the index do not ascend")
                return
            }
            guard objects.count < entry.objects.count else { return }
            let twice = entry.objects.indices.dropFirst().first { entry.objects[$0 - 1] == entry.objects[$0] }
            report(
                .indexListOrder, entry.ref, twice.map { entry.objects[$0] },
                "a list of the index has the object twice, as Realm Core leaves it where a list has a string twice")
        }

        private func isLongString(_ entry: IndexWalk.Entry) -> Bool {
            column.type == .string && !hasWords && entry.objects.count > 1
                && entry.chunks.count * 4 > IndexChecks.longestPrefix
        }

        /// Checks that objects with long strings share lists in the order of the strings; the order changed with format
        /// 24.
        private func checkLongOrder(_ entry: IndexWalk.Entry, _ finder: inout ObjectFinder) {
            guard scope.format.number >= 24 else { return }
            var last: [UInt8]?
            var lastNumber: Int64?
            for object in entry.objects {
                guard case .found(let view, let row) = finder.find(object), let leaf = leaf(in: view), row < leaf.count
                else { return }
                let number = leaf.isEnumerated ? leaf.indexes[unchecked: row] : nil
                if let number, number == lastNumber { continue }
                guard let key = IndexKey(leaf, row, upTo: .max, in: scope.space),
                    number == nil || budget.spend(key.start.count)
                else { return }
                if let last, key.start.lexicographicallyPrecedes(last) {
                    report(
                        .indexListOrder, entry.ref, object,
                        "objects with long values in common are not in the order of their values")
                    return
                }
                (last, lastNumber) = (key.start, number)
            }
        }

        /// Checks that above the last level only objects with equal values share a list: Realm Core reads only the
        /// first.
        private func checkSameValue(_ entry: IndexWalk.Entry, _ finder: inout ObjectFinder) {
            var first: IndexKey?
            var firstNumber: Int64?
            for object in entry.objects {
                guard case .found(let view, let row) = finder.find(object), let leaf = leaf(in: view), row < leaf.count
                else { return }
                let number = leaf.isEnumerated ? leaf.indexes[unchecked: row] : nil
                // Many objects refer to the same stored string.
                if let number, number == firstNumber { continue }
                guard let key = IndexKey(leaf, row, upTo: .max, in: scope.space),
                    number == nil || budget.spend(key.start.count)
                else { return }
                if let first, first.count != key.count || first.start != key.start {
                    report(.indexContent, entry.ref, object, "objects with different values share a list of the index")
                    return
                }
                (first, firstNumber) = (key, number)
            }
        }

        private func leaf(in view: ClusterView) -> ColumnLeaf? {
            view.leaf(column.key.index).flatMap { scope.leaf($0, as: column.leafType, distinct: column.distinct) }
        }

        private func check(_ object: ObjectKey, _ entry: IndexWalk.Entry, _ finder: inout ObjectFinder) {
            switch finder.find(object) {
            case .missing:
                report(
                    .indexContent, entry.ref, object, "the search index has the object \(object), which does not exist")
            case .unreadable:
                break
            case .found(let view, let row):
                guard let leaf = leaf(in: view), row < leaf.count,
                    let key = IndexKey(leaf, row, upTo: entry.chunks.count * 4, in: scope.space)
                else { return }
                for (position, chunk) in entry.chunks.enumerated() where key.chunk(position) != chunk {
                    report(.indexContent, entry.ref, object, "the search index has the object under another value")
                    return
                }
            }
        }

        private func sumOfObjects() -> MultisetSum {
            var sum = MultisetSum()
            forEachObject { sum.add(MultisetSum.hash($0.first, $0.second)) }
            return sum
        }

        /// Calls `body` for each object, or for each of its words.
        private func forEachObject(_ body: (MultisetDifference.Pair) -> Void) {
            var walk = ClusterWalk(scope, root: clusters, shift: shift)
            while let view = walk.next() {
                let leaf = hasWords ? leaf(in: view) : nil
                for row in 0..<min(view.count, Limits.clusterObjects) {
                    guard hasWords else {
                        body(MultisetDifference.Pair(first: view.key(row).value, second: 0))
                        continue
                    }
                    guard let leaf, row < leaf.count else { continue }
                    var places: Set<Int64> = []
                    for word in words(leaf, row) {
                        let pair = pair(view.key(row), (0..<word.chunkCount).map { word.chunk($0) })
                        // If several words of a list have the same entry, Realm Core adds the object once.
                        if !isOfLists || places.insert(pair.second).inserted { body(pair) }
                    }
                }
            }
        }

        private func words(_ leaf: ColumnLeaf, _ row: Int) -> [IndexKey] {
            do throws(FormatError) {
                guard column.collection != nil else {
                    guard let bytes = try leaf.string(at: row, in: scope.space),
                        !leaf.isEnumerated || budget.spend(bytes.count)
                    else { return [] }
                    return FullTextWords.words(in: bytes).map { IndexKey($0) }
                }
                guard let root = try leaf.collection(at: row) else { return [] }
                return try elements(root)
            } catch {
                return []
            }
        }

        /// The distinct elements of a list of strings.
        private func elements(_ root: Ref) throws(FormatError) -> [IndexKey] {
            var words: Set<[UInt8]> = []
            var hasNull = false
            var walk = TreeWalk(scope, root: root, reporter: nil)
            var count: Int?
            while let node = walk.next(count: count) {
                guard let leaf = scope.leaf(node.ref, as: .string) else { continue }
                count = leaf.count
                for index in 0..<leaf.count {
                    if let bytes = try leaf.string(at: index, in: scope.space) {
                        words.insert(bytes.bytes)
                    } else {
                        hasNull = true
                    }
                }
            }
            return words.map { IndexKey($0) } + (hasNull ? [.null] : [])
        }
    }
}

/// Budget for reading whole strings, which objects of an enumerated column share. A `WorkBudget` is meant for bytes
/// that occur once in a file.
final class StringBudget {
    /// The number of times that the whole file may be read.
    private static let passes = 32
    private var left: Int

    init(_ scope: SnapshotScope) {
        let (product, overflows) = scope.root.logicalSize.multipliedReportingOverflow(by: Self.passes)
        left = overflows ? .max : product
    }

    var isExhausted: Bool { left < 0 }

    /// Charges `count` bytes; returns false when the budget is exhausted.
    func spend(_ count: Int) -> Bool {
        if left >= 0 { left -= count + 1 }
        return left >= 0
    }
}
