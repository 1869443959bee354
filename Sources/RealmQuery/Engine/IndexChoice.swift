internal import RealmCore
internal import RealmLayout

/// Candidates from an index: the objects that may match a condition.
struct IndexChoice {
    /// Ascending, without duplicates.
    let keys: [ObjectKey]
    /// Description of the lookup for explanations.
    let text: String
    /// The only value looked up, if the condition matches exactly that value.
    fileprivate(set) var value: ProvenValues.Place?

    /// Chooses the index of a table that leaves the fewest candidates; nil if none helps or it is damaged.
    ///
    /// As in Realm, indexes are trusted to be complete: see `QueryOptions.usesIndexes`.
    init?(_ step: QueryPlan.Step, in table: Table) {
        let reader = IndexReader(table)
        guard let found = table.snapshot.reading({ reader.choice(step) }) else { return nil }
        self = found
    }

    fileprivate init(keys: [ObjectKey], text: String) {
        self.keys = keys
        self.text = text
    }
}

private struct IndexReader {
    private let table: Table
    private let count: Int

    /// Maximum number of values to look up individually.
    private static let mostValues = 1000
    /// Reading scattered objects is slower than scanning columns: beyond this share of the objects, an index does not
    /// help.
    private static let share = 8

    init(_ table: Table) {
        self.table = table
        count = (try? table.count) ?? 0
    }

    func choice(_ step: QueryPlan.Step) -> IndexChoice? {
        switch step.node {
        case .column(let index, let test): return choice(index, test)
        case .all(let steps):
            var best: IndexChoice?
            for step in steps {
                guard let found = choice(step) else { continue }
                if found.keys.count < best?.keys.count ?? .max { best = found }
                // Further lookups are hardly worthwhile.
                if found.keys.count <= 1 { break }
            }
            return best
        case .any(let steps):
            var keys: [ObjectKey] = []
            var texts: [String] = []
            for step in steps {
                guard let found = choice(step) else { return nil }
                keys += found.keys
                texts.append(found.text)
            }
            return checked(keys, texts.joined(separator: " and "))
        case .constant, .not, .link, .isLinked, .each: return nil
        }
    }

    private func choice(_ index: PropertyIndex, _ test: ColumnTest) -> IndexChoice? {
        let property = table.schema.properties[index]
        do throws(FormatError) {
            if case .words(let words) = test.kind { return try self.words(words, index, property) }
            guard property.index != .fullText else { return nil }
            if let beginning = test.beginning {
                guard var search = SearchIndex(of: index, table, searches: count) else { return nil }
                return checked(try search.candidates(beginningWith: beginning), "index of \(property.name)")
            }
            guard let values = test.indexedValues(property.type, atMost: Self.mostValues),
                var search = SearchIndex(of: index, table, searches: values.count)
            else { return nil }
            var keys: [ObjectKey] = []
            for value in values {
                keys += try search.candidates(value)
                if keys.count > count / Self.share, keys.count > Self.share { return nil }
            }
            var choice = checked(keys, "index of \(property.name)")
            if values.count == 1 {
                choice?.value = ProvenValues.Place(table: table.position, property: index, bytes: values[0])
            }
            return choice
        } catch {
            return nil
        }
    }

    private func words(
        _ words: SearchWords, _ index: PropertyIndex, _ property: StoredProperty
    ) throws(FormatError) -> IndexChoice? {
        guard !words.onlyExcludes, var search = SearchIndex(of: index, table, searches: count) else { return nil }
        var left: Set<ObjectKey>?
        for word in words.included {
            let found = try search.candidates(word)
            left = left?.intersection(found) ?? Set(found)
        }
        for beginning in words.beginnings {
            let found = try search.candidates(beginningWith: beginning)
            left = left?.intersection(found) ?? Set(found)
        }
        // Finding words in text is slow: any number of candidates is better than all objects.
        return left.map { IndexChoice(keys: $0.sorted(), text: "full-text index of \(property.name)") }
    }

    private func checked(_ keys: [ObjectKey], _ text: String) -> IndexChoice? {
        guard keys.count <= count / Self.share || keys.count <= Self.share else { return nil }
        var unique: [ObjectKey] = []
        for key in keys.sorted() where key != unique.last { unique.append(key) }
        return IndexChoice(keys: unique, text: text)
    }
}

extension ColumnTest {
    /// The required beginning of strings; nil for other tests.
    fileprivate var beginning: [UInt8]? {
        guard !null, case .text(let test) = kind else { return nil }
        return test.beginning
    }

    /// The indexed bytes of all matching values, nil for null (Spec 80).
    ///
    /// - Returns: nil if there are more than `most`, or they cannot be listed.
    fileprivate func indexedValues(_ type: StoredPropertyType, atMost most: Int) -> [[UInt8]?]? {
        var values: [[UInt8]?]
        switch kind {
        case .anyValue(false) where null: return [nil]
        case .integers(let test) where type == .int:
            guard let numbers = test.ranges.numbers(atMost: most) else { return nil }
            values = numbers.map { $0.littleEndianBytes }
        case .times(let ranges):
            guard let keys = ranges.numbers(atMost: most) else { return nil }
            values = keys.map { key in
                let seconds = Int64(truncatingIfNeeded: (key + 1 << 31) >> 32)
                let nanoseconds = Int32(truncatingIfNeeded: key - Int128(seconds) << 32)
                return seconds.littleEndianBytes + nanoseconds.littleEndianBytes
            }
        case .ids(let ranges, let blocks):
            guard let keys = ranges.numbers(atMost: most) else { return nil }
            values = keys.map { key in
                (0..<blocks.width).map { UInt8(truncatingIfNeeded: key >> UInt128(8 * (blocks.width - 1 - $0))) }
            }
        case .text(let test):
            guard let texts = test.equalTexts, texts.count <= most else { return nil }
            values = texts
        default: return nil
        }
        if null { values.append(nil) }
        return values
    }
}

extension ValueRanges {
    /// All numbers in the set; nil if there are more than `most`.
    fileprivate func numbers(atMost most: Int) -> [Number]? {
        var numbers: [Number] = []
        for range in ranges {
            // Adjacent numbers are in one range.
            let (length, isTooLong) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
            guard !isTooLong, length < most, numbers.count + Int(length) < most else { return nil }
            numbers += Array(range)
        }
        return numbers
    }
}
