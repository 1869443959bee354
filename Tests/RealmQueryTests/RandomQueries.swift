import RealmCore
import RealmLayout
import RealmQuery
import RealmStorage
import RealmStore
import TestSupport
import WriterTestSupport

/// Queries on a table determined by a seed, with values that occur in it and values near these.
struct RandomQueries {
    private let table: Table
    private var random: Numbers
    /// Values of some objects, by property.
    private let samples: [[Value]]
    /// The keys of the first objects.
    private let keys: [ObjectKey]

    init(_ table: Table, seed: UInt64) throws {
        self.table = table
        random = Numbers(state: seed)
        var samples = table.schema.properties.map { _ in [Value]() }
        var cursor = table.objects
        var step = 1
        var position = 0
        var keys: [ObjectKey] = []
        // With increasing gaps in large tables.
        while let object = try cursor.next(), position < 3000 {
            position += 1
            keys.append(object.key)
            guard position % step == 0 else { continue }
            for index in samples.indices { samples[index].append(try object.value(at: index)) }
            if position > 40 * step { step *= 2 }
        }
        self.samples = samples
        self.keys = keys
    }

    /// Returns keys of some objects, ordered or not, some twice, and some of missing objects.
    mutating func someKeys() -> [ObjectKey] {
        let share = [1, 1, 2, 5, 40].randomElement(using: &random) ?? 1
        var some = keys.filter { _ in random.chance(share) }
        if random.chance(2) { return some }
        for _ in 0..<3 {
            some.append(ObjectKey(Int64.random(in: 0...5000, using: &random)))
            if let again = some.randomElement(using: &random) { some.append(again) }
        }
        return some.shuffled(using: &random)
    }

