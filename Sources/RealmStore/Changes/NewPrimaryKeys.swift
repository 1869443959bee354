internal import RealmCore
internal import RealmLayout

/// The primary keys of the objects that a transaction adds to a table.
struct NewPrimaryKeys {
    /// Consecutive integers of objects with consecutive keys.
    private struct Run {
        let first: Int64
        let key: Int64
        var last: Int64
    }

    /// Ascending integers, as in most imports.
    private var runs: [Run] = []
    private var removed: Set<Int64> = []
    /// All other primary keys.
    private var others: [IndexKeyBytes: ObjectKey] = [:]

    var isEmpty: Bool { runs.isEmpty && others.isEmpty }

    /// The object with a primary key.
    subscript(value: IndexKeyBytes) -> ObjectKey? {
        if !others.isEmpty, let key = others[value] { return key }
        guard let number = value.number, let last = runs.last, number <= last.last else { return nil }
        guard let run = run(of: number), removed.isEmpty || !removed.contains(number) else { return nil }
        return ObjectKey(runs[run].key + (number - runs[run].first))
    }

    private func run(of number: Int64) -> Int? {
        let run = runs.partitioningIndex { $0.first > number } - 1
        return run >= 0 && number <= runs[run].last ? run : nil
    }

    /// Adds a primary key that is not present.
    mutating func add(_ value: IndexKeyBytes, of object: ObjectKey) {
        guard let number = value.number, runs.last.map({ $0.last < number }) ?? true else {
            others[value] = object
            return
        }
        if let last = runs.last, last.last + 1 == number, last.key + (number - last.first) == object.value {
            runs[runs.count - 1].last = number
        } else {
            runs.append(Run(first: number, key: object.value, last: number))
        }
    }

    /// Removes a primary key, if it is present.
    mutating func remove(_ value: IndexKeyBytes) {
        if others.removeValue(forKey: value) == nil, let number = value.number, run(of: number) != nil {
            removed.insert(number)
        }
    }
}
