internal import RealmCore
internal import RealmLayout
internal import Synchronization

/// Evaluates predicates, one object at a time.
struct QueryEvaluator {
    let snapshot: Snapshot
    /// Counts the work; nil for no limits.
    let meter: WorkMeter?
    /// Records overflows of values calculated for display. In predicates it is nil and integers wrap, as in Realm Core.
    var overflow: OverflowNote?
    /// The objects of enclosing subqueries, the nearest last.
    private var outer: [StoredObject] = []

    /// The evaluator for parts of an object, which paths of level 1 start from.
    func within(_ object: StoredObject) -> QueryEvaluator {
        var inner = self
        inner.outer.append(object)
        return inner
    }

    init(snapshot: Snapshot, meter: WorkMeter? = nil) {
        self.snapshot = snapshot
        self.meter = meter
    }

    /// The values of an operand for one object.
    struct Operand {
        var values: [Value]
        /// Whether they are the elements of a list, whatever their number.
        var isList: Bool
        /// The end of each list, if there are several; empty for a single list.
        ///
        /// As in Realm Core, each list is compared separately: the lists of several objects, and those at several
        /// positions of a Mixed value.
        fileprivate(set) var ends: [Int] = []

        init(values: [Value], isList: Bool) { (self.values, self.isList) = (values, isList) }

        /// The elements of several lists; no lists count as one empty list.
        init(lists: [[Value]]) {
            (values, isList) = (lists.flatMap { $0 }, true)
            guard lists.count > 1 else { return }
            var end = 0
            for list in lists {
                end += list.count
                ends.append(end)
            }
        }

        /// Each list as an operand of its own.
        var lists: [Operand] {
            zip([0] + ends, ends).map { Operand(values: Array(values[$0..<$1]), isList: isList) }
        }

        /// The same lists with transformed elements.
        func map(_ transform: (Value) -> Value) -> Operand {
            var other = self
            other.values = values.map(transform)
            return other
        }

        /// The number of values; long texts count more if they are searched.
        func work(_ isText: Bool) -> Int {
            guard isText else { return values.count }
            return values.reduce(0) { $0 + 1 + ($1.textCount >> 5) }
        }
    }

    func holds(_ predicate: BoundPredicate, for object: StoredObject) throws(FormatError) -> Bool {
        switch predicate {
        case .constant(let value): return value
        case .and(let parts):
            for part in parts where try !holds(part, for: object) { return false }
            return true
        case .or(let parts):
            for part in parts where try holds(part, for: object) { return true }
            return false
        case .not(let part): return try !holds(part, for: object)
        case .comparison(let comparison):
            let left = try operand(comparison.left, for: object)
            let right = try operand(comparison.right, for: object)
            // Lists are compared element by element, and a pattern can be compared at each position of a text.
            let isText = comparison.operation.isText
            try meter?.charge(left.work(isText) + left.work(isText) &* right.work(isText) + 1)
            return Comparison(comparison).holds(left, right)
        case .words(let path, let words, _):
            guard case .property(let property) = path.end else { return false }
            for reached in try objects(at: path.hops[...], from: start(of: path, object)) {
                try meter?.charge(QueryPlan.wordsCost)
                if words.hold(in: try reached.value(of: property)) { return true }
            }
            return false
        case .within(let test):
            let places = try objects(at: test.path.hops[...], from: start(of: test.path, object))
            try meter?.charge(places.count * test.region.cost)
            return try test.holds(places)
        }
    }

    /// The object that a path starts from.
    private func start(of path: BoundPath, _ object: StoredObject) -> StoredObject {
        path.level == 0 ? object : outer[outer.count - path.level]
    }

    func operand(_ expression: BoundExpression, for object: StoredObject) throws(FormatError) -> Operand {
        switch expression {
        case .constants(let values, let isList, _): return Operand(values: values, isList: isList)
        case .path(let path): return try values(of: path, from: start(of: path, object))
        case .aggregate(let path, let aggregate, let type, let byObject):
            return try self.aggregate(path, aggregate, type, byObject, object)
        case .subquery(let path, let predicate):
            var inner = within(object)
            // The condition of a subquery is a predicate even within a displayed value.
            inner.overflow = nil
            var count: Int64 = 0
            for found in try objects(at: path.hops[...], from: start(of: path, object))
            where try inner.holds(predicate, for: found) { count += 1 }
            return Operand(values: [.int(count)], isList: false)
        case .arithmetic(let left, let operation, let right):
            return combined(try operand(left, for: object), operation, try operand(right, for: object))
        }
    }

    private func result(_ left: Value, _ operation: ArithmeticOperation, _ right: Value) -> Value {
        guard let overflow else { return Arithmetic.result(left, operation, right) }
        if let value = Arithmetic.shownResult(left, operation, right) { return value }
        overflow.note()
        return .null
    }

    private func aggregate(_ aggregate: QueryAggregate, _ values: [Value], of type: StoredPropertyType) -> Value {
        guard let overflow else { return Arithmetic.aggregate(aggregate, values, of: type) }
        if let value = Arithmetic.shownAggregate(aggregate, values, of: type) { return value }
        overflow.note()
        return .null
    }

    /// Combines two lists element by element, or each element with a single value.
    private func combined(_ left: Operand, _ operation: ArithmeticOperation, _ right: Operand) -> Operand {
        switch (left.isList, right.isList) {
        case (true, true):
            let values = zip(left.values, right.values).map { result($0, operation, $1) }
            return Operand(values: values, isList: true)
        case (true, false):
            let other = right.values.first ?? .null
            return left.map { result($0, operation, other) }
        case (false, true):
            let other = left.values.first ?? .null
            return right.map { result(other, operation, $0) }
        case (false, false):
            let value = result(left.values.first ?? .null, operation, right.values.first ?? .null)
            return Operand(values: [value], isList: false)
        }
    }

    private func aggregate(
        _ path: BoundPath, _ aggregate: QueryAggregate, _ type: StoredPropertyType, _ byObject: Bool,
        _ object: StoredObject
    ) throws(FormatError) -> Operand {
        guard case .property(let property) = path.end else { return Operand(values: [.null], isList: false) }
        var results: [Value] = []
        var all: [Value] = []
        for reached in try objects(at: path.hops[...], from: start(of: path, object)) {
            let value = try reached.value(of: property)
            if byObject {
                results.append(self.aggregate(aggregate, value.elements ?? [], of: type))
            } else {
                all.append(value)
            }
        }
        if !byObject { return Operand(values: [self.aggregate(aggregate, all, of: type)], isList: false) }
        if path.isSingle {
            // A collection reached through a link that leads nowhere has no elements.
            return Operand(values: [results.first ?? self.aggregate(aggregate, [], of: type)], isList: false)
        }
        return Operand(values: results, isList: true)
    }
}

extension Value {
    /// The length of a string or of binary data in bytes.
    fileprivate var textCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .malformedString(let bytes), .binary(let bytes): bytes.count
        default: 0
        }
    }

    /// The elements of a collection, or the values of a dictionary; nil for a single value.
    var elements: [Value]? {
        switch self {
        case .list(let elements), .set(let elements): elements
        case .dictionary(let entries): entries.map(\.value)
        default: nil
        }
    }
}

/// Records that an integer exceeded 64 bits.
final class OverflowNote: Sendable {
    private let noted = Atomic<Bool>(false)

    var isNoted: Bool { noted.load(ordering: .relaxed) }

    func note() { noted.store(true, ordering: .relaxed) }
}
