internal import RealmCore
internal import RealmLayout

/// Sorts and deduplicates objects by evaluating paths object by object.
struct ResultOrder {
    private let evaluator: QueryEvaluator

    init(_ evaluator: QueryEvaluator) {
        self.evaluator = evaluator
    }

    func apply(_ step: BoundStep, to objects: [StoredObject]) throws(FormatError) -> [StoredObject] {
        switch step {
        case .limit(let count): return Array(objects.prefix(count))
        case .sort(let keys):
            let values = try self.values(keys.map(\.path), of: objects)
            let directions = keys.map(\.ascending)
            return objects.indices.sorted { precedes($0, $1, values, directions) }.map { objects[$0] }
        case .distinct(let paths):
            let values = try self.values(paths, of: objects)
            // Objects whose path of links ends early are left out.
            let counted = objects.indices.filter { index in values.allSatisfy { $0[index] != nil } }
            let directions = paths.map { _ in true }
            var kept: [Int] = []
            for index in counted.sorted(by: { precedes($0, $1, values, directions) }) {
                if let last = kept.last, order(last, index, values, directions) == 0 { continue }
                kept.append(index)
            }
            return kept.sorted().map { objects[$0] }
        }
    }

    /// The value of each path for each object; nil where a link on the way leads nowhere.
    private func values(_ paths: [BoundPath], of objects: [StoredObject]) throws(FormatError) -> [[Value?]] {
        var columns: [[Value?]] = []
        for path in paths {
            var column: [Value?] = []
            for object in objects {
                let isReached = try !evaluator.objects(at: path.hops[...], from: object).isEmpty
                // A missing key gives null.
                column.append(isReached ? try evaluator.values(of: path, from: object).values.first ?? .null : nil)
            }
            columns.append(column)
        }
        return columns
    }

    /// Compares objects for a stable sort.
    private func precedes(_ left: Int, _ right: Int, _ values: [[Value?]], _ ascending: [Bool]) -> Bool {
        let order = order(left, right, values, ascending)
        return order == 0 ? left < right : order < 0
    }

    private func order(_ left: Int, _ right: Int, _ values: [[Value?]], _ ascending: [Bool]) -> Int {
        for (column, ascending) in zip(values, ascending) {
            let order: Int
            switch (column[left], column[right]) {
            case (nil, nil): continue
            // Links that lead nowhere come last, or first in descending order.
            case (nil, _): order = 1
            case (_, nil): order = -1
            case (let left?, let right?): order = QueryOrder.compare(left, right)
            }
            if order != 0 { return ascending ? order : -order }
        }
        return 0
    }
}