    /// Returns a query and its arguments.
    mutating func next() -> (query: ObjectQuery, arguments: [QueryArgument]) {
        var arguments: [QueryArgument] = []
        let predicate = predicate(depth: 0, &arguments)
        var steps: [ResultStep] = []
        while random.chance(3), steps.count < 3 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: steps.append(.limit(Int.random(in: 0...20, using: &random)))
            case 1: steps.append(.distinct((0...Int.random(in: 0...1, using: &random)).map { _ in path() }))
            default:
                steps.append(
                    .sort(
                        (0...Int.random(in: 0...2, using: &random)).map { _ in
                            SortKey(path: path(), ascending: random.chance(2))
                        }))
            }
        }
        return (ObjectQuery(predicate, steps: steps), arguments)
    }

    private mutating func predicate(depth: Int, _ arguments: inout [QueryArgument]) -> QueryPredicate {
        let choice = Int.random(in: 0..<10, using: &random)
        if depth < 3, choice < 4 {
            let parts = (0...Int.random(in: 1...2, using: &random)).map { _ in predicate(depth: depth + 1, &arguments) }
            return choice < 2 ? .and(parts) : choice == 2 ? .or(parts) : .not(parts[0])
        }
        if choice == 4, random.chance(10) { return .constant(random.chance(2)) }
        return comparison(&arguments)
    }

    private static let operations: [ComparisonOperation] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .beginsWith, .endsWith, .contains,
        .like,
    ]

    private mutating func comparison(_ arguments: inout [QueryArgument]) -> QueryPredicate {
        let (path, property) = pathToCompare()
        var operation = Self.operations.randomElement(using: &random) ?? .equal
        let isText = property.type == .string || property.type == .binary || property.type == .mixed
        if !isText, [.beginsWith, .endsWith, .contains, .like].contains(operation) { operation = .equal }
        let folds = isText && ![.less, .lessOrEqual, .greater, .greaterOrEqual].contains(operation) && random.chance(3)
        let bare = folds && operation != .like && random.chance(3)
        if random.chance(20) {
            return .comparison(
                .property(path), operation, .property(pathToCompare().path), caseInsensitive: folds,
                diacriticInsensitive: bare)
        }
        if operation == .isIn || random.chance(15) {
            let quantifier: Quantifier? = random.chance(2) ? nil : [.any, .all, .none].randomElement(using: &random)
            let count = [0, 1, 2, 3, 5, 10, 20].randomElement(using: &random) ?? 1
            arguments.append(.list((0..<count).map { _ in value(property) }))
            let list = QueryExpression.constant(.argument(arguments.count - 1, quantifier))
            return .comparison(
                .property(path), operation, list, caseInsensitive: folds, diacriticInsensitive: bare)
        }
        arguments.append(.value(value(property)))
        let constant = QueryExpression.constant(.argument(arguments.count - 1, nil))
        return random.chance(6)
            ? .comparison(
                constant, operation, .property(path), caseInsensitive: folds, diacriticInsensitive: bare)
            : .comparison(
                .property(path), operation, constant, caseInsensitive: folds, diacriticInsensitive: bare)
    }

    private mutating func path() -> QueryPath { pathToCompare().path }

    private mutating func pathToCompare() -> (path: QueryPath, property: StoredProperty) {
        var schema = table.schema
        var elements: [QueryPath.Element] = []
        while true {
            let single = schema.properties.filter { $0.collection == nil }
            let choices = single.isEmpty || random.chance(12) ? schema.properties : single
            guard let property = choices.randomElement(using: &random) else { break }
            elements.append(.name(property.name))
            if property.type == .link, elements.count < 4, !random.chance(5),
                let target = table.snapshot.schema.tables.first(where: { $0.tableName == property.target }),
                !target.properties.isEmpty
            {
                schema = target
                continue
            }
            let quantifier: Quantifier? =
                property.collection != nil && random.chance(2)
                ? [.any, .all, .none].randomElement(using: &random) : nil
            return (QueryPath(elements, quantifier: quantifier), property)
        }
        return (QueryPath([.name("nothing")]), table.schema.properties[0])
    }

    // MARK: Values

    private mutating func value(_ property: StoredProperty) -> Value {
        if random.chance(12) { return .null }
        let own = table.schema.properties.indices.filter { table.schema.properties[$0].type == property.type }
        let isStrange = random.chance(25)
        let index = (isStrange ? Array(samples.indices) : own).randomElement(using: &random)
        guard let found = index.flatMap({ samples[$0].randomElement(using: &random) }) else {
            return scalar(property.type)
        }
        switch found {
        case .list(let elements), .set(let elements): return elements.randomElement(using: &random) ?? .null
        case .dictionary(let entries): return entries.randomElement(using: &random)?.value ?? .null
        case .null: return random.chance(4) ? .null : scalar(property.type)
        case .embedded: return .null
        default: return random.chance(3) ? beside(found) : random.chance(8) ? scalar(property.type) : found
        }
    }

    /// Returns a value near another.
    private mutating func beside(_ value: Value) -> Value {
        switch value {
        case .int(let number):
            switch Int.random(in: 0..<5, using: &random) {
            case 0: return .int(number &+ 1)
            case 1: return .int(number &- 1)
            case 2: return .double(Double(number) + 0.5)
            case 3: return .float(Float(number))
            default: return .decimal128(Decimal128Bits(number))
            }
        case .double(let number):
            return random.chance(2) ? .double(number.nextUp) : .float(Float(number))
        case .float(let number): return random.chance(2) ? .float(number.nextDown) : .double(Double(number))
        case .string(let text):
            let count = Int.random(in: 0...4, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return .string(String(text.prefix(count)))
            case 1: return .string(String(text.suffix(count)))
            case 2: return .string(text.uppercased())
            case 3: return .string(text.lowercased())
            case 4: return .string("*" + text.suffix(count))
            default: return .string(String(text.prefix(count)) + "?*")
            }
        case .timestamp(let time):
            return Timestamp(seconds: time.seconds, nanoseconds: time.seconds < 0 ? -5 : 5).map { .timestamp($0) }
                ?? .null
        default: return value
        }
    }

    private mutating func scalar(_ type: StoredPropertyType) -> Value {
        switch random.scalar(type, nil) {
        case .int(let number): .int(number)
        case .bool(let bool): .bool(bool)
        case .string(let text): .string(text)
        case .malformedString(let bytes): .malformedString(bytes)
        case .binary(let bytes): .binary(bytes)
        case .timestamp(let time): .timestamp(time)
        case .float(let number): .float(number)
        case .double(let number): .double(number)
        case .decimal128(let number): .decimal128(number)
        case .objectId(let id): .objectId(id)
        case .uuid(let id): .uuid(id)
        default: .null
        }
    }
}

extension RandomDatabase {
    /// Returns the content determined by a seed, from a file that was written and read back.
    static func snapshot(seed: UInt64) throws -> Snapshot {
        let folder = try TemporaryFolder()
        var database = RandomDatabase(seed: seed)
        let builder = try RealmBuilder(database.schema, at: NewFile(folder.file("random.realm")))
        _ = try database.build(builder)
        // An open file remains readable after its folder is removed.
        return try RealmDatabase(path: folder.file("random.realm")).snapshot()
    }
}
