internal import RealmCore
internal import RealmLayout

/// A predicate with resolved names and checked types.
indirect enum BoundPredicate: Sendable {
    case constant(Bool)
    case and([BoundPredicate])
    case or([BoundPredicate])
    case not(BoundPredicate)
    case comparison(BoundComparison)
    /// Whether a string contains the sought words.
    case words(BoundPath, SearchWords, text: String)
    /// Whether points lie in a region.
    case within(GeoTest)
}

/// Two operands and the comparison between them.
struct BoundComparison: Sendable {
    let left: BoundExpression
    let operation: ComparisonOperation
    let right: BoundExpression
    let folding: TextFolding
    /// The type of a property of the class itself that is compared with one constant of its type. Realm Core compares
    /// such columns without the rules for mixed values: NaN is neither less than a number nor equal to one, and null is
    /// ordered and counts as text among strings.
    let column: StoredPropertyType?
    /// Whether the operands are types, as bits (`TypeName`).
    let isOfTypes: Bool
    /// The comparison as written.
    let text: String
}

/// An expression that yields values for an object.
indirect enum BoundExpression: Sendable {
    /// The same for all objects.
    case constants([Value], isList: Bool, quantifier: Quantifier?)
    case path(BoundPath)
    /// The path leads to the values of a list, or to a property of many objects. `byObject` aggregates the list of each
    /// object separately.
    case aggregate(BoundPath, QueryAggregate, of: StoredPropertyType, byObject: Bool)
    /// The number of objects at the end of a path that match a predicate.
    case subquery(BoundPath, BoundPredicate)
    case arithmetic(BoundExpression, ArithmeticOperation, BoundExpression)
}

extension BoundExpression {
    /// Whether an object has at most one value. It is then shown as a single value or null, where a comparison uses an
    /// empty list.
    var isOneAtMost: Bool {
        switch self {
        case .constants(_, let isList, _): !isList
        case .path(let path): path.isOneAtMost
        case .aggregate(let path, _, _, let byObject): !byObject || path.hops.allSatisfy(\.isOneAtMost)
        case .subquery: true
        case .arithmetic(let left, _, let right): left.isOneAtMost && right.isOneAtMost
        }
    }
}

extension BoundPath {
    /// Whether it leads to at most one value, such as one element by its index or one entry by its key.
    fileprivate var isOneAtMost: Bool {
        guard suffix != .lengths, hops.allSatisfy(\.isOneAtMost), steps.allSatisfy(\.isOneAtMost) else { return false }
        guard case .property = end, steps.isEmpty else { return true }
        return property?.collection == nil || suffix == .size
    }
}

extension BoundPath.Hop {
    /// Whether it leads to at most one object.
    var isOneAtMost: Bool {
        switch self {
        case .link: true
        case .links(_, let step): step?.isOneAtMost ?? false
        case .backlinks: false
        }
    }
}

extension BoundPath.Step {
    /// Whether it leads to at most one element.
    fileprivate var isOneAtMost: Bool {
        switch self {
        case .index, .last: true
        // `@keys` stands for all keys if no entry has it as its key.
        case .key(let key): key != "@keys"
        case .all, .keys: false
        }
    }
}

/// The path from an object to its values.
struct BoundPath: Sendable {
    /// Where it starts: 0 for the current object, 1 for that of the enclosing subquery, and so on.
    var level = 0
    /// Links to follow, in order.
    var hops: [Hop] = []
    /// The part of the reached objects that is read.
    var end: End = .object
    /// The property at the end.
    var property: StoredProperty?
    /// Position within a list, dictionary or Mixed value.
    var steps: [Step] = []
    var suffix: Suffix?
    var quantifier: Quantifier?
    /// The type of the values; nil when it varies.
    var type: ValueType = .link(nil)

    enum Hop: Equatable, Sendable {
        /// A property that links to one object, or holds one.
        case link(property: PropertyIndex)
        /// A list, set or dictionary of links, optionally restricted to one element or key.
        case links(property: PropertyIndex, step: Step?)
        /// The objects that link to this one.
        case backlinks(IncomingLinks, table: TablePosition)

        fileprivate var isSingle: Bool {
            switch self {
            case .link, .links(_, .some(.key)): true
            default: false
            }
        }
    }

    enum End: Sendable {
        /// The objects themselves.
        case object
        case property(PropertyIndex)
        /// The number of links to the object, from all classes.
        case backlinkCount
    }

    enum Step: Equatable, Sendable {
        case index(Int)
        case last
        case all
        case key(String)
        case keys
    }

    enum Suffix: Sendable {
        /// The number of elements, or the length of a string or binary value.
        case size
        case type
        /// The length of each element.
        case lengths
    }

    /// Whether it follows links of dictionaries by key.
    var hasKeys: Bool {
        hops.contains { hop in if case .links(_, .some(.key)) = hop { true } else { false } }
    }

    /// Whether each hop leads to one object at most.
    var isSingle: Bool { hops.allSatisfy(\.isSingle) }

    /// Whether each object has one value, or none where a link leads nowhere.
    var hasOneValue: Bool {
        isSingle && steps.allSatisfy { if case .key = $0 { true } else { false } }
            && (property?.collection == nil || !steps.isEmpty)
    }

    /// Whether its values are the object's own, including its links.
    var isWithinObject: Bool {
        switch (hops.first, end) {
        case (nil, .object), (nil, .property): true
        case (.link, .object), (.links, .object): hops.count == 1
        default: false
        }
    }

    /// Whether it is the number of elements of one collection, or of the objects that link to one object.
    var isCount: Bool {
        guard suffix == .size, steps.isEmpty else { return false }
        switch end {
        case .object: return !hops.isEmpty && !isSingle && hops.dropLast().allSatisfy(\.isSingle)
        case .property: return property?.collection != nil && isSingle
        case .backlinkCount: return false
        }
    }
}

/// The type of an operand, as far as it is known before values are read.
enum ValueType: Equatable, Sendable {
    case property(StoredPropertyType)
    /// A link, to a table when that is known.
    case link(TableKey?)
    /// The result of `@type`.
    case typeName
    case null
}

/// A result step with resolved paths.
enum BoundStep: Sendable {
    case sort([(path: BoundPath, ascending: Bool)])
    case distinct([BoundPath])
    case limit(Int)
}
